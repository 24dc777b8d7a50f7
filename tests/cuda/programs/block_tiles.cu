// Cooperative groups: tiles of more than a warp. Barriers, shuffles, votes, reductions and scans, also in a last tile
// that is not full, in tiles of tiles, and with an operator that does not commute.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kThreads = 448; // not a multiple of 128
constexpr int kResults = 10;

// Composes x -> a * x + b, which depends on the order.
struct Line {
  unsigned int a, b;
};
struct Compose {
  __host__ __device__ Line operator()(const Line& f, const Line& g) const { return {g.a * f.a, g.a * f.b + g.b}; }
};
__host__ __device__ static Line line_of(unsigned int thread) { return {thread * 7 + 3, thread + 1}; }

template<unsigned int Size> __global__ void use_tiles(unsigned int* results) {
  __shared__ cg::block_tile_memory<512> memory;
  __shared__ unsigned int slots[kThreads];
  const cg::thread_block block = cg::this_thread_block(memory);
  const cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  const unsigned int thread = block.thread_rank();
  unsigned int* const mine = results + thread * kResults;

  // Each step reads what the next thread of the tile wrote in the one before; warps start at different times.
  const unsigned int base = thread - tile.thread_rank(), next = base + (tile.thread_rank() + 1) % tile.size();
  unsigned int value = thread;
  for (unsigned int i = 0; i < thread / 32 * 100; ++i) value = __brev(__brev(value));
  for (int step = 0; step < 50; ++step) {
    slots[thread] = value;
    tile.sync();
    value = slots[next] + 1;
    tile.sync();
  }
  mine[0] = value;
  mine[1] = tile.shfl(thread * 3, 40);
  mine[2] = cg::reduce(tile, thread, cg::plus<unsigned int>());
  mine[3] = cg::inclusive_scan(tile, thread, cg::plus<unsigned int>());
  mine[4] = cg::exclusive_scan(tile, thread, cg::plus<unsigned int>());
  mine[5] = cg::reduce(tile, line_of(thread), Compose()).b;
  mine[6] = cg::inclusive_scan(tile, line_of(thread), Compose()).b;
  mine[7] = tile.any(thread == 100) * 2 + tile.all(thread < 128);
  const auto half = cg::tiled_partition<64>(tile);
  mine[8] = cg::reduce(half, thread, cg::greater<unsigned int>());
  mine[9] = tile.meta_group_rank() * 1000 + tile.meta_group_size() * 100 + half.meta_group_rank() * 10 +
            (tile.num_threads() == Size);
  cg::sync(tile);
}

// The same in a loop over threads.
static std::vector<unsigned int> expected(unsigned int size) {
  std::vector<unsigned int> all;
  for (unsigned int thread = 0; thread < kThreads; ++thread) {
    const unsigned int base = thread / size * size, end = base + size < kThreads ? base + size : kThreads;
    unsigned int sum = 0, before = 0;
    Line composed = {1, 0}, upto = {1, 0};
    for (unsigned int i = base; i < end; ++i) {
      sum += i;
      composed = Compose()(composed, line_of(i));
      if (i < thread) before += i;
      if (i <= thread) upto = Compose()(upto, line_of(i));
    }
    const unsigned int half_end = thread / 64 * 64 + 64;
    const unsigned int results[kResults] = {base + (thread - base + 50) % (end - base) + 50,
                                            (base + 40) * 3,
                                            sum,
                                            before + thread,
                                            before,
                                            composed.b,
                                            upto.b,
                                            (base <= 100 && 100 < end) * 2u + (end <= 128),
                                            (half_end < end ? half_end : end) - 1,
                                            base / size * 1000 + (kThreads + size - 1) / size * 100 +
                                                (thread - base) / 64 * 10 + (end - base == size)};
    all.insert(all.end(), results, results + kResults);
  }
  return all;
}

template<unsigned int Size> static void test(unsigned int* memory) {
  std::vector<unsigned int> results(kThreads * kResults);
  const std::vector<unsigned int> right = expected(Size);
  CHECK_CUDA(cudaMemset(memory, 0xff, results.size() * sizeof(unsigned int)));
  use_tiles<Size><<<1, kThreads>>>(memory);
  CHECK_CUDA(cudaMemcpy(results.data(), memory, results.size() * sizeof(unsigned int), cudaMemcpyDeviceToHost));
  int shown = 0;
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i] != right[i] && shown++ < 5)
      std::printf("size %u, thread %zu, result %zu: %u, not %u\n", Size, i / kResults, i % kResults, results[i],
                  right[i]);
  CHECK(results == right);
}

int main() {
  unsigned int* memory = nullptr;
  CHECK_CUDA(cudaMalloc(&memory, kThreads * kResults * sizeof(unsigned int)));
  test<128>(memory);
  test<256>(memory);
  test<512>(memory);
  CHECK_CUDA(cudaFree(memory));
  return checks_failed() != 0;
}
