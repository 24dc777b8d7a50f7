// runtime/engine/compile/emit/valu_calls.h - calls of the library's VALU functions for one strip or one lane: the
// instruction's operands with their modifiers as arguments, as interpret/alu/valu.h makes them for the handlers. EXEC
// and what becomes of the result are the callers' business (valu.h, compare.h, patterns.h).
#pragma once

#include "runtime/engine/compile/emit/lanes.h"

#include <span>

namespace hip::engine::compile {

// What a function computes on: 16 lanes, or lane 0 of a strip where that says it all.
enum class Width { Strip, Lane };

struct ValuResult {
  std::vector<llvm::Value*> rows; // dwords
  llvm::Value* mask = nullptr;    // i16
};

class ValuCalls : InstructionEmitter {
public:
  explicit ValuCalls(const EmitContext& context) : InstructionEmitter(context) {}

  // Strip q's arguments of the instruction's function; `permuted`: in place of operand 0, or null.
  std::vector<Value*> arguments(const Instr& i, const State& state, uint32_t q, Width width,
                                const PermutedOperand* permuted = nullptr);
  // The carries of lane 0s out of an addition, whose mask is SGPR `mask` (i1 by strip; null: of none); until forget_carries().
  void remember_carries(uint32_t mask, const std::array<Value*, kMaxStrips>& carries) { carries_of_ = mask, carries_ = carries; }
  void forget_carries() { carries_ = {}; }
  ValuResult call(llvm::Function* function, std::vector<Value*> arguments, uint32_t rows, bool mask, Width width);
  // What v_div_fixup computes where it ends a division (Instr::is_quotient), from its function's arguments: flags, an
  // estimate, denominator, numerator.
  ValuResult quotient(const std::vector<Value*>& arguments, uint32_t rows);
  // SDWA: the selected part of operand k; a result at its place in the destination, whose old value is `old`.
  Value* selected(const ResolvedInst& raw, uint32_t k, Value* v);
  Value* placed(const ResolvedInst& raw, Value* v, Value* old);

private:
  uint32_t carries_of_ = 0;
  std::array<Value*, kMaxStrips> carries_{};
  Value* modified(const ValuOp& op, const ResolvedInst& raw, uint32_t k, uint32_t dword, Value* low, Value* high);
};

} // namespace hip::engine::compile
