// Math functions against the host's C library in double precision: the error in units of the last place stays below
// what the HIP documentation promises, and special values come out right. (Exact accuracy tables belong to the device
// library's own tests.)
#include "e2e.h"

namespace {

template<class T> double ulps(T got, double wanted) {
  if (std::isnan(wanted)) return std::isnan(got) ? 0 : 1e30;
  const T rounded = static_cast<T>(wanted);
  if (got == rounded) return 0;
  if (std::isinf(rounded) || std::isinf(got)) return 1e30;
  int exponent = 0;
  std::frexp(wanted, &exponent);
  const int digits = std::numeric_limits<T>::digits;
  const double unit = std::ldexp(1.0, std::max(exponent - digits, std::numeric_limits<T>::min_exponent - digits));
  return std::abs(static_cast<double>(got) - wanted) / unit;
}

#define UNARY(X)                                                                                                       \
  X(sin, 4, -100, 100)                                                                                                 \
  X(cos, 4, -100, 100)                                                                                                 \
  X(tan, 6, -100, 100) X(asin, 5, -1, 1) X(acos, 5, -1, 1) X(atan, 6, -1e6, 1e6) X(sinh, 5, -80, 80)                   \
      X(cosh, 5, -80, 80) X(tanh, 6, -20, 20) X(asinh, 5, -1e6, 1e6) X(acosh, 5, 1, 1e6) X(atanh, 6, -0.999, 0.999)    \
          X(exp, 3, -80, 80) X(exp2, 3, -120, 120) X(expm1, 4, -50, 80) X(log, 4, 1e-6, 1e6) X(log2, 4, 1e-6, 1e6)     \
              X(log10, 4, 1e-6, 1e6) X(log1p, 4, -0.99, 1e6) X(sqrt, 2, 0, 1e6) X(cbrt, 4, -1e6, 1e6) X(erf, 6, -4, 4) \
                  X(erfc, 16, -4, 8) X(floor, 0, -1e6, 1e6) X(ceil, 0, -1e6, 1e6) X(trunc, 0, -1e6, 1e6)               \
                      X(round, 0, -1e6, 1e6) X(rint, 0, -1e6, 1e6) X(fabs, 0, -1e6, 1e6) X(tgamma, 11, 0.1, 30)        \
                          X(lgamma, 8, 3, 1000)
#define BINARY(X)                                                                                                      \
  X(pow, 8, 0.01, 50)                                                                                                  \
  X(atan2, 6, -100, 100)                                                                                               \
  X(fmod, 0, -1000, 1000) X(hypot, 4, -1e4, 1e4) X(fmin, 0, -1e6, 1e6) X(fmax, 0, -1e6, 1e6) X(fdim, 0, -1e6, 1e6)     \
      X(copysign, 0, -1e6, 1e6) X(remainder, 0, -1000, 1000)

enum Unary {
#define X(name, error, low, high) unary_##name,
  UNARY(X)
#undef X
};
enum Binary {
#define X(name, error, low, high) binary_##name,
  BINARY(X)
#undef X
};

template<class T> __global__ void unary_kernel(int function, const T* in, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const T x = in[i];
  T r = 0;
  if constexpr (sizeof(T) == 8) {
    switch (function) {
#define X(name, error, low, high)                                                                                      \
  case unary_##name:                                                                                                   \
    r = ::name(x);                                                                                                     \
    break;
      UNARY(X)
#undef X
    }
  } else {
    switch (function) {
#define X(name, error, low, high)                                                                                      \
  case unary_##name:                                                                                                   \
    r = ::name##f(x);                                                                                                  \
    break;
      UNARY(X)
#undef X
    }
  }
  out[i] = r;
}
template<class T> __global__ void binary_kernel(int function, const T* a, const T* b, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  T r = 0;
  if constexpr (sizeof(T) == 8) {
    switch (function) {
#define X(name, error, low, high)                                                                                      \
  case binary_##name:                                                                                                  \
    r = ::name(a[i], b[i]);                                                                                            \
    break;
      BINARY(X)
#undef X
    }
  } else {
    switch (function) {
#define X(name, error, low, high)                                                                                      \
  case binary_##name:                                                                                                  \
    r = ::name##f(a[i], b[i]);                                                                                         \
    break;
      BINARY(X)
#undef X
    }
  }
  out[i] = r;
}

constexpr int kCount = 1000;

template<class T> std::vector<T> samples(double low, double high) {
  e2e::Random random;
  std::vector<T> out(kCount);
  for (T& x : out) x = static_cast<T>(low + (high - low) * random.unit());
  out[0] = static_cast<T>(low), out[1] = static_cast<T>(high), out[2] = static_cast<T>((low + high) / 2);
  return out;
}

// For double the reference is no wider than what is tested, so its own error counts: one unit more.
template<class T> void report(const char* name, double worst, double allowed, double at) {
  allowed += sizeof(T) == 8 && allowed > 0 ? 1 : 0;
  if (worst > allowed)
    e2e::fail(__FILE__, __LINE__,
              std::string(name) + (sizeof(T) == 8 ? " (double)" : " (float)") + " is " + std::to_string(worst) +
                  " units off at " + e2e::text_of(at) + "; " + std::to_string(allowed) + " are allowed");
}

template<class T>
void check_unary(int function, const char* name, double allowed, double low, double high, double (*host)(double)) {
  if (sizeof(T) == 8 && function == unary_tgamma) allowed = 16;
  const auto in = samples<T>(low, high);
  e2e::Device<T> di(in), out(kCount);
  unary_kernel<T><<<8, 128>>>(function, di, out, kCount);
  RUN_OK();
  const auto got = out.download();
  double worst = 0, at = 0;
  for (int i = 0; i < kCount; ++i)
    if (const double error = ulps(got[i], host(in[i])); error > worst) worst = error, at = in[i];
  report<T>(name, worst, allowed, at);
}
template<class T> void check_binary(int function, const char* name, double allowed, double low, double high,
                                    double (*host)(double, double)) {
  const auto a = samples<T>(low, high);
  auto b = samples<T>(low / 10, high / 10);
  std::swap(b[0], b[500]);
  e2e::Device<T> da(a), db(b), out(kCount);
  binary_kernel<T><<<8, 128>>>(function, da, db, out, kCount);
  RUN_OK();
  const auto got = out.download();
  double worst = 0, at = 0;
  for (int i = 0; i < kCount; ++i) {
    const double wanted = host(a[i], b[i]);
    if (sizeof(T) == 4 && std::abs(wanted) > 3e38) continue; // overflows
    if (const double error = ulps(got[i], wanted); error > worst) worst = error, at = a[i];
  }
  report<T>(name, worst, allowed, at);
}

template<class T> void check_all() {
#define X(name, error, low, high) check_unary<T>(unary_##name, #name, error, low, high, ::name);
  UNARY(X)
#undef X
#define X(name, error, low, high) check_binary<T>(binary_##name, #name, error, low, high, ::name);
  BINARY(X)
#undef X
}

// Special values.
__global__ void special_kernel(double* d, float* f) {
  const double inf = __builtin_inf(), nan = __builtin_nan("");
  const float inff = __builtin_inff(), nanf_ = __builtin_nanf("");
  int n = 0;
  d[n++] = sin(inf), d[n++] = exp(-inf), d[n++] = exp(inf), d[n++] = log(0.0), d[n++] = log(-1.0), d[n++] = sqrt(-1.0);
  d[n++] = pow(0.0, 0.0), d[n++] = pow(nan, 0.0), d[n++] = pow(2.0, -1074.0), d[n++] = atan2(-0.0, -1.0);
  d[n++] = fmax(nan, 1.0), d[n++] = fmin(1.0, nan), d[n++] = fmod(5.0, inf), d[n++] = hypot(inf, nan),
  d[n++] = cbrt(-27.0);
  d[n++] = rint(2.5), d[n++] = rint(3.5), d[n++] = round(-2.5), d[n++] = copysign(0.0, -1.0), d[n++] = exp(710.0);
  n = 0;
  f[n++] = sinf(inff), f[n++] = expf(-inff), f[n++] = expf(inff), f[n++] = logf(0.0f), f[n++] = logf(-1.0f),
  f[n++] = sqrtf(-1.0f);
  f[n++] = powf(0.0f, 0.0f), f[n++] = powf(nanf_, 0.0f), f[n++] = powf(2.0f, -149.0f), f[n++] = atan2f(-0.0f, -1.0f);
  f[n++] = fmaxf(nanf_, 1.0f), f[n++] = fminf(1.0f, nanf_), f[n++] = fmodf(5.0f, inff), f[n++] = hypotf(inff, nanf_),
  f[n++] = cbrtf(-27.0f);
  f[n++] = rintf(2.5f), f[n++] = rintf(3.5f), f[n++] = roundf(-2.5f), f[n++] = copysignf(0.0f, -1.0f),
  f[n++] = expf(89.0f);
}

__global__ void parts_kernel(const double* in, double* out, int* exponents, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  double whole, s, c;
  int quotient;
  out[i * 7 + 0] = frexp(in[i], &exponents[i * 2]);
  out[i * 7 + 1] = modf(in[i], &whole);
  out[i * 7 + 2] = whole;
  out[i * 7 + 3] = ldexp(in[i], i % 20 - 10);
  sincos(in[i], &s, &c);
  out[i * 7 + 4] = s * s + c * c;
  out[i * 7 + 5] = remquo(in[i], 7.0, &quotient);
  out[i * 7 + 6] = nextafter(in[i], 1e9);
  exponents[i * 2 + 1] = ilogb(in[i]);
}

__global__ void fast_kernel(float* out, float x) {
  out[0] = __sinf(x), out[1] = __cosf(x), out[2] = __expf(x), out[3] = __logf(x), out[4] = __fdividef(x, 3.0f);
  out[5] = rsqrtf(x), out[6] = __fsqrt_rn(x), out[7] = __powf(x, 2.0f), out[8] = __fmaf_rn(x, x, 1.0f);
  out[9] = __log2f(x), out[10] = __exp10f(x), out[11] = __frcp_rn(x);
}

} // namespace

#define NATIVE(X) X(sin) X(cos) X(exp) X(exp2) X(exp10) X(log) X(log2) X(log10) X(sqrt) X(rsqrt) X(recip) X(rcp)
#define X(name) extern "C" __device__ float __ocml_native_##name##_f32(float);
NATIVE(X)
#undef X

namespace {
__global__ void native_kernel(float* out, float x) {
#define X(name) *out++ = __ocml_native_##name##_f32(x);
  NATIVE(X)
#undef X
}

} // namespace

E2E_CASE(single_precision) { check_all<float>(); }
E2E_CASE(double_precision) { check_all<double>(); }

E2E_CASE(special_values) {
  constexpr int kSpecial = 20;
  e2e::Device<double> d(kSpecial);
  e2e::Device<float> f(kSpecial);
  special_kernel<<<1, 1>>>(d, f);
  RUN_OK();
  const double inf = HUGE_VAL, nan = std::nan("");
  const double wanted[kSpecial] = {nan, 0, inf, -inf, nan, nan, 1, 1,  0x1p-1074, -M_PI,
                                   1,   1, 5,   inf,  -3,  2,   4, -3, -0.0,      inf};
  const auto gd = d.download();
  const auto gf = f.download();
  for (int i = 0; i < kSpecial; ++i) {
    CHECK_AT(i, gd[i], wanted[i]);
    CHECK_AT(i, gf[i], i == 8 ? 0x1p-149f : static_cast<float>(wanted[i]));
  }
}

E2E_CASE(functions_with_several_results) {
  const auto in = samples<double>(-1000, 1000);
  e2e::Device<double> di(in), out(kCount * 7);
  e2e::Device<int> exponents(kCount * 2);
  parts_kernel<<<8, 128>>>(di, out, exponents, kCount);
  RUN_OK();
  const auto got = out.download();
  const auto e = exponents.download();
  for (int i = 0; i < kCount; ++i) {
    int exponent, quotient;
    double whole;
    CHECK_AT(i, got[i * 7 + 0], std::frexp(in[i], &exponent));
    CHECK_AT(i, e[i * 2], exponent);
    CHECK_AT(i, got[i * 7 + 1], std::modf(in[i], &whole));
    CHECK_AT(i, got[i * 7 + 2], whole);
    CHECK_AT(i, got[i * 7 + 3], std::ldexp(in[i], i % 20 - 10));
    CHECK(std::abs(got[i * 7 + 4] - 1) < 1e-14);
    CHECK_AT(i, got[i * 7 + 5], std::remquo(in[i], 7.0, &quotient));
    CHECK_AT(i, got[i * 7 + 6], std::nextafter(in[i], 1e9));
    CHECK_AT(i, e[i * 2 + 1], std::ilogb(in[i])); // INT_MIN for 0
  }
}

E2E_CASE(fast_functions) {
  e2e::Device<float> out(12);
  const double x = 1.75;
  fast_kernel<<<1, 1>>>(out, static_cast<float>(x));
  RUN_OK();
  const double wanted[] = {std::sin(x),  std::cos(x), std::exp(x), std::log(x),  x / 3,           1 / std::sqrt(x),
                           std::sqrt(x), x * x,       x * x + 1.0, std::log2(x), std::pow(10, x), 1 / x};
  const auto got = out.download();
  for (int i = 0; i < 12; ++i) CHECK(std::abs(got[i] - wanted[i]) <= 4e-6 * std::abs(wanted[i]));
}

// The device library's fast functions, which kernels may declare and call themselves.
E2E_CASE(native_functions) {
  e2e::Device<float> out(12);
  const double x = 1.75;
  native_kernel<<<1, 1>>>(out, static_cast<float>(x));
  RUN_OK();
  const double wanted[] = {std::sin(x),  std::cos(x),   std::exp(x),  std::exp2(x),     std::pow(10, x), std::log(x),
                           std::log2(x), std::log10(x), std::sqrt(x), 1 / std::sqrt(x), 1 / x,           1 / x};
  const auto got = out.download();
  for (int i = 0; i < 12; ++i) CHECK(std::abs(got[i] - wanted[i]) <= 4e-6 * std::abs(wanted[i]));
}
