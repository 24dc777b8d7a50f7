// runtime/engine/interpret/by_mode.h - floating point while MODE is not the usual one (is_usual_mode). Handlers compute
// with numbers rounded to nearest, keep denormals and have no other NaN rule than MODE.IEEE's, and look at MODE
// nowhere. Waves with another MODE run in a program of their own (Program::for_mode), in which each floating-point
// instruction of the vector and the scalar ALU is an element of this file. It gives the instruction's handler operands
// whose denormals are flushed, the host's rounding or another body, and works on what the handler has stored. So plain
// programs pay nothing for it.
#pragma once

#include "runtime/engine/decode/float_rules.h"
#include "runtime/engine/interpret/inst.h"

namespace hip::engine {

// What such an element knows of its instruction; Inst::imm[0] of the element points to it.
struct InstByMode : FloatRules {
  Inst inst{};  // the instruction as other programs have it
  Inst other{}; // likewise where takes_other()
};
void RT_HANDLER_CC run_by_mode(Wave* w, const Inst* i);        // of the vector ALU
void RT_HANDLER_CC run_scalar_by_mode(Wave* w, const Inst* i); // of the scalar ALU
inline InstByMode* by_mode(const Inst& element) noexcept {
  return element.run == run_by_mode || element.run == run_scalar_by_mode ? reinterpret_cast<InstByMode*>(element.imm[0])
                                                                         : nullptr;
}

} // namespace hip::engine
