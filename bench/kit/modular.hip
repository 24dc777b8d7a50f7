// Powers of numbers of 256 bits modulo a prime, a thread per number: long chains of multiply-add and carries.
#include "device.h"
#include "problems/modular.h"

namespace {

using problems::Modular;
constexpr int kLimbs = Modular::kLimbs;

__device__ void multiply(const uint32_t (&a)[kLimbs], const uint32_t (&b)[kLimbs], uint32_t (&out)[kLimbs]) {
  uint32_t t[kLimbs + 2] = {};
#pragma unroll
  for (int i = 0; i < kLimbs; ++i) {
    uint64_t carry = 0;
#pragma unroll
    for (int j = 0; j < kLimbs; ++j) {
      const uint64_t sum = static_cast<uint64_t>(a[j]) * b[i] + t[j] + carry;
      t[j] = static_cast<uint32_t>(sum), carry = sum >> 32;
    }
    uint64_t sum = static_cast<uint64_t>(t[kLimbs]) + carry;
    t[kLimbs] = static_cast<uint32_t>(sum), t[kLimbs + 1] = static_cast<uint32_t>(sum >> 32);
    const uint32_t m = t[0] * Modular::kNegatedInverse;
    carry = (static_cast<uint64_t>(m) * Modular::kPrime.limb[0] + t[0]) >> 32;
#pragma unroll
    for (int j = 1; j < kLimbs; ++j) {
      sum = static_cast<uint64_t>(m) * Modular::kPrime.limb[j] + t[j] + carry;
      t[j - 1] = static_cast<uint32_t>(sum), carry = sum >> 32;
    }
    sum = static_cast<uint64_t>(t[kLimbs]) + carry;
    t[kLimbs - 1] = static_cast<uint32_t>(sum);
    t[kLimbs] = t[kLimbs + 1] + static_cast<uint32_t>(sum >> 32);
  }
  uint32_t reduced[kLimbs];
  uint64_t borrow = 0;
#pragma unroll
  for (int j = 0; j < kLimbs; ++j) {
    const uint64_t difference = static_cast<uint64_t>(t[j]) - Modular::kPrime.limb[j] - borrow;
    reduced[j] = static_cast<uint32_t>(difference), borrow = difference >> 63;
  }
  const bool below = t[kLimbs] == 0 && borrow;
#pragma unroll
  for (int j = 0; j < kLimbs; ++j) out[j] = below ? t[j] : reduced[j];
}

__global__ void square_often(Modular::Number* out, const Modular::Number* in, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint32_t x[kLimbs], squared[kLimbs];
#pragma unroll
  for (int j = 0; j < kLimbs; ++j) x[j] = in[i].limb[j];
  for (int k = 0; k < Modular::kSquarings; ++k) {
    multiply(x, x, squared);
#pragma unroll
    for (int j = 0; j < kLimbs; ++j) x[j] = squared[j];
  }
#pragma unroll
  for (int j = 0; j < kLimbs; ++j) out[i].limb[j] = x[j];
}

} // namespace

KIT_CASE(modular) {
  const Modular problem(run.scale());
  const kit::Device<Modular::Number> in(problem.numbers);
  const unsigned count = static_cast<unsigned>(problem.numbers.size());
  kit::Device<Modular::Number> out(count);
  run.measure(static_cast<double>(count) * Modular::kSquarings, "Mproducts/s", 1e6, [&] {
    square_often<<<kit::groups(count, 128), 128>>>(out, in, count);
    kit::wait();
  });
  KIT_CHECK(problem.right(out.download()));
}
