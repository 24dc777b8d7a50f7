// runtime/engine/compile/quick/allocate.h - places for virtual registers: physical registers, or slots of the stack.
//
// Each virtual register has one place for as long as it lives. Where it lives is known exactly (ranges of program
// points, with holes), so that what only rare blocks at the function's end use takes no register in between. Copies
// whose ends never live at once become one register. The others are given registers in the order of what their uses are
// worth, hot and short ones first, whichever register is free at all their points. What finds none lives in memory;
// what lives across a call in registers that the callee may change is saved and restored around it.
#pragma once

#include "runtime/engine/compile/quick/machine.h"

namespace hip::engine::compile::quick {

struct Place {
  bool in_register = false;
  uint16_t number = 0; // the physical register
  int32_t slot = -1;   // bytes from the begin of the area of slots; -1: none
};

struct Allocation {
  std::vector<Place> places; // by virtual register; merged ones have the same
  uint32_t slot_bytes = 0;   // of the area of slots
  uint32_t general_used = 0; // physical general registers that are written, as bits
  // For each call, in the order of Function::calls: registers that are saved around it.
  std::vector<std::vector<Reg>> saved;
};

// Registers that allocation leaves free for values in memory and for breaking cycles of copies.
inline constexpr uint32_t kScratchGeneral[] = {phys::r10, phys::r11};
inline constexpr uint32_t kScratchVector[] = {29, 30, 31};
inline constexpr uint32_t kScratchMask[] = {0, 7}; // the first one cannot say which lanes an instruction writes

// Registers that a function of the System V ABI leaves as they were.
inline bool is_callee_saved(uint32_t general) {
  return general == phys::rbx || general == phys::rbp || (general >= phys::r12 && general <= phys::r15);
}

Allocation allocate(const Function& function);

} // namespace hip::engine::compile::quick
