// Measures every __ocml_* function of ocml.def that returns a number, on a device, against quadruple precision:
//   device_math [--samples <n>] [--write <file>]
// Fails when an error is above the limit in reference.cpp or a function has no reference. --write makes the table
// docs/device-math.md.
#include <hip/hip_runtime.h>

#include "reference.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using hip::device_test::Quad;
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

// One type per function, whose call() takes its arguments from an array.
#define DECLARE(name, parameters_f, parameters_d) \
  extern "C" __device__ float __ocml_##name##_f32 parameters_f; \
  extern "C" __device__ double __ocml_##name##_f64 parameters_d;
#define CALLABLE(name, ...) \
  struct Call_##name { \
    template <class T> static __device__ T call(const T* a) { \
      if constexpr (sizeof(T) == 4) return __ocml_##name##_f32(__VA_ARGS__); \
      else return __ocml_##name##_f64(__VA_ARGS__); \
    } \
  };
#define OCML_UNARY(name, source, types) DECLARE(name, (float), (double)) CALLABLE(name, a[0])
#define OCML_BINARY(name, source, types) DECLARE(name, (float, float), (double, double)) CALLABLE(name, a[0], a[1])
#define OCML_TERNARY(name, source, types) \
  DECLARE(name, (float, float, float), (double, double, double)) CALLABLE(name, a[0], a[1], a[2])
#define OCML_QUATERNARY(name, source) \
  DECLARE(name, (float, float, float, float), (double, double, double, double)) CALLABLE(name, a[0], a[1], a[2], a[3])
#define OCML_INTEGER(name, source, types) \
  DECLARE(name, (float, int), (double, int)) CALLABLE(name, a[0], static_cast<int>(a[1]))
#include "device/math/ocml.def"

template <class F, class T> __global__ void evaluate(const T* arguments, T* results, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) results[i] = F::template call<T>(arguments + 4 * i);
}
template <class F, class T> void launch(const T* arguments, T* results, int count) {
  evaluate<F, T><<<(count + 255) / 256, 256>>>(arguments, results, count);
}

struct Entry {
  std::string_view name;
  std::string_view source;
  void (*f32)(const float*, float*, int);
  void (*f64)(const double*, double*, int);
};
#define ENTRY(name, source) {#name, #source, launch<Call_##name, float>, launch<Call_##name, double>},
#define OCML_UNARY(name, source, types) ENTRY(name, source)
#define OCML_BINARY(name, source, types) ENTRY(name, source)
#define OCML_TERNARY(name, source, types) ENTRY(name, source)
#define OCML_QUATERNARY(name, source) ENTRY(name, source)
#define OCML_INTEGER(name, source, types) ENTRY(name, source)
const Entry kEntries[] = {
#include "device/math/ocml.def"
};

// Functions whose results are exact by definition and tested elsewhere, bit for bit.
constexpr std::string_view kExact[] = {"ceil", "floor", "trunc", "rint", "nearbyint", "round", "fabs", "copysign", "fmax",
                                       "fmin", "nextafter", "logb", "ldexp", "scalbn", "scalb"};
bool is_exact(std::string_view name) {
  for (std::string_view exact : kExact)
    if (exact == name) return true;
  return false;
}

const Reference* reference_of(std::string_view name) {
  for (const Reference& r : hip::device_test::kReferences)
    if (r.name == name) return &r;
  return nullptr;
}

struct Measured {
  double ulp = 0;
  double at[4] = {};
};

template <class T> Measured measure(const Reference& reference, void (*run)(const T*, T*, int), int samples) {
  std::mt19937_64 random(20);
  std::vector<T> arguments(4 * samples), results(samples);
  for (int i = 0; i < samples; ++i) hip::device_test::draw(reference, random, &arguments[4 * i]);
  T *device_arguments, *device_results;
  CHECK_HIP(hipMalloc(&device_arguments, arguments.size() * sizeof(T)));
  CHECK_HIP(hipMalloc(&device_results, results.size() * sizeof(T)));
  CHECK_HIP(hipMemcpy(device_arguments, arguments.data(), arguments.size() * sizeof(T), hipMemcpyHostToDevice));
  run(device_arguments, device_results, samples);
  CHECK_HIP(hipGetLastError());
  CHECK_HIP(hipMemcpy(results.data(), device_results, results.size() * sizeof(T), hipMemcpyDeviceToHost));
  CHECK_HIP(hipFree(device_arguments));
  CHECK_HIP(hipFree(device_results));

  Measured worst;
  for (int i = 0; i < samples; ++i) {
    Quad exact_arguments[4];
    for (int k = 0; k < 4; ++k) exact_arguments[k] = arguments[4 * i + k];
    const Quad exact = reference.value(exact_arguments);
    const double error = hip::device_test::ulp_error(results[i], exact, hip::device_test::scale_of(reference, exact_arguments[0], exact));
    if (error > worst.ulp || (i == 0 && error != 0)) {
      worst.ulp = error;
      for (int k = 0; k < 4; ++k) worst.at[k] = static_cast<double>(arguments[4 * i + k]);
    }
  }
  return worst;
}

const char* source_text(std::string_view source) {
  return source == "Clc" ? "libclc" : source == "Own" ? "own" : "instruction";
}

} // namespace

int main(int argc, char** argv) {
  int samples = 2048;
  const char* file_name = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--samples") == 0) samples = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--write") == 0) file_name = argv[i + 1];
  }
  // NVIDIA's single-precision approximations, on which exponentials stand there, take half of the limits for themselves.
  hipDeviceProp_t properties;
  const bool nvidia = hipGetDeviceProperties(&properties, 0) == hipSuccess && std::strncmp(properties.gcnArchName, "sm_", 3) == 0;
  const double approximation = nvidia ? 1.25 : 1.0;
  std::string table;
  int failures = 0;
  for (const Entry& entry : kEntries) {
    if (is_exact(entry.name)) continue;
    const Reference* reference = reference_of(entry.name);
    if (reference == nullptr) {
      std::fprintf(stderr, "%s has no row in reference.cpp.\n", std::string(entry.name).c_str());
      ++failures;
      continue;
    }
    const Measured f32 = measure<float>(*reference, entry.f32, samples);
    const Measured f64 = measure<double>(*reference, entry.f64, samples);
    std::printf("%-10s f32 %10.3g ulp at %g, %g; f64 %10.3g ulp at %g, %g\n", std::string(entry.name).c_str(), f32.ulp,
                f32.at[0], f32.at[1], f64.ulp, f64.at[0], f64.at[1]);
    if (!(f32.ulp <= reference->limit_f32 * approximation) || !(f64.ulp <= reference->limit_f64)) {
      std::fprintf(stderr, "%s is above its limit of %g (f32) or %g (f64) ulp.\n", std::string(entry.name).c_str(),
                   reference->limit_f32, reference->limit_f64);
      ++failures;
    }
    char line[160];
    std::snprintf(line, sizeof(line), "| `%s`%s | %.2f | %.2f | %s |\n", std::string(entry.name).c_str(),
                  reference->amplitude ? " *" : "", f32.ulp, f64.ulp, source_text(entry.source));
    table += line;
  }
  if (file_name != nullptr && failures == 0) {
    FILE* file = std::fopen(file_name, "w");
    if (file == nullptr) {
      std::fprintf(stderr, "%s cannot be written.\n", file_name);
      return 1;
    }
    hipDeviceProp_t properties;
    CHECK_HIP(hipGetDeviceProperties(&properties, 0));
    std::fprintf(file,
                 "# Accuracy of the device math functions\n\n"
                 "Largest error in units in the last place, against quadruple precision, over %d arguments per function and type\n"
                 "(domains in tests/unit/device/reference.cpp). Written by `device_math --samples %d --write <this file>` on %s;\n"
                 "0.50 is a correctly rounded result. The half-precision forms round the f32 result.\n\n"
                 "Exact, and not listed: rounding to integers, minima and maxima, copysign, nextafter, logb, ldexp, scalbn, scalb, modf,\n"
                 "frexp, ilogb, remquo, conversions, and arithmetic in a given rounding mode.\n\n"
                 "| function | f32 | f64 | source |\n|---|---|---|---|\n%s\n"
                 "\\* In units of the last place of the amplitude sqrt(2 / (pi x)): near a zero the relative error is larger.\n",
                 samples, samples, properties.gcnArchName, table.c_str());
    std::fclose(file);
  }
  if (failures != 0) std::fprintf(stderr, "%d functions fail.\n", failures);
  return failures == 0 ? 0 : 1;
}
