// Warps of 32 threads on every target: shuffles, votes, matches and reductions see the 32 threads that CUDA's rules put into a
// warp, also where the processor's waves have 64. Expectations are computed on the host from the thread's number alone.
#include "check.h"

#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kThreads = 160; // five warps, the last in half a wave

struct Seen {
  unsigned ballot, active, any, all, match, match_all, reduce_add, reduce_min, lanes_in_branch, old_ballot;
  int shfl, up, down, xor_, narrow, matched, tile_rank, tile_shfl, tile_size, coalesced_rank, coalesced_size, warp_size;
  double wide;
};

__global__ void look(Seen* out) {
  const unsigned full = 0xffffffff;
  const int thread = threadIdx.x, lane = thread % 32, value = thread * 7 + 3;
  Seen seen = {};
  seen.ballot = __ballot_sync(full, thread % 3 == 0);
  seen.active = __activemask();
  seen.any = __any_sync(full, thread == 33) != 0;
  seen.all = __all_sync(full, thread < 64) != 0;
  seen.match = __match_any_sync(full, thread / 5);
  seen.match_all = __match_all_sync(full, thread / 32, &seen.matched);
  seen.reduce_add = __reduce_add_sync(full, static_cast<unsigned>(thread));
  seen.reduce_min = __reduce_min_sync(full, static_cast<unsigned>(100000 - thread));
  seen.old_ballot = __ballot(lane < 3);
  seen.shfl = __shfl_sync(full, value, 5);
  seen.up = __shfl_up_sync(full, value, 3);
  seen.down = __shfl_down_sync(full, value, 30);
  seen.xor_ = __shfl_xor_sync(full, value, 16);
  seen.narrow = __shfl_sync(full, value, 2, 8);
  seen.wide = __shfl_sync(full, value + 0.25, 31);
  if (lane >= 20) {
    seen.lanes_in_branch = __activemask();
    seen.shfl += __shfl_sync(0xfff00000u, 1000 * lane, 25);
    const cg::coalesced_group group = cg::coalesced_threads();
    seen.coalesced_rank = group.thread_rank();
    seen.coalesced_size = group.size();
  }
  __syncwarp();
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  seen.tile_rank = tile.thread_rank();
  seen.tile_size = tile.size();
  seen.tile_shfl = tile.shfl(value, 7);
  seen.warp_size = warpSize;
  out[thread] = seen;
}

// A mask may name lanes that are not there or have exited: what they held takes no part.
struct Left {
  unsigned add, least, most, all_bits, same, different;
  int is_same, is_different;
};

__global__ void leave(Left* out) {
  const unsigned full = 0xffffffff, lane = threadIdx.x % 32;
  Left left = {};
  if (lane == 0) return;
  left.add = __reduce_add_sync(full, 1u);
  left.least = __reduce_min_sync(full, threadIdx.x + 5);
  left.most = static_cast<unsigned>(__reduce_max_sync(full, -static_cast<int>(threadIdx.x)));
  left.all_bits = __reduce_and_sync(full, 0xff00u | lane);
  left.same = __match_all_sync(full, 7, &left.is_same);
  left.different = __match_all_sync(full, lane == 19 ? 7.5 : 2.5, &left.is_different);
  out[threadIdx.x] = left;
}

static void test_lanes_that_left() {
  const int threads = 52; // the second warp has 20
  Left* left = nullptr;
  CHECK_CUDA(cudaMallocManaged(&left, threads * sizeof(Left)));
  leave<<<1, threads>>>(left);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int thread = 0; thread < threads; ++thread) {
    const int lane = thread % 32, first = thread - lane, lanes = first == 0 ? 32 : threads - 32;
    if (lane == 0) continue;
    unsigned bits = 0xffff;
    for (int i = 1; i < lanes; ++i) bits &= 0xff00u | static_cast<unsigned>(i);
    const Left& l = left[thread];
    CHECK(l.add == static_cast<unsigned>(lanes - 1) && l.least == static_cast<unsigned>(first + 6));
    CHECK(static_cast<int>(l.most) == -(first + 1) && l.all_bits == bits);
    CHECK(l.is_same == 1 && l.same == (lanes == 32 ? 0xfffffffeu : 0x000ffffeu));
    CHECK(l.is_different == 0 && l.different == 0);
  }
  CHECK_CUDA(cudaFree(left));
}

// The sum by halves, as every CUDA textbook has it.
__global__ void sum(const int* data, int* out) {
  __shared__ int parts[32];
  int value = data[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  if (threadIdx.x % warpSize == 0) parts[threadIdx.x / warpSize] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / warpSize ? parts[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
  }
}

int main() {
  Seen* seen = nullptr;
  CHECK_CUDA(cudaMallocManaged(&seen, kThreads * sizeof(Seen)));
  look<<<1, kThreads>>>(seen);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int thread = 0; thread < kThreads; ++thread) {
    const int lane = thread % 32, first = thread - lane;
    unsigned ballot = 0, match = 0, add = 0;
    for (int i = 0; i < 32; ++i) {
      ballot |= static_cast<unsigned>((first + i) % 3 == 0) << i;
      match |= static_cast<unsigned>((first + i) / 5 == thread / 5) << i;
      add += first + i;
    }
    const auto value = [](int t) { return t * 7 + 3; };
    const Seen& s = seen[thread];
    CHECK(s.ballot == ballot);
    CHECK(s.active == 0xffffffffu);
    CHECK(s.any == (first == 32) && s.all == (first < 64));
    CHECK(s.match == match && s.match_all == 0xffffffffu && s.matched == 1);
    CHECK(s.reduce_add == add && s.reduce_min == 100000u - (first + 31));
    CHECK(s.old_ballot == 7);
    CHECK(s.shfl == value(first + 5) + (lane >= 20 ? 25000 : 0));
    CHECK(s.up == value(lane < 3 ? thread : thread - 3));
    CHECK(s.down == value(lane + 30 < 32 ? thread + 30 : thread));
    CHECK(s.xor_ == value(thread ^ 16));
    CHECK(s.narrow == value(thread - thread % 8 + 2));
    CHECK(s.wide == value(first + 31) + 0.25);
    CHECK(s.lanes_in_branch == (lane >= 20 ? 0xfff00000u : 0u));
    CHECK(s.coalesced_rank == (lane >= 20 ? lane - 20 : 0) && s.coalesced_size == (lane >= 20 ? 12 : 0));
    CHECK(s.tile_rank == lane && s.tile_size == 32 && s.tile_shfl == value(first + 7));
    CHECK(s.warp_size == 32);
  }
  CHECK_CUDA(cudaFree(seen));

  test_lanes_that_left();

  const int blocks = 3, threads = 512;
  int *data = nullptr, *out = nullptr;
  CHECK_CUDA(cudaMallocManaged(&data, blocks * threads * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, blocks * sizeof(int)));
  std::vector<int> expected(blocks);
  for (int i = 0; i < blocks * threads; ++i) {
    data[i] = i % 91;
    expected[i / threads] += data[i];
  }
  sum<<<blocks, threads>>>(data, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int b = 0; b < blocks; ++b) CHECK(out[b] == expected[b]);
  CHECK_CUDA(cudaFree(data));
  CHECK_CUDA(cudaFree(out));
  return checks_failed() != 0;
}
