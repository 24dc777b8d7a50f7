// tests/tier1/exits_test.cpp - programs whose checks are made together (compile/codegen/merge_exits.h) and whose
// results are computed in groups (compile/codegen/order_chains.h): the same registers and memory in all forms, wherever
// an access does not go ahead.
#include "machine.h"

#include <bit>
#include <cmath>

using namespace tier1_test;

namespace {

compile::Start start() {
  compile::Start start;
  start.item_ids = 0x3ff, start.items = {kMaxLanes, 1, 1};
  return start;
}

// Which of two NaNs comes out is the compiler's choice (ERRATA 9).
bool both_nan(uint32_t, const uint32_t* a, const uint32_t* b, uint32_t lane) {
  return std::isnan(std::bit_cast<float>(a[lane])) && std::isnan(std::bit_cast<float>(b[lane]));
}
// Of numbers of 64 bits in v[even:odd].
bool both_nan_64(uint32_t row, const uint32_t* a, const uint32_t* b, uint32_t lane) {
  const auto nan = [&](const uint32_t* half) {
    const uint32_t* const low = row % 2 ? half - kMaxLanes : half;
    return std::isnan(std::bit_cast<double>(low[lane] | uint64_t(low[kMaxLanes + lane]) << 32));
  };
  return nan(a) && nan(b);
}

// Runs the program for many states. Each of the bases in s[0:1], s[2:3] and s[4:5] points to memory that the wave has,
// to its end, to memory of the host's, or nowhere. How many runs end in a fault.
uint32_t faults_of(const std::string& text, uint32_t states, const Machine::Tolerance& tolerance = {}) {
  const Dialect dialect("gfx942", kMaxLanes);
  Guest guest(dialect, text);
  const Inst* const tier1 = guest.tier1(start());
  Machine machine;
  Random random(text.size());
  uint32_t faults = 0;
  for (uint32_t k = 0; k < states; ++k) {
    machine.randomize(random);
    for (uint32_t lane = 0; lane < kMaxLanes; ++lane) machine.wave().row(0)[lane] = lane;
    for (uint32_t base = 0; base < 6; base += 2) {
      const uint64_t inside = machine.arena() + 4 * random.below(1024);
      const uint64_t places[] = {inside, machine.arena() + Machine::kArenaBytes - 4 * random.below(400), machine.host(),
                                 4096};
      machine.wave().set_sgpr64(base, k == 0 || !random.one_in(4) ? inside : random.of(places));
    }
    Stop stop = Stop::None;
    INFO(text << "state " << k);
    REQUIRE(machine.compare(guest, guest.tier0(), tier1, tolerance, &stop) == "");
    faults += stop == Stop::Fault;
  }
  return faults;
}

} // namespace

TEST_CASE("Checks that are made together leave before the first access that does not go ahead") {
  std::string loads = "v_lshlrev_b32 v1, 2, v0\n";
  for (uint32_t k = 0; k < 12; ++k) {
    loads += fmt::format("global_load_dword v{}, v1, s[{}:{}] offset:{}\n", 10 + k, 2 * (k % 3), 2 * (k % 3) + 1,
                         256 * (k / 3));
    if (k % 4 == 3) loads += fmt::format("v_add_u32 v{}, v{}, v{}\n", 30 + k, 10 + k, 9 + k);
  }
  const std::string sums = "v_add_u32 v40, v10, v14\nv_add_u32 v41, v11, v15\n";
  CHECK(faults_of(loads + sums, 60) > 0);
  SECTION("with stores in between") {
    CHECK(faults_of(loads + "global_store_dword v1, v33, s[0:1] offset:64\n" + loads + sums, 60) > 0);
  }
  SECTION("with an address that is loaded") {
    CHECK(faults_of(loads + "v_and_b32 v2, 0xffc, v12\nglobal_load_dword v50, v2, s[2:3]\n" + loads + sums, 60) > 0);
  }
  SECTION("where not all lanes are active") {
    CHECK(faults_of("v_cmp_gt_u32 vcc, 50, v0\ns_and_saveexec_b64 s[10:11], vcc\n" + loads +
                        "s_mov_b64 exec, s[10:11]\n" + sums,
                    60) > 0);
  }
  SECTION("in a loop") {
    CHECK(faults_of("s_mov_b32 s12, 0\nloop:\n" + loads + sums +
                        "v_add_u32 v1, 64, v1\ns_add_u32 s12, s12, 1\ns_cmp_lt_u32 s12, 3\ns_cbranch_scc1 loop\n",
                    40) > 0);
  }
}

TEST_CASE("More sums than the host has registers are computed in groups") {
  constexpr uint32_t kSide = 5, kSums = 40, kSteps = 8;
  std::string text = "v_lshlrev_b32 v1, 2, v0\n";
  SECTION("of 32 bits") {
    for (uint32_t step = 0; step < kSteps; ++step) {
      for (uint32_t k = 0; k < 2 * kSide; ++k)
        text += fmt::format("global_load_dword v{}, v1, s[{}:{}] offset:{}\n", 10 + k, k < kSide ? 0 : 2,
                            k < kSide ? 1 : 3, 128 * step + 64 * k);
      for (uint32_t i = 0; i < kSide; ++i)
        for (uint32_t j = 0; j < kSide; ++j)
          text += fmt::format("v_fmac_f32 v{}, v{}, v{}\n", kSums + kSide * i + j, 10 + i, 10 + kSide + j);
    }
    CHECK(faults_of(text, 90, both_nan) > 0);
  }
  SECTION("of 64 bits, from memory and LDS") {
    text += "v_and_b32 v2, 0x1f8, v1\n";
    for (uint32_t step = 0; step < kSteps; ++step) {
      for (uint32_t k = 0; k < kSide; ++k) {
        text += fmt::format("global_load_dwordx2 v[{}:{}], v1, s[0:1] offset:{}\n", 10 + 2 * k, 11 + 2 * k,
                            64 * step + 8 * k);
        text += fmt::format("ds_read_b64 v[{}:{}], v2 offset:{}\n", 20 + 2 * k, 21 + 2 * k, 128 * step + 16 * k);
      }
      text += "s_waitcnt lgkmcnt(0)\n";
      for (uint32_t i = 0; i < kSide; ++i)
        for (uint32_t j = 0; j < kSide; ++j) {
          const uint32_t sum = kSums + 2 * (kSide * i + j);
          text += fmt::format("v_fma_f64 v[{}:{}], v[{}:{}], v[{}:{}], v[{}:{}]\n", sum, sum + 1, 10 + 2 * i,
                              11 + 2 * i, 20 + 2 * j, 21 + 2 * j, sum, sum + 1);
        }
    }
    CHECK(faults_of(text, 90, both_nan_64) > 0);
  }
  SECTION("of results that want each other") {
    for (uint32_t step = 0; step < kSteps; ++step) {
      for (uint32_t k = 0; k < 8; ++k)
        text += fmt::format("global_load_dword v{}, v1, s[0:1] offset:{}\n", 10 + k, 256 * step + 4 * k);
      for (uint32_t k = 0; k < 32; ++k)
        text += fmt::format("v_mad_u32_u24 v{}, v{}, v{}, v{}\n", kSums + k, 10 + k % 8, kSums + (k * 7 + step) % 32,
                            kSums + k);
    }
    CHECK(faults_of(text, 90) > 0);
  }
}
