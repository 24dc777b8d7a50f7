// random.h - the generator's source of randomness (SplitMix64) and its types: the same seed gives the same program with
// every compiler and standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace random_kernels {

class Random {
public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x1234567) {}
  uint64_t word() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  unsigned below(size_t n) { return static_cast<unsigned>((word() >> 16) % n); }
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); } ///< both ends included
  bool chance(unsigned percent) { return below(100) < percent; }
  template<class T> const T& pick(const std::vector<T>& from) { return from[below(from.size())]; }

private:
  uint64_t state_;
};

enum class Type : uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, I128, U128, F32, F64 };

inline const char* name(Type type) {
  static constexpr const char* kNames[] = {"i8",  "u8",  "i16",  "u16",  "i32", "u32",
                                           "i64", "u64", "i128", "u128", "f32", "f64"};
  return kNames[static_cast<size_t>(type)];
}
inline unsigned bytes(Type type) {
  static constexpr unsigned kBytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 4, 8};
  return kBytes[static_cast<size_t>(type)];
}
inline bool is_float(Type type) { return type >= Type::F32; }
inline bool is_wide(Type type) { return type == Type::I128 || type == Type::U128; }

/// A number as text: format("{} + {}", ...) is not there in the standard library of Debian 12.
inline std::string text(uint64_t number) { return std::to_string(number); }
inline std::string hex(uint64_t number) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[number & 15]);
  while (number >>= 4);
  return "0x" + digits + (number > 0xffffffffu ? "ull" : "u");
}

} // namespace random_kernels
