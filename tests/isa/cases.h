// tests/isa/cases.h - an instruction (or a few) and what it does to a whole wave, written from the ISA manual; every host level
// must do exactly that. The harness (cases.cpp) runs each case with random and special values and full, partial and empty EXEC.
#pragma once

#include "code.h"

#include <bit>
#include <functional>
#include <string>
#include <vector>

namespace isa_test {

using u32 = uint32_t;
using u64 = uint64_t;

struct State {
  u32 v[16][64];
  u32 s[32];
  u64 vcc, exec;
  u32 scc;

  float f(u32 row, u32 lane) const { return std::bit_cast<float>(v[row][lane]); }
  u64 v64(u32 row, u32 lane) const { return v[row][lane] | u64(v[row + 1][lane]) << 32; }
  u32 lo(u32 row, u32 lane) const { return v[row][lane] & 0xffff; }
  u32 hi(u32 row, u32 lane) const { return v[row][lane] >> 16; }
};
inline u32 raw(float f) { return std::bit_cast<u32>(f); }
inline float half(u32 bits) { return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits))); }
inline u32 half_bits(float f) { return std::bit_cast<uint16_t>(static_cast<_Float16>(f)); }
_Float16 fma_f16(_Float16 a, _Float16 b, _Float16 c); // rounded once (reference_float.cpp)
inline float clamp01(float f) { return f > 0 ? (f < 1 ? f : 1) : 0; }
inline u32 pair(u32 lo, u32 hi) { return (lo & 0xffff) | hi << 16; }

using Lane = std::function<u32(const State&, u32 lane)>;
using Whole = std::function<void(const State& before, State& after)>;

struct Case {
  std::string text;
  Whole expected;
  bool exact = false; // NaNs count by their bits, too: results that are no f32 and no f16
};
// v6 of each active lane.
inline Whole each(Lane lane_result) {
  return [=](const State& b, State& a) {
    for (u32 lane = 0; lane < 64; ++lane)
      if (b.exec >> lane & 1) a.v[6][lane] = lane_result(b, lane);
  };
}
// VCC: the condition of active lanes, 0 elsewhere.
inline Whole mask(std::function<bool(const State&, u32)> condition) {
  return [=](const State& b, State& a) {
    a.vcc = 0;
    for (u32 lane = 0; lane < 64; ++lane) a.vcc |= u64((b.exec >> lane & 1) && condition(b, lane)) << lane;
  };
}
// Byte n of the wave's LDS, which has kLdsBytes.
inline constexpr u32 kLdsBytes = 256;
inline uint8_t lds_byte(u64 n) { return uint8_t(n * 7 + 3); }
inline constexpr u64 kSharedAperture = 0x0001'0000'0000'0000;
inline u32 byte(u32 v, int n) { return v >> (8 * n) & 0xff; }

// Checks all cases on a processor; `lanes`: of the waves, 0: its default.
void check_cases(const std::vector<Case>& all, const char* target, uint32_t lanes = 0);

} // namespace isa_test
