// runtime/engine/compile/analysis/fact.cpp - see fact.h.
#include "runtime/engine/compile/analysis/fact.h"

#include "runtime/engine/compile/analysis/number_facts.h"

namespace hip::engine::compile {

Fact Fact::affine(const AffineNumber& number) {
  if (number.stride > kMaxStride || number.stride < -kMaxStride) return any();
  Fact out(Kind::Affine);
  out.stride_ = int32_t(number.stride);
  out.align_ = clamp_align(number.align);
  out.varying_ = number.varying;
  out.width_ = uint8_t(std::min(number.width, 32u));
  out.part_strips_ = uint8_t(number.stride == 0 && number.varying == 0 ? kMaxStrips : number.part_strips);
  return out;
}

Fact Fact::mixture(uint32_t mixed, uint32_t varying, uint32_t width) {
  if (mixed == 0) return uniform(varying, 1, 0, width);
  Fact out(Kind::Any);
  out.varying_ = varying, out.mixed_ = mixed, out.width_ = uint8_t(std::min(width, 32u));
  return out;
}

Fact Fact::patterned(const PatternNumber& number) {
  Fact out(Kind::Any);
  out.pattern_ = number.number, out.align_ = number.align, out.varying_ = number.varying, out.mixed_ = number.mixed;
  return out;
}

Fact Fact::wide_pattern(uint32_t number) {
  Fact out = patterned({.number = number});
  out.wide_ = true;
  return out;
}

Fact Fact::pair_low(const Fact& affine, uint32_t high) {
  Fact out = affine;
  out.kind_ = Kind::PairLow, out.partner_ = uint16_t(high);
  return out;
}

Fact Fact::pair_high(const Fact& affine, uint32_t low) {
  Fact out = affine;
  out.kind_ = Kind::PairHigh, out.partner_ = uint16_t(low), out.align_ = 0, out.width_ = 32;
  return out;
}

Fact Fact::with_pattern(const PatternNumber& number) const {
  Fact out = *this;
  out.pattern_ = number.number, out.align_ = number.align, out.mixed_ &= number.mixed;
  return out;
}

Fact Fact::with_other_pattern() const {
  Fact out = *this;
  out.pattern_ = kSomePattern;
  return out;
}

Fact Fact::as_wide() const {
  Fact out = *this;
  out.wide_ = true;
  return out;
}

Fact Fact::without_wide() const {
  Fact out = *this;
  out.wide_ = false;
  return out;
}

Fact Fact::as_dword() const {
  Fact out = *this;
  if (is_pair_low()) out.kind_ = Kind::Affine, out.partner_ = 0;
  return out;
}

Fact Fact::joined(const Fact& a, const Fact& b) {
  if (a.is_top()) return b;
  if (b.is_top()) return a;
  // The low half of a pair, where the register is not the low half of that pair on the other way, is a number by
  // itself.
  const auto is_number = [](const Fact& f) { return f.is_pair_low() || f.is_affine(); };
  if (is_number(a) && is_number(b) && (a.kind_ != b.kind_ || a.partner_ != b.partner_))
    return joined(a.as_dword(), b.as_dword());
  if (a.kind_ != b.kind_ || a.stride_ != b.stride_ || a.partner_ != b.partner_) return joined_patterns(a, b);
  Fact out(a.kind_);
  out.stride_ = a.stride_, out.partner_ = a.partner_;
  out.varying_ = a.varying_ | b.varying_, out.mixed_ = a.mixed_ | b.mixed_;
  out.part_strips_ = std::min(a.part_strips_, b.part_strips_);
  out.align_ = uint8_t(std::min(a.align_in(out.part_strips_), b.align_in(out.part_strips_)));
  // In two steps at most: what grows in a loop is soon at its end.
  const uint8_t widest = std::max(a.width_, b.width_);
  out.width_ = a.width_ == b.width_ ? widest : widest <= kFactorBits ? kFactorBits : 32;
  out.pattern_ = a.pattern_ == b.pattern_ ? a.pattern_ : a.pattern_ && b.pattern_ ? kSomePattern : 0;
  out.wide_ = a.wide_ && b.wide_;
  return out;
}

// Affine numbers are numbers with patterns, too.
Fact Fact::joined_patterns(const Fact& a, const Fact& b) {
  const auto is_patterned = [](const Fact& f) { return f.has_pattern() || f.is_affine(); };
  if (!is_patterned(a) || !is_patterned(b) || (!a.pattern_ && !b.pattern_)) return any();
  return patterned({.number = a.pattern_ == b.pattern_ ? a.pattern_ : kSomePattern,
                    .align = std::min(a.strip_align(), b.strip_align()),
                    .varying = a.varying_ | b.varying_,
                    .mixed = a.differing_bits() | b.differing_bits()});
}

uint32_t Fact::differing_bits() const {
  if (kind_ == Kind::Any) return mixed_;
  if (is_uniform()) return 0;
  return is_disjoint() ? 15u << std::countr_zero(uint32_t(stride_)) : ~0u;
}

bool Fact::is_disjoint() const {
  if (kind_ != Kind::Affine) return false;
  if (stride_ == 0) return true;
  return stride_ > 0 && std::has_single_bit(uint32_t(stride_)) && align_ >= std::countr_zero(uint32_t(stride_)) + 4;
}

bool Fact::is_disjoint_in_part() const {
  return is_disjoint() && (stride_ == 0 || align_ >= std::countr_zero(uint32_t(stride_)) + lane_bits(part_strips_));
}

uint8_t Fact::trailing_zeros() const {
  return stride_ == 0 ? align_ : std::min<uint8_t>(align_, uint8_t(std::countr_zero(uint32_t(stride_))));
}

uint8_t Fact::strip_align() const {
  if (kind_ != Kind::Affine || stride_ == 0) return align_;
  return uint8_t(std::min(int(align_), std::countr_zero(uint32_t(stride_)) + 4));
}

int Fact::align_in(uint32_t part_strips) const { return compile::align_in(align_, stride_, part_strips); }

ScalarFact ScalarFact::joined(const ScalarFact& a, const ScalarFact& b) {
  if (a.is_top()) return b;
  if (b.is_top() || a == b) return a;
  return any(std::min(a.align(), b.align()));
}

} // namespace hip::engine::compile
