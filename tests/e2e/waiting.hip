// Work-groups and waves that wait for each other in loops: chains of flags, decoupled look-back, stream-K, spin locks,
// barriers over the grid built from atomics, tickets, and flags in LDS. Whoever waits has to let those run that it
// waits for, in any order. All groups of a launch are resident on every device that these run on (at most 64 small
// ones), but for look-back over more, which waits only for groups that have started before.
#include "e2e.h"

namespace {

template<class T> __device__ T load_acquire(T* p) {
  return __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}
template<class T> __device__ void store_release(T* p, T value) {
  __hip_atomic_store(p, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ void doze() {
#if defined(__AMDGCN__)
  __builtin_amdgcn_s_sleep(1);
#endif
}

// Group g waits for flag order[g] and sets the flag behind it; with a random order, any group waits for any other one.
__global__ void hand_on(int* flags, const int* order, int rounds) {
  __shared__ int seen;
  for (int round = 0; round < rounds; ++round) {
    const int place = round * gridDim.x + order[blockIdx.x];
    if (threadIdx.x == 0) {
      int before;
      do before = load_acquire(&flags[place]);
      while (before == 0);
      seen = before;
    }
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) store_release(&flags[place + 1], seen + 1);
    __syncthreads();
  }
}

// An inclusive sum over all groups in one pass: each publishes its own sum, then asks 64 predecessors at once for
// theirs.
constexpr uint64_t kOwn = 1ull << 62, kPrefix = 2ull << 62, kValue = (1ull << 62) - 1;
__global__ void look_back(const uint32_t* in, uint64_t* states, uint32_t* sums) {
  __shared__ uint64_t before_all;
  __shared__ uint32_t own;
  const int lane = threadIdx.x, group = blockIdx.x, lanes = warpSize;
  const uint64_t all = ~0ull >> (64 - lanes); // by name: NVIDIA's lanes do not come out of the loop together
  if (lane == 0) own = in[group], before_all = 0;
  __syncthreads();
  if (lane == 0) store_release(&states[group], own | (group == 0 ? kPrefix : kOwn));
  if (lane < lanes && group > 0) {
    uint64_t sum = 0;
    for (int window = group; window > 0;) {
      const int from = window - 1 - lane;
      uint64_t state = kPrefix;
      if (from >= 0) {
        do state = load_acquire(&states[from]);
        while (state == 0);
      }
      const uint64_t prefixes = __ballot_sync(all, (state & kPrefix) != 0);
      const int last = prefixes ? __ffsll(static_cast<unsigned long long>(prefixes)) - 1 : lanes - 1;
      uint64_t part = lane <= last ? state & kValue : 0;
      for (int d = lanes / 2; d > 0; d /= 2) part += __shfl_xor_sync(all, part, d);
      sum += part;
      window = prefixes ? 0 : window - lanes;
    }
    if (lane == 0) before_all = sum, store_release(&states[group], (sum + own) | kPrefix);
  }
  __syncthreads();
  if (lane == 0) sums[group] = static_cast<uint32_t>(before_all + own);
}

__global__ void locked(int* lock, volatile int* counter, int rounds) {
  if (threadIdx.x % warpSize != 0) return;
  for (int k = 0; k < rounds; ++k) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *counter = *counter + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Each group counts itself in and waits until all have.
__global__ void meet(int* arrived, int* data, int rounds, int* wrong) {
  const int groups = gridDim.x;
  for (int round = 1; round <= rounds; ++round) {
    if (threadIdx.x == 0) {
      __hip_atomic_store(&data[blockIdx.x], round * 1000 + static_cast<int>(blockIdx.x), __ATOMIC_RELAXED,
                         __HIP_MEMORY_SCOPE_AGENT);
      __threadfence();
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < round * groups) {
      }
      __threadfence();
    }
    __syncthreads();
    for (int g = threadIdx.x; g < groups; g += blockDim.x) {
      const int seen = __hip_atomic_load(&data[g], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      if (seen / 1000 != round && seen / 1000 != round + 1) atomicAdd(wrong, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(arrived + 1, 1);
      while (load_acquire(arrived + 1) < round * groups) doze();
    }
    __syncthreads();
  }
}

// The first wave of a group feeds the others through a ring in LDS.
__global__ void feed(int* out, int items) {
  __shared__ volatile int ring[8];
  __shared__ int written, taken[16];
  volatile int* made = &written;
  const int wave = threadIdx.x / warpSize, waves = blockDim.x / warpSize;
  if (threadIdx.x == 0) written = 0;
  if (threadIdx.x < 16) taken[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % warpSize != 0) return;
  if (wave == 0) {
    for (int k = 0; k < items; ++k) {
      for (int w = 1; w < waves; ++w)
        while (k - *const_cast<volatile int*>(&taken[w]) >= 8) {
        }
      ring[k % 8] = k * k;
      __threadfence_block();
      *made = k + 1;
    }
  } else {
    int sum = 0;
    for (int k = 0; k < items; ++k) {
      while (*made <= k) {
      }
      __threadfence_block();
      sum += ring[k % 8] * wave;
      *const_cast<volatile int*>(&taken[wave]) = k + 1;
    }
    out[blockIdx.x * waves + wave] = sum;
  }
}

// Gives up after a number of tries: waiting is not without end, and the tries are counted exactly.
__global__ void try_often(int* never, uint32_t* tries, uint32_t limit) {
  uint32_t k = 0;
  while (load_acquire(never) == 0 && k < limit) ++k;
  tries[blockIdx.x * blockDim.x + threadIdx.x] = k;
}

// A group takes tickets; how often it passes its barriers depends on what a lane reads from LDS, under conditions that
// half of the lanes fail.
__global__ void take_tickets(int* ticket, int* owner, const float* in, float* out, int tickets, int width) {
  __shared__ int mine, left;
  const int lane = threadIdx.x;
  if (lane == 0) mine = atomicAdd(ticket, 1);
  __syncthreads();
  while (mine < tickets) {
    float kept = 0;
    if (lane < width) kept = in[mine * width + lane];
    if (lane == 0) left = mine % 3;
    __syncthreads();
    while (left > 0) {
      if (lane < width) kept += in[(mine * 7 % tickets) * width + lane];
      __syncthreads();
      if (lane == 0) left = atomicSub(&left, 1) - 1;
      __syncthreads();
    }
    if (lane < width) out[mine * width + lane] = kept;
    if (lane == 0) atomicAdd(&owner[mine], 1), mine = atomicAdd(ticket, 1);
    __syncthreads();
  }
}

// --- what the host does with them

void check_chain(int groups, int rounds, bool shuffled) {
  std::vector<int> order(groups);
  for (int g = 0; g < groups; ++g) order[g] = g;
  e2e::Random random;
  for (int g = groups - 1; shuffled && g > 0; --g) std::swap(order[g], order[random.bits() % (g + 1)]);
  std::vector<int> flags(groups * rounds + 1);
  flags[0] = 1;
  e2e::Device<int> device_flags(flags), device_order(order);
  hand_on<<<groups, 192>>>(device_flags, device_order, rounds);
  RUN_OK();
  flags = device_flags.download();
  for (size_t k = 0; k < flags.size(); ++k) CHECK_AT(k, flags[k], static_cast<int>(k + 1));
}

// Stream-K: the steps of all tiles of a product are dealt out evenly, so that a group's share begins and ends inside a
// tile. Who has a tile's first step waits for the sums of those behind it, which may not have started yet.
constexpr int kTile = 8;
struct Product {
  int rows, columns, depth;
  __host__ __device__ int steps_of_tile() const { return depth / kTile; }
  __host__ __device__ int tiles() const { return (rows / kTile) * (columns / kTile); }
};
__global__ void stream_k(const uint32_t* a, const uint32_t* b, uint32_t* c, uint32_t* sums, int* ready, Product p) {
  const int total = p.tiles() * p.steps_of_tile(), groups = gridDim.x, x = threadIdx.x, y = threadIdx.y;
  const auto begin_of = [&](int group) { return static_cast<int>(static_cast<int64_t>(total) * group / groups); };
  for (int step = begin_of(blockIdx.x), end = begin_of(blockIdx.x + 1); step < end;) {
    const int tile = step / p.steps_of_tile(), first = tile * p.steps_of_tile(), behind = first + p.steps_of_tile();
    const int row = tile / (p.columns / kTile) * kTile + y, column = tile % (p.columns / kTile) * kTile + x;
    const bool owns = step == first;
    uint32_t sum = 0;
    for (; step < end && step < behind; ++step)
      for (int k = (step - first) * kTile; k < (step - first + 1) * kTile; ++k)
        sum += a[row * p.depth + k] * b[k * p.columns + column];
    if (!owns) {
      sums[(blockIdx.x * kTile + y) * kTile + x] = sum;
      __threadfence();
      __syncthreads();
      if (x == 0 && y == 0) store_release(&ready[blockIdx.x], 1);
      continue;
    }
    for (int other = blockIdx.x + 1; other < groups && begin_of(other) < behind; ++other) {
      if (begin_of(other) == begin_of(other + 1)) continue; // it has nothing to do
      while (load_acquire(&ready[other]) == 0) {
      }
      sum += sums[(other * kTile + y) * kTile + x];
    }
    c[row * p.columns + column] = sum;
  }
}

} // namespace

E2E_CASE(groups_in_order_hand_on) { check_chain(32, 4, false); }
E2E_CASE(groups_in_any_order_hand_on) { check_chain(48, 5, true); }

E2E_CASE(groups_look_back) {
  for (int groups : {1, 2, 17, 64, 3000, 3000}) { // the last time it is known that groups of this kernel wait
    std::vector<uint32_t> in(groups);
    e2e::Random random;
    for (uint32_t& x : in) x = random.bits() % 100000;
    e2e::Device<uint32_t> device_in(in), sums(groups);
    e2e::Device<uint64_t> states(groups);
    look_back<<<groups, 128>>>(device_in, states, sums);
    RUN_OK();
    const std::vector<uint32_t> got = sums.download();
    uint32_t sum = 0;
    for (int g = 0; g < groups; ++g) CHECK_AT(g, got[g], sum += in[g]);
  }
}

E2E_CASE(groups_share_the_steps_of_tiles) {
  const Product p{24, 40, 64};
  std::vector<uint32_t> a(p.rows * p.depth), b(p.depth * p.columns);
  e2e::Random random;
  for (uint32_t& x : a) x = random.bits();
  for (uint32_t& x : b) x = random.bits();
  e2e::Device<uint32_t> device_a(a), device_b(b);
  for (int groups : {1, 7, 16, 31, 60}) { // 15 tiles of 8 steps
    e2e::Device<uint32_t> c(p.rows * p.columns), sums(groups * kTile * kTile);
    e2e::Device<int> ready(groups);
    stream_k<<<groups, dim3(kTile, kTile)>>>(device_a, device_b, c, sums, ready, p);
    RUN_OK();
    const std::vector<uint32_t> got = c.download();
    for (int row = 0; row < p.rows; ++row)
      for (int column = 0; column < p.columns; ++column) {
        uint32_t sum = 0;
        for (int k = 0; k < p.depth; ++k) sum += a[row * p.depth + k] * b[k * p.columns + column];
        CHECK_AT(row * p.columns + column, got[row * p.columns + column], sum);
      }
  }
}

E2E_CASE(waves_take_a_lock) {
  e2e::Device<int> lock(1), counter(1);
  locked<<<24, 256>>>(lock, counter, 10);
  RUN_OK();
  int warp = 0;
  HIP_OK(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0));
  CHECK_EQ(counter.download()[0], 24 * (256 / warp) * 10);
  CHECK_EQ(lock.download()[0], 0);
}

E2E_CASE(groups_meet) {
  e2e::Device<int> arrived(2), data(40), wrong(1);
  meet<<<40, 64>>>(arrived, data, 12, wrong);
  RUN_OK();
  CHECK_EQ(wrong.download()[0], 0);
  CHECK_EQ(arrived.download()[0], 40 * 12);
}

E2E_CASE(a_wave_feeds_others) {
  int warp = 0;
  HIP_OK(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0));
  constexpr int kWaves = 4, kGroups = 6, kItems = 200;
  e2e::Device<int> out(kWaves * kGroups);
  feed<<<kGroups, kWaves * warp>>>(out, kItems);
  RUN_OK();
  int sum = 0;
  for (int k = 0; k < kItems; ++k) sum += k * k;
  const std::vector<int> got = out.download();
  for (int k = 0; k < kWaves * kGroups; ++k) CHECK_AT(k, got[k], sum * (k % kWaves));
}

E2E_CASE(tries_are_counted) {
  for (uint32_t limit : {1u, 15u, 16u, 17u, 100u, 200000u}) {
    e2e::Device<int> never(1);
    e2e::Device<uint32_t> tries(4 * 64);
    try_often<<<4, 64>>>(never, tries, limit);
    RUN_OK();
    for (uint32_t got : tries.download()) CHECK_EQ(got, limit);
  }
}

E2E_CASE(groups_take_tickets) {
  constexpr int kTickets = 61, kWidth = 32;
  std::vector<float> in(kTickets * kWidth);
  for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<float>(k % 1000);
  e2e::Device<float> device_in(in), out(in.size());
  for (int groups : {1, 9}) {
    e2e::Device<int> ticket(1), owner(kTickets);
    take_tickets<<<groups, 64>>>(ticket, owner, device_in, out, kTickets, kWidth);
    RUN_OK();
    const std::vector<float> got = out.download();
    const std::vector<int> owners = owner.download();
    for (int t = 0; t < kTickets; ++t) {
      CHECK_AT(t, owners[t], 1);
      for (int lane = 0; lane < kWidth; ++lane)
        CHECK_AT(t * kWidth + lane, got[t * kWidth + lane],
                 in[t * kWidth + lane] + static_cast<float>(t % 3) * in[(t * 7 % kTickets) * kWidth + lane]);
    }
  }
}
