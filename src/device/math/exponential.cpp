// Exponentials and logarithms in single precision for targets whose compiler has no operation of that name (NVPTX), where
// libclc's flush subnormal numbers or look tables up, lane by lane.
#include "own.h"

namespace hip::device {
namespace {

float exp2_of(float x) {
#if defined(__NVPTX__)
  return __nvvm_ex2_approx_f(x); // within 2^-22 (PTX ISA, ex2), subnormal results included
#else
  return static_cast<float>(__builtin_exp2(static_cast<double>(x)));
#endif
}

// b^x for log2(b) = high + low.
float power_of(float x, float high, float low) {
#if defined(__NVPTX__)
  // Eight operations without a case. The exponent n = floor(x log2(b)) is held within -126 and 126 by the multiplication
  // that saturates to 0 and 1 (NaN to 0); beyond these the fraction is what overflows, vanishes or is NaN. Adding 1.5 * 2^23
  // leaves n + 127, which is the exponent field of 2^n, in the low bits of the sum.
  constexpr float kBehindFraction = 0x1.8p23f;
  const float part = __nvvm_fma_rn_sat_f(x, high / 252, 0.5f);
  const float sum = __nvvm_fma_rm_f(part, 252, kBehindFraction + 1);
  const float n = sum - (kBehindFraction + 127);
  const float fraction = fused(x, low, fused(x, high, -n));
  return __nvvm_ex2_approx_ftz_f(fraction) * of_bits<float>(bits_of(sum) << 23);
#else
  // What rounding the product to x loses comes back as a factor, 1 + ln(2) * rest; where the result is 0 or infinite there
  // is nothing to bring back.
  const float y = x * high;
  const float rest = fused(x, low, fused(x, high, -y)) * 0x1.62e43p-1f;
  const float e = exp2_of(y);
  return e > 0 && e < infinity<float>() ? fused(e, rest, e) : e;
#endif
}

// A positive finite number as 2^exponent (1 + fraction), -1/3 <= fraction < 1/3, and ln(1 + fraction).
struct Logarithm {
  float exponent, of_rest;
};
Logarithm parts_of(float x) {
  // (ln(1 + f) - f) / f^2 at |f| <= 1/3, interpolated at Chebyshev's points; ln(1 + f) is off by 2^-28 at most.
  constexpr float kSeries[] = {-0x1p-1f,         0x1.555556p-2f,  -0x1.ffff2cp-3f, 0x1.9998d4p-3f,  -0x1.55909ep-3f,
                               0x1.24c926p-3f,   -0x1.f4963ep-4f, 0x1.bc8cf8p-4f,  -0x1.04a268p-3f, 0x1.dba26p-4f};
  const bool small = x < 0x1p-126f;
  const unsigned bits = bits_of(small ? x * 0x1p23f : x);
  const int exponent = static_cast<int>(bits - 0x3f2aaaabu) >> 23; // 0x3f2aaaab is 2/3
  const float f = of_bits<float>(bits - (static_cast<unsigned>(exponent) << 23)) - 1.0f;
  float p = kSeries[9];
#pragma clang loop unroll(full)
  for (int i = 8; i >= 0; --i) p = fused(p, f, kSeries[i]);
  return {static_cast<float>(small ? exponent - 23 : exponent), fused(p, f * f, f)};
}

// The logarithm, also where it is not finite. One comparison of bits finds infinity, NaN and all that is negative.
float special_logarithm(float x, float finite) {
  const float beyond = bits_of(x) >= bits_of(infinity<float>()) ? fused(x, infinity<float>(), infinity<float>()) : finite;
  return x == 0 ? -infinity<float>() : beyond;
}

} // namespace

float exp(float x) { return power_of(x, 0x1.715476p+0f, 0x1.4ae0cp-26f); }
float exp10(float x) { return power_of(x, 0x1.a934fp+1f, 0x1.2f346ep-24f); }
float exp2(float x) { return exp2_of(x); }

float log(float x) {
  const Logarithm l = parts_of(x);
  return special_logarithm(x, fused(l.exponent, 0x1.62e43p-1f, fused(l.exponent, -0x1.05c61p-29f, l.of_rest)));
}
float log2(float x) {
  const Logarithm l = parts_of(x);
  return special_logarithm(x, fused(l.of_rest, 0x1.715476p+0f, fused(l.of_rest, 0x1.4ae0cp-26f, l.exponent)));
}
float log10(float x) {
  const Logarithm l = parts_of(x);
  const float high = fused(l.exponent, -0x1.ec10cp-27f, l.of_rest * 0x1.bcb7b2p-2f);
  return special_logarithm(x, fused(l.exponent, 0x1.344136p-2f, high));
}

} // namespace hip::device
