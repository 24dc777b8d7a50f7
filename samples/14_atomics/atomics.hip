// 14_atomics - threads that update the same memory. Every atomic function reads, changes and writes in one indivisible
// step; with atomicCAS any other operation can be built, here a maximum of absolute values.
#include "../common.h"

struct Totals {
  unsigned count;
  int minimum, maximum;
  unsigned bits_or, bits_and, bits_xor;
  unsigned long long sum;
  float float_sum;
  float largest_magnitude;
  int ticket; // next free place of `order`
};

__device__ void atomic_max_magnitude(float* address, float value) {
  unsigned* const bits = reinterpret_cast<unsigned*>(address);
  unsigned seen = *bits;
  while (fabsf(__uint_as_float(seen)) < fabsf(value)) {
    const unsigned before = atomicCAS(bits, seen, __float_as_uint(value));
    if (before == seen) break; // nobody came between
    seen = before;
  }
}

__global__ void collect(const int* data, int count, Totals* t, int* order) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int x = data[i];
  atomicInc(&t->count, 0xffffffffu);
  atomicMin(&t->minimum, x);
  atomicMax(&t->maximum, x);
  atomicOr(&t->bits_or, static_cast<unsigned>(x));
  atomicAnd(&t->bits_and, static_cast<unsigned>(x));
  atomicXor(&t->bits_xor, static_cast<unsigned>(x));
  atomicAdd(&t->sum, static_cast<unsigned long long>(x));
  atomicAdd(&t->float_sum, 0.25f);
  atomic_max_magnitude(&t->largest_magnitude, static_cast<float>(x));
  order[atomicAdd(&t->ticket, 1)] = i; // each thread gets a place of its own
}

int main() {
  constexpr int kCount = 20'000;
  std::vector<int> data(kCount);
  sample::Random random;
  for (int& x : data) x = static_cast<int>(random.next() * 2'000'001) - 1'000'000;

  const Totals start = {0, INT_MAX, INT_MIN, 0, ~0u, 0, 0, 0, 0, 0};
  Totals expected = start;
  for (const int x : data) {
    expected.count += 1;
    expected.minimum = std::min(expected.minimum, x);
    expected.maximum = std::max(expected.maximum, x);
    expected.bits_or |= static_cast<unsigned>(x);
    expected.bits_and &= static_cast<unsigned>(x);
    expected.bits_xor ^= static_cast<unsigned>(x);
    expected.sum += static_cast<unsigned long long>(x);
    expected.float_sum += 0.25f; // exact in any order
    expected.largest_magnitude = std::max(expected.largest_magnitude, std::abs(static_cast<float>(x)));
  }

  sample::DeviceArray<int> device_data(data), order(kCount);
  sample::DeviceArray<Totals> totals(std::vector<Totals>{start});
  const double ms = sample::time_ms([&] {
    collect<<<sample::blocks_for(kCount, 256), 256>>>(device_data.data(), kCount, totals.data(), order.data());
  });

  const Totals t = totals.download()[0];
  bool passed = t.count == expected.count && t.minimum == expected.minimum && t.maximum == expected.maximum &&
                t.bits_or == expected.bits_or && t.bits_and == expected.bits_and && t.bits_xor == expected.bits_xor &&
                t.sum == expected.sum && t.float_sum == expected.float_sum &&
                std::abs(t.largest_magnitude) == expected.largest_magnitude && t.ticket == kCount;
  std::vector<bool> seen(kCount);
  for (const int i : order.download()) {
    passed &= i >= 0 && i < kCount && !seen[i];
    if (i >= 0 && i < kCount) seen[i] = true;
  }
  std::printf("%u values between %d and %d\n", t.count, t.minimum, t.maximum);
  return sample::finish("atomics", passed, ms);
}
