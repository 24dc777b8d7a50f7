// tests/tier1/frames_test.cpp - factors of matrix instructions in a region's frame (compile/emit/region_plan.h,
// in_frame): loads write all registers of an operand, and products read them, one row behind the other, although some
// are wanted behind the region's end and stay in the wave's block.
#include "machine.h"

#include <cstring>

using namespace tier1_test;

namespace {

// v0 is the lane, v1 what its accesses' addresses begin with; v2 to v25 are factors, v32 to v63 sums.
constexpr uint32_t kFirstFactor = 2, kFactors = 24, kSumSlots = 2, kMostSums = 16;
const std::string kSetup = "v_lshlrev_b32 v1, 4, v0\n"; // 16 bytes a lane
// Of the loads: what a wave loads, 16 bytes a lane at most, ends within LDS.
constexpr uint32_t kMostOffset = Machine::kLdsBytes - kMaxLanes * 16;

const std::string kAgain = "s_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 again\n";

std::string load(uint32_t first, uint32_t count, uint32_t offset) {
  return fmt::format("ds_read_b{} {}, v1 offset:{}\n", 32 * count, range('v', first, count), offset);
}

struct Product {
  std::string name;
  uint32_t sums, factors;
  std::string of(uint32_t slot, uint32_t a, uint32_t b, bool begins = false) const {
    const std::string d = range('v', 32 + slot * kMostSums, sums);
    return fmt::format("v_mfma_{} {}, {}, {}, {}\n", name, d, range('v', a, factors), range('v', b, factors),
                       begins ? "0" : d);
  }
};

// Both sums of the text's products in memory: s[4:5] and s[6:7] are where.
std::string with_stores(const Product& product, std::string text) {
  for (uint32_t slot = 0; slot < kSumSlots; ++slot)
    for (uint32_t k = 0; k < product.sums; k += 4)
      text += fmt::format("global_store_dwordx4 v1, {}, s[{}:{}] offset:{}\n", range('v', 32 + slot * kMostSums + k, 4),
                          4 + 2 * slot, 5 + 2 * slot, k / 4 * 1024);
  return text + "s_endpgm\n";
}

// Compares what memory holds at the end in both tiers. Registers count for nothing there. Translated code that knows
// that v0 is the lane reads LDS row by row; other code has the library read all rows of a wave.
void check(const Assembler& assembler, const std::string& text, uint64_t seed, bool knows_lanes) {
  Guest guest(assembler, "gfx942", text, true);
  compile::Start start;
  if (knows_lanes) start.item_ids = 0x3ff, start.items = {kMaxLanes, 1, 1};
  const Inst* const tier1 = guest.tier1(start);
  INFO(text);
  Machine machines[2]; // for tier 0 and tier 1
  for (uint32_t trial = 0; trial < 2; ++trial) {
    for (Machine& machine : machines) {
      Random random(2 * seed + trial);
      machine.randomize(random);
      Wave& wave = machine.wave();
      for (uint32_t lane = 0; lane < kMaxLanes; ++lane) wave.row(0)[lane] = lane;
      wave.set_sgpr64(4, machine.arena()), wave.set_sgpr64(6, machine.arena() + 4096);
      for (uint32_t k = 0; k < wave.lds_bytes; k += 4) { // numbers of moderate size in all types
        const uint32_t bits = (uint32_t(random()) & 0x83ff83ff) | 0x38003800;
        std::memcpy(wave.lds + k, &bits, sizeof bits);
      }
      machine.run(guest, &machine == machines ? guest.tier0() : tier1);
      REQUIRE(machine.wave().stop == Stop::Ended);
    }
    const auto memory = [](const Machine& machine) { return reinterpret_cast<const uint32_t*>(machine.arena()); };
    for (uint32_t k = 0; k < Machine::kArenaBytes / 4; ++k)
      if (memory(machines[0])[k] != memory(machines[1])[k])
        FAIL(fmt::format("dword {} is {:#x}, in tier 1 {:#x}", k, memory(machines[0])[k], memory(machines[1])[k]));
  }
}

// A loop with products of v2 to v9 behind a barrier, which are computed in front of it, so that nobody wants their
// factors behind it; but for `wanted`, for a sum that something else has changed there.
std::string with_products(const Product& product, const Product& narrow, std::string loads, uint32_t wanted) {
  std::string text = kSetup + "s_mov_b32 s8, 2\n" + loads + load(10, 2, 512);
  for (uint32_t slot = 0; slot < kSumSlots; ++slot) text += product.of(slot, 10, 10, true);
  text += "again:\n" + loads + "s_barrier\n";
  for (uint32_t k = 0; k < 4; k += product.factors)
    text += product.of(k / product.factors % 2, 2 + k, 10 - product.factors - k);
  text += "v_mov_b32 v32, 0\n" + narrow.of(0, wanted, wanted) + kAgain;
  return with_stores(product, text);
}

} // namespace

TEST_CASE("Loads of four factors write each where it is, although one is wanted behind the barrier") {
  const Product product{"f32_16x16x4_f32", 4, 1};
  const Assembler assembler("gfx942");
  for (uint32_t wanted = 2; wanted < 10; ++wanted)
    for (const bool knows_lanes : {false, true})
      check(assembler, with_products(product, product, load(2, 4, 0) + load(6, 4, 1024), wanted), wanted, knows_lanes);
}

TEST_CASE("Products read each register of a factor where it is, although one is wanted behind the barrier") {
  const Product products[] = {{"i32_16x16x32_i8", 4, 2}, {"i32_32x32x16_i8", 16, 2}}, narrow{"i32_4x4x4_16b_i8", 4, 1};
  const Assembler assembler("gfx942");
  std::string loads;
  for (uint32_t k = 2; k < 10; ++k) loads += load(k, 1, 64 * k);
  for (const Product& product : products)
    for (uint32_t wanted = 2; wanted < 10; wanted += 3) // first and second halves
      for (const bool knows_lanes : {false, true})
        check(assembler, with_products(product, narrow, loads, wanted), wanted, knows_lanes);
}

TEST_CASE("Random loops load factors that are wanted behind barriers in part") {
  const Product kinds[] = {{"f32_16x16x4_f32", 4, 1},
                           {"f32_32x32x2_f32", 16, 1},
                           {"i32_16x16x32_i8", 4, 2},
                           {"i32_32x32x16_i8", 16, 2},
                           {"f64_16x16x4_f64", 8, 2}};
  const Assembler assembler("gfx942");
  Random random(73);
  const auto any_load = [&](uint32_t most) {
    const uint32_t count = 1u << random.below(most);
    return load(kFirstFactor + count * random.below(kFactors / count), count, 4 * random.below(kMostOffset / 4));
  };
  for (uint32_t round = 0; round < tries(10); ++round) {
    const Product& product = kinds[round % std::size(kinds)];
    const auto factor = [&] { return kFirstFactor + product.factors * random.below(kFactors / product.factors); };
    std::string text = kSetup + "s_mov_b32 s8, 2\n";
    for (uint32_t k = 0; k < kFactors; k += 4) text += load(kFirstFactor + k, 4, 32 * k);
    text += product.of(0, factor(), factor(), true) + product.of(1, factor(), factor(), true) + "again:\n";
    for (uint32_t part = random.between(2, 4); part > 0; --part) {
      for (uint32_t k = random.between(2, 8); k > 0; --k) text += any_load(3);
      for (uint32_t k = random.below(6); k > 0; --k) text += product.of(random.below(kSumSlots), factor(), factor());
      if (part > 1) text += "s_barrier\n";
    }
    text += kAgain;
    check(assembler, with_stores(product, text), round, random.one_in(2));
  }
}
