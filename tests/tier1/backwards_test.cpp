// Accesses to device memory by addresses that nothing is known of before the code runs, where a strip's elements lie in
// descending order, as a partition writes what it has not selected: all of them, all but one, up to both ends of device
// memory. What must be in memory and in the registers is computed lane by lane. Over the ends both tiers have to do the
// same.
#include "machine.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace tier1_test;

namespace {

constexpr uint32_t kStrip = 16;

// Distances into the arena, of elements of `bytes`. Those of a strip fall from lane to lane.
void arrange(Random& random, uint32_t bytes, bool may_leave, uint32_t* at) {
  for (uint32_t strip = 0; strip < kMaxLanes / kStrip; ++strip) {
    uint32_t last = random.between(64, Machine::kArenaBytes - 1024); // lane 15's element
    if (random.one_in(4)) last = may_leave ? 0u - bytes * random.below(3) : 0;
    if (random.one_in(4)) last = Machine::kArenaBytes - bytes * (kStrip - (may_leave ? random.below(3) : 0));
    for (uint32_t l = 0; l < kStrip; ++l) at[strip * kStrip + l] = last + (kStrip - 1 - l) * bytes;
    if (random.one_in(4)) at[strip * kStrip + random.below(kStrip)] = random.below(Machine::kArenaBytes - bytes);
  }
}

void check(uint32_t dwords, bool stores, uint64_t seed) {
  const Assembler assembler("gfx942");
  const std::string name = dwords == 1 ? "" : fmt::format("x{}", dwords);
  const std::string data = dwords == 1 ? "v6" : fmt::format("v[6:{}]", 5 + dwords);
  const std::string access = stores ? fmt::format("global_store_dword{} v[2:3], {}, off offset:24", name, data)
                                    : fmt::format("global_load_dword{} {}, v[2:3], off offset:24", name, data);
  Guest guest(assembler, "gfx942", "s_mov_b64 exec, s[94:95]\n" + access + "\ns_waitcnt vmcnt(0)\n");
  const Inst* tier1 = guest.tier1({});
  Random random(seed);
  Machine machine;
  for (uint32_t trial = 0; trial < 10 * kExecKinds; ++trial) {
    machine.randomize(random);
    Wave& w = machine.wave();
    const uint64_t exec = trial % 2 ? ~0ull : any_exec(trial / 2 % kExecKinds, random);
    w.set_sgpr64(94, exec);
    uint32_t at[kMaxLanes];
    const bool may_leave = trial % 5 == 4;
    arrange(random, 4 * dwords, may_leave, at);
    auto* arena = reinterpret_cast<uint8_t*>(machine.arena());
    std::vector<uint8_t> memory(arena, arena + Machine::kArenaBytes);
    std::vector<uint32_t> rows(w.row(6), w.row(6) + dwords * kMaxLanes);
    for (uint32_t l = 0; l < kMaxLanes; ++l) {
      const uint64_t address = machine.arena() + uint64_t(int64_t(int32_t(at[l]))) - 24;
      w.row(2)[l] = uint32_t(address), w.row(3)[l] = uint32_t(address >> 32);
      if (!(exec >> l & 1) || may_leave) continue;
      for (uint32_t k = 0; k < dwords; ++k)
        if (stores)
          std::memcpy(&memory[at[l] + 4 * k], &rows[k * kMaxLanes + l], 4);
        else
          std::memcpy(&rows[k * kMaxLanes + l], &memory[at[l] + 4 * k], 4);
    }
    INFO(access << ", EXEC " << std::hex << exec);
    if (may_leave) {
      REQUIRE(machine.compare(guest, guest.tier0(), tier1) == "");
      continue;
    }
    machine.run(guest, tier1);
    REQUIRE(w.stop == Stop::Ended);
    REQUIRE(std::memcmp(arena, memory.data(), memory.size()) == 0);
    REQUIRE(std::memcmp(w.row(6), rows.data(), rows.size() * sizeof rows[0]) == 0);
  }
}

} // namespace

TEST_CASE("Elements of device memory in descending order") {
  for (uint32_t dwords : {1u, 2u, 4u}) {
    check(dwords, false, 71 + dwords);
    check(dwords, true, 81 + dwords);
  }
}
