// e^x and 2^x in single precision for targets whose compiler has no operation of that name.
#include "own.h"

namespace hip::device {
namespace {

// 2^n 2^f for |f| <= 1/2. Two powers of two: the first product is exact, the second rounds a subnormal result once.
float scaled_exp2(float n, float f) {
#if defined(__NVPTX__)
  const float p = __nvvm_ex2_approx_f(f); // within 2^-22.5 on [0, 1] and about it (PTX ISA, ex2)
#else
  const float r = f * 0x1.62e43p-1f; // the Taylor series of e^r up to r^7, whose rest is below 2^-27
  float p = 0x1.a01a02p-13f;
  p = fused(p, r, 0x1.6c16c2p-10f);
  p = fused(p, r, 0x1.111112p-7f);
  p = fused(p, r, 0x1.555556p-5f);
  p = fused(p, r, 0x1.555556p-3f);
  p = fused(p, r, 0.5f);
  p = fused(p, r * r, r) + 1.0f;
#endif
  const int whole = static_cast<int>(n), half = whole / 2;
  const auto power = [](int e) { return of_bits<float>(static_cast<unsigned>(e + 127) << 23); };
  return p * power(half) * power(whole - half);
}

// What is left of x for the fields of a float: the result is 0 or infinite from there on.
float clamped(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

} // namespace

// The ends of the range are beyond the largest and the smallest number, so that no case needs a branch; NaN passes.
float exp(float x) {
  const float c = clamped(x, -105.0f, 89.0f);
  const float n = __builtin_rintf(c * 0x1.715476p+0f);
  // ln(2) in two parts; the products with n, of at most 8 bits, are exact.
  float r = fused(n, -0x1.62e4p-1f, c);
  r = fused(n, -0x1.7f7d1cp-20f, r);
  return is_nan(x) ? x : scaled_exp2(n, r * 0x1.715476p+0f);
}

float exp2(float x) {
  const float c = clamped(x, -151.0f, 129.0f);
  const float n = __builtin_rintf(c);
  return is_nan(x) ? x : scaled_exp2(n, c - n);
}

} // namespace hip::device
