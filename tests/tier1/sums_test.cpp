// 64-bit sums of two additions (compile/analysis/facts_carry.cpp): which of them the translator knows to be affine, and that they
// are what the two instructions make, wherever the low half carries and whichever lanes are active.
#include "read_code.h"

#include "runtime/engine/compile/analysis/facts.h"

#include <string>

using namespace tier1_test;
using compile::Fact;

namespace {

constexpr const char* kOffset = "v_lshlrev_b32 v1, 2, v0\nv_mov_b32 v10, s5\n"; // of a dword by item id; the base's upper half
constexpr const char* kLow = "v_add_co_u32 v2, vcc, s4, v1\n";
constexpr const char* kHigh = "v_addc_co_u32 v3, vcc, 0, v10, vcc\n";

// The fact of a VGPR behind the text, in a kernel with work-groups of 256 items.
Fact fact_behind(const std::string& text, uint32_t vgpr) {
  static const Assembler assembler("gfx942");
  return with_code(assembler, text + "s_branch .Lend\n.Lend:\n", [&](compile::Code& code, const compile::Library&) {
    compile::Start start;
    start.item_ids = 0x3ff;
    start.items = {256, 1, 1};
    const compile::Facts facts(code, start);
    return facts.at({uint32_t(code.nodes.size() - 1), compile::Version::Full}).v[vgpr];
  });
}
Fact low_behind(const std::string& text) { return fact_behind(text, 2); }
bool is_address(const Fact& fact) { return fact.is_pair_low() && fact.stride() == 4; }

} // namespace

TEST_CASE("A sum of two additions is an affine pair") {
  const std::string sum = std::string(kOffset) + kLow + kHigh;
  CHECK(is_address(low_behind(sum)));
  SECTION("whichever operand comes first") {
    CHECK(is_address(low_behind(std::string(kOffset) + kLow + "v_addc_co_u32_e64 v3, vcc, v10, 0, vcc\n")));
  }
  SECTION("with instructions between that touch none of it") {
    CHECK(is_address(low_behind(std::string(kOffset) + kLow + "v_add_u32 v9, v0, v1\ns_add_u32 s9, s9, s8\n" + kHigh)));
  }
  SECTION("in the place of an operand") {
    CHECK(is_address(low_behind(sum + "v_add_co_u32 v2, vcc, 16, v2\nv_addc_co_u32 v3, vcc, 0, v3, vcc\n")));
  }
  SECTION("with its halves apart, and as an operand then") {
    const std::string apart = std::string(kOffset) + kLow + "v_addc_co_u32 v8, vcc, 0, v10, vcc\n";
    CHECK(is_address(low_behind(apart)));
    CHECK(fact_behind(apart, 8).is_pair_high());
    CHECK(is_address(low_behind(apart + "v_add_co_u32 v2, vcc, 16, v2\nv_addc_co_u32 v3, vcc, 0, v8, vcc\n")));
    SECTION("but not behind a change of either half") {
      CHECK_FALSE(low_behind(apart + "v_mov_b32 v8, v9\n").is_pair_low());
      CHECK_FALSE(fact_behind(apart + "v_mov_b32 v2, v9\n", 8).is_pair_high());
      CHECK_FALSE(is_address(
          low_behind(apart + "v_mov_b32 v8, v9\nv_add_co_u32 v2, vcc, 16, v2\nv_addc_co_u32 v3, vcc, 0, v8, vcc\n")));
      CHECK_FALSE(is_address(
          low_behind(apart + "v_add_co_u32 v2, vcc, 16, v2\nv_mov_b32 v8, v9\nv_addc_co_u32 v3, vcc, 0, v8, vcc\n")));
    }
    SECTION("but not where ways with other halves meet") {
      CHECK_FALSE(
          low_behind(apart + "s_cbranch_scc0 .Lend\nv_add_co_u32 v2, vcc, 16, v2\nv_addc_co_u32 v3, vcc, 0, v8, vcc\n")
              .is_pair_low());
    }
  }
  SECTION("but not with another's carries") {
    CHECK_FALSE(is_address(low_behind(std::string(kOffset) + kLow + "v_cmp_eq_u32 vcc, v0, v1\n" + kHigh)));
    CHECK_FALSE(is_address(low_behind(std::string(kOffset) + kLow + "s_mov_b32 vcc_hi, s9\n" + kHigh)));
    CHECK_FALSE(is_address(low_behind(std::string(kOffset) + kLow + "v_addc_co_u32_e64 v3, vcc, v10, 0, s[8:9]\n")));
  }
  SECTION("but not when its low half has changed") {
    CHECK_FALSE(is_address(low_behind(std::string(kOffset) + kLow + "v_mov_b32 v2, v9\n" + kHigh)));
  }
  SECTION("but not with an upper half that has changed, or is another register") {
    CHECK_FALSE(is_address(low_behind(sum + "v_add_co_u32 v2, vcc, 16, v2\nv_mov_b32 v3, v9\nv_addc_co_u32 v3, vcc, 0, v3, vcc\n")));
    CHECK_FALSE(is_address(low_behind(sum + "v_add_co_u32 v2, vcc, 16, v2\nv_addc_co_u32 v3, vcc, 0, v9, vcc\n")));
  }
}

TEST_CASE("A product of uniform numbers has the low zeros of both factors") {
  const Fact index = low_behind("s_lshl_b32 s6, s4, 2\nv_mad_u64_u32 v[2:3], vcc, s6, 16, v[0:1]\n");
  CHECK(index.is_affine());
  CHECK(index.stride() == 1);
  CHECK(index.is_disjoint_in_part()); // six zeros below, and a wave's lanes have six bits
  CHECK_FALSE(low_behind("s_lshl_b32 s6, s4, 1\nv_mad_u64_u32 v[2:3], vcc, s6, 16, v[0:1]\n").is_disjoint_in_part());
}

TEST_CASE("Sums of two additions are the same in both tiers, wherever they carry") {
  const DialectName name = GENERATE(from_range(std::begin(kDialects), std::end(kDialects)));
  CAPTURE(name.processor, name.lanes);
  const Dialect dialect(name.processor, name.lanes);
  const std::string text = dialect.respelled(
      std::string(kOffset) + kLow + kHigh + "v_cndmask_b32 v6, 0, 1, vcc\n" + "v_add_co_u32 v2, vcc, 64, v2\n" +
      "v_cndmask_b32 v7, 0, 1, vcc\n" + "v_addc_co_u32 v3, vcc, 0, v3, vcc\n" + "v_cndmask_b32 v8, 0, 1, vcc\n" +
      "v_add_co_u32 v4, vcc, v2, v1\n" + "v_addc_co_u32 v5, vcc, 0, v3, vcc\n" + "v_add_co_u32 v13, vcc, v4, v1\n" +
      "v_addc_co_u32 v11, vcc, 0, v5, vcc\n" + "v_add_co_u32 v12, vcc, 16, v13\n" +
      "v_addc_co_u32 v13, vcc, 0, v11, vcc\n" + "v_add_co_u32 v15, vcc, v12, v1\n" +
      "v_addc_co_u32 v12, vcc, 0, v13, vcc\n" + "v_mov_b32 v14, v12\nv_mov_b32 v12, 0\n");
  REQUIRE(text.find("v_add_co") != text.npos);
  Guest guest(dialect, text);
  Random random(7);
  // Around where the low half wraps: in no lane, within a strip, between strips, in all lanes.
  for (const uint32_t low : {0u, 0xffffff00u, 0xffffff7cu, 0xffffff80u, 0xffffffbcu, 0xffffffc0u, 0xffffffe0u, 0xfffffffcu, 0x80000000u})
    for (uint32_t kind = 0; kind < kExecKinds; ++kind) {
      Machine machine(name.lanes);
      machine.randomize(random);
      Wave& wave = machine.wave();
      const uint64_t exec = any_exec(kind, random, name.lanes);
      if (exec == 0) continue;
      wave.set_sgpr64(kExecLo, exec);
      for (uint32_t l = 0; l < kMaxLanes; ++l) wave.row(0)[l] = l;
      wave.sgpr[4] = low, wave.sgpr[5] = 0xffffffff;
      compile::Start start;
      start.version = exec == all_lanes(name.lanes) ? compile::Version::Full : compile::Version::Partial;
      start.item_ids = 0x3ff;
      start.items = {name.lanes, 1, 1};
      const std::string differs = machine.compare(guest, guest.tier0(), guest.tier1(start));
      INFO(text);
      CAPTURE(low, exec);
      CHECK(differs == "");
    }
}
