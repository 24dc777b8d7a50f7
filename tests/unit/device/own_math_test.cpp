// The device library's own math functions, compiled for the host: largest error against quadruple precision, exactness of
// remainders, directed rounding against the host's rounding mode, and special values.
#include "device/math/own.h"
#include "reference.h"
#include "test_seed.h"

#include <catch2/catch.hpp>
#include <cfenv>
#include <cstring>
#include <limits>
#include <string>

using namespace hip;
using device_test::Quad;
using device_test::Reference;

namespace {

constexpr int kSamples = 20000;

template <class T> using Function = T (*)(const T*);
template <class T> struct Own {
  std::string_view name;
  Function<T> call;
};

#define OWN1(name) {#name, [](const T* a) { return device::name(a[0]); }}
#define OWN2(name) {#name, [](const T* a) { return device::name(a[0], a[1]); }}
#define OWN3(name) {#name, [](const T* a) { return device::name(a[0], a[1], a[2]); }}
#define OWN4(name) {#name, [](const T* a) { return device::name(a[0], a[1], a[2], a[3]); }}
template <class T> const std::vector<Own<T>>& own_functions() {
  static const std::vector<Own<T>> list = {
      OWN1(sin), OWN1(cos), OWN1(sinpi), OWN1(cospi), OWN1(rsqrt), OWN1(rcbrt), OWN2(rhypot), OWN3(len3), OWN3(rlen3), OWN4(len4), OWN4(rlen4), OWN2(fmod), OWN2(remainder),
      OWN2(fdim), OWN1(erfcx), OWN1(erfinv), OWN1(erfcinv), OWN1(ncdf), OWN1(ncdfinv), OWN1(tgamma), OWN1(i0), OWN1(i1),
      OWN1(j0), OWN1(j1), OWN1(y0), OWN1(y1)};
  return list;
}

const Reference& reference_of(std::string_view name) {
  for (const Reference& r : device_test::kReferences)
    if (r.name == name) return r;
  FAIL("reference.cpp has no row for " << name);
  throw 0;
}

template <class T> void measure(const Own<T>& own) {
  const Reference& reference = reference_of(own.name);
  std::mt19937_64 random(hip::testing::seeded(20));
  double worst = 0;
  T at[4] = {};
  for (int i = 0; i < kSamples; ++i) {
    T a[4] = {};
    device_test::draw(reference, random, a);
    Quad q[4];
    for (int k = 0; k < 4; ++k) q[k] = a[k];
    const Quad exact = reference.value(q);
    const double error = device_test::ulp_error(own.call(a), exact, device_test::scale_of(reference, q[0], exact));
    if (error > worst) {
      worst = error;
      std::memcpy(at, a, sizeof(at));
    }
  }
  const double limit = sizeof(T) == 4 ? reference.limit_f32 : reference.limit_f64;
  INFO(own.name << (sizeof(T) == 4 ? " f32" : " f64") << ": " << worst << " ulp at " << at[0] << ", " << at[1]);
  if (std::getenv("OMNIHIP_PRINT_ULP")) WARN(own.name << (sizeof(T) == 4 ? " f32" : " f64") << ": " << worst << " ulp at " << at[0]);
  CHECK(worst <= limit);
}

template <class T> T random_bits(std::mt19937_64& random) {
  typename device::Traits<T>::Bits b = static_cast<typename device::Traits<T>::Bits>(random());
  return std::bit_cast<T>(b);
}
// All exponents, but often close to one another.
template <class T> T random_number(std::mt19937_64& random) {
  for (;;) {
    T x = random_bits<T>(random);
    if (random() % 2 == 0) x = std::ldexp(std::frexp(x, std::make_unique<int>().get()), static_cast<int>(random() % 8));
    if (std::isfinite(x)) return x;
  }
}

struct Mode {
  device::Rounding rounding;
  int fenv;
};
constexpr Mode kModes[] = {{device::Rounding::Rte, FE_TONEAREST},
                           {device::Rounding::Rtn, FE_DOWNWARD},
                           {device::Rounding::Rtp, FE_UPWARD},
                           {device::Rounding::Rtz, FE_TOWARDZERO}};

// Runs one operation in the host's rounding mode; volatile keeps the compiler from moving it.
template <class T, class F> T in_mode(int mode, F operation, T x, T y, T z) {
  volatile T a = x, b = y, c = z;
  std::fesetround(mode);
  volatile T r = operation(a, b, c);
  std::fesetround(FE_TONEAREST);
  return r;
}

template <class T> void check_same(const char* what, T got, T want, T x, T y, T z) {
  if (std::isnan(got) && std::isnan(want)) return;
  if (std::memcmp(&got, &want, sizeof(T)) == 0) return;
  INFO(what << "(" << std::hexfloat << x << ", " << y << ", " << z << ") = " << got << ", the processor has " << want);
  CHECK(false);
}

template <class T> void check_rounded() {
  std::mt19937_64 random(hip::testing::seeded(7));
  for (int i = 0; i < 100000; ++i) {
    const T x = random_number<T>(random), y = random_number<T>(random), z = random_number<T>(random);
    for (const Mode& m : kModes) {
      check_same("add", device::add(x, y, m.rounding), in_mode<T>(m.fenv, [](T a, T b, T) { return a + b; }, x, y, z), x, y, z);
      check_same("sub", device::sub(x, y, m.rounding), in_mode<T>(m.fenv, [](T a, T b, T) { return a - b; }, x, y, z), x, y, z);
      check_same("mul", device::mul(x, y, m.rounding), in_mode<T>(m.fenv, [](T a, T b, T) { return a * b; }, x, y, z), x, y, z);
      check_same("div", device::div(x, y, m.rounding), in_mode<T>(m.fenv, [](T a, T b, T) { return a / b; }, x, y, z), x, y, z);
      check_same("sqrt", device::sqrt(x, m.rounding), in_mode<T>(m.fenv, [](T a, T, T) { return std::sqrt(a); }, x, y, z), x, y, z);
      check_same("fma", device::fma(x, y, z, m.rounding),
                 in_mode<T>(m.fenv, [](T a, T b, T c) { return std::fma(a, b, c); }, x, y, z), x, y, z);
      const T close = static_cast<T>(-x * y); // cancellation
      if (std::isfinite(close))
        check_same("fma", device::fma(x, y, close, m.rounding),
                   in_mode<T>(m.fenv, [](T a, T b, T c) { return std::fma(a, b, c); }, x, y, close), x, y, close);
    }
  }
}

} // namespace

TEST_CASE("own math functions stay within their error bounds") {
  for (const auto& own : own_functions<float>()) measure(own);
  for (const auto& own : own_functions<double>()) measure(own);
  using T = float; // the functions that exist for it alone
  for (const Own<T>& own : std::initializer_list<Own<T>>{OWN1(exp), OWN1(exp2), OWN1(exp10), OWN1(log), OWN1(log2), OWN1(log10)}) measure(own);
}

TEST_CASE("arithmetic in a rounding mode equals the processor's") {
  SECTION("float") { check_rounded<float>(); }
  SECTION("double") { check_rounded<double>(); }
}

TEST_CASE("conversions in a rounding mode") {
  std::mt19937_64 random(hip::testing::seeded(9));
  for (int i = 0; i < 100000; ++i) {
    const long s = static_cast<long>(random()) >> (random() % 64);
    const unsigned long u = static_cast<unsigned long>(random()) >> (random() % 64);
    const double d = random_number<double>(random);
    for (const Mode& m : kModes) {
      const auto convert = [&](auto value, auto to) {
        using To = decltype(to);
        volatile auto v = value;
        std::fesetround(m.fenv);
        volatile To r = static_cast<To>(v);
        std::fesetround(FE_TONEAREST);
        return static_cast<To>(r);
      };
      check_same<float>("f32_s64", device::convert<float>(s, m.rounding), convert(s, 0.0f), 0, 0, 0);
      check_same<double>("f64_s64", device::convert<double>(s, m.rounding), convert(s, 0.0), 0, 0, 0);
      check_same<float>("f32_s32", device::convert<float>(static_cast<int>(s), m.rounding), convert(static_cast<int>(s), 0.0f), 0, 0, 0);
      check_same<float>("f32_u32", device::convert<float>(static_cast<unsigned>(u), m.rounding), convert(static_cast<unsigned>(u), 0.0f), 0, 0, 0);
      if (u >> 63 == 0 && u != 0) { // the host's own conversion of larger numbers is several operations
        check_same<float>("f32_u64", device::convert<float>(u, m.rounding), convert(u, 0.0f), 0, 0, 0);
        check_same<double>("f64_u64", device::convert<double>(u, m.rounding), convert(u, 0.0), 0, 0, 0);
      }
      check_same<float>("f32_f64", device::convert<float>(d, m.rounding), convert(d, 0.0f), 0, 0, 0);
    }
  }
  // 2^64 - 1 to float: 2^64 upwards, the number below it otherwise.
  CHECK(device::convert<float>(~0ul, device::Rounding::Rtp) == 0x1p64f);
  CHECK(device::convert<float>(~0ul, device::Rounding::Rtn) == 0x1.fffffep63f);
}

TEST_CASE("remquo gives remainder and quotient") {
  std::mt19937_64 random(hip::testing::seeded(11));
  for (int i = 0; i < 100000; ++i) {
    const double x = std::ldexp(random_number<double>(random), static_cast<int>(random() % 40) - 20), y = random_number<double>(random);
    if (y == 0 || !std::isfinite(x)) continue;
    int q, want_q;
    const double got = device::remquo(x, y, &q), want = std::remquo(x, y, &want_q);
    check_same<double>("remquo", got, want, x, y, 0);
    CHECK((q & 7) == (want_q & 7));
    const float xf = random_number<float>(random), yf = random_number<float>(random);
    if (yf == 0) continue;
    check_same<float>("remquo", device::remquo(xf, yf, &q), std::remquo(xf, yf, &want_q), xf, yf, 0);
    CHECK((q & 7) == (want_q & 7));
  }
}

TEST_CASE("parts of numbers equal the host library's") {
  std::mt19937_64 random(hip::testing::seeded(13));
  for (int i = 0; i < 100000; ++i) {
    const double x = random_bits<double>(random), y = random_bits<double>(random);
    double whole, want_whole;
    int e, want_e;
    check_same<double>("modf", device::modf(x, &whole), std::modf(x, &want_whole), x, 0, 0);
    check_same<double>("modf integral", whole, want_whole, x, 0, 0);
    check_same<double>("frexp", device::frexp(x, &e), std::frexp(x, &want_e), x, 0, 0);
    if (std::isfinite(x)) CHECK(e == want_e);
    check_same<double>("nextafter", device::nextafter(x, y), std::nextafter(x, y), x, y, 0);
    check_same<double>("logb", device::logb(x), std::logb(x), x, 0, 0);
    check_same<double>("fdim", device::fdim(x, y), std::fdim(x, y), x, y, 0);
    if (std::isfinite(x) && x != 0) CHECK(device::ilogb(x) == std::ilogb(x));
  }
}

TEST_CASE("special values of own functions") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  CHECK(device::lgamma(-inf) == inf);
  CHECK(device::lgamma(-0x1p-68f) == float(std::log(0x1p68)));
  CHECK(device::tgamma(5.0) == 24);
  CHECK(device::tgamma(1.0) == 1);
  CHECK(device::tgamma(inf) == inf);
  CHECK(std::isnan(device::tgamma(-3.0)));
  CHECK(device::tgamma(-0.0) == -inf);
  CHECK(device::tgamma(172.0) == inf);
  CHECK(device::erfinv(1.0) == inf);
  CHECK(device::erfinv(-1.0) == -inf);
  CHECK(std::isnan(device::erfinv(1.5)));
  CHECK(device::erfcinv(0.0) == inf);
  CHECK(device::erfcinv(2.0) == -inf);
  CHECK(device::erfcinv(1.0) == 0);
  CHECK(device::ncdf(0.0) == 0.5);
  CHECK(device::ncdf(inf) == 1);
  CHECK(device::ncdf(-inf) == 0);
  CHECK(device::ncdfinv(0.5) == 0);
  CHECK(device::ncdfinv(0.0) == -inf);
  CHECK(device::ncdfinv(1.0) == inf);
  CHECK(device::erfcx(-inf) == inf);
  CHECK(device::erfcx(inf) == 0);
  CHECK(device::y0(0.0) == -inf);
  CHECK(device::j0(0.0) == 1);
  CHECK(device::j1(-2.5) == -device::j1(2.5));
  CHECK(device::len3(inf, std::nan(""), 0.0) == inf);
  CHECK(device::len3(3e300, 4e300, 0.0) == 5e300);
  CHECK(device::rhypot(0.0, 0.0) == inf);
  CHECK(device::rsqrt(0.0) == inf);
  CHECK(device::rsqrt(inf) == 0);
  CHECK(device::scalb(1.5, 3.0) == 12);
  double c;
  CHECK(device::sincospi(0.5, &c) == 1);
  CHECK(c == 0);
  CHECK(device::sincospi(1e300, &c) == 0);
  CHECK(c == 1);
}
