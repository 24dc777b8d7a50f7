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

  // Whether an access is at an offset that the instruction alone says.
  static bool is_fixed(const ResolvedInst& raw) { return !raw.vaddr && !raw.saddr; }
  // Whether an element at that offset lies in one lane's slots; interpret/memory/scratch.h asks the same for the
  // handlers.
  static bool is_in_slot(int64_t offset, uint32_t bytes) {
    const uint32_t part = uint32_t(offset) % 4;
    return bytes >= 4 ? part == 0 : part + bytes <= 4;
  }
  // Where lane 0 of strip q has the element, when all lanes of the strip have it there; else null.
  Value* common_offset(const Instr& i, uint32_t q, const State& state);
  // That accesses at one offset are inside, and in their slots, has been checked (access_checks.h).
  void emit(const Instr& i, Version version, const State& before);

private:
  HandlerCalls& handlers_;
};

} // namespace hip::engine::compile
