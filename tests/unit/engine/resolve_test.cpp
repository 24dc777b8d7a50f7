// Unit tests of decode/resolve.h: what the encodings leave unsaid, dual instructions in an order that keeps their
// meaning, and what differs between families and wave sizes. Words were assembled by llvm-mc; their text is beside
// them.
#include "runtime/engine/decode/decoder.h"
#include "runtime/engine/decode/resolve.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

using namespace hip::engine;

namespace {

struct Resolved {
  std::unique_ptr<Decoder> decoder;
  std::vector<ResolvedInst> parts;
  Resolved(const char* target, uint32_t lanes, std::vector<uint32_t> words) {
    auto made = Decoder::create(target, lanes);
    REQUIRE(made.ok());
    decoder = std::move(made.value());
    RawInst raw;
    decoder->decode({reinterpret_cast<const uint8_t*>(words.data()), words.size() * 4}, 0, raw);
    REQUIRE(raw.format != Format::Invalid);
    REQUIRE(raw.format != Format::Other);
    REQUIRE(raw.size_bytes == words.size() * 4);
    parts = resolve_all(*decoder, raw);
  }
  const ResolvedInst& one() const {
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].problem == "");
    return parts[0];
  }
};
ResolvedInst resolved(const char* target, uint32_t lanes, std::vector<uint32_t> words) {
  return Resolved(target, lanes, std::move(words)).one();
}
bool is_vgpr(const Operand& o, uint32_t n) { return o.bank == Bank::Vgpr && o.index == n; }

} // namespace

TEST_CASE("a dual instruction becomes two in order", "[resolve]") {
  const Resolved r("gfx1100", 32, {0xca220080, 0x03060a86}); // v_dual_mov_b32 v3, 0 :: v_dual_lshlrev_b32 v6, 6, v5
  REQUIRE(r.parts.size() == 2);
  CHECK(r.parts[0].opcode == Opcode::v_mov_b32);
  CHECK(is_vgpr(r.parts[0].vdst, 3));
  CHECK(r.parts[0].src[0].imm == 0);
  CHECK(r.parts[1].opcode == Opcode::v_lshlrev_b32);
  CHECK(is_vgpr(r.parts[1].vdst, 6));
  CHECK(r.parts[1].src[0].imm == 6);
  CHECK(is_vgpr(r.parts[1].src[1], 5));
}

TEST_CASE("a dual instruction whose second operation reads what the first writes runs the second one first",
          "[resolve]") {
  const Resolved r("gfx1100", 32, {0xca080102, 0x01040701}); // v_dual_mov_b32 v1, v2 :: v_dual_add_f32 v4, v1, v3
  REQUIRE(r.parts.size() == 2);
  CHECK(r.parts[0].opcode == Opcode::v_add_f32);
  CHECK(r.parts[1].opcode == Opcode::v_mov_b32);
}

TEST_CASE("a dual instruction that exchanges two registers uses one that guests cannot name", "[resolve]") {
  const Resolved r("gfx1100", 32, {0xca100101, 0x00000100}); // v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0
  REQUIRE(r.parts.size() == 3);
  CHECK(is_vgpr(r.parts[0].src[0], 1));
  CHECK(vgpr_of(r.parts[0].vdst) == kMaxVgprs - 1);
  CHECK(is_vgpr(r.parts[1].vdst, 1));
  CHECK(is_vgpr(r.parts[1].src[0], 0));
  CHECK(is_vgpr(r.parts[2].vdst, 0));
  CHECK(r.parts[2].src[0].index == r.parts[0].vdst.index);
}

TEST_CASE("an accumulator of a dual instruction stays the guest's register", "[resolve]") {
  const Resolved r("gfx1100", 32, {0xc8100701, 0x00000100}); // v_dual_fmac_f32 v0, v1, v3 :: v_dual_mov_b32 v1, v0
  REQUIRE(r.parts.size() == 3);
  CHECK(r.parts[0].opcode == Opcode::v_fmac_f32);
  CHECK(is_vgpr(r.parts[0].src[2], 0));
  CHECK(is_vgpr(r.parts[2].vdst, 0));
}

TEST_CASE("lane masks are as wide as the wave", "[resolve]") {
  const ResolvedInst narrow = resolved("gfx1100", 32, {0xd5010000, 0x000e0501}); // v_cndmask_b32_e64 v0, v1, v2, s3
  CHECK(narrow.reads.s[3]);
  CHECK_FALSE(narrow.reads.s[4]);
  const ResolvedInst dual = Resolved("gfx1100", 32, {0xca520307, 0x01000106}).parts.back(); // v_dual_cndmask_b32 …
  CHECK(dual.reads.s[kVccLo]);
  CHECK_FALSE(dual.reads.s[kVccHi]);
  const ResolvedInst wide = resolved("gfx942", 64, {0x00040501}); // v_cndmask_b32_e32 v2, v1, v2, vcc
  CHECK(wide.reads.s[kVccLo]);
  CHECK(wide.reads.s[kVccHi]);
}

TEST_CASE("v_cmpx of gfx10 and later writes EXEC alone", "[resolve]") {
  const ResolvedInst i = resolved("gfx1100", 32, {0x7d920300}); // v_cmpx_lt_u32_e32 v0, v1
  CHECK(i.body == Opcode::v_cmp_lt_u32);
  CHECK(i.writes_exec);
  CHECK(i.writes.s[kExecLo]);
  CHECK_FALSE(i.writes.s[kVccLo]);
}

TEST_CASE("operands of 16 bits name halves, and the other half stays", "[resolve]") {
  const ResolvedInst low = resolved("gfx1100", 32, {0x7e283994}); // v_mov_b16_e32 v20.l, v20.h
  CHECK(is_vgpr(low.src[0], 20));
  CHECK((low.op_sel & 1) == 1);
  CHECK(low.keep == 0xffff0000u);
  CHECK(low.reads.v[20]);
  const ResolvedInst high = resolved("gfx1100", 32, {0xd7624005, 0x00020704}); // v_and_b16 v5.h, v4.l, v3.l
  CHECK((high.op_sel & 8) == 8);
  CHECK(high.keep == 0xffffu);
  const ResolvedInst gfx9 = resolved("gfx942", 64, {0x3e000501}); // v_add_f16_e32 v0, v1, v2
  CHECK(gfx9.keep == 0);
  CHECK_FALSE(gfx9.reads.v[0]);
}

TEST_CASE("the null register reads as 0 and takes nothing", "[resolve]") {
  const ResolvedInst move = resolved("gfx1100", 32, {0xbe80007c}); // s_mov_b32 s0, null
  CHECK(move.src[0].is_constant());
  CHECK(move.src[0].imm == 0);
  const ResolvedInst add = resolved("gfx1100", 32, {0xd7007c00, 0x00020501}); // v_add_co_u32 v0, null, v1, v2
  CHECK(add.discards);
  CHECK(add.writes.s.none());
  CHECK(add.writes.v[0]);
}

TEST_CASE("DPP of gfx10 and later", "[resolve]") {
  const ResolvedInst mask =
      resolved("gfx1100", 32, {0x7e0002fa, 0xff056301}); // v_mov_b32_dpp v0, v1 row_xmask:3 … fi:1
  CHECK(mask.dpp_ctrl == 0x163);
  CHECK(mask.fetch_inactive);
  const ResolvedInst eight = resolved("gfx1100", 32, {0x7e0002e9, 0x05397701}); // v_mov_b32_dpp v0, v1 dpp8:[7,6,…,0]
  CHECK(eight.has_dpp8);
  CHECK(eight.dpp8 == 0x053977);
}

TEST_CASE("barriers in two instructions are one", "[resolve]") {
  CHECK(row_of(resolved("gfx1201", 32, {0xbe804ec1}).opcode).unit == Unit::NoEffect); // s_barrier_signal -1
  CHECK(row_of(resolved("gfx1201", 32, {0xbf94ffff}).opcode).unit == Unit::Barrier);  // s_barrier_wait 0xffff
}

TEST_CASE("coherent loads are fenced where loads and stores are counted apart", "[resolve]") {
  // global_load_b32 v0, v[2:3], off scope:SCOPE_DEV, and without the scope
  CHECK(resolved("gfx1201", 32, {0xee05007c, 0x00080000, 0x00000002}).fences);
  CHECK_FALSE(resolved("gfx1201", 32, {0xee05007c, 0x00000000, 0x00000002}).fences);
}

TEST_CASE("waves of 32 lanes cannot write EXEC_HI", "[resolve]") {
  const std::vector<uint32_t> words = {0xbefe0100}; // s_mov_b64 exec, s[0:1]
  auto decoder = Decoder::create("gfx1100", 32);
  REQUIRE(decoder.ok());
  RawInst raw;
  decoder.value()->decode({reinterpret_cast<const uint8_t*>(words.data()), 4}, 0, raw);
  CHECK(resolve(raw, decoder.value()->target(), 32).problem.find("EXEC_HI") != std::string::npos);
}
