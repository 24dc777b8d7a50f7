// Shifts by the width of a number and more, which CUDA's GPUs define: everything is shifted out. Amounts that only the
// running kernel knows, that become constants when the compiler unrolls or inlines, and that are constants in the source.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Results {
  unsigned left, right;
  int arithmetic;
  unsigned long long wide_left, wide_right;
  long long wide_arithmetic;
  unsigned assigned;
  unsigned long long unrolled;
  unsigned inlined[4];
};

template<int N> __host__ __device__ unsigned joined(unsigned high, unsigned low) {
  int bits = N, rest = 32 - N;
  return (high << bits) | (low >> rest);
}

__global__ void shift(const unsigned long long* numbers, const int* amounts, Results* results, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned long long wide = numbers[i];
  const unsigned x = static_cast<unsigned>(wide);
  const int n = amounts[i];
  Results& mine = results[i];
  mine.left = x << n;
  mine.right = x >> n;
  mine.arithmetic = static_cast<int>(x) >> n;
  mine.wide_left = wide << n;
  mine.wide_right = wide >> n;
  mine.wide_arithmetic = static_cast<long long>(wide) >> n;
  mine.assigned = x;
  mine.assigned <<= n;
  mine.assigned ^= 1u;
  unsigned long long sum = 0;
  for (int step = 0; step < 8; ++step) sum += x << (step * 8);
  mine.unrolled = sum;
  mine.inlined[0] = joined<0>(x, ~x);
  mine.inlined[1] = joined<1>(x, ~x);
  mine.inlined[2] = joined<31>(x, ~x);
  mine.inlined[3] = joined<32>(x, ~x);
}

// What PTX says of shl and shr, in steps that C++ defines.
static unsigned long long left(unsigned long long x, unsigned n, unsigned bits) { return n < bits ? x << n : 0; }
static unsigned long long right(unsigned long long x, unsigned n, unsigned bits) { return n < bits ? x >> n : 0; }
static long long arithmetic(long long x, unsigned n, unsigned bits) { return x >> (n < bits ? n : bits - 1); }

static unsigned joined_by_rule(unsigned high, unsigned low, unsigned n) {
  return static_cast<unsigned>(left(high, n, 32) | right(low, 32 - n, 32));
}

static bool is_right(const Results& result, unsigned long long wide, int amount) {
  const unsigned x = static_cast<unsigned>(wide);
  const unsigned n = static_cast<unsigned>(amount);
  unsigned long long sum = 0;
  for (unsigned step = 0; step < 8; ++step) sum += static_cast<unsigned>(left(x, step * 8, 32));
  return result.left == static_cast<unsigned>(left(x, n, 32)) && result.right == right(x, n, 32) &&
         result.arithmetic == arithmetic(static_cast<int>(x), n, 32) && result.wide_left == left(wide, n, 64) &&
         result.wide_right == right(wide, n, 64) &&
         result.wide_arithmetic == arithmetic(static_cast<long long>(wide), n, 64) &&
         result.assigned == (static_cast<unsigned>(left(x, n, 32)) ^ 1u) && result.unrolled == sum &&
         result.inlined[0] == joined_by_rule(x, ~x, 0) && result.inlined[1] == joined_by_rule(x, ~x, 1) &&
         result.inlined[2] == joined_by_rule(x, ~x, 31) && result.inlined[3] == joined_by_rule(x, ~x, 32);
}

int main() {
  std::vector<unsigned long long> numbers;
  std::vector<int> amounts;
  for (unsigned long long number : {0x0123456789abcdefull, 0xfedcba9876543210ull, ~0ull, 1ull << 31, 0ull})
    for (int amount : {0, 1, 5, 31, 32, 33, 47, 63, 64, 65, 95, 96, 128, 255, 256, 1 << 30, -1, -32}) {
      numbers.push_back(number);
      amounts.push_back(amount);
    }
  const int count = static_cast<int>(numbers.size());
  std::vector<Results> results(numbers.size());
  unsigned long long* device_numbers;
  int* device_amounts;
  Results* device_results;
  if (cudaMalloc(&device_numbers, numbers.size() * sizeof numbers[0]) != cudaSuccess ||
      cudaMalloc(&device_amounts, amounts.size() * sizeof amounts[0]) != cudaSuccess ||
      cudaMalloc(&device_results, results.size() * sizeof results[0]) != cudaSuccess ||
      cudaMemcpy(device_numbers, numbers.data(), numbers.size() * sizeof numbers[0], cudaMemcpyHostToDevice) != cudaSuccess ||
      cudaMemcpy(device_amounts, amounts.data(), amounts.size() * sizeof amounts[0], cudaMemcpyHostToDevice) != cudaSuccess)
    return 1;
  shift<<<(count + 63) / 64, 64>>>(device_numbers, device_amounts, device_results, count);
  if (cudaMemcpy(results.data(), device_results, results.size() * sizeof results[0], cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    if (is_right(results[i], numbers[i], amounts[i])) continue;
    ++wrong;
    std::printf("%llx by %d: %x %x %x %llx %llx %llx %x %llx %x %x %x %x\n", numbers[i], amounts[i], results[i].left,
                results[i].right, static_cast<unsigned>(results[i].arithmetic), results[i].wide_left, results[i].wide_right,
                static_cast<unsigned long long>(results[i].wide_arithmetic), results[i].assigned, results[i].unrolled,
                results[i].inlined[0], results[i].inlined[1], results[i].inlined[2], results[i].inlined[3]);
  }
  cudaFree(device_numbers);
  cudaFree(device_amounts);
  cudaFree(device_results);
  return wrong != 0;
}
