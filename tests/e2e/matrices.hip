// Products of matrices by the compiler's functions for WMMA (gfx11, gfx12), against sums on the host. Where a processor has none, the same
// kernels multiply one element at a time.
#include "e2e.h"

namespace {

typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef _Float16 half8 __attribute__((ext_vector_type(8)));
typedef short short16 __attribute__((ext_vector_type(16)));
typedef short short8 __attribute__((ext_vector_type(8)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef int int8_ __attribute__((ext_vector_type(8)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int2_ __attribute__((ext_vector_type(2)));

constexpr int kTile = 16, kSize = 64; // square matrices of kSize, by rows
#if defined(__GFX11__)
constexpr int kLaneElements = 16; // of a factor
#else
constexpr int kLaneElements = 8;
#endif

// Element n of this lane's part of a row: its k.
__device__ int k_of(int n) {
#if defined(__GFX11__)
  return n;
#else
  return 8 * (n / 4 % 2) + n % 4 + 4 * (static_cast<int>(threadIdx.x) / 16); // halves: registers hold runs of four
#endif
}
// The same of 8-bit elements: a lane has a run of eight.
__device__ int k_of_bytes(int n) {
#if defined(__GFX11__)
  return n;
#else
  return 8 * (static_cast<int>(threadIdx.x) / 16) + n;
#endif
}
// The row of sum n of this lane.
__device__ int row_of(int n) {
#if defined(__GFX11__)
  return 2 * n + static_cast<int>(threadIdx.x) / 16;
#else
  return n + 8 * (static_cast<int>(threadIdx.x) / 16);
#endif
}

__global__ void halves_kernel(const _Float16* a, const _Float16* b, float* d) {
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, lane = threadIdx.x % kTile;
  float8 sums = {};
  for (int k = 0; k < kSize; k += kTile) {
#if defined(__GFX11__)
    half16 x, y;
#else
    half8 x, y;
#endif
    for (int n = 0; n < kLaneElements; ++n) {
      x[n] = a[(row + lane) * kSize + k + k_of(n)];
      y[n] = b[(k + k_of(n)) * kSize + column + lane];
    }
#if defined(__GFX11__)
    sums = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, sums);
#elif defined(__GFX12__)
    sums = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, sums);
#else
    for (int n = 0; n < 8; ++n)
      for (int i = 0; i < kTile; ++i)
        sums[n] += static_cast<float>(a[(row + row_of(n)) * kSize + k + i]) * static_cast<float>(b[(k + i) * kSize + column + lane]);
#endif
  }
  for (int n = 0; n < 8; ++n) d[(row + row_of(n)) * kSize + column + lane] = sums[n];
}

__global__ void bytes_kernel(const signed char* a, const unsigned char* b, int* d) {
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile, lane = threadIdx.x % kTile;
  int8_ sums = {};
  for (int k = 0; k < kSize; k += kTile) {
#if defined(__GFX11__)
    int4_ x, y;
#else
    int2_ x, y;
#endif
    signed char mine[kLaneElements];
    unsigned char other[kLaneElements];
    for (int n = 0; n < kLaneElements; ++n) {
      mine[n] = a[(row + lane) * kSize + k + k_of_bytes(n)];
      other[n] = b[(k + k_of_bytes(n)) * kSize + column + lane];
    }
    __builtin_memcpy(&x, mine, sizeof x);
    __builtin_memcpy(&y, other, sizeof y);
#if defined(__GFX11__)
    sums = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, x, false, y, sums, true);
#elif defined(__GFX12__)
    sums = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, x, false, y, sums, true);
#else
    for (int n = 0; n < 8; ++n)
      for (int i = 0; i < kTile; ++i) sums[n] += a[(row + row_of(n)) * kSize + k + i] * b[(k + i) * kSize + column + lane];
#endif
  }
  for (int n = 0; n < 8; ++n) d[(row + row_of(n)) * kSize + column + lane] = sums[n];
}

template<class A, class B, class Sum> void check(void (*kernel)(const A*, const B*, Sum*), int low_a, int high_a, int low_b, int high_b) {
  std::vector<A> a(kSize * kSize);
  std::vector<B> b(kSize * kSize);
  unsigned state = 1;
  const auto draw = [&](int low, int high) {
    state = state * 1664525u + 1013904223u;
    return low + static_cast<int>((state >> 8) % static_cast<unsigned>(high - low + 1));
  };
  for (A& v : a) v = static_cast<A>(draw(low_a, high_a));
  for (B& v : b) v = static_cast<B>(draw(low_b, high_b));
  e2e::Device<A> device_a(a);
  e2e::Device<B> device_b(b);
  e2e::Device<Sum> d(kSize * kSize);
  kernel<<<dim3(kSize / kTile, kSize / kTile), 32>>>(device_a, device_b, d);
  RUN_OK();
  const auto got = d.download();
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < kSize; ++j) {
      Sum sum = 0; // whole numbers that a float has exactly
      for (int k = 0; k < kSize; ++k) sum += static_cast<Sum>(a[i * kSize + k]) * static_cast<Sum>(b[k * kSize + j]);
      CHECK_AT(i * kSize + j, got[i * kSize + j], sum);
    }
}

} // namespace

E2E_CASE(halves) { check(halves_kernel, -100, 100, -100, 100); }
E2E_CASE(bytes_with_and_without_signs) { check(bytes_kernel, -128, 127, 0, 255); }
