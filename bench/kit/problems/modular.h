// Powers of numbers of 256 bits modulo a prime, by Montgomery multiplication (the prime of secp256k1).
#pragma once

#include "../kit.h"

namespace problems {

struct Modular {
  static constexpr int kLimbs = 8, kSquarings = 64;
  struct Number {
    uint32_t limb[kLimbs]; // the lowest first
  };
  static constexpr Number kPrime = {{0xfffffc2f, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}};
  static constexpr uint32_t kNegatedInverse = 0xd2253531; // -1 / prime modulo 2^32
  kit::Array<Number> numbers; // below the prime

  explicit Modular(kit::Scale scale) : numbers(scale == kit::Scale::Full ? 1u << 16 : 256) {
    kit::Random random(23);
    for (Number& x : numbers) {
      for (uint32_t& limb : x.limb) limb = random.bits();
      x.limb[kLimbs - 1] &= 0x7fffffff;
    }
  }
  // a * b / 2^256 modulo the prime, with the carries in 64 bits: by the definition, limb by limb.
  static Number multiply(const Number& a, const Number& b) {
    uint32_t t[kLimbs + 2] = {};
    for (int i = 0; i < kLimbs; ++i) {
      uint64_t carry = 0;
      for (int j = 0; j < kLimbs; ++j) {
        const uint64_t sum = static_cast<uint64_t>(a.limb[j]) * b.limb[i] + t[j] + carry;
        t[j] = static_cast<uint32_t>(sum), carry = sum >> 32;
      }
      uint64_t sum = static_cast<uint64_t>(t[kLimbs]) + carry;
      t[kLimbs] = static_cast<uint32_t>(sum), t[kLimbs + 1] = static_cast<uint32_t>(sum >> 32);
      const uint32_t m = t[0] * kNegatedInverse;
      carry = (static_cast<uint64_t>(m) * kPrime.limb[0] + t[0]) >> 32;
      for (int j = 1; j < kLimbs; ++j) {
        sum = static_cast<uint64_t>(m) * kPrime.limb[j] + t[j] + carry;
        t[j - 1] = static_cast<uint32_t>(sum), carry = sum >> 32;
      }
      sum = static_cast<uint64_t>(t[kLimbs]) + carry;
      t[kLimbs - 1] = static_cast<uint32_t>(sum);
      t[kLimbs] = t[kLimbs + 1] + static_cast<uint32_t>(sum >> 32);
    }
    Number reduced, out;
    uint64_t borrow = 0;
    for (int j = 0; j < kLimbs; ++j) {
      const uint64_t difference = static_cast<uint64_t>(t[j]) - kPrime.limb[j] - borrow;
      reduced.limb[j] = static_cast<uint32_t>(difference), borrow = difference >> 63;
    }
    const bool below = t[kLimbs] == 0 && borrow;
    for (int j = 0; j < kLimbs; ++j) out.limb[j] = below ? t[j] : reduced.limb[j];
    return out;
  }
  bool right(const kit::Array<Number>& got) const {
    for (size_t i = 0; i < numbers.size(); i += 97) {
      Number x = numbers[i];
      for (int k = 0; k < kSquarings; ++k) x = multiply(x, x);
      for (int j = 0; j < kLimbs; ++j)
        if (got[i].limb[j] != x.limb[j]) return false;
    }
    return true;
  }
};

} // namespace problems
