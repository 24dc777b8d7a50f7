// Programs that LLVM 22 alone compiles wrongly, and hipcc's own passes put right (src/device/codegen; ERRATA 44 and 45 of
// src/runtime/engine/isa/ERRATA.md). The host computes the same.
#include "e2e.h"

namespace {

// Where more than two paths meet, a value that an "else" block converts reaches lanes of the other paths too.
__host__ __device__ int limited(long sum, bool saturates) {
  if (saturates) {
    if (sum > 0x7fffffffl) return 0x7fffffff;
    if (sum < -0x80000000l) return -0x7fffffff - 1;
  }
  return static_cast<int>(sum);
}
__global__ void limited_kernel(const long* sums, const int* saturates, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = limited(sums[i], saturates[i] != 0);
}

// Sums of products of bytes, 64 bits wide, in a dword's bytes or in an array.
template <class Byte, class Wide> __host__ __device__ Wide sum_of_two(int a, int b, Wide sum) {
  sum += static_cast<Wide>(static_cast<Byte>(a)) * static_cast<Byte>(b);
  sum += static_cast<Wide>(static_cast<Byte>(a >> 8)) * static_cast<Byte>(b >> 8);
  return sum;
}
template <class Byte, class Wide> __host__ __device__ Wide sum_of_four(const Byte* a, const Byte* b, Wide sum) {
  for (int k = 0; k < 4; ++k) sum += static_cast<Wide>(a[k]) * b[k];
  return sum;
}
template <class Byte, class Wide>
__global__ void sum_kernel(const int* a, const int* b, const Wide* sums, Wide* two, Wide* four, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  two[i] = sum_of_two<Byte>(a[i], b[i], sums[i]);
  four[i] = sum_of_four(reinterpret_cast<const Byte*>(a + i), reinterpret_cast<const Byte*>(b + i), sums[i]);
}

template <class Byte, class Wide> void check_sums() {
  constexpr int kCount = 1000;
  e2e::Random random;
  std::vector<int> a(kCount), b(kCount);
  std::vector<Wide> sums(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = static_cast<int>(random.bits()), b[i] = static_cast<int>(random.bits());
    sums[i] = static_cast<Wide>(static_cast<unsigned long long>(random.bits()) << 32 | (i % 3 ? random.bits() : 0xfffffff0u));
  }
  e2e::Device<int> da(a), db(b);
  e2e::Device<Wide> ds(sums), two(kCount), four(kCount);
  sum_kernel<Byte, Wide><<<(kCount + 127) / 128, 128>>>(da, db, ds, two, four, kCount);
  RUN_OK();
  const auto got_two = two.download(), got_four = four.download();
  for (int i = 0; i < kCount; ++i) {
    CHECK_EQ(got_two[i], sum_of_two<Byte>(a[i], b[i], sums[i]));
    CHECK_EQ(got_four[i], sum_of_four(reinterpret_cast<const Byte*>(&a[i]), reinterpret_cast<const Byte*>(&b[i]), sums[i]));
  }
}

} // namespace

E2E_CASE(values_of_three_paths) {
  constexpr int kCount = 512;
  std::vector<long> sums(kCount);
  std::vector<int> saturates(kCount);
  e2e::Random random;
  for (int i = 0; i < kCount; ++i) {
    sums[i] = static_cast<long>(static_cast<int>(random.bits())) * (i % 3);
    saturates[i] = i / 7 % 2;
  }
  e2e::Device<long> ds(sums);
  e2e::Device<int> df(saturates), out(kCount);
  limited_kernel<<<kCount / 128, 128>>>(ds, df, out, kCount);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i) CHECK_EQ(got[i], limited(sums[i], saturates[i] != 0));
}

E2E_CASE(wide_sums_of_byte_products) {
  check_sums<signed char, long long>();
  check_sums<unsigned char, unsigned long long>();
}
