// runtime/engine/compile/emit/float_control.h - the host's floating-point control word (MXCSR) in a region. It is the
// default one where nodes begin and end, where the wave may leave, and in whatever is called; instructions that round
// otherwise than to nearest (Instr::rounding) set it in front of them, and it stays so over their neighbours that round
// alike or not at all.
#pragma once

#include "runtime/engine/compile/emit/instruction_emitter.h"

namespace hip::engine::compile {

class FloatControl : InstructionEmitter {
public:
  explicit FloatControl(const EmitContext& context) : InstructionEmitter(context) {}

  // In front of an instruction.
  void before(const Instr& i);
  // The default one from here on.
  void reset() { set(kRoundNearest); }

private:
  void set(ModeRounding rounding);

  ModeRounding now_ = kRoundNearest;
};

} // namespace hip::engine::compile
