// tests/tier1/exact.h - floating-point formats as AMD's manuals describe MODE: a number is an exact real, and one place
// rounds it to a format and flushes its denormals. Nothing of the host's floating point is asked.
#pragma once

#include <cstdint>

namespace tier1_test {

using Real = __float128; // holds sums and products of numbers of moderate size exactly

// As MODE has them.
enum class Round : uint32_t { Nearest, Up, Down, TowardsZero };
struct Denormals {
  uint32_t bits = 3; // bit 0: operands keep theirs, bit 1: results keep theirs
  bool taken() const { return bits & 1; }
  bool given() const { return bits & 2; }
};

struct FloatFormat {
  uint32_t mantissa_bits, exponent_bits;
  constexpr uint64_t sign() const { return 1ull << (mantissa_bits + exponent_bits); }
  constexpr uint64_t infinity() const { return ((1ull << exponent_bits) - 1) << mantissa_bits; }
  constexpr uint64_t quiet() const { return 1ull << (mantissa_bits - 1); }
  constexpr uint64_t magnitude(uint64_t v) const { return v & (sign() - 1); }
  constexpr bool is_nan(uint64_t v) const { return magnitude(v) > infinity(); }
  constexpr bool is_signalling(uint64_t v) const { return is_nan(v) && !(v & quiet()); }
  constexpr bool is_infinite(uint64_t v) const { return magnitude(v) == infinity(); }
  constexpr bool is_denormal(uint64_t v) const { return magnitude(v) && magnitude(v) >> mantissa_bits == 0; }
  constexpr uint64_t flushed(uint64_t v) const { return is_denormal(v) ? v & sign() : v; }
  constexpr int lowest_exponent() const { return 2 - (1 << (exponent_bits - 1)); }

  // Of numbers that are no NaN and no infinity.
  Real real(uint64_t v) const {
    const uint64_t exponent = magnitude(v) >> mantissa_bits, mantissa = v & ((1ull << mantissa_bits) - 1);
    Real r = Real(exponent ? mantissa | 1ull << mantissa_bits : mantissa);
    r = scaled(r, lowest_exponent() - int(mantissa_bits) + (exponent ? int(exponent) - 1 : 0));
    return v & sign() ? -r : r;
  }
  // `zero` is the result where r is 0.
  uint64_t rounded(Real r, Round round, uint64_t zero = 0) const {
    if (r == 0) return zero;
    const bool negative = r < 0;
    if (negative) r = -r;
    int exponent = 0;
    Real a = r;
    for (; a >= 0x1p64; a *= 0x1p-64) exponent += kStep;
    for (; a < 0x1p-64; a *= 0x1p64) exponent -= kStep;
    for (; a >= 2; a /= 2) ++exponent;
    for (; a < 1; a *= 2) --exponent;
    if (exponent < lowest_exponent()) exponent = lowest_exponent();
    const Real steps = scaled(r, int(mantissa_bits) - exponent);
    uint64_t n = uint64_t(steps);
    const Real rest = steps - Real(n);
    const bool away = round == Round::Nearest ? rest > Real(0.5) || (rest == Real(0.5) && n & 1)
                      : round == Round::Up    ? rest > 0 && !negative
                      : round == Round::Down  ? rest > 0 && negative
                                              : false;
    n += away;
    // A carry out of the mantissa goes into the exponent.
    uint64_t bits = n;
    if (n >> mantissa_bits)
      bits = (uint64_t(exponent - lowest_exponent() + 1) << mantissa_bits) + (n - (1ull << mantissa_bits));
    if (bits >= infinity()) {
      const bool grows =
          round == Round::Nearest || (round == Round::Up && !negative) || (round == Round::Down && negative);
      bits = grows ? infinity() : infinity() - 1;
    }
    return bits | (negative ? sign() : 0);
  }

  // Order as integers: -0 is below +0, which only min and max see.
  int64_t order(uint64_t a) const { return a & sign() ? -int64_t(magnitude(a)) - 1 : int64_t(a); }
  uint64_t minmax(uint64_t a, uint64_t b, bool maximum, bool ieee = true) const {
    if (ieee && is_signalling(a)) return a | quiet();
    if (ieee && is_signalling(b)) return b | quiet();
    if (is_nan(a)) return b;
    if (is_nan(b)) return a;
    return (order(a) < order(b)) != maximum ? a : b;
  }
  uint64_t med3(uint64_t a, uint64_t b, uint64_t c, bool ieee = true) const {
    if (is_nan(a) || is_nan(b) || is_nan(c)) return minmax(minmax(a, b, false, ieee), c, false, ieee);
    // What is left without one that equals the largest; zeros equal each other.
    const uint64_t largest = minmax(minmax(a, b, true, ieee), c, true, ieee);
    const auto is_largest = [&](uint64_t v) { return v == largest || (!magnitude(v) && !magnitude(largest)); };
    return is_largest(a) ? minmax(b, c, true, ieee) : minmax(a, is_largest(b) ? c : b, true, ieee);
  }

private:
  static constexpr int kStep = 64;
  static Real scaled(Real r, int by) {
    for (; by >= kStep; by -= kStep) r *= 0x1p64;
    for (; by <= -kStep; by += kStep) r *= 0x1p-64;
    for (; by > 0; --by) r *= 2;
    for (; by < 0; ++by) r /= 2;
    return r;
  }
};
inline constexpr FloatFormat kHalf{10, 5}, kSingle{23, 8}, kDouble{52, 11};

} // namespace tier1_test
