// Shared memory (LDS): static, dynamic, both, all element sizes, structs, the whole 64 KiB, and that blocks do not see
// each other's.
#include "e2e.h"

namespace {

template<class T> __global__ void reverse(T* data) {
  __shared__ T local[256];
  const int i = threadIdx.x, base = blockIdx.x * blockDim.x;
  local[i] = data[base + i];
  __syncthreads();
  data[base + i] = local[blockDim.x - 1 - i];
}

template<class T> void check_reverse() {
  constexpr int kCount = 1024;
  std::vector<T> host(kCount);
  for (int i = 0; i < kCount; ++i) {
    auto* bytes = reinterpret_cast<unsigned char*>(&host[i]);
    for (size_t b = 0; b < sizeof(T); ++b) bytes[b] = static_cast<unsigned char>(i * 7 + b * 31);
  }
  e2e::Device<T> data(host);
  reverse<T><<<kCount / 256, 256>>>(data);
  RUN_OK();
  const auto got = data.download();
  for (int i = 0; i < kCount; ++i) CHECK(std::memcmp(&got[i], &host[i / 256 * 256 + 255 - i % 256], sizeof(T)) == 0);
}

struct Twelve {
  int a, b, c;
};
struct Packed {
  char a;
  short b;
  char c;
};

__global__ void dynamic_and_static(int* out, int n) {
  __shared__ int fixed[64];
  extern __shared__ int sized[];
  const int i = threadIdx.x;
  fixed[i] = i * 2;
  for (int k = i; k < n; k += blockDim.x) sized[k] = k * 3;
  __syncthreads();
  int sum = fixed[63 - i];
  for (int k = 0; k < n; ++k) sum += sized[k];
  out[i] = sum;
}

__global__ void two_views(double* out, int n) {
  extern __shared__ double shared_doubles[];
  int* const ints = reinterpret_cast<int*>(shared_doubles + n);
  char* const chars = reinterpret_cast<char*>(ints + n);
  const int i = threadIdx.x;
  shared_doubles[i] = i * 0.5;
  ints[i] = i;
  chars[i] = static_cast<char>(i);
  __syncthreads();
  const int j = (i + 1) % n;
  out[i] = shared_doubles[j] + ints[j] + chars[j];
}

__global__ void whole_lds(int* out) {
  extern __shared__ int all[];
  for (int i = threadIdx.x; i < 16384; i += blockDim.x) all[i] = i ^ blockIdx.x;
  __syncthreads();
  int bad = 0;
  for (int i = threadIdx.x; i < 16384; i += blockDim.x)
    bad += all[16383 - i] != ((16383 - i) ^ static_cast<int>(blockIdx.x));
  atomicAdd(out, bad);
}

// Waves of a block, one after another, through one word each.
__global__ void chain(int* out) {
  __shared__ volatile int value[33];
  const int wave = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
  if (threadIdx.x == 0) value[0] = 1;
  for (int step = 0; step < static_cast<int>(blockDim.x) / warpSize; ++step) {
    __syncthreads();
    if (wave == step && lane == 0) value[step + 1] = value[step] * 2 + 1;
  }
  __syncthreads();
  out[threadIdx.x] = value[blockDim.x / warpSize];
}

__device__ __attribute__((noinline)) void add_in_function(int* p, int x) { atomicAdd(p, x); }
__global__ void generic_pointers(int* out, const int* global) {
  __shared__ int local[64];
  const int i = threadIdx.x;
  int own = i * 5;
  local[i] = i;
  __syncthreads();
  // The same pointer variable points to three kinds of memory.
  const int* p = i % 3 == 0 ? &local[63 - i] : i % 3 == 1 ? &global[i] : &own;
  add_in_function(i & 1 ? &local[0] : &out[64], 1);
  out[i] = *p;
}

} // namespace

E2E_CASE(element_sizes) {
  check_reverse<char>();
  check_reverse<short>();
  check_reverse<int>();
  check_reverse<long long>();
  check_reverse<float>();
  check_reverse<double>();
  check_reverse<float4>();
  check_reverse<Twelve>();
  check_reverse<Packed>();
  check_reverse<int2>();
}

E2E_CASE(dynamic_next_to_static) {
  for (const int n : {1, 33, 500, 4000}) {
    e2e::Device<int> out(64);
    dynamic_and_static<<<1, 64, n * sizeof(int)>>>(out, n);
    RUN_OK();
    const auto got = out.download();
    for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], (63 - i) * 2 + 3 * (n * (n - 1) / 2));
  }
}

E2E_CASE(several_arrays_in_dynamic_memory) {
  e2e::Device<double> out(100);
  two_views<<<1, 100, 100 * 13>>>(out, 100);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 100; ++i) CHECK_AT(i, got[i], (i + 1) % 100 * 2.5);
}

E2E_CASE(all_of_it) {
  e2e::Device<int> bad(1);
#if defined(__HIP_PLATFORM_NVIDIA__) // CUDA's kernels ask for more than 48 KiB
  HIP_OK(hipFuncSetAttribute(reinterpret_cast<const void*>(whole_lds), hipFuncAttributeMaxDynamicSharedMemorySize, 65536));
#endif
  whole_lds<<<6, 256, 65536>>>(bad);
  RUN_OK();
  CHECK_EQ(bad.download()[0], 0);
}

E2E_CASE(chain_of_waves) {
  e2e::Device<int> out(1024);
  chain<<<1, 1024>>>(out);
  RUN_OK();
  const auto got = out.download();
  const unsigned wanted = static_cast<unsigned>((2ull << (1024 / warpSize)) - 1); // modulo 2^32
  for (int i = 0; i < 1024; ++i) CHECK_AT(i, got[i], static_cast<int>(wanted));
}

E2E_CASE(pointers_to_three_kinds_of_memory) {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = 1000 + i;
  e2e::Device<int> out(65), global(host);
  generic_pointers<<<1, 64>>>(out, global);
  RUN_OK();
  const auto got = out.download();
  CHECK_EQ(got[64], 32);
  for (int i = 0; i < 64; ++i) {
    if (i == 63) continue; // reads local[0], which the others change
    CHECK_AT(i, got[i], i % 3 == 0 ? 63 - i : i % 3 == 1 ? 1000 + i : i * 5);
  }
}
