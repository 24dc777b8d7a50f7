// Locks that each thread takes by itself, tickets and turns: threads of a wave, which run in step on AMD GPUs, wait for
// each other (src/device/codegen/spin_locks.cpp). Without optimisation only what releases inside of the loop ends there;
// NVIDIA GPUs run all of it either way.
#include "check.h"

#include <algorithm>
#include <functional>
#include <vector>

constexpr int kBlocks = 3, kThreads = 128, kAll = kBlocks * kThreads, kBuckets = 7;

struct Data {
  int lock, other_lock, next, serving, turn;
  int count, count_of_odd;
  int locks[kBuckets], in_bucket[kBuckets];
  int seen[kAll]; // by each thread, or in the order of the threads
};

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
// Not atomic: right where one thread at a time is here.
__device__ int add_one(int* count) {
  volatile int* const place = count;
  const int before = *place;
  *place = before + 1;
  __threadfence();
  return before;
}

class Lock {
public:
  __device__ explicit Lock(int* word) : word_(word) {}
  __device__ void take() {
    while (atomicCAS(word_, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void release() {
    __threadfence();
    atomicExch(word_, 0);
  }

private:
  int* word_;
};

// ---- released inside of the loop -----------------------------------------------------------------------------------

__global__ void until_done(Data* d) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&d->lock, 0, 1) == 0) {
      d->seen[thread_number()] = add_one(&d->count);
      atomicExch(&d->lock, 0);
      done = true;
    }
  }
}
__global__ void while_blocked(Data* d) {
  bool blocked = true;
  do {
    if (atomicExch(&d->lock, 1) == 0) {
      d->seen[thread_number()] = add_one(&d->count);
      atomicExch(&d->lock, 0);
      blocked = false;
    }
  } while (blocked);
}

// ---- behind it -----------------------------------------------------------------------------------------------------

__global__ void with_break(Data* d) {
  for (;;) {
    if (atomicCAS(&d->lock, 0, 1) == 0) {
      d->seen[thread_number()] = add_one(&d->count);
      atomicExch(&d->lock, 0);
      break;
    }
  }
}
__global__ void compare_and_swap(Data* d) {
  while (atomicCAS(&d->lock, 0, 1) != 0) {
  }
  const int mine = add_one(&d->count);
  atomicExch(&d->lock, 0);
  d->seen[thread_number()] = mine;
}
__global__ void exchange(Data* d) {
  while (atomicExch(&d->lock, 1) == 1) {
  }
  d->seen[thread_number()] = add_one(&d->count);
  *(volatile int*)&d->lock = 0;
}
__global__ void set_bit(Data* d) {
  while (atomicOr(&d->lock, 4) & 4) {
  }
  d->seen[thread_number()] = add_one(&d->count);
  atomicAnd(&d->lock, ~4);
}
__global__ void own_number(Data* d) {
  while (atomicCAS(&d->lock, 0, thread_number() + 1)) {
  }
  d->seen[thread_number()] = add_one(&d->count);
  atomicExch(&d->lock, 0);
}
__global__ void with_fence(Data* d, int threads) {
  if (thread_number() >= threads) return;
  while (atomicCAS(&d->lock, 0, 1)) __threadfence();
  d->seen[thread_number()] = add_one(&d->count);
  atomicExch(&d->lock, 0);
}
__global__ void with_array(Data* d, int from, int to) { // in memory, as its index is not known
  int mine[16] = {};
  for (int i = 0; i < 16; ++i) mine[i] = i * from;
  const int first = mine[threadIdx.x % 16];
  while (atomicCAS(&d->lock, 0, 1)) __threadfence();
  mine[(threadIdx.x + to) % 16] += add_one(&d->count) - first;
  atomicExch(&d->lock, 0);
  d->seen[thread_number()] = mine[(threadIdx.x + to) % 16] + first - (threadIdx.x + to) % 16 * from;
}
__global__ void object(Data* d, int rounds) {
  Lock lock(&d->lock);
  for (int i = 0; i < rounds; ++i) {
    lock.take();
    const int mine = add_one(&d->count);
    if (i == rounds - 1) d->seen[thread_number()] = mine;
    lock.release();
  }
}
__global__ void nested(Data* d) {
  Lock outer(&d->lock), inner(&d->other_lock);
  outer.take();
  inner.take();
  d->seen[thread_number()] = add_one(&d->count);
  inner.release();
  outer.release();
}
__global__ void twice(Data* d) {
  Lock lock(&d->lock);
  lock.take();
  add_one(&d->count_of_odd);
  lock.release();
  lock.take();
  d->seen[thread_number()] = add_one(&d->count);
  lock.release();
}
__global__ void two_ways(Data* d) {
  while (atomicCAS(&d->lock, 0, 1) != 0) {
  }
  if (thread_number() % 2) {
    add_one(&d->count_of_odd);
    atomicExch(&d->lock, 0);
    return;
  }
  for (int i = 0; i < 3; ++i) add_one(&d->count);
  atomicExch(&d->lock, 0);
}
__global__ void buckets(Data* d, const int* keys) {
  const int key = keys[thread_number()];
  while (atomicCAS(&d->locks[key], 0, 1) != 0) {
  }
  add_one(&d->in_bucket[key]);
  atomicExch(&d->locks[key], 0);
}
__global__ void in_shared_memory(Data* d) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  add_one(&count);
  __threadfence_block();
  atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&d->count, count);
}
__global__ void one_of_each_warp(Data* d) {
  if (threadIdx.x % warpSize == 0) {
    while (atomicCAS(&d->lock, 0, 1) != 0) {
    }
    add_one(&d->count);
    atomicExch(&d->lock, 0);
  }
}
__global__ void tickets(Data* d) {
  const int ticket = atomicAdd(&d->next, 1);
  while (*(volatile int*)&d->serving != ticket) {
  }
  d->seen[thread_number()] = add_one(&d->count);
  atomicAdd(&d->serving, 1);
}
__global__ void turns(Data* d) { // of one block
  while (*(volatile int*)&d->turn != int(threadIdx.x)) {
  }
  d->seen[add_one(&d->count)] = int(threadIdx.x);
  __threadfence();
  *(volatile int*)&d->turn = int(threadIdx.x) + 1;
}

__global__ void say_if_optimised(int* yes) {
#ifdef __OPTIMIZE__
  *yes = 1;
#else
  *yes = 0;
#endif
}

Data* data;
int failed_before = 0;

Data run(const char* name, const std::function<void()>& launch) {
  Data result{};
  CHECK_CUDA(cudaMemset(data, 0, sizeof result));
  launch();
  CHECK_CUDA(cudaMemcpy(&result, data, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(result.lock == 0 && result.other_lock == 0);
  if (checks_failed() != failed_before) std::printf("in %s\n", name);
  failed_before = checks_failed();
  return result;
}
// Each thread was in once.
void check_once(const char* name, void (*kernel)(Data*)) {
  Data result = run(name, [&] { kernel<<<kBlocks, kThreads>>>(data); });
  CHECK(result.count == kAll);
  std::sort(std::begin(result.seen), std::end(result.seen));
  for (int i = 0; i < kAll; ++i) CHECK(result.seen[i] == i);
}
#define ONCE(kernel) check_once(#kernel, kernel)

int main() {
  CHECK_CUDA(cudaMalloc(&data, sizeof(Data)));
  say_if_optimised<<<1, 1>>>(&data->count);
  int optimised = 0;
  CHECK_CUDA(cudaMemcpy(&optimised, &data->count, sizeof optimised, cudaMemcpyDeviceToHost));
  ONCE(until_done);
  ONCE(while_blocked);
  if (!optimised) return checks_failed() != 0;
  ONCE(with_break);
  ONCE(compare_and_swap);
  ONCE(exchange);
  ONCE(set_bit);
  ONCE(own_number);
  ONCE(nested);
  ONCE(tickets);

  Data result = run("with_fence", [] { with_fence<<<kBlocks, kThreads>>>(data, 333); });
  CHECK(result.count == 333);
  result = run("with_array", [] { with_array<<<kBlocks, kThreads>>>(data, 3, 5); });
  std::sort(std::begin(result.seen), std::end(result.seen));
  for (int i = 0; i < kAll; ++i) CHECK(result.seen[i] == i);
  result = run("object", [] { object<<<kBlocks, kThreads>>>(data, 5); });
  CHECK(result.count == 5 * kAll);
  result = run("twice", [] { twice<<<kBlocks, kThreads>>>(data); });
  CHECK(result.count == kAll && result.count_of_odd == kAll);
  result = run("two_ways", [] { two_ways<<<kBlocks, kThreads>>>(data); });
  CHECK(result.count == 3 * kAll / 2 && result.count_of_odd == kAll / 2);
  result = run("in_shared_memory", [] { in_shared_memory<<<kBlocks, kThreads>>>(data); });
  CHECK(result.count == kAll);
  result = run("one_of_each_warp", [] { one_of_each_warp<<<kBlocks, kThreads>>>(data); });
  CHECK(result.count == kAll / 32);
  result = run("turns", [] { turns<<<1, kThreads>>>(data); });
  CHECK(result.count == kThreads);
  for (int i = 0; i < kThreads; ++i) CHECK(result.seen[i] == i);

  std::vector<int> keys(kAll);
  int expected[kBuckets] = {};
  for (int i = 0; i < kAll; ++i) {
    keys[i] = i * i % kBuckets;
    ++expected[keys[i]];
  }
  int* device_keys;
  CHECK_CUDA(cudaMalloc(&device_keys, kAll * sizeof(int)));
  CHECK_CUDA(cudaMemcpy(device_keys, keys.data(), kAll * sizeof(int), cudaMemcpyHostToDevice));
  result = run("buckets", [&] { buckets<<<kBlocks, kThreads>>>(data, device_keys); });
  for (int i = 0; i < kBuckets; ++i) CHECK(result.in_bucket[i] == expected[i]);
  return checks_failed() != 0;
}
