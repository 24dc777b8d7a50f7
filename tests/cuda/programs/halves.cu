// Half precision and bfloat16 with all that they have, and without what CUDA's macros take away: conversions, operators
// of numbers and of pairs, names. What is taken away is the program's to define, and the headers' functions do not come
// to it. The model computes in float, in which the results of these arguments are exact.
#include "check.h"

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <hip/hip_ext_ocp.h>
#include <hip/hip_fp4.h>
#include <hip/hip_fp6.h>
#include <hip/hip_fp8.h>
#include <mma.h>

#include <type_traits>
#include <utility>

#if defined(CUDA_NO_HALF)
struct half {};
struct half2 {};
struct nv_half {};
#else
static_assert(std::is_same_v<half, __half> && std::is_same_v<half2, __half2> && std::is_same_v<nv_half, __half>);
#endif
#if defined(CUDA_NO_BFLOAT16)
struct nv_bfloat16 {};
#else
static_assert(std::is_same_v<nv_bfloat16, __nv_bfloat16> && std::is_same_v<nv_bfloat162, __nv_bfloat162>);
#endif

// Whether the headers have operators of a type; asked before the program defines its own.
#define HAS(name, expression) \
  template<class T, class = void> constexpr bool name = false; \
  template<class T> constexpr bool name<T, std::void_t<decltype(expression)>> = true;
HAS(adds, std::declval<T>() + std::declval<T>())
HAS(divides, std::declval<T&>() /= std::declval<T>())
HAS(compares, std::declval<T>() < std::declval<T>())
HAS(is_equal, std::declval<T>() == std::declval<T>())
HAS(negates, -std::declval<T>())
HAS(steps, ++std::declval<T&>())
template<class T> constexpr bool all = adds<T> && divides<T> && compares<T> && is_equal<T> && negates<T> && steps<T>;
template<class T> constexpr bool any = adds<T> || divides<T> || compares<T> || is_equal<T> || negates<T> || steps<T>;
template<class From, class To> constexpr bool becomes = std::is_convertible_v<From, To>;
template<class T> constexpr bool has_all_conversions =
    becomes<float, T> && becomes<double, T> && becomes<int, T> && becomes<T, float> && becomes<T, bool> &&
    std::is_assignable_v<T&, float> && std::is_constructible_v<T, unsigned short>;
template<class T> constexpr bool has_any_conversion =
    becomes<float, T> || becomes<double, T> || becomes<int, T> || becomes<T, float> || becomes<T, bool> ||
    std::is_assignable_v<T&, float> || std::is_constructible_v<T, unsigned short> || std::is_constructible_v<float, T>;

#if defined(__CUDA_NO_HALF_CONVERSIONS__)
static_assert(!has_any_conversion<__half>);
#else
static_assert(has_all_conversions<__half>);
#endif
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
static_assert(!has_any_conversion<__nv_bfloat16>);
#else
static_assert(has_all_conversions<__nv_bfloat16>);
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
static_assert(!any<__half>);
#else
static_assert(all<__half>);
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
static_assert(!steps<__half2> && !divides<__half2>); // others are those of clang's vectors, to which pairs convert
#else
static_assert(all<__half2>);
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
static_assert(!any<__nv_bfloat16>);
#else
static_assert(all<__nv_bfloat16>);
#endif
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__)
static_assert(!steps<__nv_bfloat162> && !divides<__nv_bfloat162>);
#else
static_assert(all<__nv_bfloat162>);
#endif
static_assert(becomes<__half_raw, __half> && becomes<__half, __half_raw> && becomes<__nv_bfloat16_raw, __nv_bfloat16> &&
              becomes<__nv_bfloat16, __nv_bfloat16_raw>);

// Wrong ones, to which no function of the headers may come.
#define OWN(T) \
  __host__ __device__ inline T operator+(const T& a, const T&) { return a; } \
  __host__ __device__ inline T operator*(const T& a, const T&) { return a; } \
  __host__ __device__ inline bool operator<(const T&, const T&) { return true; } \
  __host__ __device__ inline bool operator==(const T&, const T&) { return false; }
#if defined(__CUDA_NO_HALF_OPERATORS__)
OWN(__half)
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
OWN(__half2)
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
OWN(__nv_bfloat16)
#endif
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__)
OWN(__nv_bfloat162)
#endif

// Both formats by one name for each function that is not overloaded.
__host__ __device__ inline void make(float v, __half& to) { to = __float2half(v); }
__host__ __device__ inline void make(float v, __nv_bfloat16& to) { to = __float2bfloat16(v); }
__host__ __device__ inline float number(__half v) { return __half2float(v); }
__host__ __device__ inline float number(__nv_bfloat16 v) { return __bfloat162float(v); }
__host__ __device__ inline __half2 pair(__half a, __half b) { return __halves2half2(a, b); }
__host__ __device__ inline __nv_bfloat162 pair(__nv_bfloat16 a, __nv_bfloat16 b) { return __halves2bfloat162(a, b); }
__host__ __device__ inline float sum_of(__half2 v) { return __low2float(v) + 16 * __high2float(v); }
__host__ __device__ inline float sum_of(__nv_bfloat162 v) { return __low2float(v) + 16 * __high2float(v); }

constexpr int kResults = 18;
template<class T> __host__ __device__ void compute(float first, float second, float* out) {
  T a, b;
  make(first, a);
  make(second, b);
  const auto p = pair(a, b), q = pair(b, b);
  const float results[kResults] = {number(__hadd(a, b)),  number(__hsub(a, b)),    number(__hmul(a, b)),
                                   number(__hdiv(a, b)),  number(__hfma(a, b, b)), number(__hneg(a)),
                                   number(__hmax(a, b)),  number(__hmin(a, b)),    number(hfloor(a)),
                                   float(__heq(a, b)),    float(__hlt(a, b)),      float(__hgeu(a, b)),
                                   sum_of(__hadd2(p, q)), sum_of(__hmul2(p, q)),   sum_of(__hfma2(p, q, q)),
                                   sum_of(__hneg2(p)),    sum_of(__heq2(p, q)),    float(__hble2(p, q))};
  for (int i = 0; i < kResults; ++i) out[i] = results[i];
}
static void expect(float a, float b, float* out) {
  const auto two = [](float low, float high) { return low + 16 * high; };
  const float results[kResults] = {a + b,
                                   a - b,
                                   a * b,
                                   a / b,
                                   a * b + b,
                                   -a,
                                   a > b ? a : b,
                                   a < b ? a : b,
                                   __builtin_floorf(a),
                                   float(a == b),
                                   float(a < b),
                                   float(a >= b),
                                   two(a + b, b + b),
                                   two(a * b, b * b),
                                   two(a * b + b, b * b + b),
                                   two(-a, -b),
                                   two(a == b, 1),
                                   float(a <= b)};
  for (int i = 0; i < kResults; ++i) out[i] = results[i];
}

__global__ void on_device(float a, float b, float* out) {
  compute<__half>(a, b, out);
  compute<__nv_bfloat16>(a, b, out + kResults);
}

// a + b of the second of two numbers in a word and of a pair, by atomic functions.
template<class T> __device__ void add_atomically(float first, float second, float* out) {
  T a, b;
  make(first, a);
  make(second, b);
  __shared__ alignas(4) T word[2];
  word[0] = b;
  word[1] = a;
  __shared__ decltype(pair(a, b)) two;
  two = pair(a, b);
  out[0] = number(atomicAdd(&word[1], b));
  out[1] = number(word[0]);
  out[2] = number(word[1]);
  out[3] = sum_of(atomicAdd(&two, pair(b, b)));
  out[4] = sum_of(two);
}
__global__ void atomics(float a, float b, float* out) {
  add_atomically<__half>(a, b, out);
  add_atomically<__nv_bfloat16>(a, b, out + 5);
}

int main() {
  float* memory;
  CHECK_CUDA(cudaMalloc(&memory, 2 * kResults * sizeof(float)));
  for (const auto& [a, b] : {std::pair(3.5f, 2.0f), std::pair(-1.25f, 0.5f), std::pair(4.0f, 4.0f)}) {
    float expected[kResults], got[4 * kResults];
    expect(a, b, expected);
    compute<__half>(a, b, got);
    compute<__nv_bfloat16>(a, b, got + kResults);
    on_device<<<1, 1>>>(a, b, memory);
    CHECK_CUDA(cudaMemcpy(got + 2 * kResults, memory, 2 * kResults * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4 * kResults; ++i) CHECK(got[i] == expected[i % kResults]);

    const float sums[5] = {a, b, a + b, a + 16 * b, a + b + 16 * (b + b)};
    atomics<<<1, 1>>>(a, b, memory);
    CHECK_CUDA(cudaMemcpy(got, memory, 10 * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 10; ++i) CHECK(got[i] == sums[i % 5]);
  }
  CHECK_CUDA(cudaFree(memory));
  return checks_failed() != 0;
}
