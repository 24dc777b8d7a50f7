// Barriers: any number of waves, in loops, after divergence, with waves that have ended, with reductions; fences; and
// the barrier over the whole grid of a cooperative launch.
#include "e2e.h"

#include <hip/hip_cooperative_groups.h>

namespace {

// Every thread moves one value on per step: wrong as soon as one wave runs ahead.
__global__ void rotate(int* out, int steps) {
  __shared__ int ring[1024];
  const int i = threadIdx.x, n = blockDim.x;
  ring[i] = i;
  for (int s = 0; s < steps; ++s) {
    __syncthreads();
    const int next = ring[(i + 1) % n];
    __syncthreads();
    ring[i] = next;
  }
  out[blockIdx.x * n + i] = ring[i];
}

// Waves arrive after very different amounts of work, some lanes having done none.
__global__ void uneven(int* out) {
  __shared__ int total;
  const int i = threadIdx.x, wave = i / 64;
  if (i == 0) total = 0;
  __syncthreads();
  for (int round = 0; round < 5; ++round) {
    int work = 0;
    if ((i + round) % 3)
      for (int k = 0; k < wave * 50 + i % 7; ++k) work += k & 1;
    atomicAdd(&total, work + 1);
    __syncthreads();
    if (i == round) out[round] = total;
    __syncthreads();
  }
}

// Half of the waves have ended when the others meet.
__global__ void some_have_ended(int* out) {
  __shared__ int values[256];
  const int i = threadIdx.x;
  values[i] = -1;
  __syncthreads();
  if (i / 64 % 2 == 1) return;
  values[i] = i;
  __syncthreads();
  out[i] = values[i ^ 128];
}

// Tiles are given out by number, and their values go over the number in LDS with no barrier between: on a card all waves
// have read the number before the first one has its values. rocPRIM 7.2 relies on it.
__global__ void tiles_by_number(const int* values, int* out, unsigned* next_tile, int tiles) {
  __shared__ union {
    unsigned tile;
    int values[256];
  } shared;
  const int i = threadIdx.x, n = blockDim.x;
  for (;;) {
    if (i == 0) shared.tile = atomicAdd(next_tile, 1u);
    __syncthreads();
    const int tile = static_cast<int>(shared.tile);
#if !defined(__OPTIMIZE__)
    __syncthreads(); // the number's address comes from memory: nothing tells that all lanes read one word
#endif
    if (tile >= tiles) return;
    shared.values[i] = values[tile * n + i];
    __syncthreads();
    out[tile * n + i] = shared.values[n - 1 - i];
    __syncthreads();
  }
}

// Cholesky's factor of a matrix in LDS, as rocSOLVER computes it: all waves read the pivot, and one lane writes its root
// over it with no barrier between.
__global__ void cholesky(double* matrix, int n) {
  extern __shared__ double a[];
  const int i = threadIdx.x, threads = blockDim.x;
  for (int k = i; k < n * n; k += threads) a[k] = matrix[k];
  __syncthreads();
  for (int column = 0; column < n; ++column) {
    const double pivot = a[column * n + column];
    if (!(pivot > 0)) break;
#if !defined(__OPTIMIZE__)
    __syncthreads(); // the address comes from memory: nothing tells that all lanes read one word
#endif
    const double root = sqrt(pivot);
    if (i == 0) a[column * n + column] = root;
    __syncthreads();
    for (int row = column + 1 + i; row < n; row += threads) a[column * n + row] /= root;
    __syncthreads();
    for (int k = column + 1; k < n; ++k)
      for (int row = k + i; row < n; row += threads) a[k * n + row] -= a[column * n + row] * a[column * n + k];
    __syncthreads();
  }
  for (int k = i; k < n * n; k += threads) matrix[k] = a[k];
}

// Sums that all lanes compute of words in LDS, which the next round stores over with no barrier between, as rocSOLVER's
// Jacobi does with what is left of a matrix's off-diagonal.
__global__ void rounds_of_sums(int* out, int rounds, int words) {
  extern __shared__ int parts[];
  const int i = threadIdx.x;
  int sum = i;
  for (int round = 0; round < rounds; ++round) {
    if (i < words) parts[i] = (sum + i * round) & 1023;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < words; ++k) sum += parts[k];
#if !defined(__OPTIMIZE__)
    __syncthreads(); // as above
#endif
  }
  out[i] = sum;
}

__global__ void reductions(int* out) {
  const int i = threadIdx.x;
  const int count = __syncthreads_count(i % 5 == 0);
  const int all = __syncthreads_and(i < 5000), not_all = __syncthreads_and(i != 77);
  const int any = __syncthreads_or(i == 77), none = __syncthreads_or(i > 5000);
  out[i] = count * 10000 + (all != 0) * 1000 + (not_all != 0) * 100 + (any != 0) * 10 + (none != 0);
}

// A barrier inside a function and inside a loop with a uniform, data-dependent trip count.
__device__ __attribute__((noinline)) int meet(int* shared, int x) {
  shared[threadIdx.x] = x;
  __syncthreads();
  const int r = shared[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  return r;
}
__global__ void barrier_in_function(int* out, const int* trips) {
  __shared__ int shared[256];
  int x = threadIdx.x;
  for (int k = 0; k < *trips; ++k) x = meet(shared, x) + 1;
  out[threadIdx.x] = x;
}

// One wave writes data and then a flag; another waits for the flag. Both must make progress.
__global__ void flag_between_waves(volatile int* flag, volatile int* data, int* out) {
  if (threadIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else if (threadIdx.x == 64) {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data;
  }
}

// The last block to arrive adds up what all have left (the "threadfence reduction").
__global__ void last_block(const int* in, int* parts, unsigned* arrived, int* result) {
  __shared__ int sum;
  __shared__ bool last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += reinterpret_cast<volatile int*>(parts)[b];
    *result = total;
  }
}

__global__ void grid_steps(int* data, int steps) {
  const auto grid = cooperative_groups::this_grid();
  const int n = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
  for (int s = 0; s < steps; ++s) {
    const int next = data[(i + 1) % n];
    grid.sync();
    data[i] = next;
    grid.sync();
  }
}

struct GridFacts {
  int grid_is_valid, multi_grid_is_valid;
  unsigned grids, rank, threads, sum_of_ranks;
};
__global__ void describe_grids(GridFacts* facts) {
  const auto grid = cooperative_groups::this_grid();
  const auto all = cooperative_groups::this_multi_grid();
  atomicAdd(&facts->sum_of_ranks, all.thread_rank());
  if (all.is_valid()) all.sync(); // the launch's only grid
  if (grid.thread_rank() != 0) return;
  facts->grid_is_valid = grid.is_valid();
  facts->multi_grid_is_valid = all.is_valid();
  facts->grids = all.num_grids();
  facts->rank = all.grid_rank();
  facts->threads = all.size();
}

} // namespace

E2E_CASE(grids_are_valid_in_cooperative_launches) {
  for (const bool cooperative : {false, true}) {
    e2e::Device<GridFacts> facts(1);
    GridFacts* pointer = facts.data();
    void* arguments[] = {&pointer};
    const auto kernel = reinterpret_cast<const void*>(describe_grids);
    HIP_OK(cooperative ? hipLaunchCooperativeKernel(kernel, dim3(3), dim3(20, 2), arguments, 0, nullptr)
                       : hipLaunchKernel(kernel, dim3(3), dim3(20, 2), arguments, 0, nullptr));
    RUN_OK();
    const GridFacts got = facts.download()[0];
    CHECK_EQ(got.grid_is_valid, cooperative ? 1 : 0);
    CHECK_EQ(got.multi_grid_is_valid, cooperative && !e2e::on_nvidia() ? 1 : 0);
    CHECK_EQ(got.grids, 1u);
    CHECK_EQ(got.rank, 0u);
    CHECK_EQ(got.threads, 120u);
    CHECK_EQ(got.sum_of_ranks, 119u * 120u / 2);
  }
}

E2E_CASE(ring_of_all_block_sizes) {
  for (const int n : {1, 37, 64, 65, 128, 500, 1024}) {
    e2e::Device<int> out(n * 3);
    rotate<<<3, n>>>(out, 20);
    RUN_OK();
    const auto got = out.download();
    for (int i = 0; i < n * 3; ++i) CHECK_AT(i, got[i], (i % n + 20) % n);
  }
}

E2E_CASE(a_word_is_read_by_all_before_it_is_written_over) {
  constexpr int kTiles = 40;
  for (const int n : {64, 100, 256}) {
    e2e::Device<int> values(kTiles * n), out(kTiles * n);
    e2e::Device<unsigned> next(1);
    std::vector<int> in(kTiles * n);
    for (int i = 0; i < kTiles * n; ++i) in[i] = 5000 + 3 * i;
    values.upload(in);
    next.upload({0u});
    tiles_by_number<<<3, n>>>(values.data(), out.data(), next.data(), kTiles);
    RUN_OK();
    const auto got = out.download();
    for (int i = 0; i < kTiles * n; ++i) CHECK_AT(i, got[i], in[i / n * n + n - 1 - i % n]);
  }
}

E2E_CASE(a_pivot_is_read_by_all_before_its_root_is_written_over_it) {
  for (const int n : {20, 70}) {
    for (const int threads : {64, 256}) {
      std::vector<double> in(n * n), want(n * n);
      for (int c = 0; c < n; ++c)
        for (int r = 0; r < n; ++r) in[c * n + r] = r == c ? 4.0 * n + r : 1.0 / (1 + r + c);
      want = in;
      for (int c = 0; c < n; ++c) { // row by row, which is another order than the kernel's
        for (int r = c; r < n; ++r) {
          long double value = in[c * n + r];
          for (int k = 0; k < c; ++k) value -= static_cast<long double>(want[k * n + r]) * want[k * n + c];
          want[c * n + r] = static_cast<double>(r == c ? std::sqrt(value) : value / want[c * n + c]);
        }
      }
      e2e::Device<double> matrix(n * n);
      matrix.upload(in);
      cholesky<<<1, threads, n * n * sizeof(double)>>>(matrix.data(), n);
      RUN_OK();
      const auto got = matrix.download();
      for (int c = 0; c < n; ++c)
        for (int r = c; r < n; ++r) CHECK_AT(c * n + r, std::abs(got[c * n + r] - want[c * n + r]) < 1e-12, true);
    }
  }
}

E2E_CASE(sums_are_read_by_all_before_the_next_round_stores) {
  constexpr int kThreads = 256;
  for (const int words : {3, 15, 100, 256}) {
    for (const int rounds : {1, 2, 7}) {
      e2e::Device<int> out(kThreads);
      rounds_of_sums<<<1, kThreads, kThreads * sizeof(int)>>>(out.data(), rounds, words);
      RUN_OK();
      std::vector<int> sum(kThreads);
      for (int i = 0; i < kThreads; ++i) sum[i] = i;
      for (int round = 0; round < rounds; ++round) {
        int total = 0;
        for (int k = 0; k < words; ++k) total += (sum[k] + k * round) & 1023;
        for (int& each : sum) each = total;
      }
      const auto got = out.download();
      for (int i = 0; i < kThreads; ++i) CHECK_AT(i, got[i], sum[i]);
    }
  }
}

E2E_CASE(waves_with_uneven_work) {
  e2e::Device<int> out(5);
  uneven<<<1, 512>>>(out);
  RUN_OK();
  const auto got = out.download();
  int total = 0;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 512; ++i) total += 1 + ((i + round) % 3 ? (i / 64 * 50 + i % 7) / 2 : 0);
    CHECK_AT(round, got[round], total);
  }
}

E2E_CASE(waves_that_have_ended) {
  e2e::Device<int> out(256);
  some_have_ended<<<1, 256>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 256; ++i) CHECK_AT(i, got[i], i / 64 % 2 == 1 ? 0 : i ^ 128);
}

E2E_CASE(barriers_that_reduce) {
  for (const int n : {100, 256, 1000}) {
    e2e::Device<int> out(n);
    reductions<<<1, n>>>(out);
    RUN_OK();
    for (const int x : out.download()) CHECK_EQ(x, (n + 4) / 5 * 10000 + 1000 + 10);
  }
}

E2E_CASE(barriers_in_functions) {
  e2e::Device<int> out(256), trips(std::vector<int>{7});
  barrier_in_function<<<1, 256>>>(out, trips);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 256; ++i) CHECK_AT(i, got[i], 255 - i + 7);
}

E2E_CASE(flags_between_waves) {
  e2e::Device<int> flag(1), data(1), out(1);
  flag_between_waves<<<1, 128>>>(flag, data, out);
  RUN_OK();
  CHECK_EQ(out.download()[0], 42);
}

E2E_CASE(last_block_adds_up) {
  constexpr int kBlocks = 50, kBlock = 64;
  std::vector<int> host(kBlocks * kBlock);
  int wanted = 0;
  for (size_t i = 0; i < host.size(); ++i) wanted += host[i] = static_cast<int>(i % 17);
  e2e::Device<int> in(host), parts(kBlocks), result(1);
  e2e::Device<unsigned> arrived(1);
  last_block<<<kBlocks, kBlock>>>(in, parts, arrived, result);
  RUN_OK();
  CHECK_EQ(result.download()[0], wanted);
}

E2E_CASE(barrier_over_the_grid) {
  constexpr int kBlocks = 8, kBlock = 128, kCount = kBlocks * kBlock;
  std::vector<int> host(kCount);
  for (int i = 0; i < kCount; ++i) host[i] = i;
  e2e::Device<int> data(host);
  int* pointer = data;
  int steps = 10;
  void* arguments[] = {&pointer, &steps};
  HIP_OK(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_steps), dim3(kBlocks), dim3(kBlock), arguments,
                                    0, nullptr));
  RUN_OK();
  const auto got = data.download();
  for (int i = 0; i < kCount; ++i) CHECK_AT(i, got[i], (i + 10) % kCount);
}
