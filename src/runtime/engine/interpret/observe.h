// runtime/engine/interpret/observe.h - the checked variant of tier 0's handlers: in an instrumented program each
// machine instruction begins with an observer, an element that counts the instruction and offers its accesses to the
// tool, and goes on to the instruction's own element behind it. So handlers are the same in both forms, and plain
// programs hold no trace of tools.
#pragma once

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/tools/instruction_class.h"

namespace hip::engine {

// What an observer knows of its instruction; Inst::imm[0] of the observer points to it.
struct ObservedInst {
  InstructionClass instruction_class = InstructionClass::Other;
  const OpcodeRow* accesses = nullptr; // null: it accesses no memory, or has no handler that would
  Inst inst{};                         // the instruction's own element
};

// Counts the instruction and offers its accesses.
void RT_HANDLER_CC run_observer(Wave* w, const Inst* i);
// Offers its accesses alone: what translated code calls, which counts by itself.
void RT_HANDLER_CC run_offer(Wave* w, const Inst* i);

} // namespace hip::engine
