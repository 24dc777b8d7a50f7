// tests/tier1/ahead_test.cpp - matrix instructions behind a barrier that are computed in front of it (compile/read/ahead.h): which
// those are, and that a wave computes each of them once, wherever it leaves translated code.
#include "read_code.h"

#include "runtime/engine/compile/read/ahead.h"

#include <cmath>
#include <cstring>

using namespace tier1_test;
using namespace compile;

namespace {

// For each barrier, which matrix instructions of the text are computed in front of it, counted from 0 on.
using Lists = std::vector<std::vector<uint32_t>>;
Lists ahead_of(const std::string& text) {
  const Assembler assembler("gfx942");
  Lists out;
  with_code(assembler, text, [&](Code& code, const Library&) {
    std::vector<uint64_t> products;
    for (const Instr& i : code.instrs)
      if (i.kind == Kind::Matrix) products.push_back(i.raw.address);
    find_ahead(code, {.is_kernel = true, .computes = true});
    for (const Node& node : code.nodes) {
      if (code.last(node).kind != Kind::Barrier) continue;
      auto& list = out.emplace_back();
      for (const Instr& i : node.ahead)
        list.push_back(uint32_t(std::ranges::find(products, i.raw.address) - products.begin()));
    }
    return true;
  });
  return out;
}

const std::string kAdds = "v_mfma_f32_16x16x4_f32 v[32:35], v2, v6, v[32:35]\n";
const std::string kBarrier = "s_barrier\n";

} // namespace

TEST_CASE("Products are computed in front of the barriers behind which nothing changes their factors and sums") {
  const std::string other = "v_mfma_f32_16x16x4_f32 v[36:39], v3, v7, v[36:39]\n";
  CHECK(ahead_of(kAdds + kBarrier + kAdds + other) == Lists{{1, 2}});
  CHECK(ahead_of(kBarrier + kAdds + kBarrier + other + "s_nop 0\n" + kBarrier) == Lists{{0, 1}, {}, {}});
  CHECK(ahead_of(kBarrier + "ds_write_b32 v1, v20\nbuffer_load_dword v20, v1, s[0:3], 0 offen\n" + kAdds) == Lists{{0}});
}

TEST_CASE("Products stay behind what changes their factors or reads their sums, and so do those behind them") {
  CHECK(ahead_of(kBarrier + "ds_read_b32 v2, v1\n" + kAdds) == Lists{{}});
  CHECK(ahead_of(kBarrier + "v_mov_b32 v6, 0\n" + kAdds) == Lists{{}});
  CHECK(ahead_of(kBarrier + "v_mov_b32 v34, 0\n" + kAdds) == Lists{{}});
  CHECK(ahead_of(kBarrier + "v_mov_b32 v20, v34\n" + kAdds) == Lists{{}});
  CHECK(ahead_of(kBarrier + "global_store_dword v[0:1], v33, off\n" + kAdds) == Lists{{}});
  CHECK(ahead_of(kBarrier + kAdds + "ds_read_b32 v2, v1\n" + kAdds) == Lists{{0}});
  const std::string sets = "v_mfma_f32_16x16x4_f32 v[32:35], v2, v6, 0\n", moves = "v_mfma_f32_16x16x4_f32 v[32:35], v2, v6, v[36:39]\n";
  CHECK(ahead_of(kBarrier + sets + kAdds) == Lists{{}});
  CHECK(ahead_of(kBarrier + moves + kAdds) == Lists{{}});
  // (A barrier behind the first one's computes none that the wave might have computed already.)
  CHECK(ahead_of(kBarrier + kAdds + "ds_read_b32 v2, v1\n" + kBarrier + kAdds) == Lists{{0}, {1}});
}

TEST_CASE("Products are not computed in front of a barrier that waves do not come from alone, or may not go on from to them") {
  CHECK(ahead_of("s_cbranch_scc1 here\n" + kBarrier + "here:\n" + kAdds) == Lists{{}});
  CHECK(ahead_of(kBarrier + "s_cbranch_scc1 there\n" + kAdds + "there:\n") == Lists{{}});
  CHECK(ahead_of(kBarrier + "s_mov_b64 exec, s[0:1]\n" + kAdds) == Lists{{}});
  CHECK(ahead_of(kBarrier + "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3\n" + kAdds) == Lists{{}});
}

TEST_CASE("Products behind barriers are computed once, wherever the wave leaves translated code") {
  const char* const kinds[] = {"f32_16x16x4_f32", "f32_32x32x8_f16", "f64_16x16x4_f64", "i32_16x16x32_i8", "f32_16x16x16_bf16"};
  const uint32_t sums[] = {4, 16, 8, 4, 4}, factors[] = {1, 2, 2, 2, 2};
  const Assembler assembler("gfx942");
  Random random(61);
  Machine machine;
  for (uint32_t round = 0; round < tries(20); ++round) {
    const uint32_t kind = round % 5, f = factors[kind];
    const auto product = [&] {
      const std::string d = range('v', 32 + 16 * random.below(2), sums[kind]);
      return fmt::format("v_mfma_{} {}, {}, {}, {}\n", kinds[kind], d, range('v', 2 + f * random.below(3), f),
                         range('v', 10 + f * random.below(3), f), d);
    };
    // What may leave: loads from memory that only tier 0 reaches, of scalars and of lanes.
    const auto load = [&] {
      const uint32_t base = 2 * random.below(3);
      if (random.one_in(2))
        return fmt::format("s_load_dword s{}, s[{}:{}], {:#x}\n", 10 + random.below(3), base, base + 1,
                           4 * random.below(64));
      return fmt::format("global_load_dword v{}, v1, s[{}:{}] offset:{}\n", 20 + random.below(3), base, base + 1, 4 * random.below(64));
    };
    std::string text = "v_lshlrev_b32 v1, 2, v0\ns_mov_b32 s8, 2\nagain:\n";
    for (uint32_t part = 0; part < 4; ++part) {
      for (uint32_t k = 0; k < 5; ++k) {
        if (random.one_in(3)) text += load();
        if (random.one_in(8)) text += fmt::format("ds_read_b32 v{}, v1 offset:{}\n", 2 + random.below(14), 4 * random.below(64));
        if (random.one_in(12)) text += fmt::format("v_add_u32 v23, v23, v{}\n", random.between(32, 63));
        if (random.one_in(2)) text += product();
      }
      text += part < 3 ? "s_barrier\n" : "";
    }
    text += "s_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 again\n";
    Guest guest(assembler, "gfx942", text);
    const Inst* const tier1 = guest.tier1({});
    for (uint32_t trial = 0; trial < 8; ++trial) {
      machine.randomize(random);
      for (uint32_t r = 0; r < 64; ++r)
        for (uint32_t lane = 0; lane < kMaxLanes; ++lane) {
          uint32_t& v = machine.wave().row(r)[lane];
          v = r == 0 ? lane : (v & 0x83ff83ff) | 0x38003800; // numbers of moderate size in all types
        }
      for (uint32_t base = 0; base < 6; base += 2)
        machine.wave().set_sgpr64(base, random.one_in(3) ? machine.host() : machine.arena() + 4 * random.below(64));
      INFO(text);
      const auto both_nan = [&](uint32_t row, const uint32_t* a, const uint32_t* b, uint32_t lane) {
        if (kind == 3 || row < 32 || row >= 64) return false;
        if (kind != 2) return std::isnan(std::bit_cast<float>(a[lane])) && std::isnan(std::bit_cast<float>(b[lane]));
        const int low = row % 2 ? -int(kMaxLanes) : 0;
        const auto value = [&](const uint32_t* v) {
          return std::bit_cast<double>(v[int(lane) + low] | uint64_t(v[int(lane) + low + int(kMaxLanes)]) << 32);
        };
        return std::isnan(value(a)) && std::isnan(value(b));
      };
      REQUIRE(machine.compare(guest, guest.tier0(), tier1, both_nan) == "");
      REQUIRE(machine.wave().products_ahead == 0);
    }
  }
}
