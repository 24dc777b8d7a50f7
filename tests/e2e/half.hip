// Half precision: arithmetic, comparisons and conversions of _Float16 bit for bit, and the __half types of hip_fp16.h.
#include "e2e.h"

#include <hip/hip_fp16.h>

#include <type_traits>

#pragma clang fp contract(off)

namespace {

using F = _Float16;

unsigned short bits_of(F x) {
  unsigned short b;
  std::memcpy(&b, &x, 2);
  return b;
}
bool same_half(F a, F b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

constexpr int kResults = 12;
// (The product that is rounded to half leaves zero out: clang-22 makes it fma(a, b, +0), which loses the sign of -0.)
// On the host half precision is computed in float and rounded, which is exact for one operation: float has more than
// twice its digits.
__host__ __device__ void operations(F a, F b, F* out) {
  int n = 0;
  out[n++] = a + b;
  out[n++] = a - b;
  out[n++] = a * b;
  out[n++] = a / b;
  out[n++] = -a;
  out[n++] = a < b ? a : b;
  out[n++] = static_cast<F>((a < b) | (a == b) << 1 | (a > b) << 2 | (a != b) << 3);
  out[n++] = static_cast<F>(static_cast<float>(a == F(0) ? F(1) : a) * 0.1f);
  out[n++] = static_cast<F>(static_cast<double>(a) / 3.0);
  out[n++] = static_cast<F>(static_cast<int>(a > F(-30000) && a < F(30000) ? a : F(0)));
  out[n++] = static_cast<F>(static_cast<float>(a) + static_cast<float>(b));
  const F product = a * F(0.5); // rounded here: a host may keep more digits within one expression
  out[n++] = product + b;
}
__global__ void half_kernel(const F* a, const F* b, F* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) operations(a[i], b[i], out + i * kResults);
}

std::vector<F> values(size_t count, unsigned salt) {
  const unsigned short special[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7bff,
                                    0xfbff, 0x0400, 0x0001, 0x83ff, 0x3555, 0x5640, 0x3800, 0x4248};
  std::vector<F> out(count);
  e2e::Random random;
  for (size_t i = 0; i < count; ++i) {
    const unsigned short b =
        i < 256 ? special[(salt ? i / 16 : i) % 16] : static_cast<unsigned short>(random.bits() >> salt);
    std::memcpy(&out[i], &b, 2);
  }
  return out;
}

// What __half takes and gives without being asked.
template <class T> constexpr bool both_ways =
    std::is_constructible_v<__half, T> && std::is_assignable_v<__half&, T> && std::is_convertible_v<__half, T>;
static_assert(both_ways<float> && both_ways<double> && both_ways<int> && both_ways<uint32_t> && both_ways<int64_t> &&
              both_ways<uint64_t> && both_ways<bool> && both_ways<__half_raw>);
static_assert(std::is_assignable_v<__half&, volatile __half_raw&> && std::is_assignable_v<__half&, volatile __half_raw&&> &&
              std::is_assignable_v<__half&, const __half_raw&> && std::is_assignable_v<__half&, const __half&>);
static_assert(std::is_assignable_v<volatile __half&, const __half_raw&> &&
              std::is_assignable_v<volatile __half&, const volatile __half_raw&> &&
              std::is_assignable_v<volatile __half&, __half_raw> &&
              std::is_assignable_v<volatile __half&, const __half&> &&
              std::is_convertible_v<const volatile __half&, __half_raw>);
static_assert(std::is_same_v<decltype(__half2_raw::x), __half_raw> &&
              std::is_same_v<decltype(__half2_raw::y), __half_raw>);
constexpr __half kTwo(__half_raw{{2}});
constexpr __half2 kTwos(kTwo, kTwo);
static_assert(kTwo.data == 2);

__global__ void type_kernel(float* out) {
  const __half a = __float2half(1.5f), b = __float2half(-0.25f);
  int n = 0;
  out[n++] = __half2float(__hadd(a, b));
  out[n++] = __half2float(__hsub(a, b));
  out[n++] = __half2float(__hmul(a, b));
  out[n++] = __half2float(__hdiv(a, b));
  out[n++] = __half2float(__hfma(a, b, a));
  out[n++] = __half2float(a + b * a);
  out[n++] = __hlt(a, b) ? 1.0f : 0.0f;
  out[n++] = __hgt(a, b) ? 1.0f : 0.0f;
  out[n++] = static_cast<float>(__half2int_rz(__float2half(-7.9f)));
  const __half2 p = __floats2half2_rn(2.0f, 3.0f), q = __float2half2_rn(0.5f);
  const __half2 sum = __hadd2(p, q), product = __hmul2(p, q);
  out[n++] = __low2float(sum);
  out[n++] = __high2float(sum);
  out[n++] = __low2float(product) + __high2float(product);
  out[n++] = __half2float(hsqrt(__float2half(9.0f)));
  out[n++] = __half2float(hfloor(__float2half(-1.5f)));
  __shared__ volatile __half_raw stored;
  stored.x = 0x4400;
  __half loaded;
  loaded = stored;
  out[n++] = __half2float(loaded);
  __shared__ volatile __half kept;
  kept = stored;
  out[n++] = __half2float(__half(kept));
  kept = a;
  const __half_raw raw = kept;
  out[n++] = static_cast<float>(raw.data);
  const __half2_raw two = {{{{3}, {5}}}};
  out[n++] = __high2float(__half2(two)) * 10 + static_cast<float>(two.x.data);
  constexpr __half2 twos(kTwo, kTwo);
  out[n++] = __low2float(twos) + __high2float(twos);
}

} // namespace

E2E_CASE(arithmetic) {
  constexpr int kCount = 2000;
  const auto a = values(kCount, 0), b = values(kCount, 16);
  e2e::Device<F> da(a), db(b), out(kCount * kResults);
  half_kernel<<<(kCount + 127) / 128, 128>>>(da, db, out, kCount);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i) {
    F wanted[kResults];
    operations(a[i], b[i], wanted);
    for (int k = 0; k < kResults; ++k)
      if (!same_half(got[i * kResults + k], wanted[k]))
        e2e::fail(__FILE__, __LINE__,
                  "operation " + std::to_string(k) + " of " + std::to_string(float(a[i])) + " and " +
                      std::to_string(float(b[i])) + " is " + std::to_string(float(got[i * kResults + k])) +
                      ", expected " + std::to_string(float(wanted[k])));
  }
}

E2E_CASE(half_types) {
  e2e::Device<float> out(19);
  type_kernel<<<1, 1>>>(out);
  RUN_OK();
  const float wanted[19] = {1.25f, 1.75f, -0.375f, -6.0f, 1.125f, 1.125f, 0, 1,    -7, 2.5f,
                            3.5f,  2.5f,  3,       -2,    4,      4,      1.5f, 53, 4};
  const auto got = out.download();
  for (int i = 0; i < 19; ++i) CHECK_AT(i, got[i], wanted[i]);
  CHECK_EQ(__low2float(kTwos) + __high2float(kTwos), 4.0f);
}
