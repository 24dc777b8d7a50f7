// Loops that wait for other waves: translated code, too, gives them their turn, and goes on where the loop begins.
#include "fixed_programs.h"
#include "machine.h"

using namespace tier1_test;

TEST_CASE("A translated loop that waits gives other waves their turn") {
  const Assembler assembler("gfx942");
  Random random(11);
  for (const FixedProgram& loop : kWaitingLoops) {
    INFO(loop.name);
    Guest guest(assembler, "gfx942", kWaitingSetup + loop.text);
    const Inst* entry = guest.tier1({});
    uint32_t left = 0; // to tier 0, of the loop's instructions
    for (const auto& element : guest.translation().elements) left += element.region == compile::Translation::kNoRegion;
    CHECK(left == 2); // s_sleep, which the text begins with, and the way to the function's end
    Machine machine;
    machine.randomize(random);
    Wave& w = machine.wave();
    w.set_sgpr64(0, machine.arena() + 256);
    auto* global = reinterpret_cast<uint32_t*>(machine.arena() + 256);
    auto* local = reinterpret_cast<uint32_t*>(w.lds + 16);
    *global = *local = 5;
    machine.run(guest, entry); // many turns
    REQUIRE(w.stop == Stop::Yield);
    *global = *local = 0;
    machine.run(guest, w.pc);
    REQUIRE(w.stop == Stop::Ended);
    for (uint32_t l = 0; l < kMaxLanes; ++l) CHECK(w.row(6)[l] == 8);
  }
}
