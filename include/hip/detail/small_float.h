// hip/detail/small_float.h - conversions between floating-point formats of 4, 6 and 8 bits and float/double as plain integer
// arithmetic, the same on host and device: round to nearest even, one rounding. Formats (OCP OFP8 rev. 1.0, OCP MX 1.0):
//   E4M3 has no infinity and one NaN per sign (s.1111.111); E5M2 is IEEE-like.
//   FNUZ: exponent bias one higher, no negative zero, no infinity; 0x80 is the one NaN.
//   E2M3, E3M2 (6 bits) and E2M1 (4 bits) have neither infinities nor NaNs.
#ifndef HIP_DETAIL_SMALL_FLOAT_H
#define HIP_DETAIL_SMALL_FLOAT_H

#include <hip/detail/float_layout.h>
#include <hip/detail/qualifiers.h>

namespace hip_detail {

// What the codes of the largest exponent mean: all of them numbers; all but the last; infinity and NaNs; numbers, with the
// code of -0 as the one NaN.
enum class special_codes { none, one_nan, ieee, fnuz };

template <int kExponent, int kMantissa, special_codes kSpecial> struct small_float {
  static constexpr int mantissa = kMantissa;
  static constexpr bool is_fnuz = kSpecial == special_codes::fnuz;
  static constexpr bool has_infinity = kSpecial == special_codes::ieee;
  static constexpr int bias = (1 << (kExponent - 1)) - (is_fnuz ? 0 : 1);
  static constexpr unsigned sign_bit = 1u << (kExponent + kMantissa);
  static constexpr unsigned infinity = ((1u << kExponent) - 1) << kMantissa; // where there is one
  // The largest finite magnitude.
  static constexpr unsigned max_finite = kSpecial == special_codes::ieee      ? infinity - 1
                                         : kSpecial == special_codes::one_nan ? sign_bit - 2
                                                                              : sign_bit - 1;
  // A format without NaNs gives its largest number.
  static constexpr unsigned char nan(unsigned sign) {
    return static_cast<unsigned char>(is_fnuz ? sign_bit : sign | (sign_bit - 1));
  }

  // saturate: finite and infinite values beyond the range give the largest finite one; else infinity where the format has
  // one, else NaN. FNUZ gives NaN for infinities either way.
  template <class T> static __host__ __device__ unsigned char from(T value, bool saturate) {
    using S = float_layout<T>;
    using B = typename S::bits;
    constexpr int kSourceBias = (1 << (S::exponent - 1)) - 1;
    B raw = __builtin_bit_cast(B, value);
    unsigned sign = static_cast<unsigned>(raw >> (S::mantissa + S::exponent)) ? sign_bit : 0;
    B fraction = raw & ((B(1) << S::mantissa) - 1);
    int biased = static_cast<int>((raw >> S::mantissa) & ((B(1) << S::exponent) - 1));
    if (biased == (1 << S::exponent) - 1) {
      if (fraction != 0 || is_fnuz) return nan(sign);
      return beyond(sign, saturate);
    }
    unsigned char zero = static_cast<unsigned char>(is_fnuz ? 0 : sign);
    if (biased == 0) return zero; // zero, or a denormal far below half the smallest number
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
    if (magnitude > max_finite) return beyond(sign, saturate);
    if (magnitude == 0) return zero;
    return static_cast<unsigned char>(sign | magnitude);
  }

  // As from without saturation, but rounded stochastically: the upper bits of the seed are added to what the format has no
  // room for, and the rest is cut off. A number below the smallest normal one is a fraction of its own step.
  static __host__ __device__ unsigned int from_stochastic(float value, unsigned int seed) {
    constexpr int kCut = 23 - mantissa;
    const unsigned int raw = __builtin_bit_cast(unsigned int, value), magnitude_bits = raw & 0x7fffffffu;
    const unsigned int sign = raw >> 31 ? sign_bit : 0;
    if (magnitude_bits > 0x7f800000u) return is_fnuz ? sign_bit : sign | (sign_bit - 1);
    const unsigned int random = seed >> (32 - kCut);
    const int exponent = static_cast<int>(magnitude_bits >> 23) - 127 + bias;
    unsigned int magnitude;
    if (exponent > 0) {
      magnitude = ((magnitude_bits + random) >> kCut) - (static_cast<unsigned int>(127 - bias) << mantissa);
    } else { // its bits where the smallest normal number's would be
      const unsigned int significand = (magnitude_bits & 0x7fffffu) | (magnitude_bits >> 23 ? 0x800000u : 0u);
      const int shift = 1 - exponent;
      magnitude = ((shift < 32 ? significand >> shift : 0u) + random) >> kCut;
    }
    if (magnitude > max_finite) {
      if (is_fnuz) return sign_bit;
      return sign | (kSpecial == special_codes::ieee ? infinity : sign_bit - 1);
    }
    return magnitude == 0 && is_fnuz ? 0u : sign | magnitude;
  }

  static __host__ __device__ bool is_nan(unsigned char v) {
    const unsigned magnitude = v & (sign_bit - 1);
    return kSpecial == special_codes::fnuz      ? v == sign_bit
           : kSpecial == special_codes::one_nan ? magnitude == sign_bit - 1
           : kSpecial == special_codes::ieee    ? magnitude > infinity
                                                : false;
  }

  static __host__ __device__ float to_float(unsigned char v) {
    unsigned sign = v & sign_bit ? 0x80000000u : 0;
    if (is_nan(v)) return __builtin_bit_cast(float, (is_fnuz ? 0u : sign) | 0x7fc00000u);
    unsigned magnitude = v & (sign_bit - 1);
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

private:
  static __host__ __device__ unsigned char beyond(unsigned sign, bool saturate) {
    if (saturate) return static_cast<unsigned char>(sign | max_finite);
    return has_infinity ? static_cast<unsigned char>(sign | infinity) : nan(sign);
  }
};

using fp8_e4m3_format = small_float<4, 3, special_codes::one_nan>;
using fp8_e5m2_format = small_float<5, 2, special_codes::ieee>;
using fp8_e4m3_fnuz_format = small_float<4, 3, special_codes::fnuz>;
using fp8_e5m2_fnuz_format = small_float<5, 2, special_codes::fnuz>;
using fp6_e2m3_format = small_float<2, 3, special_codes::none>;
using fp6_e3m2_format = small_float<3, 2, special_codes::none>;
using fp4_e2m1_format = small_float<2, 1, special_codes::none>;

} // namespace hip_detail

#endif
