// Control flow whose lanes part ways: nested branches, switches dense and sparse, loops with different trip counts,
// break, continue, early return, goto.
#include "e2e.h"

namespace {

__host__ __device__ int branches(int x) {
  int r = 0;
  if (x & 1) {
    if (x & 2)
      r += 10;
    else if (x & 4)
      r += 20;
    else
      r += 30;
    if ((x & 8) && (x & 16 || x & 32)) r *= 3;
  } else {
    for (int i = 0; i < (x & 7); ++i) {
      if (i == 5) break;
      if (i & 1) continue;
      r += i * x;
    }
  }
  return r;
}

__host__ __device__ int dense_switch(int x) {
  switch (x % 12) {
  case 0:
    return x + 1;
  case 1:
    return x * 2;
  case 2:
    return x - 7;
  case 3:
    x += 5;
    [[fallthrough]];
  case 4:
    return x * 3;
  case 5:
    return ~x;
  case 6:
    return x >> 1;
  case 7:
    return x << 2;
  case 8:
    return x ^ 0x55;
  case 9:
    return -x;
  case 10:
    x *= x;
    [[fallthrough]];
  default:
    return x | 0x1000;
  }
}

__host__ __device__ long long sparse_switch(long long x) {
  switch (x) {
  case -5000000000:
    return 1;
  case -3:
    return 2;
  case 0:
    return 3;
  case 17:
    return 4;
  case 1000:
    return 5;
  case 65536:
    return 6;
  case 5000000000:
    return 7;
  default:
    return x < 0 ? 8 : 9;
  }
}

__host__ __device__ unsigned collatz(unsigned x) {
  unsigned steps = 0;
  while (x > 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  return steps;
}

__host__ __device__ unsigned gcd(unsigned a, unsigned b) {
  do {
    if (b == 0) return a;
    const unsigned t = a % b;
    a = b;
    b = t;
  } while (true);
}

__host__ __device__ int tangled(int x) {
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    for (int j = i; j < 10; ++j) {
      if ((i * j + x) % 7 == 0) goto next;
      if ((i + j + x) % 13 == 0) goto done;
      sum += i * 10 + j;
    }
  next:
    sum -= x & 3;
  }
  return sum;
done:
  return -sum;
}

__global__ void flow_kernel(int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i * 6 + 0] = branches(i);
  out[i * 6 + 1] = dense_switch(i - 50);
  const long long keys[] = {-5000000000, -3, 0, 17, 1000, 65536, 5000000000, -4, 18};
  out[i * 6 + 2] = static_cast<int>(sparse_switch(keys[i % 9]));
  out[i * 6 + 3] = static_cast<int>(collatz(i + 1));
  out[i * 6 + 4] = static_cast<int>(gcd(i * 6, 360 + i % 5));
  out[i * 6 + 5] = tangled(i);
}

// Each lane leaves the loop at another time; the last one runs alone.
__global__ void leave_one_by_one(int* trips) {
  int n = 0;
  while (true) {
    ++n;
    if (n > static_cast<int>(threadIdx.x)) break;
  }
  trips[threadIdx.x] = n;
}

// Only some waves and some lanes get past the first line.
__global__ void early_return(int* out) {
  const int i = threadIdx.x;
  if (i % 3 == 0 || i / 64 == 1) return;
  out[i] = 1;
  if (i % 5 == 0) return;
  out[i] += 2;
}

// Short circuits must not evaluate their right side: it would divide by zero or read a null pointer.
__global__ void short_circuit(const int* maybe, int* out) {
  const int i = threadIdx.x;
  const int* p = i & 1 ? maybe : nullptr;
  out[i] = p && *p == 7 && (i & 2 || maybe[0] / (i & 2 ? 1 : 1) > 100) ? 1 : 0;
}

} // namespace

E2E_CASE(branches_loops_switches) {
  constexpr int kCount = 1000;
  e2e::Device<int> out(kCount * 6);
  flow_kernel<<<8, 128>>>(out, kCount);
  RUN_OK();
  const auto got = out.download();
  const long long keys[] = {-5000000000, -3, 0, 17, 1000, 65536, 5000000000, -4, 18};
  for (int i = 0; i < kCount; ++i) {
    CHECK_AT(i, got[i * 6 + 0], branches(i));
    CHECK_AT(i, got[i * 6 + 1], dense_switch(i - 50));
    CHECK_AT(i, got[i * 6 + 2], static_cast<int>(sparse_switch(keys[i % 9])));
    CHECK_AT(i, got[i * 6 + 3], static_cast<int>(collatz(i + 1)));
    CHECK_AT(i, got[i * 6 + 4], static_cast<int>(gcd(i * 6, 360 + i % 5)));
    CHECK_AT(i, got[i * 6 + 5], tangled(i));
  }
}

E2E_CASE(lanes_leave_one_by_one) {
  e2e::Device<int> trips(256);
  leave_one_by_one<<<1, 256>>>(trips);
  RUN_OK();
  const auto got = trips.download();
  for (int i = 0; i < 256; ++i) CHECK_AT(i, got[i], i + 1);
}

E2E_CASE(early_returns) {
  e2e::Device<int> out(256);
  early_return<<<1, 256>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 256; ++i) CHECK_AT(i, got[i], i % 3 == 0 || i / 64 == 1 ? 0 : i % 5 == 0 ? 1 : 3);
}

E2E_CASE(short_circuits) {
  e2e::Device<int> maybe(std::vector<int>{7}), out(64);
  short_circuit<<<1, 64>>>(maybe, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], (i & 1) && (i & 2) ? 1 : 0);
}
