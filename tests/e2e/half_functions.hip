// Functions of half and bfloat16. Those of one argument and conversions of 16-bit integers: every value; others:
// boundary values and random ones. The model knows a format by its number of bits and rounds numbers of double by
// itself. The variant "bare" does the same without what __HIP_NO_HALF_CONVERSIONS__, __HIP_NO_HALF_OPERATORS__ and
// HIP_NO_HALF take away from half; a program can then have its own.
#define HIP_ENABLE_EXTRA_WARP_SYNC_TYPES
#include "e2e.h"

#include <hip/hip_bf16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp4.h>
#include <hip/hip_fp6.h>
#include <hip/hip_fp8.h>
#include <hip/hip_wmma.h>

#include <cfenv>

#if defined(HIP_NO_HALF)
struct half {
  double of_the_program;
};
typedef half half2[2];
#endif
#if defined(__HIP_NO_HALF_OPERATORS__)
// No function of the headers may come to these.
__host__ __device__ __half operator+(const __half& a, const __half&) { return a; }
__host__ __device__ __half2 operator+(const __half2& a, const __half2&) { return a; }
__host__ __device__ bool operator<(const __half&, const __half&) { return true; }
#endif

namespace {

using Bits = unsigned short;

template<class From, class To> constexpr bool becomes = std::is_convertible_v<From, To>;
#if defined(__HIP_NO_HALF_CONVERSIONS__)
constexpr bool kConverts = false;
#else
constexpr bool kConverts = true;
#endif
static_assert(becomes<float, __half> == kConverts && becomes<_Float16, __half> == kConverts &&
              becomes<int, __half> == kConverts && becomes<__half, double> == kConverts &&
              becomes<__half, bool> == kConverts && std::is_assignable_v<__half&, double> == kConverts &&
              std::is_assignable_v<__half&, long> == kConverts && std::is_constructible_v<__half, char> == kConverts);
static_assert(becomes<__half_raw, __half> && becomes<__half, __half_raw> && becomes<_Float16_2, __half2> &&
              becomes<__half2, __half2_raw>);

template<class T, class = void> constexpr bool can_multiply = false;
template<class T> constexpr bool can_multiply<T, std::void_t<decltype(std::declval<T&>() *= std::declval<T>())>> = true;
#if defined(__HIP_NO_HALF_OPERATORS__)
static_assert(!can_multiply<__half> && !can_multiply<__half2>);
#else
static_assert(can_multiply<__half> && can_multiply<__half2>);
#endif

template<class T> T number(float v) { return T(v); }
template<> __half number<__half>(float v) { return __float2half(v); }

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
  const Bits infinity = to_bits(number<T>(std::numeric_limits<float>::infinity())), one = to_bits(number<T>(1.0f));
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

#if !defined(__HIP_NO_HALF_OPERATORS__)
E2E_CASE(relations_of_pairs) {
  const __half2 low(1, 2), mixed(0, 3), high(2, 4), none(__ushort_as_half(0x7e00), 2);
  CHECK(low < high && high > low && low <= high && high >= low && low != high && !(high <= low) && !(low >= high));
  CHECK(!(low < mixed) && !(mixed < low) && low <= mixed && mixed <= low && low >= mixed && mixed >= low &&
        low != mixed);
  CHECK(low == low && low <= low && low >= low && !(low < low) && !(low > low) && !(low != low));
  CHECK(none != none && none <= low && none >= low && !(none < low) && !(none > low));
}
#else
// A sum by the program's operator, and sums by the header's functions, which have nothing of it.
__global__ void operators_of_the_program(float* out, __half* one, __half2* two) {
  const __half a = __float2half(3.0f), b = __float2half(4.0f);
  const __half2 c = __halves2half2(a, b);
  out[0] = __half2float(a + b);
  out[1] = __half2float(__hadd(a, b));
  out[2] = __high2float(__hadd2(c, c));
  *one = a;
  atomicAdd(one, b);
  out[3] = __half2float(*one);
  *two = c;
  atomicAdd(two, c);
  out[4] = __high2float(*two);
  out[5] = __half2float(__reduce_add_sync(1ull, a));
  out[6] = __half2float(static_cast<__half>(__hip_fp8_e4m3_fnuz(b)));
  out[7] = static_cast<float>(__hip_fp6_e2m3(b)) + static_cast<float>(__hip_fp4_e2m1(a));
}
E2E_CASE(operators_of_the_program) {
  e2e::Device<float> out(8);
  e2e::Device<__half> one(2);
  e2e::Device<__half2> two(1);
  operators_of_the_program<<<1, 1>>>(out, one.data(), two.data());
  RUN_OK();
  const float wanted[8] = {3, 7, 8, 7, 8, 3, 4, 7};
  const auto got = out.download();
  for (int i = 0; i < 8; ++i) CHECK_AT(i, got[i], wanted[i]);
}
#endif

// The compiler's own type, and pairs of it: the same bits, except that a host may make a NaN quiet.
static_assert(becomes<__bf16, __hip_bfloat16> && becomes<__hip_bfloat16, __bf16> &&
              becomes<__bf16_2, __hip_bfloat162> && becomes<__hip_bfloat162, __bf16_2> &&
              std::is_assignable_v<__hip_bfloat162&, __bf16_2>);
constexpr __hip_bfloat16 kOne(__hip_bfloat16_raw{0x3f80});
constexpr __hip_bfloat162 kOnes(kOne, kOne);
struct Pair {
  Bits x, y;
};
__host__ __device__ void through_own_types(Bits in, Bits* one, Pair* two) {
  const __hip_bfloat16 x = from_bits<__bf16>(in);
  const __bf16 back = x;
  *one = to_bits(back);
  const Pair pair = {in, static_cast<Bits>(~in)};
  __bf16_2 v;
  __builtin_memcpy(&v, &pair, 4);
  const __hip_bfloat162 p(v);
  __hip_bfloat162 q = kOnes;
  q = static_cast<__bf16_2>(p);
  const __bf16_2 w = q.__xy_bf162;
  __builtin_memcpy(two, &w, 4);
}
__global__ void through_own_types(Bits* ones, Pair* twos) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  through_own_types(static_cast<Bits>(i), ones + i, twos + i);
}
E2E_CASE(bfloat16_of_the_compiler) {
  e2e::Device<Bits> ones(65536);
  e2e::Device<Pair> twos(65536);
  through_own_types<<<256, 256>>>(ones, twos.data());
  RUN_OK();
  const auto got = ones.download();
  const auto pairs = twos.download();
  for (int i = 0; i < 65536; ++i) {
    const Bits bits = static_cast<Bits>(i), others = static_cast<Bits>(~i);
    CHECK_AT(i, got[i], bits);
    CHECK_AT(i, pairs[i].x, bits);
    CHECK_AT(i, pairs[i].y, others);
    Bits one;
    Pair two;
    through_own_types(bits, &one, &two);
    expect<__hip_bfloat16>(one, decode<__hip_bfloat16>(bits), "the host's __bf16");
    expect<__hip_bfloat16>(two.x, decode<__hip_bfloat16>(bits), "the host's first of a pair");
    expect<__hip_bfloat16>(two.y, decode<__hip_bfloat16>(others), "the host's second of a pair");
  }
  CHECK_EQ(__low2float(kOnes) + __high2float(kOnes), 2.0f);
}

__global__ void matrix_of_half(const __half* a, const __half* b, const __half* c, __half* d) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> left;
  fragment<matrix_b, 16, 16, 16, __half, row_major> right;
  fragment<accumulator, 16, 16, 16, __half> sum;
  load_matrix_sync(left, a, 16);
  load_matrix_sync(right, b, 16);
  load_matrix_sync(sum, c, 16, mem_row_major);
  mma_sync(sum, left, right, sum);
  store_matrix_sync(d, sum, 16, mem_row_major);
}
E2E_CASE(matrices_of_half) {
  std::vector<__half> a(256), b(256), c(256);
  for (int i = 0; i < 256; ++i) // small integers: every sum is exact
    a[i] = __float2half(i % 7 - 3.0f), b[i] = __float2half(i % 5 - 2.0f), c[i] = __float2half(i % 11 - 5.0f);
  e2e::Device<__half> da(a), db(b), dc(c), out(256);
  matrix_of_half<<<1, 32>>>(da, db, dc, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 256; ++i) {
    float wanted = i % 11 - 5.0f;
    for (int k = 0; k < 16; ++k) {
      const int left = i / 16 * 16 + k, right = k * 16 + i % 16;
      wanted += (left % 7 - 3.0f) * (right % 5 - 2.0f);
    }
    CHECK_AT(i, __half2float(got[i]), wanted);
  }
}

// Reductions by a mask; where they are asked for, half has them too.
__global__ void reductions(const Bits* in, Bits* out) {
  const __half x = from_bits<__half>(in[threadIdx.x]);
  out[threadIdx.x * 3] = to_bits(__reduce_add_sync(~0ull, x));
  out[threadIdx.x * 3 + 1] = to_bits(__reduce_min_sync(~0ull, x));
  out[threadIdx.x * 3 + 2] = to_bits(__reduce_max_sync(~0ull, x));
}
E2E_CASE(reductions_of_half) {
  int lanes = 0;
  CHECK_EQ(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0), hipSuccess);
  std::vector<Bits> in(lanes);
  double sum = 0, least = 1e9, greatest = -1e9;
  for (int i = 0; i < lanes; ++i) {
    const double x = (i * 37 % 64 - 20) * 0.25; // the sums of all of them are exact
    in[i] = to_bits(__float2half(static_cast<float>(x)));
    sum += x, least = std::min(least, x), greatest = std::max(greatest, x);
  }
  e2e::Device<Bits> device_in(in), out(lanes * 3);
  reductions<<<1, lanes>>>(device_in, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < lanes; ++i) {
    expect<__half>(got[i * 3], sum, "a sum");
    expect<__half>(got[i * 3 + 1], least, "a minimum");
    expect<__half>(got[i * 3 + 2], greatest, "a maximum");
  }
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
