// Half precision in programs of host code. Conversions, in both directions and for every half, and arithmetic are
// compared with a table of the halves' values, which is made from their definition, and with searches in it. Each
// compiler at hand compiles this source, g++ and clang++ as plain C++ and clang++ in HIP's mode, so that all of them
// give the same bits.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp4.h>
#include <hip/hip_fp6.h>
#include <hip/hip_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

namespace {

int failures = 0;
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition) && failures++ < 20) std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                   \
  } while (0)

struct BehindByte {
  char first;
  __half2 pair;
};
static_assert(sizeof(__half) == 2 && alignof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4, "");
static_assert(sizeof(__half_raw) == 2 && sizeof(__half2_raw) == 4 && offsetof(BehindByte, pair) == 4, "");
static_assert(std::is_trivially_copyable<__half>::value && std::is_trivially_copyable<__half2>::value, "");
static_assert(std::is_trivially_default_constructible<__half>::value && std::is_standard_layout<__half>::value, "");
static_assert(sizeof(__hip_bfloat16) == 2 && sizeof(__hip_bfloat162) == 4 && sizeof(hip_bfloat16) == 2, "");
static_assert(sizeof(__hip_fp8_e4m3) == 1 && sizeof(__hip_fp8x4_e5m2) == 4 && sizeof(hipFloatComplex) == 8, "");

unsigned int bits(float v) {
  unsigned int r;
  std::memcpy(&r, &v, sizeof(r));
  return r;
}
float float_of(unsigned int v) {
  float r;
  std::memcpy(&r, &v, sizeof(r));
  return r;
}
unsigned short bits(__half v) { return __half_as_ushort(v); }
__half half_of(unsigned int v) { return __ushort_as_half(static_cast<unsigned short>(v)); }

// Of 0x0000 to 0x7c00, where the last stands for the number that would come after the largest.
constexpr unsigned int kInfinity = 0x7c00, kSign = 0x8000;
double value[kInfinity + 1];

void fill_values() {
  for (unsigned int code = 0; code <= kInfinity; ++code) {
    const unsigned int exponent = code >> 10, fraction = code & 0x3ff;
    value[code] =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
  }
}

enum class Rounding { Nearest, Zero, Up, Down };
// The half for a number that is no NaN.
unsigned int expected(double v, Rounding rounding = Rounding::Nearest) {
  const unsigned int sign = std::signbit(v) ? kSign : 0;
  const double magnitude = std::fabs(v);
  if (std::isinf(v)) return sign | kInfinity;
  unsigned int low = 0, high = kInfinity; // value[low] <= magnitude, or all of them are; magnitude < value[high]
  if (magnitude >= value[kInfinity]) {
    low = kInfinity - 1;
  } else {
    while (high - low > 1) {
      const unsigned int middle = (low + high) / 2;
      (value[middle] <= magnitude ? low : high) = middle;
    }
    high = low + 1;
    if (value[low] == magnitude) return sign | low;
  }
  switch (rounding) {
  case Rounding::Zero:
    return sign | low;
  case Rounding::Up:
    return sign | (sign ? low : high);
  case Rounding::Down:
    return sign | (sign ? high : low);
  case Rounding::Nearest:
    break;
  }
  if (magnitude >= value[kInfinity]) return sign | kInfinity;
  const double below = magnitude - value[low], above = value[high] - magnitude; // exact, as both are near
  if (below != above) return sign | (below < above ? low : high);
  return sign | (low & 1 ? high : low);
}

void test_every_half() {
  for (unsigned int code = 0; code <= 0xffff; ++code) {
    const unsigned int sign = code & kSign, magnitude = code & 0x7fff;
    const __half h = half_of(code);
    if (magnitude > kInfinity) { // becomes quiet, keeps sign and payload
      const unsigned int quiet = sign << 16 | 0x7fc00000 | (magnitude & 0x3ff) << 13;
      CHECK(bits(__half2float(h)) == quiet);
      CHECK(bits(__float2half(float_of(quiet))) == (code | 0x200));
      CHECK(__hisnan(h) && !__hisinf(h));
    } else {
      const double is =
          (sign ? -1.0 : 1.0) * (magnitude == kInfinity ? std::numeric_limits<double>::infinity() : value[magnitude]);
      CHECK(bits(__half2float(h)) == bits(static_cast<float>(is)));
      CHECK(bits(__float2half(static_cast<float>(is))) == code);
      CHECK(bits(__double2half(is)) == code);
      CHECK(bits(static_cast<float>(h)) == bits(static_cast<float>(is)));
    }
    CHECK(static_cast<__half_raw>(h).x == code);
  }
}

// Conversions of a number that may lie between halves.
void test_number(double v) {
  CHECK(bits(__double2half(v)) == expected(v));
  CHECK(bits(__half(v)) == expected(v));
  const float f = static_cast<float>(v);
  CHECK(bits(__float2half(f)) == expected(f));
  CHECK(bits(__half(f)) == expected(f));
  CHECK(bits(__float2half_rn(f)) == expected(f));
  CHECK(bits(__float2half_rz(f)) == expected(f, Rounding::Zero));
  CHECK(bits(__float2half_ru(f)) == expected(f, Rounding::Up));
  CHECK(bits(__float2half_rd(f)) == expected(f, Rounding::Down));
  __half h = half_of(0);
  h = f;
  CHECK(bits(h) == expected(f));
  h = v;
  CHECK(bits(h) == expected(v));
}

void test_between_halves() {
  for (unsigned int code = 0; code < kInfinity; ++code) {
    const double middle = (value[code] + value[code + 1]) / 2; // exact
    for (double sign : {1.0, -1.0}) {
      test_number(sign * middle);
      for (double away : {-1.0, 1.0}) {
        const double far = away * std::numeric_limits<double>::infinity();
        test_number(sign * std::nextafter(middle, far)); // decided by a bit that a float does not have
        test_number(sign * static_cast<double>(std::nextafter(static_cast<float>(middle), static_cast<float>(far))));
      }
    }
  }
  for (double v : {0.0, 65504.0, 65520.0, 65536.0, 1e10, 1e300, 5e-324, 1e-40, 1e-300, std::ldexp(1.0, -25),
                   std::numeric_limits<double>::infinity()})
    for (double sign : {1.0, -1.0}) {
      if (v > 1e38 && std::isfinite(v)) {
        CHECK(bits(__double2half(sign * v)) == expected(sign * v));
      } else {
        test_number(sign * v);
      }
    }
}

void test_random_floats() {
  unsigned int state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 1664525u + 1013904223u;
    const float f = float_of(state);
    if (f != f) { // sign, and the upper bits of the payload
      const unsigned int nan = (state >> 16 & 0x8000) | 0x7e00 | (state >> 13 & 0x3ff);
      CHECK(bits(__float2half(f)) == nan);
    } else {
      test_number(f);
    }
  }
  const unsigned long long nan = 0xfff0000000000001ull | 0x155ull << 42;
  double d;
  std::memcpy(&d, &nan, sizeof(d));
  CHECK(bits(__double2half(d)) == (0xfe00 | 0x155));
}

void test_integers() {
  for (int i = -70000; i <= 70000; ++i) {
    CHECK(bits(__int2half_rn(i)) == expected(i));
    CHECK(bits(__half(i)) == expected(i));
    CHECK(bits(__ll2half_rz(i)) == expected(i, Rounding::Zero));
  }
  for (unsigned int code = 0; code < kInfinity; ++code) {
    CHECK(__half2int_rz(half_of(code)) == static_cast<int>(value[code]));
    CHECK(__half2ll_rz(half_of(code | kSign)) == -static_cast<long long>(value[code]));
    CHECK(static_cast<int>(half_of(code)) == static_cast<int>(value[code]));
  }
  CHECK(__half2int_rz(half_of(kInfinity)) == std::numeric_limits<int>::max());
  CHECK(__half2short_rz(half_of(kInfinity | kSign)) == std::numeric_limits<short>::min());
  CHECK(__half2uint_rz(half_of(0x7e01)) == 0);
  CHECK(bits(__ull2half_rn(~0ull)) == kInfinity);
}

void test_arithmetic() {
  unsigned int state = 7;
  for (int i = 0; i < 200000; ++i) {
    state = state * 1664525u + 1013904223u;
    const unsigned int a = state >> 16, c = state & 0xffff, m = a & 0x7fff, n = c & 0x7fff;
    if (m > kInfinity || n > kInfinity) continue;
    const __half x = half_of(a), y = half_of(c);
    const double p = static_cast<double>(__half2float(x)), q = static_cast<double>(__half2float(y));
    if (m < kInfinity && n < kInfinity) { // sums and products are exact in double
      CHECK(bits(__hadd(x, y)) == expected(p + q));
      CHECK(bits(__hsub(x, y)) == expected(p - q));
      CHECK(bits(__hmul(x, y)) == expected(p * q));
      CHECK(bits(__hmul_rn(x, y)) == expected(p * q));
      if (q != 0) CHECK(bits(__hdiv(x, y)) == expected(p / q));
      __half2 pair = __halves2half2(x, y);
      pair += __halves2half2(y, y);
      CHECK(bits(__low2half(pair)) == expected(p + q) && bits(__high2half(pair)) == expected(q + q));
      CHECK(bits(pair.x) == bits(__hadd2(__half2(x, y), __half2(y, y)).x));
      __half z = x;
      z -= y;
      CHECK(bits(z) == expected(p - q));
      CHECK(bits(__half2(half_of(a), half_of(c)).y) == c);
    }
    CHECK(__hlt(x, y) == (p < q) && __heq(x, y) == (p == q) && (x < y) == (p < q) && (x != y) == (p != q));
  }
  // By way of float, the sum would be half-way between two halves and go to the wrong one.
  CHECK(bits(__hfma(half_of(0x3c01), half_of(0x3bfe), half_of(0x6801))) == 0x6801);
  const __half2 fused = __hfma2(half_of(0x3c01) < half_of(0) ? __half2() : __half2(half_of(0x3c01), half_of(0x4000)),
                                __half2(half_of(0x3bfe), half_of(0x4200)), __half2(half_of(0x6801), half_of(0x3c00)));
  CHECK(bits(fused.x) == 0x6801 && bits(fused.y) == expected(7.0));
  CHECK(bits(hsqrt(half_of(expected(9.0)))) == expected(3.0));
  CHECK(bits(HIPRT_ONE_FP16) == expected(1.0) && bits(HIPRT_INF_FP16) == kInfinity);
}

void test_objects() {
  __half one = 1, two[2] = {2, 2.0};
  CHECK(bits(one) == expected(1.0) && bits(two[0]) == expected(2.0) && bits(two[1]) == expected(2.0));
  CHECK(bits(__half(true)) == expected(1.0) && bits(__half{}) == 0);
  union {
    __half number;
    unsigned short code;
  } both;
  both.number = two[0];
  CHECK(both.code == expected(2.0));
  volatile __half changing = one;
  CHECK(bits(static_cast<__half_raw>(changing)) == expected(1.0));
  std::vector<__half> list(3, one);
  list.push_back(2.5f);
  list.emplace_back(-3);
  CHECK(list.size() == 5 && bits(list[2]) == expected(1.0) && bits(list[3]) == expected(2.5) &&
        bits(list[4]) == expected(-3.0));
  one += 1;
  one *= 2.5f;
  CHECK(bits(one) == expected(5.0));
  one -= 1.0;
  one /= two[0];
  CHECK(bits(one++) == expected(2.0) && bits(--one) == expected(2.0) && bits(++one) == expected(3.0));
  one = 7u;
  CHECK(bits(one) == expected(7.0) && static_cast<int>(one) == 7 && static_cast<bool>(one));
  const __half2 negated = -__half2(one, half_of(0));
  CHECK(bits(negated.x) == expected(-7.0) && bits(negated.y) == kSign);
}

// What becomes of a half in expressions of programs that other compilers than HIP's compile: as with AMD's headers.
void test_expressions() {
#if !defined(__HIP__)
  const __half h = 1.5f, g = 2.25;
  static_assert(std::is_same<decltype(h + g), float>::value && std::is_same<decltype(h + 1.0), double>::value, "");
  CHECK(h * g + 1.0f == 4.375f && h < 2 && -h == -1.5f && std::fabs(h - g) == 0.75f);
  CHECK(h == 1.5 && 1.5f == h && h != 1 && 2 > h && h == half_of(expected(1.5)) && !(h == g) && h < g && h &&
        !half_of(0));
  static_assert(std::is_same<decltype(std::abs(h)), float>::value && std::is_same<decltype(-h), float>::value, "");
  CHECK(std::abs(half_of(expected(-1.5))) == 1.5f && std::sqrt(g) == 1.5f && std::pow(h, 2) == 2.25f);
  CHECK(std::max(h, g) == 2.25f && std::min<float>(h, 1) == 1.0f && !std::isnan(h) && std::isnan(half_of(0x7e00)));
  constexpr __half fixed = __half_raw{0x3c00};
  static_assert(fixed.__x == 0x3c00, "");
  std::ostringstream text;
  text << h;
  CHECK(text.str() == "1.5");
  const __half2_raw raw = {0x3c00, 0x4000};
  CHECK(__low2float(raw) == 1.0f && __high2float(raw) == 2.0f && __half2float(__half_raw{0x3c00}) == 1.0f);
#endif
}

void test_other_formats() {
  for (unsigned int code = 0; code < 256; ++code) { // E5M2 is the upper half of a half
    __hip_fp8_e5m2 v;
    v.__x = static_cast<__hip_fp8_storage_t>(code);
    const __half_raw raw = __hip_cvt_fp8_to_halfraw(v.__x, __HIP_E5M2);
    const __half h = v;
    if ((code & 0x7f) > 0x7c) {
      CHECK(__hisnan(raw) && __hisnan(h));
      continue;
    }
    CHECK(raw.x == code << 8 && bits(h) == code << 8);
    CHECK(__hip_cvt_halfraw_to_fp8(raw, __HIP_NOSAT, __HIP_E5M2) == code);
    CHECK(__hip_fp8_e5m2(half_of(code << 8)).__x == ((code & 0x7f) == 0x7c ? code - 1 : code)); // saturates
  }
  for (unsigned int code = 0; code < 0x8000; ++code) {
    const float f = float_of(code << 16);
    if (f == f) CHECK(__bfloat16_as_ushort(__float2bfloat16(f)) == code && hip_bfloat16(f).data == code);
  }
  CHECK(__hip_cvt_fp4_to_halfraw(__hip_fp4_e2m1(half_of(expected(-1.5))).__x, __HIP_E2M1).x == expected(-1.5));
  CHECK(__hip_cvt_fp6_to_halfraw(__hip_fp6_e3m2(half_of(expected(14.0))).__x, __HIP_E3M2).x == expected(14.0));
}

} // namespace

int main() {
  fill_values();
  test_every_half();
  test_between_halves();
  test_random_floats();
  test_integers();
  test_arithmetic();
  test_objects();
  test_expressions();
  test_other_formats();
  if (failures != 0) std::printf("%d checks failed\n", failures);
  return failures != 0;
}
