// Functions of half and bfloat16. Those of one argument and conversions of 16-bit integers: every value; others:
// boundary values and random ones. The model knows a format by its number of bits and rounds numbers of double by
// itself.
#include "e2e.h"

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include <cfenv>

namespace {

using Bits = unsigned short;

// --- The model ---

enum Mode { kNearest, kZero, kUp, kDown };

template<class T> struct Format; // mantissa_bits, min_exponent, max_exponent of normal numbers
template<> struct Format<__half> {
  static constexpr int mantissa_bits = 10, min_exponent = -14, max_exponent = 15;
};
template<> struct Format<__hip_bfloat16> {
  static constexpr int mantissa_bits = 7, min_exponent = -126, max_exponent = 127;
};

template<class T> double decode(Bits bits) {
  using F = Format<T>;
  const int exponent = (bits & 0x7fff) >> F::mantissa_bits, fraction = bits & ((1 << F::mantissa_bits) - 1);
  double value =
      exponent == 0 ? std::ldexp(fraction, F::min_exponent - F::mantissa_bits)
                    : std::ldexp(fraction + (1 << F::mantissa_bits), exponent - 1 + F::min_exponent - F::mantissa_bits);
  if (exponent == F::max_exponent - F::min_exponent + 2)
    value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  return bits & 0x8000 ? -value : value;
}
double whole(double x, Mode mode) {
  constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  std::fesetround(kModes[mode]);
  volatile double in = x;
  volatile double out = std::nearbyint(in);
  std::fesetround(FE_TONEAREST);
  return out;
}
// x rounded to the format, as a double.
template<class T> double rounded(double x, Mode mode = kNearest) {
  using F = Format<T>;
  if (x == 0 || !std::isfinite(x)) return x;
  const int exponent = std::max(std::ilogb(x), F::min_exponent);
  const double unit = std::ldexp(1.0, exponent - F::mantissa_bits),
               largest = std::ldexp(2 - std::ldexp(1.0, -F::mantissa_bits), F::max_exponent);
  const double result = std::copysign(whole(x / unit, mode) * unit, x);
  if (std::fabs(result) <= largest) return result;
  const bool to_infinity = mode == kNearest || mode == (x > 0 ? kUp : kDown);
  return std::copysign(to_infinity ? std::numeric_limits<double>::infinity() : largest, x);
}

bool same_number(double a, double b) { return (a == b && std::signbit(a) == std::signbit(b)) || (a != a && b != b); }
template<class T> void expect(Bits got, double wanted, const std::string& what) {
  if (!same_number(decode<T>(got), wanted))
    e2e::fail(__FILE__, __LINE__,
              what + " is " + std::to_string(decode<T>(got)) + ", expected " + std::to_string(wanted));
}

template<class T> __host__ __device__ T from_bits(Bits bits) {
  T v;
  __builtin_memcpy(static_cast<void*>(&v), &bits, 2);
  return v;
}
template<class T> __host__ __device__ Bits to_bits(const T& v) {
  Bits bits;
  __builtin_memcpy(&bits, static_cast<const void*>(&v), 2);
  return bits;
}

// --- One argument ---

constexpr int kUnary = 15;
const char* const kUnaryNames[kUnary] = {"hceil", "hfloor", "hrint", "htrunc", "hsqrt", "hrcp",  "hrsqrt", "hsin",
                                         "hcos",  "hexp",   "hexp2", "hexp10", "hlog",  "hlog2", "hlog10"};
double unary_model(int function, double x) {
  switch (function) {
  case 0:
    return std::ceil(x);
  case 1:
    return std::floor(x);
  case 2:
    return std::nearbyint(x);
  case 3:
    return std::trunc(x);
  case 4:
    return std::sqrt(x);
  case 5:
    return 1 / x;
  case 6:
    return 1 / std::sqrt(x);
  case 7:
    return std::sin(x);
  case 8:
    return std::cos(x);
  case 9:
    return std::exp(x);
  case 10:
    return std::exp2(x);
  case 11:
    return std::pow(10.0, x);
  case 12:
    return std::log(x);
  case 13:
    return std::log2(x);
  default:
    return std::log10(x);
  }
}
template<class T> __device__ void unary(T x, T* r) {
  r[0] = hceil(x), r[1] = hfloor(x), r[2] = hrint(x), r[3] = htrunc(x), r[4] = hsqrt(x), r[5] = hrcp(x),
  r[6] = hrsqrt(x);
  r[7] = hsin(x), r[8] = hcos(x), r[9] = hexp(x), r[10] = hexp2(x), r[11] = hexp10(x);
  r[12] = hlog(x), r[13] = hlog2(x), r[14] = hlog10(x);
}
__device__ __half2 pair(__half a, __half b) { return __halves2half2(a, b); }
__device__ __hip_bfloat162 pair(__hip_bfloat16 a, __hip_bfloat16 b) { return __halves2bfloat162(a, b); }
// The two-element forms give what the others give; `mismatch` counts where not.
template<class T> __device__ int unary_pairs(T x, T y, const T* r) {
  T s[kUnary];
  unary(y, s);
  const auto p = pair(x, y);
  const decltype(pair(x, y)) q[kUnary] = {h2ceil(p), h2floor(p), h2rint(p), h2trunc(p), h2sqrt(p),
                                          h2rcp(p),  h2rsqrt(p), h2sin(p),  h2cos(p),   h2exp(p),
                                          h2exp2(p), h2exp10(p), h2log(p),  h2log2(p),  h2log10(p)};
  int mismatch = 0;
  for (int i = 0; i < kUnary; ++i) {
    const T low = q[i].x, high = q[i].y;
    const bool ok_low = to_bits(low) == to_bits(r[i]) || (__hisnan(low) && __hisnan(r[i]));
    const bool ok_high = to_bits(high) == to_bits(s[i]) || (__hisnan(high) && __hisnan(s[i]));
    mismatch += !ok_low + !ok_high;
  }
  return mismatch;
}
template<class T> __global__ void unary_kernel(Bits* out, int* mismatches) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T r[kUnary];
  unary(from_bits<T>(static_cast<Bits>(i)), r);
  for (int k = 0; k < kUnary; ++k) out[kUnary * i + k] = to_bits(r[k]);
  mismatches[i] =
      i % 16 == 0 ? unary_pairs(from_bits<T>(static_cast<Bits>(i)), from_bits<T>(static_cast<Bits>(i * 40503u)), r) : 0;
}
template<class T> void check_unary() {
  e2e::Device<Bits> out(65536 * kUnary);
  e2e::Device<int> mismatches(65536);
  unary_kernel<T><<<256, 256>>>(out, mismatches);
  RUN_OK();
  const auto got = out.download();
  const auto wrong_pairs = mismatches.download();
  for (int i = 0; i < 65536; ++i) {
    const double x = decode<T>(static_cast<Bits>(i));
    CHECK_AT(i, wrong_pairs[i], 0);
    for (int k = 0; k < kUnary; ++k) {
      const double exact = unary_model(k, x), got_value = decode<T>(got[i * kUnary + k]);
      // float's own error moves a result over the middle between two neighbours at most.
      const double slack = k < 5 || !std::isfinite(exact) ? 0 : std::fabs(exact) * 0x1p-21;
      const double low = rounded<T>(exact - slack), high = rounded<T>(exact + slack);
      const bool ok = exact != exact ? got_value != got_value : low <= got_value && got_value <= high;
      if (!ok)
        e2e::fail(__FILE__, __LINE__,
                  std::string(kUnaryNames[k]) + " of " + std::to_string(x) + " is " + std::to_string(got_value) +
                      ", expected " + std::to_string(rounded<T>(exact)));
    }
  }
}

// --- Two arguments and three ---

constexpr int kBinary = 18, kRelations = 12;
const char* const kBinaryNames[kBinary] = {"__hadd",    "__hsub",  "__hmul",  "__hdiv",  "__hadd_rn", "__hsub_rn",
                                           "__hmul_rn", "__hmax",  "__hmin",  "__hfma",  "__hadd2",   "__hsub2",
                                           "__hmul2",   "__h2div", "__hmax2", "__hmin2", "__hfma2",   "__hneg"};
template<class T> __device__ void binary(T a, T b, T c, T* r) {
  r[0] = __hadd(a, b), r[1] = __hsub(a, b), r[2] = __hmul(a, b), r[3] = __hdiv(a, b);
  r[4] = __hadd_rn(a, b), r[5] = __hsub_rn(a, b), r[6] = __hmul_rn(a, b), r[7] = __hmax(a, b), r[8] = __hmin(a, b);
  r[9] = __hfma(a, b, c);
  const auto p = pair(c, a), q = pair(c, b), s = pair(a, c); // the second elements are looked at
  r[10] = __hadd2(p, q).y, r[11] = __hsub2(p, q).y, r[12] = __hmul2(p, q).y, r[13] = __h2div(p, q).y;
  r[14] = __hmax2(p, q).y, r[15] = __hmin2(p, q).y, r[16] = __hfma2(p, q, s).y, r[17] = __hneg(a);
}
template<class T> __device__ unsigned relations(T a, T b) {
  const bool r[kRelations] = {__heq(a, b),  __hne(a, b),  __hlt(a, b),  __hle(a, b),  __hgt(a, b),  __hge(a, b),
                              __hequ(a, b), __hneu(a, b), __hltu(a, b), __hleu(a, b), __hgtu(a, b), __hgeu(a, b)};
  const auto p = pair(a, a), q = pair(b, b);
  const bool both[kRelations] = {__hbeq2(p, q),  __hbne2(p, q),  __hblt2(p, q),  __hble2(p, q),
                                 __hbgt2(p, q),  __hbge2(p, q),  __hbequ2(p, q), __hbneu2(p, q),
                                 __hbltu2(p, q), __hbleu2(p, q), __hbgtu2(p, q), __hbgeu2(p, q)};
  unsigned bits = 0;
  for (int i = 0; i < kRelations; ++i)
    bits |= static_cast<unsigned>(r[i]) << i | static_cast<unsigned>(both[i]) << (16 + i);
  return bits;
}
template<class T>
__global__ void binary_kernel(const Bits* a, const Bits* b, const Bits* c, Bits* out, unsigned* bits, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  T r[kBinary];
  binary(from_bits<T>(a[i]), from_bits<T>(b[i]), from_bits<T>(c[i]), r);
  for (int k = 0; k < kBinary; ++k) out[kBinary * i + k] = to_bits(r[k]);
  bits[i] = relations(from_bits<T>(a[i]), from_bits<T>(b[i]));
}
// a * b + c, rounded once to the format: the sum in double is made odd where it is not exact, so that it is no middle.
template<class T> double fused(double a, double b, double c) {
  const double p = a * b;
  double s = p + c;
  const double t = s - p, error = (p - (s - t)) + (c - t);
  if (error == 0 || !std::isfinite(s)) return rounded<T>(s);
  uint64_t bits;
  std::memcpy(&bits, &s, 8);
  if ((bits & 1) == 0)
    s = std::nextafter(s,
                       error > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
  return rounded<T>(s);
}
double largest_of(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
double smallest_of(double a, double b) { return -largest_of(-a, -b); }

template<class T> void check_binary() {
  constexpr int kCount = 8192;
  std::vector<Bits> a(kCount), b(kCount), c(kCount);
  const Bits infinity = to_bits(T(std::numeric_limits<float>::infinity())), one = to_bits(T(1.0f));
  const Bits special[16] = {0,
                            0x8000,
                            1,
                            0x8001,
                            infinity,
                            static_cast<Bits>(infinity | 0x8000),
                            static_cast<Bits>(infinity - 1),
                            static_cast<Bits>((infinity - 1) | 0x8000),
                            static_cast<Bits>(infinity + 1),
                            0x7fff,
                            one,
                            static_cast<Bits>(one | 0x8000),
                            static_cast<Bits>(one + 1),
                            static_cast<Bits>(one - 1),
                            0x0100,
                            0x0400};
  e2e::Random random;
  for (int i = 0; i < kCount; ++i) {
    const bool listed = i < 4096;
    a[i] = listed ? special[i % 16] : static_cast<Bits>(random.bits());
    b[i] = listed ? special[i / 16 % 16] : static_cast<Bits>(i % 2 ? random.bits() : (a[i] ^ (random.bits() & 0x80ff)));
    c[i] = listed ? special[i / 256] : static_cast<Bits>(random.bits());
  }
  e2e::Device<Bits> da(a), db(b), dc(c), out(kCount * kBinary);
  e2e::Device<unsigned> bits(kCount);
  binary_kernel<T><<<kCount / 256, 256>>>(da, db, dc, out, bits, kCount);
  RUN_OK();
  const auto got = out.download();
  const auto got_bits = bits.download();
  for (int i = 0; i < kCount; ++i) {
    const double x = decode<T>(a[i]), y = decode<T>(b[i]), z = decode<T>(c[i]);
    const double sum = rounded<T>(x + y), difference = rounded<T>(x - y), product = rounded<T>(x * y),
                 quotient = rounded<T>(x / y);
    const double max = largest_of(x, y), min = smallest_of(x, y);
    const double wanted[kBinary] = {sum, difference, product,           quotient, sum,        difference, product,
                                    max, min,        fused<T>(x, y, z), sum,      difference, product,    quotient,
                                    max, min,        fused<T>(x, y, z), -x};
    for (int k = 0; k < kBinary; ++k)
      expect<T>(got[kBinary * i + k], wanted[k],
                std::string(kBinaryNames[k]) + " of " + std::to_string(x) + ", " + std::to_string(y) + ", " +
                    std::to_string(z));
    const bool unordered = x != x || y != y;
    const bool relation[kRelations] = {x == y,
                                       x < y || x > y,
                                       x<y, x <= y, x>
                                           y,
                                       x >= y,
                                       !(x < y || x > y),
                                       !(x == y),
                                       unordered || x < y,
                                       unordered || x <= y,
                                       unordered || x > y,
                                       unordered || x >= y};
    unsigned wanted_bits = 0;
    for (int k = 0; k < kRelations; ++k) wanted_bits |= relation[k] ? 0x10001u << k : 0;
    CHECK_AT(i, got_bits[i], wanted_bits);
  }
}

// --- Conversions of half with a rounding mode ---

template<class I> double clamped(double x) {
  if (x != x) return 0;
  const double low = static_cast<double>(std::numeric_limits<I>::min()),
               high = static_cast<double>(std::numeric_limits<I>::max());
  return x < low ? low : x > high ? high : x;
}
struct Integers {
  short s[4];
  unsigned short us[4];
  int i[4];
  unsigned u[4];
  long long ll[4];
  unsigned long long ull[4];
  Bits from_s[4], from_us[4];
};
#define ALL_MODES(function, x) {function##_rn(x), function##_rz(x), function##_ru(x), function##_rd(x)}
#define ALL_MODES_BITS(function, x)                                                                                    \
  {to_bits(function##_rn(x)), to_bits(function##_rz(x)), to_bits(function##_ru(x)), to_bits(function##_rd(x))}
__global__ void to_integers(Integers* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half x = from_bits<__half>(static_cast<Bits>(i));
  const short s = static_cast<short>(i);
  const unsigned short us = static_cast<unsigned short>(i);
  out[i] = {ALL_MODES(__half2short, x),      ALL_MODES(__half2ushort, x),      ALL_MODES(__half2int, x),
            ALL_MODES(__half2uint, x),       ALL_MODES(__half2ll, x),          ALL_MODES(__half2ull, x),
            ALL_MODES_BITS(__short2half, s), ALL_MODES_BITS(__ushort2half, us)};
}
struct Halves {
  Bits i[4], u[4], ll[4], ull[4], f[4];
};
__global__ void to_halves(const unsigned long long* in, const float* floats, Halves* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long u = in[i];
  out[i] = {ALL_MODES_BITS(__int2half, static_cast<int>(u)), ALL_MODES_BITS(__uint2half, static_cast<unsigned>(u)),
            ALL_MODES_BITS(__ll2half, static_cast<long long>(u)), ALL_MODES_BITS(__ull2half, u),
            ALL_MODES_BITS(__float2half, floats[i])};
}

} // namespace

E2E_CASE(half_of_one_argument) { check_unary<__half>(); }
E2E_CASE(bfloat16_of_one_argument) { check_unary<__hip_bfloat16>(); }
E2E_CASE(half_of_two_arguments) { check_binary<__half>(); }
E2E_CASE(bfloat16_of_two_arguments) { check_binary<__hip_bfloat16>(); }

E2E_CASE(half_and_integers_of_16_bits) {
  e2e::Device<Integers> out(65536);
  to_integers<<<256, 256>>>(out.data());
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 65536; ++i) {
    const double x = decode<__half>(static_cast<Bits>(i));
    const Integers& r = got[i];
    const double n = std::trunc(x); // whatever the mode in the function's name, as in HIP
    for (int mode = 0; mode < 4; ++mode) {
      CHECK_AT(i, static_cast<double>(r.s[mode]), clamped<short>(n) + 0.0);
      CHECK_AT(i, static_cast<double>(r.us[mode]), clamped<unsigned short>(n) + 0.0);
      CHECK_AT(i, static_cast<double>(r.i[mode]), clamped<int>(n) + 0.0);
      CHECK_AT(i, static_cast<double>(r.u[mode]), clamped<unsigned>(n) + 0.0);
      CHECK_AT(i, static_cast<double>(r.ll[mode]), clamped<long long>(n) + 0.0);
      CHECK_AT(i, static_cast<double>(r.ull[mode]), clamped<unsigned long long>(n) + 0.0);
      expect<__half>(r.from_s[mode], rounded<__half>(static_cast<short>(i), static_cast<Mode>(mode)), "a short");
      expect<__half>(r.from_us[mode], rounded<__half>(i, static_cast<Mode>(mode)), "an unsigned short");
    }
  }
}

E2E_CASE(relations_of_pairs) {
  const __half2 low(1, 2), mixed(0, 3), high(2, 4), none(__ushort_as_half(0x7e00), 2);
  CHECK(low < high && high > low && low <= high && high >= low && low != high && !(high <= low) && !(low >= high));
  CHECK(!(low < mixed) && !(mixed < low) && low <= mixed && mixed <= low && low >= mixed && mixed >= low &&
        low != mixed);
  CHECK(low == low && low <= low && low >= low && !(low < low) && !(low > low) && !(low != low));
  CHECK(none != none && none <= low && none >= low && !(none < low) && !(none > low));
}

E2E_CASE(half_from_wider_types) {
  constexpr int kCount = 4096;
  auto in = e2e::interesting<unsigned long long>(kCount);
  auto floats = e2e::interesting<float>(kCount);
  for (int i = 100; i < kCount; ++i) { // about the range of half, middles between neighbours among them
    in[i] = i % 2 ? in[i] >> (44 + i % 20) : -(in[i] >> (44 + i % 20));
    floats[i] = static_cast<float>(std::ldexp(static_cast<double>(in[i] % 16384) - 8192, i % 40 - 28));
  }
  e2e::Device<unsigned long long> device_in(in);
  e2e::Device<float> device_floats(floats);
  e2e::Device<Halves> out(kCount);
  to_halves<<<kCount / 256, 256>>>(device_in, device_floats, out.data());
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i)
    for (int k = 0; k < 4; ++k) {
      const Mode mode = static_cast<Mode>(k);
      expect<__half>(got[i].i[k], rounded<__half>(static_cast<int>(in[i]), mode), "an int");
      expect<__half>(got[i].u[k], rounded<__half>(static_cast<unsigned>(in[i]), mode), "an unsigned int");
      expect<__half>(got[i].ll[k], rounded<__half>(static_cast<double>(static_cast<long long>(in[i])), mode),
                     "a long long");
      expect<__half>(got[i].ull[k], rounded<__half>(static_cast<double>(in[i]), mode), "an unsigned long long");
      expect<__half>(got[i].f[k], rounded<__half>(floats[i], mode),
                     "float " + std::to_string(floats[i]) + " in mode " + std::to_string(k));
    }
}
