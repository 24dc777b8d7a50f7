// Private memory: arrays indexed at run time, large frames, addresses that escape, deep recursion with frames of its
// own, more values alive than there are registers.
#include "e2e.h"

namespace {

__global__ void indexed(const int* order, int* out) {
  int local[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; ++k) local[k] = k * k + i;
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum = sum * 3 + local[order[(k + i) & 63]];
  out[i] = sum;
}

__global__ void bytes_and_halves(const int* order, int* out) {
  unsigned char b[40];
  short h[40];
  double d[40];
  const int i = threadIdx.x;
  for (int k = 0; k < 40; ++k)
    b[k] = static_cast<unsigned char>(k * 5 + i), h[k] = static_cast<short>(k * -300 + i), d[k] = k * 0.5 + i;
  const int k = order[i & 63] % 40;
  out[i] = b[k] + h[39 - k] + static_cast<int>(d[(k * 7) % 40] * 2);
}

struct Frame {
  int values[256];
};
__device__ __attribute__((noinline)) int deep(int n, Frame frame) {
  if (n == 0) return frame.values[255];
  for (int k = 0; k < 256; k += 51) frame.values[k] += n;
  return deep(n - 1, frame) + frame.values[51 * (n % 5)];
}
__host__ int deep_on_host(int n, Frame frame) {
  if (n == 0) return frame.values[255];
  for (int k = 0; k < 256; k += 51) frame.values[k] += n;
  return deep_on_host(n - 1, frame) + frame.values[51 * (n % 5)];
}
__global__ void deep_kernel(int* out) {
  Frame frame;
  for (int k = 0; k < 256; ++k) frame.values[k] = k + threadIdx.x;
  out[threadIdx.x] = deep(static_cast<int>(threadIdx.x % 10), frame);
}

__device__ __attribute__((noinline)) void fill_through_pointer(int* p, int n, int x) {
  for (int k = 0; k < n; ++k) p[k] = x + k;
}
__global__ void escaping(int* out) {
  int local[16];
  fill_through_pointer(local, 16, threadIdx.x);
  int sum = 0;
  for (int k = 0; k < 16; ++k) sum += local[k] * (k + 1);
  out[threadIdx.x] = sum;
}

// Far more live values than the register file holds.
__global__ void __launch_bounds__(1024) many_live_values(const double* in, double* out) {
  double v[160];
#pragma unroll
  for (int k = 0; k < 160; ++k) v[k] = in[(threadIdx.x + k) & 255];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 160; ++k) v[k] = v[k] * in[k] + v[(k * 37 + 11) % 160];
  double sum = 0;
#pragma unroll
  for (int k = 0; k < 160; ++k) sum += v[(k * 53) % 160];
  out[threadIdx.x] = sum;
}

__global__ void insertion_sort(const int* in, int* out) {
  int local[32];
  const int base = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
  for (int k = 0; k < 32; ++k) {
    int at = k;
    const int x = in[base + k];
    for (; at > 0 && local[at - 1] > x; --at) local[at] = local[at - 1];
    local[at] = x;
  }
  for (int k = 0; k < 32; ++k) out[base + k] = local[k];
}

std::vector<int> permutation() {
  std::vector<int> order(64);
  for (int k = 0; k < 64; ++k) order[k] = (k * 37 + 5) & 63;
  return order;
}

} // namespace

E2E_CASE(arrays_indexed_at_run_time) {
  const auto order = permutation();
  e2e::Device<int> dorder(order), out(512), mixed(128);
  indexed<<<4, 128>>>(dorder, out);
  bytes_and_halves<<<1, 128>>>(dorder, mixed);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 512; ++i) {
    unsigned sum = 0;
    for (int k = 0; k < 64; ++k) sum = sum * 3 + static_cast<unsigned>(order[(k + i) & 63] * order[(k + i) & 63] + i);
    CHECK_AT(i, static_cast<unsigned>(got[i]), sum);
  }
  const auto m = mixed.download();
  for (int i = 0; i < 128; ++i) {
    const int k = order[i & 63] % 40;
    const int wanted = static_cast<unsigned char>(k * 5 + i) + static_cast<short>((39 - k) * -300 + i) +
                       static_cast<int>(((k * 7) % 40 * 0.5 + i) * 2);
    CHECK_AT(i, m[i], wanted);
  }
}

E2E_CASE(large_frames_and_recursion) {
  // Recursion makes the need unknown at compile time; the limit says what each thread gets.
  size_t before = 0;
  HIP_OK(hipDeviceGetLimit(&before, hipLimitStackSize));
  HIP_OK(hipDeviceSetLimit(hipLimitStackSize, 64 * 1024));
  e2e::Device<int> out(128);
  deep_kernel<<<1, 128>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 128; ++i) {
    Frame frame;
    for (int k = 0; k < 256; ++k) frame.values[k] = k + i;
    CHECK_AT(i, got[i], deep_on_host(i % 10, frame));
  }
  HIP_OK(hipDeviceSetLimit(hipLimitStackSize, before));
}

E2E_CASE(addresses_that_escape) {
  e2e::Device<int> out(100);
  escaping<<<1, 100>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 100; ++i) {
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += (i + k) * (k + 1);
    CHECK_AT(i, got[i], sum);
  }
}

E2E_CASE(more_values_than_registers) {
  std::vector<double> in(256);
  for (int k = 0; k < 256; ++k) in[k] = (k * 7) % 31;
  e2e::Device<double> din(in), out(1024);
  many_live_values<<<1, 1024>>>(din, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 1024; ++i) {
    double v[160], sum = 0; // whole numbers: exact in any order, and with fused multiply-add
    for (int k = 0; k < 160; ++k) v[k] = in[(i + k) & 255];
    for (int k = 0; k < 160; ++k) v[k] = v[k] * in[k] + v[(k * 37 + 11) % 160];
    for (int k = 0; k < 160; ++k) sum += v[(k * 53) % 160];
    CHECK_AT(i, got[i], sum);
  }
}

E2E_CASE(sort_in_private_memory) {
  constexpr int kThreads = 200;
  const auto in = e2e::interesting<int>(kThreads * 32);
  e2e::Device<int> din(in), out(in.size());
  insertion_sort<<<2, kThreads / 2>>>(din, out);
  RUN_OK();
  const auto got = out.download();
  for (int t = 0; t < kThreads; ++t) {
    std::vector<int> wanted(in.begin() + t * 32, in.begin() + (t + 1) * 32);
    for (int k = 0; k + 1 < 32; ++k)
      for (int j = 0; j + 1 < 32; ++j)
        if (wanted[j] > wanted[j + 1]) std::swap(wanted[j], wanted[j + 1]);
    for (int k = 0; k < 32; ++k) CHECK_AT(t * 32 + k, got[t * 32 + k], wanted[k]);
  }
}
