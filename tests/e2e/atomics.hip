// Atomics of every operation and type, on global and on shared memory, with and without the old value, under contention
// and lane by lane.
#include "e2e.h"

#include <algorithm>

namespace {

enum Op { kAdd, kSub, kExch, kMin, kMax, kAnd, kOr, kXor, kCas, kOps };

template<class T> __device__ T apply(Op op, T* p, T x) {
  switch (op) {
  case kAdd:
    return atomicAdd(p, x);
  case kSub:
    return atomicSub(p, x);
  case kExch:
    return atomicExch(p, x);
  case kMin:
    return atomicMin(p, x);
  case kMax:
    return atomicMax(p, x);
  case kCas:
    return atomicCAS(p, T(5), x);
  default:
    if constexpr (std::is_integral_v<T>) {
      if (op == kAnd) return atomicAnd(p, x);
      if (op == kOr) return atomicOr(p, x);
      return atomicXor(p, x);
    }
    return T(0);
  }
}
template<class T> T on_host(Op op, T old, T x) {
  switch (op) {
  case kAdd:
    return static_cast<T>(old + x);
  case kSub:
    return static_cast<T>(old - x);
  case kExch:
    return x;
  case kMin:
    return std::min(old, x);
  case kMax:
    return std::max(old, x);
  case kCas:
    return old == T(5) ? x : old;
  default:
    if constexpr (std::is_integral_v<T>) {
      if (op == kAnd) return old & x;
      if (op == kOr) return old | x;
      return old ^ x;
    }
    return old;
  }
}

// Every lane its own word: old value and new value must be exact.
template<class T> __global__ void separate(Op op, T* words, const T* operands, T* old) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  old[i] = apply(op, &words[i], operands[i]);
}
template<class T> __global__ void separate_shared(Op op, T* words, const T* operands, T* old) {
  __shared__ T local[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  local[threadIdx.x] = words[i];
  __syncthreads();
  if (threadIdx.x % 3 != 1) old[i] = apply(op, &local[threadIdx.x], operands[i]); // some lanes stay away
  __syncthreads();
  words[i] = local[threadIdx.x];
}

template<class T> void check_separate() {
  constexpr int kCount = 256;
  for (int o = 0; o < kOps; ++o) {
    const Op op = static_cast<Op>(o);
    if (std::is_floating_point_v<T> && (op == kAnd || op == kOr || op == kXor)) continue;
    std::vector<T> words(kCount), operands(kCount);
    for (int i = 0; i < kCount; ++i) {
      words[i] = i % 4 == 0 ? T(5) : static_cast<T>(i * 1000003LL - 70000);
      operands[i] = static_cast<T>((i * 7919LL) % 100003 - 50000);
    }
    for (const bool shared : {false, true}) {
      e2e::Device<T> dw(words), dop(operands), dold(kCount);
      if (shared)
        separate_shared<T><<<2, 128>>>(op, dw, dop, dold);
      else
        separate<T><<<2, 128>>>(op, dw, dop, dold);
      RUN_OK();
      const auto now = dw.download(), old = dold.download();
      for (int i = 0; i < kCount; ++i) {
        const bool took_part = !shared || i % 128 % 3 != 1;
        const T wanted = took_part ? on_host(op, words[i], operands[i]) : words[i];
        if (!(now[i] == wanted) || (took_part && !(old[i] == words[i])))
          e2e::fail(__FILE__, __LINE__,
                    "operation " + std::to_string(o) + (shared ? " on shared" : " on global") + " memory at " +
                        std::to_string(i) + ": " + e2e::text_of(words[i]) + " became " + e2e::text_of(now[i]) +
                        ", expected " + e2e::text_of(wanted) + "; old value given as " + e2e::text_of(old[i]));
      }
    }
  }
}

// All threads on one word.
template<class T> __global__ void contended(T* add, T* minimum, T* maximum, T* tickets) {
  __shared__ T local;
  if (threadIdx.x == 0) local = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(add, T(1));
  atomicMin(minimum, static_cast<T>(i + 10));
  atomicMax(maximum, static_cast<T>(i + 10));
  tickets[i] = atomicAdd(&local, T(2));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(add, local);
}
template<class T> void check_contended() {
  constexpr int kBlocks = 20, kBlock = 200, kCount = kBlocks * kBlock;
  e2e::Device<T> add(1), minimum(std::vector<T>{T(1 << 20)}), maximum(1), tickets(kCount);
  contended<T><<<kBlocks, kBlock>>>(add, minimum, maximum, tickets);
  RUN_OK();
  CHECK_EQ(add.download()[0], T(kCount * 3));
  CHECK_EQ(minimum.download()[0], T(10));
  CHECK_EQ(maximum.download()[0], T(kCount + 9));
  const auto got = tickets.download();
  for (int b = 0; b < kBlocks; ++b) {
    std::vector<bool> seen(kBlock);
    for (int t = 0; t < kBlock; ++t) {
      const int ticket = static_cast<int>(got[b * kBlock + t]) / 2;
      CHECK(ticket >= 0 && ticket < kBlock && !seen[ticket]);
      if (ticket >= 0 && ticket < kBlock) seen[ticket] = true;
    }
  }
}

// Every lane gets a ticket of its own by compare-and-swap; of each block's lanes one takes the slot.
template<class T> __global__ void tickets_by_cas(T* counter, T* tickets, T* slots, T* seen, unsigned long long lanes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tickets[i] = 0;
  seen[i] = 0;
  if (!(lanes >> threadIdx.x % 64 & 1)) return;
  T old = *counter, assumed;
  do {
    assumed = old;
    old = atomicCAS(counter, assumed, T(assumed + 3));
  } while (old != assumed);
  tickets[i] = old;
  seen[i] = atomicCAS(&slots[blockIdx.x], T(0), T(threadIdx.x + 1));
}
template<class T> void check_tickets(unsigned long long lanes) {
  constexpr int kBlocks = 20, kBlock = 192;
  const T start = static_cast<T>((1ull << 32) - 299); // 64-bit tickets carry into the upper half
  e2e::Device<T> counter(std::vector<T>{start}), tickets(kBlocks * kBlock), slots(std::vector<T>(kBlocks, T(0))),
      seen(kBlocks * kBlock);
  tickets_by_cas<T><<<kBlocks, kBlock>>>(counter, tickets, slots, seen, lanes);
  RUN_OK();
  const auto got = tickets.download(), takers = slots.download(), olds = seen.download();
  std::vector<T> sorted;
  for (int i = 0; i < kBlocks * kBlock; ++i)
    if (lanes >> i % kBlock % 64 & 1) sorted.push_back(static_cast<T>(got[i] - start));
  std::sort(sorted.begin(), sorted.end());
  CHECK_EQ(counter.download()[0], static_cast<T>(start + T(3) * T(sorted.size())));
  for (size_t k = 0; k < sorted.size(); ++k) CHECK_AT(k, sorted[k], T(3 * k));
  for (int i = 0; i < kBlocks * kBlock; ++i) {
    const T taker = takers[i / kBlock], me = T(i % kBlock + 1);
    if (lanes >> i % kBlock % 64 & 1) CHECK_AT(i, olds[i], taker == me ? T(0) : taker);
  }
}

__global__ void wrapping_counters(unsigned* up, unsigned* down, unsigned* seen_up, unsigned* seen_down) {
  const int i = threadIdx.x;
  seen_up[i] = atomicInc(up, 9);
  seen_down[i] = atomicDec(down, 9);
}

__global__ void scopes(int* global, int* results) {
  __shared__ int local;
  if (threadIdx.x == 0) local = 0;
  __syncthreads();
  atomicAdd_system(&global[0], 1);
  atomicAdd_block(&local, 1);
  atomicMax_system(&global[1], static_cast<int>(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) results[blockIdx.x] = local;
}

// A lock between blocks: one thread of each takes it. (Not more: lanes of one wave that wait for each other do not get
// on.)
__global__ void spin_lock(int* lock, int* counter) {
  if (threadIdx.x != 0) return;
  for (int turn = 0; turn < 20; ++turn) {
    bool done = false;
    while (!done) {
      if (atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        *counter = *reinterpret_cast<volatile int*>(counter) + 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
      }
    }
  }
}

__global__ void float_add(float* f, double* d) {
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  unsafeAtomicAdd(f + 1, 1.0f);
  unsafeAtomicAdd(d + 1, 1.0);
}

// Block 2k hands what it has written to block 2k + 1 by a flag, and gets the flag back when it has been read.
template<bool kVolatile> __device__ int flag_of(int* flag) {
  if (kVolatile) {
    const int value = *static_cast<volatile int*>(flag);
    __threadfence();
    return value;
  }
  return __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}
template<bool kVolatile> __global__ void messages(int* data, int* flags, int* right, int rounds) {
  const int pair = blockIdx.x / 2, lane = threadIdx.x;
  int *mine = data + pair * blockDim.x, *flag = flags + pair;
  const bool writes = blockIdx.x % 2 == 0;
  for (int r = 1; r <= rounds; ++r) {
    const int expected = writes ? 2 * r - 2 : 2 * r - 1;
    while (flag_of<kVolatile>(flag) != expected) {
    }
    if (writes)
      mine[lane] = r * 1000 + lane;
    else
      right[pair * blockDim.x + lane] += mine[lane] == r * 1000 + lane;
    __threadfence();
    __syncthreads();
    if (lane == 0 && kVolatile) *static_cast<volatile int*>(flag) = expected + 1;
    if (lane == 0 && !kVolatile) __hip_atomic_store(flag, expected + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
}

// Every other block writes words of which all bits are equal, at one place and at many; the others read them.
__global__ void whole_words(unsigned long long* words, int count, int* torn) {
  for (int k = 0; k < 4000; ++k) {
    unsigned long long* p = words + (k % 2 ? 0 : threadIdx.x * 7 % count);
    if (blockIdx.x % 2)
      __hip_atomic_store(p, k % 3 ? 0ull : ~0ull, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    else if (__hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + 1 > 1)
      atomicAdd(torn, 1);
  }
}

// The same of 16 bytes. HIP promises nothing of these, but AMD's libraries build on what its processors do. A host that
// tears them does so rarely.
using Quad = unsigned __attribute__((ext_vector_type(4)));
__global__ void whole_quads(Quad* quads, int count, int* torn) {
  for (int k = 0; k < 50000; ++k) {
    volatile Quad* p = quads + (k % 2 ? 0 : threadIdx.x * 7 % count);
    if (blockIdx.x % 2) {
      *p = Quad(k % 3 ? 0u : ~0u);
    } else {
      const Quad seen = *p;
      if (seen.x + 1 > 1 || seen.y != seen.x || seen.z != seen.x || seen.w != seen.x) atomicAdd(torn, 1);
    }
  }
}

} // namespace

E2E_CASE(lane_by_lane_int) { check_separate<int>(); }
E2E_CASE(lane_by_lane_unsigned) { check_separate<unsigned>(); }
E2E_CASE(lane_by_lane_unsigned_long_long) { check_separate<unsigned long long>(); }
E2E_CASE(lane_by_lane_float) { check_separate<float>(); }
E2E_CASE(lane_by_lane_double) { check_separate<double>(); }
E2E_CASE(contended_int) { check_contended<int>(); }
E2E_CASE(contended_unsigned_long_long) { check_contended<unsigned long long>(); }
E2E_CASE(contended_float) { check_contended<float>(); }
E2E_CASE(contended_double) { check_contended<double>(); }

E2E_CASE(compare_and_swap_on_one_word) {
  for (unsigned long long lanes : {~0ull, 0x8000000000000001ull, 0x0f0f00ff10010ull, 1ull}) {
    check_tickets<unsigned>(lanes);
    check_tickets<unsigned long long>(lanes);
  }
}

E2E_CASE(counters_that_wrap) {
  e2e::Device<unsigned> up(1), down(1), seen_up(128), seen_down(128);
  wrapping_counters<<<1, 128>>>(up, down, seen_up, seen_down);
  RUN_OK();
  CHECK_EQ(up.download()[0], 128u % 10);
  CHECK_EQ(down.download()[0], (10u - 128u % 10) % 10);
  int counts_up[10] = {}, counts_down[10] = {};
  for (const unsigned x : seen_up.download()) x < 10 ? ++counts_up[x] : counts_up[0] += 1000;
  for (const unsigned x : seen_down.download()) x < 10 ? ++counts_down[x] : counts_down[0] += 1000;
  for (int k = 0; k < 10; ++k) {
    CHECK_AT(k, counts_up[k], k < 8 ? 13 : 12);
    CHECK_AT(k, counts_down[k], k == 0 || k > 2 ? 13 : 12);
  }
}

E2E_CASE(scopes_of_atomics) {
  e2e::Device<int> global(2), results(4);
  scopes<<<4, 100>>>(global, results);
  RUN_OK();
  CHECK_EQ(global.download()[0], 400);
  CHECK_EQ(global.download()[1], 99);
  for (const int x : results.download()) CHECK_EQ(x, 100);
}

E2E_CASE(messages_between_blocks) {
  constexpr int kPairs = 3, kThreads = 128, kRounds = 15;
  for (bool is_volatile : {false, true}) {
    e2e::Device<int> data(kPairs * kThreads), flags(kPairs), right(kPairs * kThreads);
    if (is_volatile)
      messages<true><<<2 * kPairs, kThreads>>>(data, flags, right, kRounds);
    else
      messages<false><<<2 * kPairs, kThreads>>>(data, flags, right, kRounds);
    RUN_OK();
    for (const int x : right.download()) CHECK_EQ(x, kRounds);
  }
}

E2E_CASE(words_of_64_bits_are_whole) {
  e2e::Device<unsigned long long> words(100);
  e2e::Device<int> torn(1);
  whole_words<<<8, 64>>>(words, 100, torn);
  RUN_OK();
  CHECK_EQ(torn.download()[0], 0);
}

E2E_CASE(words_of_128_bits_are_whole) {
  e2e::Device<Quad> quads(100);
  e2e::Device<int> torn(1);
  whole_quads<<<8, 64>>>(quads, 100, torn);
  RUN_OK();
  CHECK_EQ(torn.download()[0], 0);
}

E2E_CASE(spin_lock_between_blocks) {
  e2e::Device<int> lock(1), counter(1);
  spin_lock<<<16, 8>>>(lock, counter);
  RUN_OK();
  CHECK_EQ(counter.download()[0], 16 * 20);
}

E2E_CASE(floating_point_sums) {
  e2e::Device<float> f(2);
  e2e::Device<double> d(2);
  float_add<<<8, 100>>>(f, d);
  RUN_OK();
  CHECK_EQ(f.download()[0], 400.0f);
  CHECK_EQ(d.download()[0], 200.0);
  CHECK_EQ(f.download()[1], 800.0f);
  CHECK_EQ(d.download()[1], 800.0);
}
