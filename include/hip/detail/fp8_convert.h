// hip/detail/fp8_convert.h - conversions between 8-bit floating-point formats and float/double as plain integer
// arithmetic, the same on host and device: round to nearest even, one rounding.
//   OCP (OFP8 rev. 1.0): E4M3 has no infinity and one NaN per sign (s.1111.111); E5M2 is IEEE-like.
//   FNUZ: exponent bias one higher, no negative zero, no infinity; 0x80 is the one NaN.
#pragma once

#include <hip/detail/qualifiers.h>

namespace hip_detail {

template <class T> struct fp8_source;
template <> struct fp8_source<float> {
  using bits = unsigned int;
  static constexpr int mantissa = 23, exponent = 8;
};
template <> struct fp8_source<double> {
  using bits = unsigned long long;
  static constexpr int mantissa = 52, exponent = 11;
};

template <int kExponent, bool kFnuz> struct fp8_format {
  static constexpr int mantissa = 7 - kExponent;
  static constexpr int bias = (1 << (kExponent - 1)) - (kFnuz ? 0 : 1);
  static constexpr bool has_infinity = !kFnuz && kExponent == 5;
  // The largest finite magnitude.
  static constexpr unsigned char max_finite = kFnuz ? 0x7f : kExponent == 5 ? 0x7b : 0x7e;
  static constexpr unsigned char nan(unsigned char sign) { return kFnuz ? 0x80 : sign | 0x7f; }
  static constexpr unsigned char infinity = 0x7c; // E5M2 only

  // saturate: finite and infinite values beyond the range give the largest finite one; else infinity where the format has
  // one, else NaN. FNUZ gives NaN for infinities either way.
  template <class T> static __host__ __device__ unsigned char from(T value, bool saturate) {
    using S = fp8_source<T>;
    using B = typename S::bits;
    constexpr int kSourceBias = (1 << (S::exponent - 1)) - 1;
    B raw = __builtin_bit_cast(B, value);
    unsigned char sign = static_cast<unsigned char>((raw >> (S::mantissa + S::exponent)) << 7);
    B fraction = raw & ((B(1) << S::mantissa) - 1);
    int biased = static_cast<int>((raw >> S::mantissa) & ((B(1) << S::exponent) - 1));
    if (biased == (1 << S::exponent) - 1) {
      if (fraction != 0 || kFnuz) return nan(sign);
      if (saturate) return sign | max_finite;
      return has_infinity ? static_cast<unsigned char>(sign | infinity) : nan(sign);
    }
    unsigned char zero = kFnuz ? 0 : sign;
    if (biased == 0) return zero; // zero, or a denormal far below half the smallest fp8
    int target = biased - kSourceBias + bias;
    B significand = fraction | (B(1) << S::mantissa);
    int drop = S::mantissa - mantissa; // bits that rounding removes
    if (target < 1) {
      drop += 1 - target;
      target = 0;
    }
    if (drop > S::mantissa + 2) return zero;
    B kept = significand >> drop, rest = significand & ((B(1) << drop) - 1), half = B(1) << (drop - 1);
    if (rest > half || (rest == half && (kept & 1))) ++kept;
    // For normal numbers `kept` has its implicit bit set; adding instead of or-ing carries a mantissa overflow over.
    unsigned magnitude = target == 0 ? static_cast<unsigned>(kept)
                                     : (static_cast<unsigned>(target - 1) << mantissa) + static_cast<unsigned>(kept);
    if (magnitude > max_finite) {
      if (saturate) return sign | max_finite;
      return has_infinity ? static_cast<unsigned char>(sign | infinity) : nan(sign);
    }
    if (magnitude == 0) return zero;
    return static_cast<unsigned char>(sign | magnitude);
  }

  static __host__ __device__ bool is_nan(unsigned char v) {
    if (kFnuz) return v == 0x80;
    return kExponent == 5 ? (v & 0x7f) > 0x7c : (v & 0x7f) == 0x7f;
  }

  static __host__ __device__ float to_float(unsigned char v) {
    unsigned sign = static_cast<unsigned>(v & 0x80) << 24;
    if (is_nan(v)) return __builtin_bit_cast(float, (kFnuz ? 0u : sign) | 0x7fc00000u);
    unsigned magnitude = v & 0x7f;
    if (has_infinity && magnitude == infinity) return __builtin_bit_cast(float, sign | 0x7f800000u);
    if (magnitude == 0) return __builtin_bit_cast(float, sign);
    int exponent = static_cast<int>(magnitude >> mantissa);
    unsigned fraction = magnitude & ((1u << mantissa) - 1);
    if (exponent == 0) { // denormal: normalise
      exponent = 1;
      while (!(fraction >> mantissa)) {
        fraction <<= 1;
        --exponent;
      }
      fraction &= (1u << mantissa) - 1;
    }
    unsigned bits = static_cast<unsigned>(exponent - bias + 127) << 23 | fraction << (23 - mantissa);
    return __builtin_bit_cast(float, sign | bits);
  }
};

using fp8_e4m3_format = fp8_format<4, false>;
using fp8_e5m2_format = fp8_format<5, false>;
using fp8_e4m3_fnuz_format = fp8_format<4, true>;
using fp8_e5m2_fnuz_format = fp8_format<5, true>;

} // namespace hip_detail
