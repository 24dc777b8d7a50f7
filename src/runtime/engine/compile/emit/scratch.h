// runtime/engine/compile/emit/scratch.h - private memory. What all lanes have at one offset (spilled registers, fixed
// stack slots, arrays that are indexed alike) are plain vector accesses, behind a check that sends the wave to tier 0;
// for the rest the library looks at each lane's offset.
#pragma once

#include "runtime/engine/compile/emit/handler_calls.h"
#include "runtime/engine/compile/emit/instruction_emitter.h"

namespace hip::engine::compile {

class ScratchEmitter : InstructionEmitter {
public:
  // Accesses that cross their slot are left to handlers.
  ScratchEmitter(const EmitContext& context, HandlerCalls& handlers)
      : InstructionEmitter(context), handlers_(handlers) {}

  // Whether an access at one offset is inside, and in its slot (i1), which emit() takes for granted. Null: nothing has
  // to be checked.
  Value* fits(const Instr& i, Version version, const State& state);
  void emit(const Instr& i, Version version, const State& before);

private:
  Value* common_offset(const Instr& i, uint32_t q, const State& state);

  HandlerCalls& handlers_;
};

} // namespace hip::engine::compile
