// Math functions in quadruple precision and the arguments to measure them at: what the accuracy tests of the device
// library compare with, on the host (own_math_test) and on a device (device_math). Uses libquadmath.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace hip::device_test {

using Quad = __float128;

// Where to take arguments from: uniformly, or uniformly in the logarithm of the magnitude with both signs.
struct Domain {
  double low, high;
  enum Kind { Linear, Log, SignedLog } kind = Linear;
};

struct Reference {
  std::string_view name; // as in ocml.def
  int arity;
  Quad (*value)(const Quad* x);
  Domain f32[2], f64[2]; // of the first argument and of the others
  double limit_f32, limit_f64; // the largest error that passes, in units in the last place
  // Bessel functions oscillate: their errors count in units of the last place of the amplitude, sqrt(2 / (pi x)).
  bool amplitude = false;
  // The second argument is an integer.
  bool integer_second = false;
};

extern const std::vector<Reference> kReferences;

// |got - exact| in units of the last place that the type has at `exact`. Infinities and NaN count 0 when they are what the
// exact value rounds to, else infinity. Values beyond the range may be either neighbour.
template <class T> double ulp_error(T got, Quad exact, Quad scale);

// The value whose last place counts: the exact one, or the amplitude where the function oscillates and is smaller.
Quad scale_of(const Reference& function, Quad first_argument, Quad exact);

// One argument set: `arity` values of the domain, exactly representable in T.
template <class T> void draw(const Reference& function, std::mt19937_64& random, T* arguments);

} // namespace hip::device_test
