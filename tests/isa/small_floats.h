// tests/isa/small_floats.h - formats of 4, 6, 8 and 16 bits as tables of values, and rounding to them by search: what
// gfx942's and gfx950's conversions must do, written from the formats' definitions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace isa_test {

enum class Beyond { Nan, NanAndInfinity, Largest, FnuzNan }; // what the codes behind the largest number are
struct SmallFormat {
  int mantissa, bias, bits; // bits: with the sign
  Beyond beyond;
  constexpr uint32_t sign() const { return 1u << (bits - 1); }
  constexpr uint32_t ones() const { return sign() - 1; }
  constexpr uint32_t infinity() const { return ones() >> mantissa << mantissa; }
  constexpr uint32_t largest() const {
    return beyond == Beyond::Nan ? ones() - 1 : beyond == Beyond::NanAndInfinity ? infinity() - 1 : ones();
  }
};
inline constexpr SmallFormat kE4m3Fnuz{3, 8, 8, Beyond::FnuzNan}, kE5m2Fnuz{2, 16, 8, Beyond::FnuzNan}, kE4m3{3, 7, 8, Beyond::Nan},
    kE5m2{2, 15, 8, Beyond::NanAndInfinity}, kE2m3{3, 1, 6, Beyond::Largest}, kE3m2{2, 3, 6, Beyond::Largest},
    kE2m1{1, 1, 4, Beyond::Largest}, kHalf{10, 15, 16, Beyond::NanAndInfinity};

// The number that a magnitude would be if every code were one.
inline double magnitude_of(const SmallFormat& f, uint32_t code) {
  const int field = int(code >> f.mantissa), mantissa = int(code & ((1u << f.mantissa) - 1));
  return field ? std::ldexp((1 << f.mantissa) + mantissa, field - f.bias - f.mantissa) : std::ldexp(mantissa, 1 - f.bias - f.mantissa);
}
inline double value_of(const SmallFormat& f, uint32_t code) {
  const uint32_t magnitude = code & f.ones();
  const double sign = code & f.sign() ? -1 : 1;
  if (f.beyond == Beyond::FnuzNan && (code & (f.sign() | f.ones())) == f.sign()) return std::nan("");
  if (f.beyond == Beyond::NanAndInfinity && magnitude == f.infinity()) return sign * std::numeric_limits<double>::infinity();
  if (magnitude > f.largest()) return std::nan("");
  return sign * magnitude_of(f, magnitude);
}
// The code for a magnitude that has been rounded to `code`, which may be beyond the format; of `v`'s sign.
inline uint32_t small_code_of(const SmallFormat& f, double v, uint32_t code) {
  const bool nan = std::isnan(v), above = code > f.largest();
  if (f.beyond == Beyond::FnuzNan) return nan || above ? f.sign() : code | (code && std::signbit(v) ? f.sign() : 0);
  if (nan || above) code = f.beyond == Beyond::Largest ? f.largest() : nan || f.beyond == Beyond::Nan ? f.ones() : f.infinity();
  return code | (std::signbit(v) ? f.sign() : 0);
}
// The largest code whose number is not above m; codes go on behind the format's largest for one step.
inline uint32_t code_below(const SmallFormat& f, double m) {
  uint32_t low = 0, high = f.ones() + 2; // m lies at or above low's number, below high's
  if (!(m < magnitude_of(f, high))) return high;
  while (high - low > 1) (m < magnitude_of(f, (low + high) / 2) ? high : low) = (low + high) / 2;
  return low;
}
inline uint32_t nearest(const SmallFormat& f, double v) {
  if (std::isnan(v)) return small_code_of(f, v, 0);
  const double m = std::fabs(v);
  const uint32_t below = code_below(f, m);
  if (below > f.largest()) return small_code_of(f, v, below);
  const double down = m - magnitude_of(f, below), up = magnitude_of(f, below + 1) - m;
  return small_code_of(f, v, down < up || (down == up && below % 2 == 0) ? below : below + 1);
}
// The next code where the part of a step that is cut off and the seed's upper bits, as a fraction, make one together.
inline uint32_t stochastic(const SmallFormat& f, double v, uint32_t seed) {
  if (std::isnan(v)) return small_code_of(f, v, 0);
  const double m = std::fabs(v);
  const uint32_t below = code_below(f, m);
  if (below > f.largest()) return small_code_of(f, v, below);
  const int cut = 23 - f.mantissa; // bits that an f32 has more
  const double step = magnitude_of(f, below + 1) - magnitude_of(f, below);
  const double part = std::floor(std::ldexp((m - magnitude_of(f, below)) / step, cut));
  return small_code_of(f, v, part + double(seed >> (32 - cut)) >= std::ldexp(1, cut) ? below + 1 : below);
}
inline uint32_t next_seed(uint32_t seed) { return (seed << 1) ^ (seed >> 31 ? 197u : 0u); }

// v times or by the power of two that a scale's exponent says, exactly.
inline int exponent_field(uint32_t scale) { return int(scale >> 23 & 0xff); }
inline double times_scale(double v, uint32_t scale) {
  return exponent_field(scale) == 255 ? std::nan("") : std::ldexp(v, exponent_field(scale) - 127);
}
inline double by_scale(double v, uint32_t scale) {
  return exponent_field(scale) == 255 ? std::nan("") : std::ldexp(v, 127 - exponent_field(scale));
}

} // namespace isa_test
