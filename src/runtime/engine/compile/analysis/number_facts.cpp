// runtime/engine/compile/analysis/number_facts.cpp - see number_facts.h.
#include "runtime/engine/compile/analysis/number_facts.h"

namespace hip::engine::compile {
namespace {

// The longest parts of up to `most` strips in which the numbers of lanes occupy bits of their own in `x`, from `low`
// on, `high` excluded, and `holds(low, high)`. A part of one strip is always good: its callers have looked at strips
// before.
template<class F> uint32_t longest_part(const Fact& x, uint32_t most, F holds) {
  uint32_t strips = std::min<uint32_t>(x.part_strips(), most);
  if (x.stride() == 0) return strips;
  const int low = std::countr_zero(uint32_t(x.stride()));
  for (; strips > 1; strips /= 2) {
    const int high = low + lane_bits(strips);
    if (x.align() >= high && high <= 32 && holds(low, high)) break;
  }
  return strips;
}
// Bits from `low` on, `high` excluded.
uint32_t field_of(int low, int high) { return (high >= 32 ? ~0u : (1u << high) - 1) & ~((1u << low) - 1); }
uint32_t low_bits(uint32_t width) { return width < 32 ? (1u << width) - 1 : ~0u; }
// Bits that a sum may differ in where its terms differ in `bits`: carries go up.
uint32_t with_carries(uint32_t bits) { return bits ? ~0u << std::countr_zero(bits) : 0; }

} // namespace

Fact shifted_right(const Fact& x, uint32_t by, uint32_t width) {
  const uint32_t varying = (x.varying() >> by) & low_bits(width);
  const uint32_t left = std::min<uint32_t>(x.width() - std::min<uint32_t>(x.width(), by), width);
  if (x.is_uniform()) return Fact::uniform(varying, x.part_strips(), x.align() - int(by), left);
  const uint32_t kept = low_bits(left);
  if (x.kind() == Fact::Kind::Any) return Fact::mixture((x.mixed() >> by) & kept, varying, left);
  if (!x.is_disjoint()) return Fact::any();
  const int from = int(by), to = int(by + width);                         // the bits that stay
  const int low = std::countr_zero(uint32_t(x.stride())), high = low + 4; // those that differ between lanes of a strip
  if (from >= high || low >= to) {
    const uint32_t strips =
        longest_part(x, kMaxStrips, [&](int begin, int end) { return from >= end || begin >= to; });
    return Fact::uniform(varying, strips, x.align_in(strips) - from, left);
  }
  if (from > low || high > to) return Fact::mixture(uint32_t(uint64_t(15) << low >> by) & kept, varying, left);
  const uint32_t strips = longest_part(x, kMaxStrips, [&](int, int end) { return end <= to; });
  return Fact::affine({.stride = uint32_t(x.stride()) >> by,
                       .align = x.align_in(strips) - from,
                       .varying = varying,
                       .part_strips = strips,
                       .width = left});
}

Fact shifted_right_signed(const Fact& x, uint32_t by) {
  if (x.is_any()) return Fact::any();
  const Fact out = shifted_right(x, by, 32 - by);
  if (out.is_any()) return Fact::any(); // bits that differ may be the sign's copies
  const bool reaches_sign = x.is_disjoint() && x.stride() >= 1 << 27;
  return !out.is_uniform() && reaches_sign ? Fact::any() : out;
}

Fact shifted_left(const Fact& x, uint32_t by) {
  if (x.kind() == Fact::Kind::Any) return Fact::mixture(x.mixed() << by, x.varying() << by, x.width() + by);
  if (!x.is_affine() || by > 31) return Fact::any();
  return Fact::affine({.stride = int64_t(x.stride()) << by,
                       .align = x.align() + int(by),
                       .varying = x.varying() << by,
                       .part_strips = x.part_strips(),
                       .width = x.width() + by});
}

Fact sum(const Fact& a, const Fact& b, Sign sign) {
  if (!a.is_affine() || !b.is_affine()) return Fact::any();
  const uint32_t strips = std::min(a.part_strips(), b.part_strips());
  return Fact::affine({.stride = int64_t(a.stride()) + int(sign) * int64_t(b.stride()),
                       .align = std::min(a.align_in(strips), b.align_in(strips)),
                       .varying = with_carries(a.varying() | b.varying()),
                       .part_strips = strips,
                       .width = sign == Sign::Plus ? std::max(a.width(), b.width()) + 1u : 32});
}

Fact united(const Fact& a, const Fact& b) {
  const uint32_t width = std::max(a.width(), b.width()), varying = a.varying() | b.varying();
  const uint32_t shorter = std::min(a.part_strips(), b.part_strips());
  if (a.is_uniform() && b.is_uniform()) return Fact::uniform(varying, shorter, std::min(a.align(), b.align()), width);
  if (a.is_affine() && b.is_affine() && (a.width() <= b.trailing_zeros() || b.width() <= a.trailing_zeros()))
    return Fact::affine({.stride = int64_t(a.stride()) + b.stride(),
                         .align = std::min(a.align_in(shorter), b.align_in(shorter)),
                         .varying = varying,
                         .part_strips = shorter,
                         .width = width});
  const Fact& x = a.is_uniform() ? b : a;
  const Fact& u = a.is_uniform() ? a : b;
  if (!u.is_uniform() || !x.is_disjoint()) return Fact::any();
  if (u.align() < std::countr_zero(uint32_t(x.stride())) + 4) return Fact::any();
  const uint32_t strips = longest_part(x, u.part_strips(), [&](int, int high) { return u.align() >= high; });
  return Fact::affine({.stride = x.stride(),
                       .align = std::min<int>(x.align_in(strips), u.align()),
                       .varying = varying,
                       .part_strips = strips,
                       .width = width});
}

Fact masked(const Fact& x, uint32_t mask) {
  const uint32_t width = std::min<uint32_t>(x.width(), uint32_t(std::bit_width(mask))), varying = x.varying() & mask;
  if (x.is_uniform()) return Fact::uniform(varying, x.part_strips(), std::max(x.align(), align_of(mask)), width);
  if (x.kind() == Fact::Kind::Any) return Fact::mixture(x.mixed() & mask, varying, width);
  if (!x.is_disjoint()) return Fact::mixture(mask, mask, width);
  const int low = std::countr_zero(uint32_t(x.stride()));
  const uint32_t field = field_of(low, low + 4);
  if ((mask & field) == 0) {
    const uint32_t strips =
        longest_part(x, kMaxStrips, [&](int begin, int end) { return (mask & field_of(begin, end)) == 0; });
    return Fact::uniform(varying, strips, align_of(mask), width);
  }
  if ((mask & field) != field) return Fact::mixture(mask & field, varying, width);
  const uint32_t strips = longest_part(
      x, kMaxStrips, [&](int begin, int end) { return (mask & field_of(begin, end)) == field_of(begin, end); });
  return Fact::affine(
      {.stride = x.stride(), .align = x.align_in(strips), .varying = varying, .part_strips = strips, .width = width});
}

Fact times(const Fact& x, uint32_t factor) {
  if (!x.is_affine() || factor > uint32_t(kMaxStride)) return Fact::any();
  return Fact::affine({.stride = int64_t(x.stride()) * factor,
                       .align = x.align() + align_of(factor),
                       .varying = with_carries(x.varying() << (align_of(factor) & 31)),
                       .part_strips = x.part_strips(),
                       .width = x.width() + uint32_t(std::bit_width(factor))});
}

Fact product(const Fact& a, const Fact& b) {
  if (!a.is_uniform() || !b.is_uniform()) return Fact::any();
  return Fact::uniform(a.same_in_wave() && b.same_in_wave() ? kSameInWave : kVaries,
                       std::min(a.part_strips(), b.part_strips()), a.align() + b.align(),
                       uint32_t(a.width()) + b.width());
}

bool are_whole_factors(const Fact& x, const Fact& y, bool has_sign) {
  const uint32_t bits = kFactorBits - has_sign;
  return x.width() <= bits && y.width() <= bits;
}

std::optional<PairFact> pair_of(const Fact& low, const Fact& high) {
  const bool same = low.same_in_wave() && high.same_in_wave();
  if (low.is_pair_low() && high.is_pair_high() && low.stride() == high.stride())
    return PairFact{low.stride(), low.align(), same, std::min(low.part_strips(), high.part_strips())};
  if (!low.is_disjoint() || !high.is_uniform()) return std::nullopt;
  const uint32_t strips = longest_part(low, high.part_strips(), [](int, int) { return true; }); // nothing carries
  return PairFact{low.stride(), uint8_t(low.align_in(strips)), same, uint8_t(strips)};
}

std::optional<PairFact> shifted_left(const std::optional<PairFact>& x, uint32_t by) {
  if (!x || by >= 20) return std::nullopt;
  const int64_t stride = int64_t(x->stride) << by;
  if (stride > kMaxStride || stride < -kMaxStride) return std::nullopt;
  return PairFact{int32_t(stride), clamp_align(x->align + int(by)), x->same_in_wave, x->part_strips};
}

std::optional<PairFact> sum(const std::optional<PairFact>& a, const std::optional<PairFact>& b) {
  if (!a || !b) return std::nullopt;
  const int64_t stride = int64_t(a->stride) + b->stride;
  if (stride > kMaxStride || stride < -kMaxStride) return std::nullopt;
  const uint8_t shorter = std::min(a->part_strips, b->part_strips);
  const int align = std::min(align_in(a->align, a->stride, shorter), align_in(b->align, b->stride, shorter));
  return PairFact{int32_t(stride), clamp_align(align), a->same_in_wave && b->same_in_wave, shorter};
}

} // namespace hip::engine::compile
