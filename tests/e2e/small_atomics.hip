// Atomic additions of half, bfloat16 and their pairs, in global memory and in LDS: many threads add to a few
// neighbours, of which two lie in one word. Every sum is exact, so that nothing but a lost update changes it, and the
// old values that one element gave out are 0, 1, 2, ... in some order.
#include "e2e.h"

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

namespace {

constexpr int kElements = 6;
constexpr int kAdders = 256; // per element: whole numbers up to 256 are exact in bfloat16
constexpr int kThreads = kElements * kAdders;

enum class Kind { safe, unsafe };

template<class T> struct Parts;
template<> struct Parts<__half> {
  static __host__ __device__ __half make(float x) { return __float2half(x); }
  static __host__ __device__ float first(__half v) { return __half2float(v); }
  static __host__ __device__ float second(__half v) { return 3 * __half2float(v); }
};
template<> struct Parts<__hip_bfloat16> {
  static __host__ __device__ __hip_bfloat16 make(float x) { return __float2bfloat16(x); }
  static __host__ __device__ float first(__hip_bfloat16 v) { return __bfloat162float(v); }
  static __host__ __device__ float second(__hip_bfloat16 v) { return 3 * __bfloat162float(v); }
};
// The second element of a pair counts backwards in steps of a half.
template<> struct Parts<__half2> {
  static __host__ __device__ __half2 make(float x) { return __floats2half2_rn(x, -0.5f * x); }
  static __host__ __device__ float first(__half2 v) { return __low2float(v); }
  static __host__ __device__ float second(__half2 v) { return 0 - 6 * __high2float(v); }
};
template<> struct Parts<__hip_bfloat162> {
  static __host__ __device__ __hip_bfloat162 make(float x) {
    return __halves2bfloat162(__float2bfloat16(x), __float2bfloat16(-0.5f * x));
  }
  static __host__ __device__ float first(__hip_bfloat162 v) { return __low2float(v); }
  static __host__ __device__ float second(__hip_bfloat162 v) { return 0 - 6 * __high2float(v); }
};

template<Kind kind, class T> __device__ T add(T* address, T value) {
  if constexpr (kind == Kind::safe)
    return atomicAdd(address, value);
  else
    return unsafeAtomicAdd(address, value);
}
template<Kind kind, class T> __global__ void in_memory(T* sums, float* olds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T old = add<kind>(sums + i % kElements, Parts<T>::make(1));
  olds[2 * i] = Parts<T>::first(old);
  olds[2 * i + 1] = Parts<T>::second(old);
}
// One block adds all.
template<Kind kind, class T> __global__ void in_lds(T* sums, float* olds) {
  __shared__ unsigned int words[kElements]; // a shared variable has no constructor
  T* const shared = reinterpret_cast<T*>(words);
  if (threadIdx.x < kElements) shared[threadIdx.x] = Parts<T>::make(0);
  __syncthreads();
  for (int i = threadIdx.x; i < kThreads; i += blockDim.x) {
    const T old = add<kind>(shared + i % kElements, Parts<T>::make(1));
    olds[2 * i] = Parts<T>::first(old);
    olds[2 * i + 1] = Parts<T>::second(old);
  }
  __syncthreads();
  if (threadIdx.x < kElements) sums[threadIdx.x] = shared[threadIdx.x];
}

template<class T> void check(void (*kernel)(T*, float*), int blocks, int threads) {
  e2e::Device<T> sums(kElements + 2);
  e2e::Device<float> olds(2 * kThreads);
  kernel<<<blocks, threads>>>(sums, olds);
  RUN_OK();
  const auto got = sums.download();
  const auto got_olds = olds.download();
  for (int element = 0; element < kElements; ++element) {
    CHECK_AT(element, Parts<T>::first(got[element]), static_cast<float>(kAdders));
    CHECK_AT(element, Parts<T>::second(got[element]), 3.0f * kAdders);
    std::vector<int> seen(kAdders, 0);
    for (int i = element; i < kThreads; i += kElements) {
      const int old = static_cast<int>(got_olds[2 * i]);
      CHECK_AT(i, got_olds[2 * i + 1], 3 * got_olds[2 * i]);
      if (old >= 0 && old < kAdders) ++seen[old];
    }
    for (int old = 0; old < kAdders; ++old) CHECK_AT(old, seen[old], 1);
  }
  for (int i = kElements; i < kElements + 2; ++i) CHECK_AT(i, Parts<T>::first(got[i]), 0.0f); // nothing beside them
}
template<class T> void check_all() {
  check(in_memory<Kind::safe, T>, kThreads / 128, 128);
  check(in_memory<Kind::unsafe, T>, kThreads / 128, 128);
  check(in_lds<Kind::safe, T>, 1, 192);
  check(in_lds<Kind::unsafe, T>, 1, 192);
}

} // namespace

E2E_CASE(half_values) { check_all<__half>(); }
E2E_CASE(half_pairs) { check_all<__half2>(); }
E2E_CASE(bfloat16_values) { check_all<__hip_bfloat16>(); }
E2E_CASE(bfloat16_pairs) { check_all<__hip_bfloat162>(); }
