// Launches: built-in variables in every shape, partial waves, kernel arguments of every size and alignment, large
// argument blocks, all ways to launch.
#include "e2e.h"

namespace {

struct Ids {
  unsigned thread[3], block[3], block_dim[3], grid_dim[3];
};

__global__ void ids_kernel(Ids* out) {
  const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  Ids& r = out[block * (blockDim.x * blockDim.y * blockDim.z) + in_block];
  r = {{threadIdx.x, threadIdx.y, threadIdx.z},
       {blockIdx.x, blockIdx.y, blockIdx.z},
       {blockDim.x, blockDim.y, blockDim.z},
       {gridDim.x, gridDim.y, gridDim.z}};
}

void check_shape(dim3 grid, dim3 block) {
  const size_t per_block = block.x * block.y * block.z, total = per_block * grid.x * grid.y * grid.z;
  e2e::Device<Ids> out(total);
  ids_kernel<<<grid, block>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (size_t i = 0; i < total; ++i) {
    const size_t t = i % per_block, b = i / per_block;
    const Ids wanted = {{unsigned(t % block.x), unsigned(t / block.x % block.y), unsigned(t / block.x / block.y)},
                        {unsigned(b % grid.x), unsigned(b / grid.x % grid.y), unsigned(b / grid.x / grid.y)},
                        {block.x, block.y, block.z},
                        {grid.x, grid.y, grid.z}};
    CHECK(std::memcmp(&got[i], &wanted, sizeof(Ids)) == 0);
  }
}

struct Odd {
  char a;
  double b;
  short c;
  char d[3];
  long long e;
  float f;
};
struct Tiny {
  unsigned char value;
};
struct alignas(32) Aligned {
  int values[8];
};
struct Large {
  int values[900]; // with the other arguments almost 4 KiB
};

__global__ void mixed_arguments(char a, Odd odd, bool flag, Aligned aligned, unsigned short s, Tiny tiny, double d,
                                float f, Large large, long long last, double* out) {
  double sum = a + odd.a + odd.b + odd.c + odd.d[0] + odd.d[1] + odd.d[2] + static_cast<double>(odd.e) + odd.f;
  sum += flag ? 1000 : 0;
  for (const int v : aligned.values) sum += v;
  sum += s + tiny.value + d + f + static_cast<double>(last);
  for (int i = 0; i < 900; ++i) sum += large.values[i] * (i % 3);
  *out = sum;
}

__global__ void no_arguments() {}
__global__ void one_pointer(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x); }
__global__ void many_pointers(int* a, int* b, int* c, int* d, int* e, int* f, int* g, int* h) {
  *h = *a + *b + *c + *d + *e + *f + *g;
}
template<class T, int N> __global__ void templated(T* out, T x) { out[threadIdx.x] = x * N; }
__global__ void __launch_bounds__(64) bounded(int* out) { out[threadIdx.x] = 1; }
// Blocks of an odd number let the wave round towards zero from then on, and overwrite the registers of their arguments.
__global__ void change_rounding(float* sums, float x, float y) {
#if defined(__NVPTX__) || defined(__HIP_PLATFORM_NVIDIA__)
  sums[blockIdx.x * blockDim.x + threadIdx.x] = x + y; // there each instruction has its own rounding
#else
  if (blockIdx.x % 2) asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3" ::: "memory");
  float sum;
  asm volatile("v_add_f32 %0, %1, %2" : "=v"(sum) : "v"(x), "v"(y));
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  asm volatile("s_mov_b32 s0, -1\n s_mov_b32 s1, -1\n s_mov_b32 s2, -1\n s_mov_b32 s3, -1\n s_mov_b32 s4, -1\n"
               "s_mov_b32 s5, -1\n v_mov_b32 v0, -1" ::: "s0", "s1", "s2", "s3", "s4", "s5", "v0");
#endif
}
// The ids of the other dimensions are not asked for: the hardware leaves them out of the register.
__global__ void first_of_each_row(unsigned* rows) {
  if (threadIdx.x == 0) atomicAdd(rows, 1u);
}
__global__ void count_threads(unsigned long long* total) { atomicAdd(total, 1ull); }

} // namespace

E2E_CASE(one_dimensional) {
  check_shape(1, 1);
  check_shape(3, 63);
  check_shape(2, 64);
  check_shape(2, 65);
  check_shape(5, 100);
  check_shape(1, 1024);
}
E2E_CASE(many_dimensional) {
  check_shape(dim3(2, 3, 4), dim3(3, 5, 7));
  check_shape(dim3(1, 4, 1), dim3(1, 64, 1));
  check_shape(dim3(2, 1, 3), dim3(1, 1, 64));
  check_shape(dim3(3, 2), dim3(16, 16));
  check_shape(dim3(7, 1, 2), dim3(32, 32, 1));
  check_shape(dim3(1, 1, 1), dim3(8, 8, 16));
}

// AMD's GPUs take more blocks in y and z than hipDeviceProp_t tells; gfx12's put both ids into one register.
E2E_CASE(more_blocks_than_are_told) {
  hipDeviceProp_t properties{};
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  const bool half_a_register = std::strncmp(properties.gcnArchName, "gfx12", 5) == 0;
  if (!e2e::on_nvidia() && !half_a_register) {
    check_shape(dim3(1, 70000, 1), dim3(1, 1, 2));
    check_shape(dim3(1, 2, 70000), dim3(1, 1, 1));
    return;
  }
  e2e::Device<Ids> out(1);
  ids_kernel<<<dim3(1, 70000, 1), 1>>>(out);
  CHECK(hipGetLastError() == hipErrorInvalidValue);
  ids_kernel<<<dim3(1, 1, 70000), 1>>>(out);
  CHECK(hipGetLastError() == hipErrorInvalidValue);
}
E2E_CASE(many_blocks) {
  e2e::Device<unsigned long long> total(1);
  count_threads<<<dim3(1000, 3, 2), dim3(5, 4)>>>(total);
  count_threads<<<70000, 1>>>(total);
  RUN_OK();
  CHECK_EQ(total.download()[0], 1000ull * 3 * 2 * 20 + 70000);
}

E2E_CASE(kernels_that_see_one_dimension) {
  for (const dim3 block : {dim3(40, 3), dim3(16, 4), dim3(64, 2, 2), dim3(1, 8, 3)}) {
    e2e::Device<unsigned> rows(1);
    for (int k = 0; k < 20; ++k) first_of_each_row<<<dim3(2, 3), block>>>(rows);
    RUN_OK();
    CHECK_EQ(rows.download()[0], 20 * 6 * block.y * block.z);
  }
}

E2E_CASE(blocks_start_afresh) {
  constexpr int kBlocks = 500, kThreads = 70; // the second wave is not full
  e2e::Device<float> sums(kBlocks * kThreads);
  const float x = 1.0f, y = 0x1.8p-24f; // the sum lies above the middle of two numbers
  change_rounding<<<kBlocks, kThreads>>>(sums, x, y);
  RUN_OK();
  const auto got = sums.download();
  for (int i = 0; i < kBlocks * kThreads; ++i)
    CHECK_AT(i, got[i], i / kThreads % 2 && !e2e::on_nvidia() ? 1.0f : 1.0f + 0x1p-23f);
}

E2E_CASE(arguments_of_every_kind) {
  Odd odd{1, 2.5, -3, {4, 5, 6}, 1LL << 40, 0.25f};
  Aligned aligned{};
  Large large{};
  double wanted =
      7 + 1 + 2.5 - 3 + 4 + 5 + 6 + static_cast<double>(1LL << 40) + 0.25 + 1000 + 65535 + 200 + 0.5 + 0.125 - 9;
  for (int i = 0; i < 8; ++i) aligned.values[i] = i * 11, wanted += i * 11;
  for (int i = 0; i < 900; ++i) large.values[i] = i, wanted += i * (i % 3);
  e2e::Device<double> out(1);
  mixed_arguments<<<1, 1>>>(7, odd, true, aligned, 65535, Tiny{200}, 0.5, 0.125f, large, -9, out);
  RUN_OK();
  CHECK_EQ(out.download()[0], wanted);
}

E2E_CASE(every_way_to_launch) {
  e2e::Device<int> out(64);
  no_arguments<<<4, 64>>>();
  hipLaunchKernelGGL(one_pointer, dim3(1), dim3(64), 0, 0, out.data());
  RUN_OK();
  CHECK_EQ(out.download()[63], 63);
#if defined(HIP_TEMPLATE_KERNEL_LAUNCH)
  hipLaunchKernelGGL(templated<int, 9>, 1, 64, 0, nullptr, out.data(), 5);
#else
  hipLaunchKernelGGL(HIP_KERNEL_NAME(templated<int, 9>), 1, 64, 0, nullptr, out.data(), 5);
#endif
  RUN_OK();
  CHECK_EQ(out.download()[5], 45);

  int* pointer = out;
  int factor = 6;
  void* arguments[] = {&pointer, &factor};
  HIP_OK(hipLaunchKernel(reinterpret_cast<const void*>(&templated<int, 7>), dim3(1), dim3(64), arguments, 0, nullptr));
  RUN_OK();
  CHECK_EQ(out.download()[5], 42);

  templated<int, 3><<<dim3(1), dim3(64), 0, hipStreamPerThread>>>(out, 5);
  RUN_OK();
  CHECK_EQ(out.download()[5], 15);

  bounded<<<1, 64>>>(out);
  RUN_OK();
  CHECK_EQ(out.download()[5], 1);

  e2e::Device<int> values(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 0});
  int* v = values;
  many_pointers<<<1, 1>>>(v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7);
  RUN_OK();
  CHECK_EQ(values.download()[7], 28);
}

E2E_CASE(same_kernel_thousands_of_times) {
  e2e::Device<unsigned long long> total(1);
  for (int i = 0; i < 3000; ++i) count_threads<<<1, 3>>>(total);
  RUN_OK();
  CHECK_EQ(total.download()[0], 9000ull);
}
