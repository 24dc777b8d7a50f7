// tests/tier1/turn_test.cpp - which loops may wait for other waves, what of a wave's state they can change, and when a wave that
// goes round one of them lets others run.
#include "operations.h"

#include "runtime/engine/wave/turn.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <vector>

using namespace hip;
using namespace hip::engine;

namespace {

std::optional<WaitingLoop> loop_of(const std::string& processor, const std::string& text) {
  std::vector<LoopStep> steps;
  for (const ResolvedInst& inst : tier1_test::operations_of(processor, text)) steps.emplace_back(inst);
  return find_waiting_loop(steps);
}
bool waits(const std::string& text) { return loop_of("gfx942", text).has_value(); }

// A wave's block without anything else.
struct Block {
  std::vector<char> bytes = std::vector<char>(kWaveBytes + 64);
  Wave& wave;
  Block() : wave(*new (reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(bytes.data()) + 63) / 64 * 64)) Wave) {
    wave.vgpr_rows = 8;
    begin();
  }
  void begin() { wave.budget = budget_of_turn(wave), wave.waits = Waits::No; }
  // Takes branches, of which `state` says what they repeat, until the turn is over or there have been `most`.
  uint32_t branches_until_over(const std::vector<StateRange>& state, uint32_t most, auto&& each) {
    for (uint32_t taken = 1; taken <= most; ++taken) {
      each();
      if (--wave.budget.left < 0 && turn_is_over(wave, state.data(), uint32_t(state.size()))) return taken;
    }
    return 0;
  }
};

} // namespace

TEST_CASE("loops that read memory which others write may wait", "[turn]") {
  CHECK(waits("global_load_dword v2, v[0:1], off sc1\ns_waitcnt vmcnt(0)\nv_cmp_eq_u32 vcc, 0, v2\ns_cbranch_vccnz 0\n"));
  CHECK(waits("global_atomic_cmpswap v2, v[0:1], v[4:5], off sc0\ns_cbranch_execnz 0\n"));
  CHECK(waits("v_add_u32 v0, 4, v0\nglobal_load_dword v2, v[0:1], off sc1\ns_cbranch_execnz 0\n"));
  CHECK(waits("flat_load_dword v2, v[0:1]\ns_cbranch_execnz 0\n"));
  CHECK(waits("ds_read_b32 v2, v0\ns_cbranch_execnz 0\n"));
  CHECK(waits("s_swappc_b64 s[30:31], s[0:1]\ns_cbranch_execnz 0\n"));
}

TEST_CASE("loops that do something else do not wait", "[turn]") {
  CHECK_FALSE(waits("v_add_u32 v0, 4, v0\nglobal_load_dword v2, v[0:1], off\ns_cbranch_execnz 0\n"));
  CHECK_FALSE(waits("v_add_u32 v0, 4, v0\nds_read_b32 v2, v0\ns_cbranch_execnz 0\n"));
  CHECK_FALSE(waits("global_load_dword v2, v[0:1], off\nglobal_store_dword v[4:5], v2, off\ns_cbranch_execnz 0\n"));
  CHECK_FALSE(waits("global_atomic_add v[0:1], v4, off\ns_cbranch_execnz 0\n"));
  CHECK_FALSE(waits("scratch_load_dword v2, off, off offset:4\ns_cbranch_execnz 0\n"));
  CHECK_FALSE(waits("global_load_dword v2, v[0:1], off sc1\ns_barrier\ns_cbranch_execnz 0\n"));
  CHECK_FALSE(waits("global_load_dword v2, v[0:1], off sc1\ns_sleep 1\ns_cbranch_execnz 0\n"));
  CHECK_FALSE(waits("v_add_u32 v0, 4, v0\ns_cbranch_execnz 0\n"));
}

TEST_CASE("a waiting loop's state is the registers that it writes", "[turn]") {
  const auto loop = loop_of("gfx942", "global_load_dwordx2 v[2:3], v[0:1], off sc1\nv_cmp_eq_u32 vcc, 0, v2\ns_add_u32 s4, s4, 1\ns_cbranch_vccnz 0\n");
  REQUIRE(loop);
  const std::vector<StateRange> state = state_of(*loop);
  REQUIRE(state.size() == 3);
  CHECK(state[0].offset == Wave::sgpr_offset(4));
  CHECK(state[0].bytes == 4);
  CHECK(state[1].offset == Wave::sgpr_offset(kVccLo));
  CHECK(state[1].bytes == 8);
  CHECK(state[2].offset == Wave::vgpr_offset(2));
  CHECK(state[2].bytes == 2 * kRowBytes);
  const auto storing = loop_of("gfx942", "global_load_dword v2, v[0:1], off sc1\nscratch_store_dword off, v2, off\ns_cbranch_execnz 0\n");
  REQUIRE(storing);
  CHECK(state_of(*storing).back().offset == StateRange::kPrivateMemory);
}

TEST_CASE("a wave whose loop changes nothing lets others run at once", "[turn]") {
  Block block;
  Wave& wave = block.wave;
  const std::vector<StateRange> state{{Wave::sgpr_offset(4), 4}, {Wave::vgpr_offset(2), kRowBytes}};
  const uint32_t first = block.branches_until_over(state, 1000, [] {});
  CHECK(first > kFirstGrant);
  CHECK(first < 2 * kFirstGrant);
  CHECK(wave.waits == Waits::Since);
  for (int turn = 0; turn < 3; ++turn) { // still nothing
    block.begin();
    CHECK(block.branches_until_over(state, 1000, [] {}) == 1);
    CHECK(wave.waits == Waits::Still);
  }
  block.begin(); // another wave has written what it waits for: it goes on, and then waits for something else
  const uint32_t waited_again = block.branches_until_over(state, 1000, [&, k = 0]() mutable {
    if (++k == 1) wave.row(2)[63] = 7;
  });
  CHECK(waited_again > 1);
  CHECK(wave.waits == Waits::Since);
}

TEST_CASE("a wave whose loop changes something has its whole turn", "[turn]") {
  Block block;
  Wave& wave = block.wave;
  const std::vector<StateRange> state{{Wave::sgpr_offset(4), 4}, {Wave::vgpr_offset(2), kRowBytes}};
  SECTION("a scalar register") {
    CHECK(block.branches_until_over(state, 1u << 20, [&] { ++wave.sgpr[4]; }) > kTimeSliceBranches / 2);
  }
  SECTION("one lane") {
    CHECK(block.branches_until_over(state, 1u << 20, [&] { ++wave.row(2)[17]; }) > kTimeSliceBranches / 2);
  }
  SECTION("branches of no waiting loop") { CHECK(block.branches_until_over({}, 1u << 20, [] {}) > kTimeSliceBranches / 2); }
  CHECK(wave.waits == Waits::No);
  CHECK(block.branches_until_over(state, 1u << 20, [&] { ++wave.sgpr[4]; }) <= 2 * kTimeSliceBranches);
}

TEST_CASE("a waiting loop with other branches inside is found", "[turn]") {
  Block block;
  const std::vector<StateRange> state{{Wave::sgpr_offset(4), 4}};
  for (uint32_t others : {1u, 2u, 3u, 5u}) {
    block.wave.waits = Waits::No;
    block.begin();
    uint32_t iterations = 0;
    for (bool over = false; !over && iterations < 5000; ++iterations)
      for (uint32_t k = 0; k <= others && !over; ++k) {
        const bool last = k == others;
        if (--block.wave.budget.left < 0) over = turn_is_over(block.wave, last ? state.data() : nullptr, last ? uint32_t(state.size()) : 0);
      }
    CHECK(block.wave.waits == Waits::Since);
    CHECK(iterations < 200);
    block.wave.sgpr[4] += 1;
  }
}
