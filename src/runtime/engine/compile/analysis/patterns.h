// runtime/engine/compile/analysis/patterns.h - what is known of numbers that follow from lane 0 in a way that only running
// code knows: lane l of every strip is that strip's lane 0 plus P[l], with one vector P for all four strips. They come
// from lane numbers and uniform ones by operations on bits, as in i & (j - 1) and i ^ j. Facts say which registers are
// such numbers and which have the same P (Fact::pattern); code keeps P in a vector of its own (emit/patterns.h), and
// accesses to memory look at it once instead of at four strips of addresses, once for all addresses that differ by a
// uniform number.
#pragma once

#include "runtime/engine/compile/analysis/facts.h"

#include <optional>

namespace hip::engine::compile {

// How the lanes of a number lie, as far as that makes patterns.
struct Shape {
  bool known = false;            // lane 0 plus what all strips share; the rest speaks of such numbers
  bool uniform = false;          // P is 0
  bool wave = false;             // uniform, and the same in all strips
  uint32_t mixed = ~0u;          // bits that may differ between the lanes of a strip
  uint8_t align = 0;             // low bits of strips' lane 0s that are 0
  uint32_t pattern = 0;          // as Fact::pattern
  std::optional<uint32_t> value; // uniform, and known
  // All bits of P are in `mixed`, and lane 0 has zeros there, so that nothing carries.
  bool disjoint() const { return known && align >= uint32_t(std::bit_width(mixed)); }
};
Shape shape_of(const State& state, const Operand& operand);
// Whether a result has the same pattern as `a`, where `b` is uniform.
bool keeps_pattern(LaneStep op, const Shape& a, const Shape& b);
// The shape of a result; `fresh`: its pattern's number where it is one that no other number has.
Shape combined(LaneStep op, const Shape& a, const Shape& b, uint32_t fresh);
// What v_lshl_add_u64 or v_lshlrev_b64 shifts, where it differs from lane to lane and the other operands do not.
struct WideIndex {
  bool known = false;
  bool wide = false;    // it is a 64-bit number already (Fact::wide_pattern); else its high half is 0
  uint32_t operand = 0; // which one it is
  uint32_t shift = 0;
};
WideIndex wide_index(const RawInst& raw, const State& state);

} // namespace hip::engine::compile
