// runtime/engine/compile/emit/lanes.h - instructions that cross lanes: DPP operands, v_readlane and its kin, and the DS
// instructions that use only LDS's crossbar. All strips of a wave are at hand, so fixed permutations are shuffles.
#pragma once

#include "runtime/engine/compile/emit/instruction_emitter.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace hip::engine::compile {

// Operand 0 of a VALU instruction as DPP permutes it.
struct PermutedOperand {
  std::array<std::vector<llvm::Value*>, kMaxStrips> dwords;
  std::array<llvm::Value*, kMaxStrips> writable{}; // <16 x i1>: lanes that DPP lets write; null: all
};

class LanesEmitter : InstructionEmitter {
public:
  explicit LanesEmitter(const EmitContext& context) : InstructionEmitter(context) {}

  PermutedOperand permute(const Instr& i, Version version, uint32_t dwords, const State& state);
  void read_lane(const Instr& i, Version version, const State& state);
  void write_lane(const Instr& i, const State& state);
  void use_crossbar(const Instr& i, Version version, const State& before);

private:
  Value* gather(const std::array<int, kStripLanes>& from, llvm::function_ref<Value*(uint32_t)> strip_of,
                llvm::Type* type);
};

} // namespace hip::engine::compile
