// runtime/engine/compile/emit/probes.h - what instrumented code tells a tool (tools/tool.h). Instructions are counted
// by straight piece: numbers that are known while the code is made are added (omnihip_t1_count) in front of each
// instruction that may stop the wave, on each way out, and at each node's end. Accesses are offered one by one, by the
// function that tier 0's observers call. Plain code has none of it.
#pragma once

#include "runtime/engine/compile/emit/handler_calls.h"
#include "runtime/engine/tools/instruction_class.h"

namespace hip::engine::compile {

class Probes : InstructionEmitter {
public:
  Probes(const EmitContext& context, HandlerCalls& handlers)
      : InstructionEmitter(context), handlers_(handlers), module_(context.library.module()) {}

  // In front of instruction k of a point, behind its checks: counts it, and offers its accesses. EXEC is still what the
  // instruction is executed with.
  void before(uint32_t k, const FlowPoint& point, const State& state);
  // On the way out of a piece, in front of an instruction that has not been counted.
  void leave() { add_pending(); }

private:
  void add_pending();

  HandlerCalls& handlers_;
  llvm::Module& module_;
  std::array<uint32_t, kInstructionClasses> pending_{}; // instructions of the piece so far, by class
};

} // namespace hip::engine::compile
