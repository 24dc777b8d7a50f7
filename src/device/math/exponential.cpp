// e^x and 2^x in single precision for targets whose compiler has no operation of that name (NVPTX).
#include "own.h"

namespace hip::device {
namespace {

// 2^n e^r for |r| <= ln(2) / 2: the Taylor series up to r^7, whose rest is below 2^-27, then two exact powers of two, of
// which the second rounds a subnormal result once.
float scaled_exp(float n, float r) {
  float p = 0x1.a01a02p-13f;         // 1/7!
  p = fused(p, r, 0x1.6c16c2p-10f);  // 1/6!
  p = fused(p, r, 0x1.111112p-7f);   // 1/5!
  p = fused(p, r, 0x1.555556p-5f);   // 1/4!
  p = fused(p, r, 0x1.555556p-3f);   // 1/3!
  p = fused(p, r, 0.5f);
  p = fused(p, r * r, r) + 1.0f;
  const int whole = static_cast<int>(n), half = whole / 2;
  const auto power = [](int e) { return of_bits<float>(static_cast<unsigned>(e + 127) << 23); };
  return p * power(half) * power(whole - half);
}

} // namespace

float exp(float x) {
  if (is_nan(x)) return x;
  if (x > 0x1.62e42ep+6f) return infinity<float>(); // above ln of the largest number
  if (x < -104.0f) return 0.0f;                     // below ln of half the smallest one
  const float n = __builtin_rintf(x * 0x1.715476p+0f);
  // ln(2) in two parts; the products with n, of at most 8 bits, are exact.
  float r = fused(n, -0x1.62e4p-1f, x);
  r = fused(n, -0x1.7f7d1cp-20f, r);
  return scaled_exp(n, r);
}

float exp2(float x) {
  if (is_nan(x)) return x;
  if (x >= 128.0f) return infinity<float>();
  if (x < -150.0f) return 0.0f;
  const float n = __builtin_rintf(x);
  return scaled_exp(n, (x - n) * 0x1.62e43p-1f);
}

} // namespace hip::device
