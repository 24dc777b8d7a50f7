// runtime/engine/compile/emit/instruction_emitter.h - what all emitters of instructions work with: the guest function
// and what the analyses know of it, the region's plan, the function under construction, and the wave's registers in it.
// Emitters for one class of instructions derive from InstructionEmitter and own whatever state is theirs alone.
#pragma once

#include "runtime/engine/compile/emit/region_plan.h"
#include "runtime/engine/compile/emit/scalar_registers.h"
#include "runtime/engine/compile/emit/vector_registers.h"

namespace hip::engine::compile {

struct EmitContext {
  const FunctionAnalysis& function;
  const RegionPlan& plan;
  Library& library;
  FunctionBuilder& ir;
  WaveBlock& wave;
  ScalarRegisters& scalars;
  VectorRegisters& vectors;
};

class InstructionEmitter {
protected:
  using Value = llvm::Value;
  explicit InstructionEmitter(const EmitContext& context)
      : code_(context.function.code), facts_(context.function.facts), plan_(context.plan), library_(context.library),
        ir_(context.ir), builder_(context.ir.builder()), wave_(context.wave), scalars_(context.scalars),
        vectors_(context.vectors) {}
  ~InstructionEmitter() = default;
  uint32_t number_of(const Instr& i) const { return uint32_t(&i - code_.instrs.data()); }

  const Code& code_;
  const Facts& facts_;
  const RegionPlan& plan_;
  Library& library_;
  FunctionBuilder& ir_;
  llvm::IRBuilder<>& builder_;
  WaveBlock& wave_;
  ScalarRegisters& scalars_;
  VectorRegisters& vectors_;
};

} // namespace hip::engine::compile
