// runtime/engine/compile/analysis/fact.h - what can be known of one register before the code runs. The fact of a VGPR
// says how the values of its lanes follow from the value of one lane; the fact of an SGPR its value or its alignment.
// The fact of a VGPR holds for all lanes, active or not.
//
// Facts of VGPRs hold within parts of a wave: the whole wave, its halves or its quarters. A work-group of 32 x n items
// puts two of its rows into a wave of 64 lanes, one of 16 x n items four, and an item's coordinates are affine within a
// row only. A strip (16 lanes) is the shortest part. A number that is the same in the whole wave has parts of
// kMaxStrips strips, also in waves of 32 lanes.
#pragma once

#include "runtime/engine/compile/strip.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace hip::engine::compile {

inline constexpr uint8_t kMaxAlign = 32;
inline uint8_t align_of(uint64_t value) {
  return value ? uint8_t(std::min(std::countr_zero(value), int(kMaxAlign))) : kMaxAlign;
}
inline uint8_t clamp_align(int bits) { return uint8_t(std::clamp(bits, 0, int(kMaxAlign))); }

// Strides beyond this gain nothing; below it they stay far from overflow.
inline constexpr int32_t kMaxStride = 1 << 20;
// A pattern that is not the same as any other one's.
inline constexpr uint32_t kSomePattern = ~0u;
// Of `varying`: all bits of lane 0 may differ between strips, or none does.
inline constexpr uint32_t kVaries = ~0u, kSameInWave = 0;

// lane 0 + stride * l, in 32 bits, for lane l of a part.
struct AffineNumber {
  int64_t stride = 0;
  int align = 0;              // low bits of a part's lane 0 that are 0
  uint32_t varying = kVaries; // bits of lane 0 that may differ between strips
  uint32_t part_strips = 1;   // strips in a part: 1, 2 or 4
  uint32_t width = 32;        // the number is below 2^width in every lane of the wave
};
// Lane 0 plus a vector that all strips of the wave have in common (patterns.h).
struct PatternNumber {
  uint32_t number = kSomePattern; // registers with one number have the same vector, but for kSomePattern
  uint8_t align = 0;              // low bits of strips' lane 0s that are 0
  uint32_t varying = kVaries;
  uint32_t mixed = ~0u; // bits that may differ between the lanes of a strip
};

class Fact {
public:
  enum class Kind : uint8_t {
    Top,      // not reached yet
    Any,      // not affine; mixed(), pattern() and width() say what is known
    Affine,   // an AffineNumber; stride 0: all lanes of a part are equal
    PairLow,  // this register and partner() are a 64-bit number: lane 0 + stride * l, in 64 bits; the low half
    PairHigh, // its high half; partner() holds the low one
  };
  constexpr Fact() = default; // Top

  static constexpr Fact any() { return Fact(Kind::Any); }
  // Any, where the stride is too large.
  static Fact affine(const AffineNumber& number);
  // The same in all lanes of a part.
  static Fact uniform(uint32_t varying, uint32_t part_strips, int align = 0, uint32_t width = 32) {
    return affine({.align = align, .varying = varying, .part_strips = part_strips, .width = width});
  }
  static Fact uniform_in_wave(int align = 0, uint32_t width = 32) {
    return uniform(kSameInWave, kMaxStrips, align, width);
  }
  // A number of which only the bits of `mixed` differ between the lanes of a strip.
  static Fact mixture(uint32_t mixed, uint32_t varying, uint32_t width);
  static Fact patterned(const PatternNumber& number);
  // The low half of a 64-bit number with a pattern, lane 0 plus the pattern's signed numbers, where code finds that
  // nothing wraps around (emit/wide_patterns.h).
  static Fact wide_pattern(uint32_t number);
  // Halves of a pair whose low half is that affine number; the other half is in VGPR `high`, or `low`.
  static Fact pair_low(const Fact& affine, uint32_t high);
  static Fact pair_high(const Fact& affine, uint32_t low);
  // Of a register that has fact `a` on one way and `b` on another.
  static Fact joined(const Fact& a, const Fact& b);

  Fact with_pattern(const PatternNumber& number) const; // beside what is known
  Fact with_other_pattern() const;                      // its number is another one's from now on
  // The low half of a number with a wide pattern, which has that pattern in 32 bits; such a half by itself.
  Fact as_wide() const;
  Fact without_wide() const;
  // The low half of a pair by itself is a 32-bit number.
  Fact as_dword() const;

  bool operator==(const Fact&) const = default;

  Kind kind() const { return kind_; }
  bool is_top() const { return kind_ == Kind::Top; }
  // No lane follows from another one by a stride.
  bool is_any() const { return kind_ == Kind::Any || kind_ == Kind::Top; }
  bool is_affine() const { return kind_ == Kind::Affine; }
  bool is_uniform() const { return kind_ == Kind::Affine && stride_ == 0; }
  bool is_pair_low() const { return kind_ == Kind::PairLow; }
  bool is_pair_high() const { return kind_ == Kind::PairHigh; }
  uint32_t partner() const { return partner_; } // of half of a pair: the VGPR that holds the other half
  int32_t stride() const { return stride_; }
  uint8_t align() const { return align_; }
  uint32_t varying() const { return varying_; }
  uint8_t part_strips() const { return part_strips_; }
  uint8_t width() const { return width_; }
  uint32_t mixed() const { return mixed_; }     // of Any: bits that may differ between the lanes of a strip
  uint32_t pattern() const { return pattern_; } // of Any; 0: none
  bool has_pattern() const { return kind_ == Kind::Any && pattern_ != 0; }
  bool is_wide_pattern() const { return wide_; }

  // Lane 0 is the same in all strips.
  bool same_in_wave() const { return varying_ == 0 && !is_any(); }
  // The strip from whose lane 0 all lanes of strip q follow: the first strip of q's part, or strip 0.
  uint32_t source_strip(uint32_t q) const { return same_in_wave() ? 0 : q - q % part_strips_; }
  bool is_source_strip(uint32_t q) const { return source_strip(q) == q; }
  // Whether source_strip() is the same for both facts, for every strip.
  bool has_same_sources(const Fact& other) const {
    return !is_any() && part_strips_ == other.part_strips_ && same_in_wave() == other.same_in_wave();
  }

  // Whether stride times a lane's number in its strip is added to zeros of lane 0's value, so that nothing carries.
  bool is_disjoint() const;
  // The same for a lane's number in its part.
  bool is_disjoint_in_part() const;
  // How many low bits are 0 in all lanes.
  uint8_t trailing_zeros() const;
  // How many low bits are 0 in lane 0 of every strip.
  uint8_t strip_align() const;
  // How many low bits are 0 in lane 0 of every part, if parts had so few strips.
  int align_in(uint32_t part_strips) const;

private:
  constexpr explicit Fact(Kind kind) : kind_(kind) {}
  static Fact joined_patterns(const Fact& a, const Fact& b);
  uint32_t differing_bits() const; // between the lanes of a strip

  Kind kind_ = Kind::Top;
  uint8_t align_ = 0, width_ = 32, part_strips_ = 1;
  bool wide_ = false;
  uint16_t partner_ = 0;
  int32_t stride_ = 0;
  uint32_t varying_ = kVaries, mixed_ = ~0u, pattern_ = 0;
};

// Bits of the number of a lane in its part.
inline int lane_bits(uint32_t part_strips) { return 4 + std::countr_zero(part_strips); }
// How many low bits are 0 in lane 0 of every part of `part_strips` strips, where `align` are in lane 0 of longer parts
// and the number grows by `stride` from lane to lane.
inline int align_in(int align, int32_t stride, uint32_t part_strips) {
  return stride == 0 ? align : std::min(align, std::countr_zero(uint32_t(stride)) + lane_bits(part_strips));
}

// A pair of dwords as one 64-bit affine number, as far as it is known.
struct PairFact {
  int32_t stride = 0;
  uint8_t align = 0;
  bool same_in_wave = false; // the number in lane 0 is the same in all strips
  uint8_t part_strips = 1;
};

// Of an SGPR or a scalar operand.
class ScalarFact {
public:
  enum class Kind : uint8_t { Top, Any, Constant, Kernarg };
  constexpr ScalarFact() = default; // Top: not reached yet

  static constexpr ScalarFact any(uint8_t align = 0) { return {Kind::Any, align, 0}; }
  static constexpr ScalarFact constant(uint32_t value) { return {Kind::Constant, 0, value}; }
  // Half 0 or 1 of the kernarg segment's address.
  static constexpr ScalarFact kernarg(uint32_t half) { return {Kind::Kernarg, 0, half}; }
  static ScalarFact joined(const ScalarFact& a, const ScalarFact& b);

  bool operator==(const ScalarFact&) const = default;
  bool is_top() const { return kind_ == Kind::Top; }
  bool is_constant() const { return kind_ == Kind::Constant; }
  bool is_kernarg(uint32_t half) const { return kind_ == Kind::Kernarg && value_ == half; }
  uint32_t value() const { return value_; } // of a constant
  uint8_t align() const { return is_constant() ? align_of(value_) : align_; }

private:
  constexpr ScalarFact(Kind kind, uint8_t align, uint32_t value) : kind_(kind), align_(align), value_(value) {}

  Kind kind_ = Kind::Top;
  uint8_t align_ = 0;  // of Any: low bits that are 0
  uint32_t value_ = 0; // of Constant; of Kernarg: which half
};

} // namespace hip::engine::compile
