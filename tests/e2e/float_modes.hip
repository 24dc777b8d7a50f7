// Kernels that do not compute in the usual floating-point mode: compiled with -fgpu-flush-denormals-to-zero, which flushes denormals of
// float alone; and such as set how numbers are rounded. What is expected is computed by the host, with denormals replaced by hand and
// the host's own rounding.
#include "e2e.h"

#include <cfenv>

#pragma clang fp contract(off)

namespace {

constexpr int kCount = 4096;

// A zero of its sign in place of a denormal.
float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }
// Half of them denormals, or so small that products of them are.
std::vector<float> small_numbers(uint32_t seed) {
  std::vector<float> out(kCount);
  for (float& v : out) {
    seed = seed * 1664525 + 1013904223;
    const uint32_t exponent = seed >> 8 & 1 ? seed >> 9 & 3 : 60 + (seed >> 9 & 15);
    const uint32_t bits = (seed & 0x80000000u) | exponent << 23 | (seed * 2654435761u >> 9);
    std::memcpy(&v, &bits, sizeof v);
  }
  return out;
}

__global__ void arithmetic(const float* a, const float* b, float* sum, float* product, float* chain, int* less) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  sum[i] = a[i] + b[i];
  product[i] = a[i] * b[i];
  float x = a[i];
  for (int k = 0; k < 8; ++k) x = (x + b[i]) * 0.25f;
  chain[i] = x;
  less[i] = a[i] < b[i];
}
__global__ void in_double(const double* a, double* half) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  half[i] = a[i] * 0.5;
}

#ifdef __AMDGCN__
#define SET_ROUNDING(direction) __builtin_amdgcn_s_setreg(1 | 0 << 6 | 3 << 11, (direction) * 5) // MODE, bits 0 to 3
#define IN_PLACE(value) asm volatile("" : "+v"(value)) // it is computed in front of what follows
#else
#define SET_ROUNDING(direction)
#define IN_PLACE(value)
#endif
enum { kToNearest, kUp, kDown, kToZero };

// (Of float: in front of arithmetic of double the compiler makes MODE's other field what it takes it for.)
__device__ __noinline__ float third_rounded_up(float v) {
  SET_ROUNDING(kUp);
  volatile float third = v * (1.0f / 3.0f);
  SET_ROUNDING(kToNearest);
  return third;
}

// Bounds of a sum, and what a function that rounds upwards gives.
__global__ void intervals(const float* a, int terms, float* low, float* high, float* third) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  SET_ROUNDING(kDown);
  float sum = 0;
  for (int k = 0; k < terms; ++k) sum += a[(i + k) % kCount];
  IN_PLACE(sum);
  low[i] = sum;
  SET_ROUNDING(kUp);
  sum = 0;
  for (int k = 0; k < terms; ++k) sum += a[(i + k) % kCount];
  IN_PLACE(sum);
  high[i] = sum;
  SET_ROUNDING(kToNearest);
  third[i] = third_rounded_up(a[i]) + a[i];
}

} // namespace

E2E_CASE(denormals_of_float_are_flushed) {
  if (e2e::on_nvidia()) return; // the options of AMD's code are not passed on
  const std::vector<float> a = small_numbers(1), b = small_numbers(2);
  e2e::Device<float> da(a), db(b), sum(kCount), product(kCount), chain(kCount);
  e2e::Device<int> less(kCount);
  for (int round = 0; round < 3; ++round) arithmetic<<<kCount / 256, 256>>>(da, db, sum, product, chain, less);
  CHECK_EQ(e2e::finish(), hipSuccess);
  const auto got_sum = sum.download(), got_product = product.download(), got_chain = chain.download();
  const auto got_less = less.download();
  for (int i = 0; i < kCount; ++i) {
    const float x = flushed(a[i]), y = flushed(b[i]);
    CHECK_EQ(got_sum[i], flushed(x + y));
    CHECK_EQ(got_product[i], flushed(x * y));
    CHECK_EQ(got_less[i], int(x < y));
    float v = x;
    for (int k = 0; k < 8; ++k) v = flushed(flushed(v + y) * 0.25f);
    CHECK_EQ(got_chain[i], v);
  }
}

E2E_CASE(denormals_of_double_stay) {
  if (e2e::on_nvidia()) return;
  std::vector<double> a(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = std::ldexp(1.0 + i, -1070);
  e2e::Device<double> da(a), half(kCount);
  in_double<<<kCount / 256, 256>>>(da, half);
  CHECK_EQ(e2e::finish(), hipSuccess);
  const auto got = half.download();
  for (int i = 0; i < kCount; ++i) CHECK_EQ(got[i], a[i] * 0.5);
}

E2E_CASE(kernels_that_set_how_numbers_are_rounded) {
  if (e2e::on_nvidia()) return; // MODE is a register of AMD's
  std::vector<float> a(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = float(i * 7919 % 1009) / 1009.0f - 0.3f;
  e2e::Device<float> da(a), low(kCount), high(kCount), third(kCount);
  const int terms = 20;
  for (int round = 0; round < 3; ++round) intervals<<<kCount / 256, 256>>>(da, terms, low, high, third);
  CHECK_EQ(e2e::finish(), hipSuccess);
  const auto got_low = low.download(), got_high = high.download();
  const auto got_third = third.download();
  const auto sum = [&](int i, int rounding) {
    std::fesetround(rounding);
    volatile float s = 0;
    for (int k = 0; k < terms; ++k) s = s + a[(i + k) % kCount];
    std::fesetround(FE_TONEAREST);
    return float(s);
  };
  int different = 0;
  for (int i = 0; i < kCount; ++i) {
    CHECK_EQ(got_low[i], sum(i, FE_DOWNWARD));
    CHECK_EQ(got_high[i], sum(i, FE_UPWARD));
    different += got_low[i] < got_high[i];
    std::fesetround(FE_UPWARD);
    volatile float v = a[i], part = v * (1.0f / 3.0f);
    std::fesetround(FE_TONEAREST);
    CHECK_EQ(got_third[i], part + v);
  }
  CHECK(different > kCount / 2);
}
