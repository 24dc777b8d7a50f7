// runtime/engine/compile/emit/wide_patterns.h - 64-bit addresses with a pattern (Fact::wide_pattern): an index of 32 bits that
// is widened and added to what is the same in all lanes. Whether it wraps around in 32 bits only running code knows;
// that is kept beside the address, and where an access finds that it does not, and that the pattern is consecutive
// dwords, each strip is one vector. All other accesses go lane by lane as if nothing were known.
#pragma once

#include "runtime/engine/compile/emit/address.h"
#include "runtime/engine/compile/emit/valu_calls.h"

namespace hip::engine::compile {

class WidePatternEmitter : InstructionEmitter {
public:
  WidePatternEmitter(const EmitContext& context, ValuCalls& calls) : InstructionEmitter(context), calls_(calls) {}

  // Computes the result of a 64-bit shift (wide_index()) as a number with a pattern, beside its strips.
  void set_result(const Instr& i, const State& before);
  // The same of a sum of two instructions (LowSum): of the one that begins it, then of the one that completes it.
  void begin_sum(const Instr& i, const State& before);
  void complete_sum(const Instr& i, const State& before);
  // Whether the access is made here.
  bool applies(const MemoryAccess& access, const AddressShape& shape) const;
  // `lane_by_lane` makes the access as if nothing were known of its addresses.
  using LaneByLane = llvm::function_ref<void(std::vector<LoadedStrip>&)>;
  void emit(const MemoryAccess& access, LaneByLane lane_by_lane, std::vector<LoadedStrip>& loaded);

private:
  Value* index_stays(Value* pattern, const std::array<Value*, kMaxStrips>& first);

  ValuCalls& calls_;
  Value* sum_fits_ =
      nullptr; // what wide_pattern_fits() says of the operand of the sum that has begun; null: it has no wide pattern
};

} // namespace hip::engine::compile
