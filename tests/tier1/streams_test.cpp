// Stores past the host's caches: the same memory as tier 0 leaves, whether the grid is one that streams or not, wherever its
// lines begin; and only where nobody is told before the kernel ends.
#include "fixed_programs.h"
#include "machine.h"

#include <cstring>

using namespace tier1_test;

namespace {

compile::Start start() {
  compile::Start start;
  start.item_ids = 0x3ff, start.items = {kMaxLanes, 1, 1};
  return start;
}

// Whether there are vmovntps or vmovntdq of whole lines in it, whose regions are one part.
bool streams(const Guest& guest) {
  REQUIRE(guest.translation().objects.size() == 1);
  const auto& object = guest.translation().objects[0];
  for (size_t k = 0; k + 5 <= object.size(); ++k) {
    const uint8_t opcode = uint8_t(object[k + 4]);
    const bool whole = (uint8_t(object[k + 3]) & 0x60) == 0x40;
    if (uint8_t(object[k]) == 0x62 && whole && (opcode == 0x2b || opcode == 0xe7) && (uint8_t(object[k + 1]) & 7) == 1) return true;
  }
  return false;
}

// Compares the tiers, and says whether the translation has such stores.
bool compared(const Assembler& assembler, const std::string& text) {
  Guest guest(assembler, "gfx942", kStreamSetup + text + "s_endpgm\n", true);
  const Inst* tier1 = guest.tier1(start());
  Machine machines[2]; // for tier 0 and tier 1
  for (uint32_t k = 0; k < 16; ++k) {
    for (Machine& machine : machines) {
      Random random(16 * text.size() + k);
      machine.randomize(random);
      for (uint32_t lane = 0; lane < kMaxLanes; ++lane) machine.wave().row(0)[lane] = lane;
      const uint64_t line = (machine.arena() + 63) / 64 * 64;
      machine.wave().set_sgpr64(0, line + 4 * (k & 2 ? random.below(64) : 0));
      machine.wave().streams = k & 1;
      machine.run(guest, &machine == machines ? guest.tier0() : tier1);
    }
    INFO(text << "state " << k);
    auto memory = [](const Machine& machine) { return reinterpret_cast<const void*>((machine.arena() + 63) / 64 * 64); };
    REQUIRE(std::memcmp(memory(machines[0]), memory(machines[1]), Machine::kArenaBytes - 64) == 0);
  }
  return streams(guest);
}

} // namespace

TEST_CASE("Stores go past the host's caches where a grid streams") {
  const Assembler assembler("gfx942");
  const bool seen = host_level().isa == HostIsa::Avx512;
  for (const FixedProgram& store : kStreamingStores) CHECK(compared(assembler, store.text) == seen);
  for (const FixedProgram& store : kCachedStores) CHECK(!compared(assembler, store.text));
}
