// Powers of numbers of 256 bits modulo a prime: four limbs of 64 bits, with products of 128.
#include "problems/modular.h"

namespace {

using Wide = unsigned __int128;
constexpr int kWords = 4;
constexpr uint64_t kPrime[kWords] = {0xfffffffefffffc2f, ~0ull, ~0ull, ~0ull};
constexpr uint64_t kNegatedInverse = 0xd838091dd2253531; // -1 / prime modulo 2^64

inline void multiply(const uint64_t* a, const uint64_t* b, uint64_t* out) {
  uint64_t t[kWords + 2] = {};
  for (int i = 0; i < kWords; ++i) {
    uint64_t carry = 0;
    for (int j = 0; j < kWords; ++j) {
      const Wide sum = static_cast<Wide>(a[j]) * b[i] + t[j] + carry;
      t[j] = static_cast<uint64_t>(sum), carry = static_cast<uint64_t>(sum >> 64);
    }
    Wide sum = static_cast<Wide>(t[kWords]) + carry;
    t[kWords] = static_cast<uint64_t>(sum), t[kWords + 1] = static_cast<uint64_t>(sum >> 64);
    const uint64_t m = t[0] * kNegatedInverse;
    carry = static_cast<uint64_t>((static_cast<Wide>(m) * kPrime[0] + t[0]) >> 64);
    for (int j = 1; j < kWords; ++j) {
      sum = static_cast<Wide>(m) * kPrime[j] + t[j] + carry;
      t[j - 1] = static_cast<uint64_t>(sum), carry = static_cast<uint64_t>(sum >> 64);
    }
    sum = static_cast<Wide>(t[kWords]) + carry;
    t[kWords - 1] = static_cast<uint64_t>(sum);
    t[kWords] = t[kWords + 1] + static_cast<uint64_t>(sum >> 64);
  }
  uint64_t reduced[kWords], borrow = 0;
  for (int j = 0; j < kWords; ++j) {
    const Wide difference = static_cast<Wide>(t[j]) - kPrime[j] - borrow;
    reduced[j] = static_cast<uint64_t>(difference), borrow = static_cast<uint64_t>(difference >> 127);
  }
  const bool below = t[kWords] == 0 && borrow;
  for (int j = 0; j < kWords; ++j) out[j] = below ? t[j] : reduced[j];
}

} // namespace

KIT_CASE(modular) {
  using problems::Modular;
  const Modular problem(run.scale());
  kit::Array<Modular::Number> out(problem.numbers.size());
  run.measure(static_cast<double>(out.size()) * Modular::kSquarings, "Mproducts/s", 1e6, [&] {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < out.size(); ++i) {
      uint64_t x[kWords], squared[kWords];
      std::memcpy(x, &problem.numbers[i], sizeof(x));
      for (int k = 0; k < Modular::kSquarings; ++k) {
        multiply(x, x, squared);
        std::memcpy(x, squared, sizeof(x));
      }
      std::memcpy(&out[i], x, sizeof(x));
    }
  });
  KIT_CHECK(problem.right(out));
}
