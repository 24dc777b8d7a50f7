// runtime/engine/compile/analysis/value_numbers.h - values followed by number through straight-line code, for those who look
// for sequences that compilers write for one operation (divisions.h, roots.h): every register's dword has the number of
// the value in it, so two operands with one number are the same value, whatever registers it went through.
#pragma once

#include "runtime/engine/compile/read/code.h"

#include <array>
#include <map>
#include <optional>

namespace hip::engine::compile {

using Number = uint64_t;

// An operand's value: its dwords' numbers and its modifiers.
struct Term {
  Number low = 0, high = 0; // high: of 64-bit values
  bool negated = false, absolute = false;

  friend bool operator==(const Term&, const Term&) = default;
  Term plain() const { return {low, high}; }
  bool is_plain() const { return !negated && !absolute; }
};

// Whether a fused multiply-add of these sources is c - a x.
inline bool computes_rest(const Term (&sources)[3], const Term& a, const Term& x, const Term& c) {
  if (sources[2] != c) return false;
  for (uint32_t k = 0; k < 2; ++k) {
    const Term &p = sources[k], &q = sources[1 - k];
    if (p.plain() == a && q.plain() == x && !p.absolute && !q.absolute && p.negated != q.negated) return true;
  }
  return false;
}

class ValueNumbers {
public:
  ValueNumbers() { forget(); }
  // From here on all registers hold values not seen before.
  void forget();
  // An SGPR is known to hold this.
  void set_constant(uint32_t sgpr, uint32_t value) { sgpr_[sgpr] = constant(value); }

  Number constant(uint64_t value);
  // What a number stands for, where that is a constant.
  std::optional<uint64_t> constant_of(Number n) const;
  // Dword `dword` of an operand that has `dwords`.
  Number number(const Operand& o, uint32_t dword, uint32_t dwords);
  Term term(const RawInst& raw, uint32_t k, uint32_t dwords);
  Number vgpr(uint32_t n) const { return vgpr_[n]; }
  Number sgpr(uint32_t n) const { return sgpr_[n]; }
  // The value of a mask of a wave's lanes, which is one SGPR, or a pair that was written as one; 0: it was not.
  Number mask(uint32_t first, uint32_t lanes) const {
    if (lanes == 32) return sgpr_[first];
    return first + 1 < kSgprCount && sgpr_[first + 1] == sgpr_[first] + 1 ? sgpr_[first] : 0;
  }

  // Goes behind an instruction: what it writes is new, or a copy.
  void step(const Instr& i);

private:
  Number last_ = 0;
  std::array<Number, kFirstAccVgpr> vgpr_{};
  std::array<Number, kSgprCount> sgpr_{};
  std::map<uint64_t, Number> constants_;
  std::map<Number, uint64_t> values_; // of constants
};

} // namespace hip::engine::compile
