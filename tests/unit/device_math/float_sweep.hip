// Every one-argument function of ocml.def at every float, or at every n-th, on a device:
//   float_sweep [--every <n>] [--only <function>]
// Inside the domain that reference.cpp names for a function, its limit in units of the last place holds. Everywhere, a
// result is NaN where the exact value is none, and infinite where the exact value is beyond the range, and nowhere
// else. Functions that are exact by definition have to have the host's bits. The expectation is the function in double
// precision, whose errors are some 2^-28 of a unit in the last place of a float.
#include <hip/hip_runtime.h>

#include "reference.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using hip::device_test::Reference;

namespace {

#define CHECK_HIP(call)                                                                                                \
  do {                                                                                                                 \
    const hipError_t status = (call);                                                                                  \
    if (status != hipSuccess) {                                                                                        \
      std::fprintf(stderr, "%s returns %s.\n", #call, hipGetErrorName(status));                                        \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

#define OCML_UNARY(name, source, types)                                                                                \
  extern "C" __device__ float __ocml_##name##_f32(float);                                                              \
  struct Call_##name {                                                                                                 \
    static __device__ float call(float x) { return __ocml_##name##_f32(x); }                                           \
  };
#include "device/math/ocml.def"

// The floats whose bits are first, first + step, ...
template<class F> __global__ void evaluate(uint32_t first, uint32_t step, float* results, uint32_t count) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) results[i] = F::call(__uint_as_float(first + i * step));
}
template<class F> void launch(uint32_t first, uint32_t step, float* results, uint32_t count) {
  evaluate<F><<<(count + 255) / 256, 256>>>(first, step, results, count);
}

// ---- the functions in double precision -----------------------------------------------------------------------------

constexpr double kPi = 3.14159265358979323846, kSqrtPi = 1.77245385090551602730, kSqrt2 = 1.41421356237309504880;

double sin_pi(double x) {
  const double n = std::rint(x), s = std::sin(kPi * (x - n));
  return std::fmod(n, 2) == 0 ? s : -s;
}
double cos_pi(double x) {
  const double n = std::rint(x), c = std::cos(kPi * (x - n));
  return std::fabs(x - n) == 0.5 ? 0 : std::fmod(n, 2) == 0 ? c : -c;
}
double erfcx(double x) {
  if (x < 26) return std::exp(x * x) * std::erfc(x);
  double sum = 1, term = 1;
  for (int k = 1; k < 12; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * kSqrtPi);
}
// Newton's method; the logarithm of erfc(y) / p has a derivative that hardly changes.
double erfcinv_tail(double p) {
  const double l = std::log(p);
  double y = std::sqrt(-l);
  y = y > 2 ? y - std::log(y * kSqrtPi) / (2 * y) : y * 0.7;
  for (int i = 0; i < 20; ++i) {
    const double e = erfcx(y), step = (std::log(e) - y * y - l) * e * kSqrtPi / 2;
    y += step;
    if (std::fabs(step) < 1e-14 * y) break;
  }
  return y;
}
double erfinv_centre(double x) {
  double y = x * kSqrtPi / 2;
  for (int i = 0; i < 20; ++i) {
    const double step = (x - std::erf(y)) * kSqrtPi / 2 * std::exp(y * y);
    y += step;
    if (std::fabs(step) <= 1e-15 * std::fabs(y)) break;
  }
  return y;
}
constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
double erfinv(double x) {
  const double size = std::fabs(x);
  if (!(size < 1)) return size == 1 ? std::copysign(kInfinity, x) : kNan;
  return size < 0.5 ? erfinv_centre(x) : std::copysign(erfcinv_tail(1 - size), x);
}
double erfcinv(double x) {
  if (!(x > 0 && x < 2)) return x == 0 ? kInfinity : x == 2 ? -kInfinity : kNan;
  return x < 0.5 ? erfcinv_tail(x) : x < 1.5 ? erfinv_centre(1 - x) : -erfcinv_tail(2 - x);
}
double bessel_i(int order, double x) {
  if (std::fabs(x) > 200) return order != 0 && x < 0 ? -kInfinity : kInfinity;
  const double u = x * x / 4;
  double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; std::fabs(term) > 1e-18 * std::fabs(sum); ++k) sum += term *= u / (double(k) * (k + order));
  return x != x ? x : sum;
}

#define F(expression) [](double x) -> double { return expression; }
struct Expected {
  std::string_view name;
  double (*value)(double);
};
constexpr Expected kExpected[] = {
    {"sqrt", F(std::sqrt(x))},
    {"rsqrt", F(1 / std::sqrt(x))},
    {"cbrt", F(std::cbrt(x))},
    {"rcbrt", F(1 / std::cbrt(x))},
    {"sin", F(std::sin(x))},
    {"cos", F(std::cos(x))},
    {"tan", F(std::tan(x))},
    {"sinpi", sin_pi},
    {"cospi", cos_pi},
    {"tanpi", F(sin_pi(x) / cos_pi(x))},
    {"asin", F(std::asin(x))},
    {"acos", F(std::acos(x))},
    {"atan", F(std::atan(x))},
    {"asinpi", F(std::asin(x) / kPi)},
    {"acospi", F(std::acos(x) / kPi)},
    {"atanpi", F(std::atan(x) / kPi)},
    {"sinh", F(std::sinh(x))},
    {"cosh", F(std::cosh(x))},
    {"tanh", F(std::tanh(x))},
    {"asinh", F(std::asinh(x))},
    {"acosh", F(std::acosh(x))},
    {"atanh", F(std::atanh(x))},
    {"exp", F(std::exp(x))},
    {"exp2", F(std::exp2(x))},
    {"exp10", F(::exp10(x))},
    {"expm1", F(std::expm1(x))},
    {"log", F(std::log(x))},
    {"log2", F(std::log2(x))},
    {"log10", F(std::log10(x))},
    {"log1p", F(std::log1p(x))},
    {"erf", F(std::erf(x))},
    {"erfc", F(std::erfc(x))},
    {"erfcx", erfcx},
    {"erfinv", erfinv},
    {"erfcinv", erfcinv},
    {"ncdf", F(std::erfc(-x / kSqrt2) / 2)},
    {"ncdfinv", F(-kSqrt2 * erfcinv(2 * x))},
    {"lgamma", F(std::lgamma(x))},
    {"tgamma", F(std::tgamma(x))},
    {"i0", F(bessel_i(0, x))},
    {"i1", F(bessel_i(1, x))},
    {"j0", F(::j0(x))},
    {"j1", F(::j1(x))},
    {"y0", F(::y0(x))},
    {"y1", F(::y1(x))},
    // exact by definition
    {"ceil", F(std::ceil(x))},
    {"floor", F(std::floor(x))},
    {"trunc", F(std::trunc(x))},
    {"rint", F(std::rint(x))},
    {"nearbyint", F(std::nearbyint(x))},
    {"round", F(std::round(x))},
    {"fabs", F(std::fabs(x))},
    {"logb", F(std::logb(x))},
};
#undef F

const Expected* expected_of(std::string_view name) {
  const auto* const at =
      std::find_if(std::begin(kExpected), std::end(kExpected), [&](const Expected& e) { return e.name == name; });
  return at == std::end(kExpected) ? nullptr : at;
}
const Reference* reference_of(std::string_view name) {
  for (const Reference& r : hip::device_test::kReferences)
    if (r.name == name) return &r;
  return nullptr; // exact by definition
}

// ---- judging results ------------------------------------------------------------------------------------------------

bool in_domain(const hip::device_test::Domain& domain, float x) {
  const double size = domain.kind == hip::device_test::Domain::SignedLog ? std::fabs(x) : x;
  return size >= domain.low && size <= domain.high;
}

struct Judged {
  double inside = 0, outside = 0; // units in the last place, within the domain and elsewhere
  float inside_at = 0, outside_at = 0;
  uint64_t wrong = 0; // NaN or infinite where the exact value is not, or the other way round
  float wrong_at = 0, wrong_result = 0;

  void add(const Judged& other) {
    if (other.inside > inside) inside = other.inside, inside_at = other.inside_at;
    if (other.outside > outside) outside = other.outside, outside_at = other.outside_at;
    if (wrong == 0) wrong_at = other.wrong_at, wrong_result = other.wrong_result;
    wrong += other.wrong;
  }
};

// |got - exact| in units of the last place that a float has at `scale`; -1 where one of them is NaN or infinite and the
// other is not. Values beyond the range may be either neighbour.
double ulp_error(float got, double exact, double scale) {
  constexpr double kMax = std::numeric_limits<float>::max(), kBeyond = 0x1.ffffffp127; // halfway to 2^128
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : -1;
  if (std::isinf(got)) return std::fabs(exact) > kMax && (got > 0) == (exact > 0) ? 0 : -1;
  if (std::fabs(exact) > 4 * kBeyond) return -1;
  const int exponent = std::max(int(std::bit_cast<uint64_t>(std::fabs(scale)) >> 52) - 1023, -126);
  return std::fabs(double(got) - exact) * std::bit_cast<double>(uint64_t(1023 + 23 - exponent) << 52);
}

Judged judge(const Expected& expected, const Reference* reference, uint32_t first, uint32_t step, const float* results,
             uint32_t count) {
  Judged out;
  for (uint32_t i = 0; i < count; ++i) {
    const float x = std::bit_cast<float>(first + i * step), got = results[i];
    const double exact = expected.value(x);
    double error;
    if (reference == nullptr) {
      const float bits = float(exact);
      error = std::isnan(bits)                                                ? (std::isnan(got) ? 0 : -1)
              : std::bit_cast<uint32_t>(bits) == std::bit_cast<uint32_t>(got) ? 0
                                                                              : -1;
    } else {
      double scale = exact;
      if (reference->amplitude) {
        const double size = x > 1 ? std::sqrt(2 / (kPi * x)) : 0.5;
        scale = std::max(size, std::fabs(exact));
      }
      error = ulp_error(got, exact, scale);
    }
    if (error < 0) {
      if (out.wrong++ == 0) out.wrong_at = x, out.wrong_result = got;
    } else if (reference == nullptr || in_domain(reference->f32[0], x)) {
      if (error > out.inside) out.inside = error, out.inside_at = x;
    } else if (error > out.outside) {
      out.outside = error, out.outside_at = x;
    }
  }
  return out;
}

using Launch = void (*)(uint32_t first, uint32_t step, float* results, uint32_t count);

Judged sweep(Launch run, const Expected& expected, const Reference* reference, uint32_t step) {
  constexpr uint32_t kChunk = 1u << 22;
  const uint64_t total = ((uint64_t{1} << 32) - 1) / step + 1;
  const uint32_t capacity = uint32_t(std::min<uint64_t>(total, kChunk)),
                 threads = std::max(1u, std::thread::hardware_concurrency());
  float* device;
  CHECK_HIP(hipMalloc(&device, capacity * sizeof(float)));
  std::vector<float> results(capacity);
  std::vector<Judged> parts(threads);
  Judged out;
  for (uint64_t begin = 0; begin < total; begin += capacity) {
    const uint32_t count = uint32_t(std::min<uint64_t>(capacity, total - begin)), first = uint32_t(begin * step);
    run(first, step, device, count);
    CHECK_HIP(hipGetLastError());
    CHECK_HIP(hipMemcpy(results.data(), device, count * sizeof(float), hipMemcpyDeviceToHost));
    std::vector<std::thread> workers;
    for (uint32_t t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        const uint32_t from = uint32_t(uint64_t(count) * t / threads),
                       to = uint32_t(uint64_t(count) * (t + 1) / threads);
        parts[t] = judge(expected, reference, first + from * step, step, &results[from], to - from);
      });
    for (std::thread& worker : workers) worker.join();
    for (const Judged& part : parts) out.add(part);
  }
  CHECK_HIP(hipFree(device));
  return out;
}

struct Entry {
  const char* name;
  Launch run;
};
const Entry kEntries[] = {
#define OCML_UNARY(name, source, types) {#name, launch<Call_##name>},
#include "device/math/ocml.def"
};

} // namespace

int main(int argc, char** argv) {
  uint32_t every = 1;
  const char* only = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--every") == 0) every = uint32_t(std::max(1, std::atoi(argv[i + 1])));
    if (std::strcmp(argv[i], "--only") == 0) only = argv[i + 1];
  }
  hipDeviceProp_t properties;
  const bool nvidia =
      hipGetDeviceProperties(&properties, 0) == hipSuccess && std::strncmp(properties.gcnArchName, "sm_", 3) == 0;
  const double approximation = nvidia ? 1.25 : 1.0; // as in device_math.hip
  int failures = 0;
  for (const Entry& entry : kEntries) {
    if (only != nullptr && std::strcmp(only, entry.name) != 0) continue;
    const Expected* const expected = expected_of(entry.name);
    if (expected == nullptr) {
      std::fprintf(stderr, "%s has no row in kExpected.\n", entry.name);
      ++failures;
      continue;
    }
    const Reference* const reference = reference_of(entry.name);
    const Judged judged = sweep(entry.run, *expected, reference, every);
    std::printf("%-10s %8.3f ulp at %.9g; outside the domain %.3g ulp at %.9g\n", entry.name, judged.inside,
                judged.inside_at, judged.outside, judged.outside_at);
    std::fflush(stdout);
    if (judged.wrong != 0) {
      std::fprintf(stderr, "%s: %llu results are wrong; the first one is %.9g at %.9g (0x%08x), expected is %.9g.\n",
                   entry.name, static_cast<unsigned long long>(judged.wrong), judged.wrong_result, judged.wrong_at,
                   std::bit_cast<uint32_t>(judged.wrong_at), expected->value(judged.wrong_at));
      ++failures;
    }
    if (reference != nullptr && !(judged.inside <= reference->limit_f32 * approximation + 1e-6)) {
      std::fprintf(stderr, "%s: %.3f ulp at %.9g (0x%08x) is above the limit of %g.\n", entry.name, judged.inside,
                   judged.inside_at, std::bit_cast<uint32_t>(judged.inside_at), reference->limit_f32);
      ++failures;
    }
  }
  if (failures != 0) std::fprintf(stderr, "%d failures.\n", failures);
  return failures == 0 ? 0 : 1;
}
