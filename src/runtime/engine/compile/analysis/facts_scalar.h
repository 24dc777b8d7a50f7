// runtime/engine/compile/analysis/facts_scalar.h - what facts.cpp and facts_scalar.cpp share: facts of scalar operands.
#pragma once

#include "runtime/engine/compile/analysis/facts.h"

#include <algorithm>
#include <bit>

namespace hip::engine::compile {

inline constexpr uint8_t kMaxAlign = 32;
inline uint8_t align_of(uint64_t value) {
  return value ? uint8_t(std::min(std::countr_zero(value), int(kMaxAlign))) : kMaxAlign;
}
inline uint8_t clamp_align(int bits) { return uint8_t(std::clamp(bits, 0, int(kMaxAlign))); }

inline constexpr ScalarFact kAnyScalar{ScalarFact::Kind::Any, 0, 0};
inline ScalarFact constant(uint32_t v) { return {ScalarFact::Kind::Constant, 0, v}; }
inline bool is_constant(const ScalarFact& f) { return f.kind == ScalarFact::Kind::Constant; }
inline int scalar_align(const ScalarFact& f) { return is_constant(f) ? align_of(f.value) : f.align; }
// Of an operand's dword k; not of VGPRs.
inline ScalarFact scalar_operand(const State& state, const Operand& o, uint32_t k = 0) {
  if (o.is_constant()) return constant(uint32_t(o.imm >> (32 * k)));
  if (o.bank == Bank::Sgpr && o.index + k < kSgprCount) return state.s[o.index + k];
  return kAnyScalar;
}

} // namespace hip::engine::compile
