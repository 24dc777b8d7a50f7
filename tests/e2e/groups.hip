// Reductions and scans of cooperative groups: tiles of every size, with all members and with some, coalesced groups of
// several branches at once, values of 2 to 16 bytes, operators that commute and one that does not.
#include "e2e.h"

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>

#include <algorithm>
#include <string_view>

namespace {

namespace cg = cooperative_groups;

constexpr int kBlock = 256;

// Composition of x -> a * x + b modulo 2^32: associative, but it does not commute.
struct Affine {
  unsigned a, b;
  bool operator==(const Affine& other) const { return a == other.a && b == other.b; }
};
struct Compose {
  __host__ __device__ Affine operator()(const Affine& first, const Affine& second) const {
    return {first.a * second.a, first.b * second.a + second.b};
  }
};

template<class T> struct Results {
  T reduced, inclusive, exclusive;
};

template<class Group, class T, class Op> __device__ Results<T> all_of(const Group& group, T value, Op op) {
  return {cg::reduce(group, value, op), cg::inclusive_scan(group, value, op), cg::exclusive_scan(group, value, op)};
}

// active: which lanes take part.
template<unsigned Size, class T, class Op>
__global__ void tiles(const T* in, Results<T>* out, unsigned long long active) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  if (active >> (threadIdx.x % warpSize) & 1) out[threadIdx.x] = all_of(tile, in[threadIdx.x], Op());
}
// Lanes whose number is congruent modulo `ways` meet in a branch of their own.
template<class T, class Op> __global__ void branches(const T* in, Results<T>* out, int ways) {
  for (int way = 0; way < ways; ++way)
    if (static_cast<int>(threadIdx.x) % ways == way) {
      const cg::coalesced_group group = cg::coalesced_threads();
      out[threadIdx.x] = all_of(group, in[threadIdx.x], Op());
    }
}
// Two halves of each wave call with groups of their own at once.
template<class T, class Op> __global__ void halves(const T* in, Results<T>* out) {
  const cg::coalesced_group group = cg::binary_partition(cg::coalesced_threads(), threadIdx.x % 5 < 2);
  out[threadIdx.x] = all_of(group, in[threadIdx.x], Op());
}

// Each thread in the group of those of its wave (or of its tile of 16) with the same label.
template<class T, class Op> __global__ void labels(const T* in, Results<T>* out, int ways, bool tiled) {
  const int label = static_cast<int>(threadIdx.x) * 5 % ways - 1;
  const cg::coalesced_group group = tiled
                                        ? cg::labeled_partition(cg::tiled_partition<16>(cg::this_thread_block()), label)
                                        : cg::labeled_partition(cg::coalesced_threads(), label);
  out[threadIdx.x] = all_of(group, in[threadIdx.x], Op());
}

template<class T> bool same_value(const T& a, const T& b) { return a == b; }

// members(i): the threads of i's group in ascending order; those that take no part have none.
template<class T, class Op, class Members>
void check(const std::vector<T>& in, const e2e::Device<Results<T>>& out, T first, Members members) {
  const auto got = out.download();
  for (int i = 0; i < kBlock; ++i) {
    const std::vector<int> group = members(i);
    if (group.empty()) continue;
    T folded = in[group[0]], inclusive = folded, exclusive = first;
    for (size_t k = 0; k < group.size(); ++k) {
      const T next = k == 0 ? in[group[0]] : Op()(folded, in[group[k]]);
      if (group[k] == i) {
        inclusive = next;
        exclusive = k == 0 ? first : folded;
      }
      folded = next;
    }
    if (!same_value(got[i].reduced, folded))
      e2e::fail(__FILE__, __LINE__, "wrong reduction of thread " + std::to_string(i));
    if (!same_value(got[i].inclusive, inclusive))
      e2e::fail(__FILE__, __LINE__, "wrong inclusive scan of thread " + std::to_string(i));
    if (!same_value(got[i].exclusive, exclusive))
      e2e::fail(__FILE__, __LINE__, "wrong exclusive scan of thread " + std::to_string(i));
  }
}

int lanes() {
  int value = 0;
  (void)hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0);
  return value;
}

// HostOp is Op for the host.
template<class T, class Op, class HostOp> void check_all(const std::vector<T>& in, T first) {
  const int wave = lanes();
  e2e::Device<T> device_in(in);
  e2e::Device<Results<T>> out(kBlock);
  const auto check_tiles = [&](auto kernel, int size) {
    for (const unsigned long long active : {~0ull, 0xf0f1ffff7fff0003ull}) {
      kernel<<<1, kBlock>>>(device_in.data(), out.data(), active);
      RUN_OK();
      check<T, HostOp>(in, out, first, [&](int i) {
        std::vector<int> group;
        if (active >> (i % wave) & 1)
          for (int k = i / size * size; k < (i / size + 1) * size; ++k)
            if (active >> (k % wave) & 1) group.push_back(k);
        return group;
      });
    }
  };
  check_tiles(tiles<1, T, Op>, 1);
  check_tiles(tiles<4, T, Op>, 4);
  check_tiles(tiles<16, T, Op>, 16);
  check_tiles(tiles<32, T, Op>, 32);
  for (const int ways : {1, 2, 3, 7}) {
    branches<T, Op><<<1, kBlock>>>(device_in.data(), out.data(), ways);
    RUN_OK();
    check<T, HostOp>(in, out, first, [&](int i) {
      std::vector<int> group;
      for (int k = i / wave * wave; k < (i / wave + 1) * wave; ++k)
        if (k % ways == i % ways) group.push_back(k);
      return group;
    });
  }
  halves<T, Op><<<1, kBlock>>>(device_in.data(), out.data());
  RUN_OK();
  check<T, HostOp>(in, out, first, [&](int i) {
    std::vector<int> group;
    for (int k = i / wave * wave; k < (i / wave + 1) * wave; ++k)
      if ((k % 5 < 2) == (i % 5 < 2)) group.push_back(k);
    return group;
  });
  for (const int ways : {1, 3, 7})
    for (const bool tiled : {false, true}) {
      labels<T, Op><<<1, kBlock>>>(device_in.data(), out.data(), ways, tiled);
      RUN_OK();
      check<T, HostOp>(in, out, first, [&](int i) {
        const int size = tiled ? 16 : wave;
        std::vector<int> group;
        for (int k = i / size * size; k < (i / size + 1) * size; ++k)
          if (k * 5 % ways == i * 5 % ways) group.push_back(k);
        return group;
      });
    }
}

struct Sum {
  template<class T> T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
struct Smaller {
  template<class T> T operator()(T a, T b) const { return b < a ? b : a; }
};
struct Greater {
  template<class T> T operator()(T a, T b) const { return a < b ? b : a; }
};
struct Both {
  template<class T> T operator()(T a, T b) const { return a & b; }
};
struct Different {
  template<class T> T operator()(T a, T b) const { return a ^ b; }
};

} // namespace

E2E_CASE(integers) {
  const auto ints = e2e::interesting<int>(kBlock);
  const auto longs = e2e::interesting<unsigned long long>(kBlock);
  check_all<unsigned long long, cg::plus<unsigned long long>, Sum>(longs, 0);
  check_all<int, cg::less<int>, Smaller>(ints, std::numeric_limits<int>::max());
  check_all<int, cg::greater<int>, Greater>(ints, std::numeric_limits<int>::min());
  check_all<unsigned long long, cg::bit_and<unsigned long long>, Both>(longs, ~0ull);
  check_all<int, cg::bit_xor<int>, Different>(ints, 0);
}

// Small whole numbers, whose sums are exact in any order.
E2E_CASE(floating_point) {
  std::vector<double> doubles(kBlock);
  std::vector<__half> halves(kBlock);
  for (int i = 0; i < kBlock; ++i) {
    doubles[i] = i * 37 % 101 - 50;
    halves[i] = __half(static_cast<float>(i * 29 % 17 - 8));
  }
  check_all<double, cg::plus<double>, Sum>(doubles, 0);
  check_all<double, cg::less<double>, Smaller>(doubles, std::numeric_limits<double>::infinity());
  check_all<__half, cg::plus<__half>, Sum>(halves, __half(0));
  check_all<__half, cg::greater<__half>, Greater>(halves, __half(-std::numeric_limits<float>::infinity()));
}

E2E_CASE(operators_that_do_not_commute) {
  std::vector<Affine> in(kBlock);
  e2e::Random random;
  for (Affine& value : in) value = {static_cast<unsigned>(random.bits()), static_cast<unsigned>(random.bits())};
  check_all<Affine, Compose, Compose>(in, Affine{});
}

namespace {

// Each of the block's 64 threads has 12 bytes. The block copies all of them to local memory, tiles of 16 threads their
// part reversed by elements of 3 bytes (no whole words), and the odd threads of a wave one range that ends where the
// source does.
struct Three {
  unsigned char byte[3];
};
__global__ void copies(const unsigned* in, unsigned* out, unsigned char* bytes, unsigned* odd) {
  __shared__ unsigned words[192];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, words, in, sizeof words);
  cg::wait(block);
  for (unsigned i = threadIdx.x; i < 192; i += 64) out[i] = words[191 - i];
  const auto tile = cg::tiled_partition<16>(block);
  const unsigned which = threadIdx.x / 16;
  cg::memcpy_async(tile, reinterpret_cast<Three*>(bytes) + 64 * (3 - which), 64,
                   reinterpret_cast<const Three*>(in) + 64 * which, size_t(100));
  cg::wait_prior<0>(tile);
  if (threadIdx.x % 2) {
    const auto group = cg::coalesced_threads();
    cg::memcpy_async(group, odd, 1000u, in + 182, 10);
    group.sync();
  }
}

} // namespace

E2E_CASE(copies_by_groups) {
  std::vector<unsigned> in(192);
  for (unsigned i = 0; i < 192; ++i) in[i] = i * 2654435761u;
  e2e::Device<unsigned> device_in(in), out(192), odd(16);
  e2e::Device<unsigned char> bytes(768);
  copies<<<1, 64>>>(device_in.data(), out.data(), bytes.data(), odd.data());
  RUN_OK();
  const auto got = out.download(), got_odd = odd.download();
  const auto got_bytes = bytes.download();
  const auto* in_bytes = reinterpret_cast<const unsigned char*>(in.data());
  for (int i = 0; i < 192; ++i) CHECK_AT(i, got[i], in[191 - i]);
  for (int i = 0; i < 768; ++i) CHECK_AT(i, int(got_bytes[i]), int(in_bytes[(3 - i / 192) * 192 + i % 192]));
  for (int i = 0; i < 16; ++i) CHECK_AT(i, got_odd[i], i < 10 ? in[182 + i] : 0u);
}

namespace {

// Tiles whose size is known at run time, of a block and of tiles of it.
__global__ void partial_tiles(unsigned tile_size, unsigned inner_size, uint4* out) {
  const cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), tile_size);
  const cg::thread_group inner = cg::tiled_partition(tile, inner_size);
  out[threadIdx.x] = make_uint4(tile.size(), tile.thread_rank(), inner.size(), inner.thread_rank());
}

} // namespace

E2E_CASE(tiles_that_are_not_full) {
  for (const unsigned threads : {1u, 7u, 31u, 64u, 77u, 150u})
    for (const unsigned size : {2u, 8u, 16u, 32u}) {
      const unsigned inner = size / 2;
      e2e::Device<uint4> out(threads);
      partial_tiles<<<1, threads>>>(size, inner, out.data());
      RUN_OK();
      const auto got = out.download();
      for (unsigned i = 0; i < threads; ++i) {
        const unsigned members = std::min(size, threads - i / size * size), rank = i % size;
        CHECK_AT(i, got[i].x, members);
        CHECK_AT(i, got[i].y, rank);
        CHECK_AT(i, got[i].z, std::min(inner, members - rank / inner * inner));
        CHECK_AT(i, got[i].w, rank % inner);
      }
    }
}

namespace {

// Tiles of 64 threads are a wave of gfx9, and two warps of an NVIDIA GPU.
struct Pair {
  unsigned rank, group, groups, from_40, sum, before;
};
__global__ void tiles_of_two_warps(const unsigned* in, unsigned* turned, Pair* out) {
  const cg::thread_block_tile<64> tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned thread = threadIdx.x, value = in[thread];
  for (unsigned i = 0; i < thread / 32 * 100; ++i) turned[thread] = turned[thread] * 3 + 1; // warps come one by one
  turned[thread] = value;
  tile.sync();
  const unsigned other = turned[thread / 64 * 64 + 63 - thread % 64];
  tile.sync();
  turned[thread] = other;
  out[thread] = {unsigned(tile.thread_rank()),
                 unsigned(tile.meta_group_rank()),
                 unsigned(tile.meta_group_size()),
                 tile.shfl(value, 40),
                 cg::reduce(tile, value, cg::plus<unsigned>()),
                 cg::exclusive_scan(tile, value, cg::plus<unsigned>())};
}

} // namespace

E2E_CASE(tiles_of_64) {
  e2e::Device<unsigned> in(kBlock), turned(kBlock);
  e2e::Device<Pair> out(kBlock);
  std::vector<unsigned> values(kBlock);
  for (unsigned i = 0; i < kBlock; ++i) values[i] = i * i + 5;
  in.upload(values);
  tiles_of_two_warps<<<1, kBlock>>>(in.data(), turned.data(), out.data());
  RUN_OK();
  const auto got = out.download();
  const auto reversed = turned.download();
  for (unsigned i = 0; i < kBlock; ++i) {
    const unsigned first = i / 64 * 64;
    unsigned sum = 0, before = 0;
    for (unsigned k = first; k < first + 64; ++k) sum += values[k];
    for (unsigned k = first; k < i; ++k) before += values[k];
    CHECK_AT(i, reversed[i], values[first + 63 - i % 64]);
    CHECK_AT(i, got[i].rank, i % 64);
    CHECK_AT(i, got[i].group, i / 64);
    CHECK_AT(i, got[i].groups, unsigned(kBlock) / 64);
    CHECK_AT(i, got[i].from_40, values[first + 40]);
    CHECK_AT(i, got[i].sum, sum);
    CHECK_AT(i, got[i].before, before);
  }
}

namespace {

struct GridFacts {
  unsigned grids, grid, size, rank, valid;
};
// Each block's first thread tells its neighbour how far it is, and waits for all blocks before it looks and before it goes on.
__global__ void rounds_of_blocks([[maybe_unused]] unsigned* rounds, [[maybe_unused]] unsigned* wrong) {
#ifdef __GFX9__
  if (threadIdx.x != 0) return;
  for (unsigned round = 1; round <= 20; ++round) {
    __hip_atomic_store(&rounds[blockIdx.x], round, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    __builtin_amdgcn_ds_gws_barrier(gridDim.x - 1, 0);
    const unsigned next = (blockIdx.x + 1) % gridDim.x;
    if (__hip_atomic_load(&rounds[next], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != round) atomicAdd(wrong, 1u);
    __builtin_amdgcn_ds_gws_barrier(gridDim.x - 1, 0);
  }
#endif
}

// In each round every block counts once; behind the barrier of all grids the count is that of all their blocks.
__global__ void rounds_of_grids(unsigned* count, unsigned blocks_of_all, unsigned* wrong, GridFacts* facts) {
  const cg::multi_grid_group all = cg::this_multi_grid();
  const unsigned rank = static_cast<unsigned>(cg::this_grid().thread_rank());
  facts[rank] = {all.num_grids(), all.grid_rank(), all.size(), all.thread_rank(), all.is_valid()};
  for (unsigned round = 1; round <= 5; ++round) {
    if (threadIdx.x == 0) atomicAdd_system(count, 1u);
    all.sync();
    if (__hip_atomic_load(count, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM) != round * blocks_of_all)
      atomicAdd_system(wrong, 1u);
    all.sync();
  }
}

} // namespace

// On as many devices as there are; the grids have a shape of their own each.
E2E_CASE(grids_that_wait_for_one_another) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "a launch on several devices");
  int devices = 0;
  HIP_OK(hipGetDeviceCount(&devices));
  unsigned *host, blocks = 0, threads = 0; // count, wrong
  HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&host), 2 * sizeof(unsigned)));
  host[0] = host[1] = 0;
  unsigned *count = host, *wrong = host + 1;
  std::vector<GridFacts*> facts(devices);
  std::vector<hipLaunchParams> launches(devices);
  std::vector<std::vector<void*>> arguments(devices);
  for (int i = 0; i < devices; ++i) {
    HIP_OK(hipSetDevice(i));
    hipLaunchParams& launch = launches[i];
    launch.func = reinterpret_cast<void*>(rounds_of_grids);
    launch.gridDim = dim3(1, 1 + i % 2);
    launch.blockDim = dim3(64 + 32 * i);
    launch.sharedMem = 0;
    HIP_OK(hipStreamCreate(&launch.stream));
    blocks += 1 + i % 2;
    threads += (1 + i % 2) * (64 + 32 * i);
    HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&facts[i]), sizeof(GridFacts) * 1024));
    arguments[i] = {&count, &blocks, &wrong, &facts[i]};
  }
  for (int i = 0; i < devices; ++i) launches[i].args = arguments[i].data();
  for (const unsigned flags :
       {0u, unsigned(hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync)}) {
    host[0] = 0;
    HIP_OK(hipLaunchCooperativeKernelMultiDevice(launches.data(), devices, flags));
    for (int i = 0; i < devices; ++i) HIP_OK(hipStreamSynchronize(launches[i].stream));
    CHECK_EQ(host[0], 5 * blocks);
    CHECK_EQ(host[1], 0u);
  }
  unsigned before = 0;
  for (int i = 0; i < devices; ++i) {
    const unsigned own = launches[i].gridDim.y * launches[i].blockDim.x;
    for (unsigned rank = 0; rank < own; ++rank) {
      CHECK_AT(rank, facts[i][rank].grids, unsigned(devices));
      CHECK_AT(rank, facts[i][rank].grid, unsigned(i));
      CHECK_AT(rank, facts[i][rank].size, threads);
      CHECK_AT(rank, facts[i][rank].rank, before + rank);
      CHECK_AT(rank, facts[i][rank].valid, 1u);
    }
    before += own;
  }
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(launches.data(), 0, 0), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(launches.data(), devices + 1, 0), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(launches.data(), devices, 4), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(nullptr, devices, 0), hipErrorInvalidValue);
  if (devices > 1) {
    std::vector<hipLaunchParams> twice = {launches[0], launches[0]};
    CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(twice.data(), 2, 0), hipErrorInvalidValue);
  }
  for (int i = 0; i < devices; ++i) {
    HIP_OK(hipStreamDestroy(launches[i].stream));
    HIP_OK(hipHostFree(facts[i]));
  }
  HIP_OK(hipSetDevice(0));
  HIP_OK(hipHostFree(host));
}

// What AMD's compiler makes of a grid's barrier.
E2E_CASE(barriers_of_the_hardware) {
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  const bool is_gfx9 = std::string_view(properties.gcnArchName).substr(0, 4) == "gfx9";
  if (!is_gfx9 || std::string_view(properties.name).find("(software)") == std::string_view::npos) return; // on a card AMD's runtime sets them up
  int most = 0; // on each multiprocessor
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&most, rounds_of_blocks, 128, 0));
  for (const unsigned blocks : {1u, 2u, 7u, unsigned(most * properties.multiProcessorCount)}) {
    e2e::Device<unsigned> rounds(blocks), wrong(std::vector<unsigned>{0});
    unsigned *first = rounds, *second = wrong;
    void* arguments[] = {&first, &second};
    HIP_OK(hipLaunchCooperativeKernel(reinterpret_cast<void*>(rounds_of_blocks), dim3(blocks), dim3(128), arguments, 0,
                                      nullptr));
    HIP_OK(hipLaunchCooperativeKernel(reinterpret_cast<void*>(rounds_of_blocks), dim3(blocks), dim3(128), arguments, 0,
                                      nullptr));
    RUN_OK();
    CHECK_EQ(wrong.download()[0], 0u);
    for (const unsigned round : rounds.download()) CHECK_EQ(round, 20u);
  }
}
