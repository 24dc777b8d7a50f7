// Tests of memory instructions: what a wave and its memory hold before and after one, computed lane by lane from the
// ISA documents.
#pragma once

#include "code.h"

#include <array>
#include <functional>

namespace isa_test::memory {

using u32 = uint32_t;
using u64 = uint64_t;

constexpr u32 kMemoryBytes = 8192, kLds = 4096, kWaveRows = 32;

// Everything that an instruction may change.
struct State {
  u32 v[kWaveRows][64];
  u32 s[128];
  u64 exec;
  std::array<uint8_t, kMemoryBytes> memory;
  std::array<uint8_t, kLds> lds;

  template<class T> T load(u64 offset) const {
    T out;
    std::memcpy(&out, &memory[offset], sizeof out);
    return out;
  }
  template<class T> void store(u64 offset, T value) { std::memcpy(&memory[offset], &value, sizeof value); }
  u32 lds_dword(u64 offset) const {
    u32 out = 0;
    if (offset + 4 <= kLds) std::memcpy(&out, &lds[offset], 4);
    return out;
  }
  void set_lds(u64 offset, const void* from, u32 bytes) {
    if (offset + bytes <= kLds) std::memcpy(&lds[offset], from, bytes);
  }
  template<class F> void each(F f) const {
    for (u32 l = 0; l < 64; ++l)
      if (exec >> l & 1) f(l);
  }
};
struct Case {
  std::string text;
  std::function<void(State&)> prepare; // registers, beyond random ones
  std::function<void(const State& before, State& after)> expected;
};

// v0 random small offsets, v1 0; s[0:1] the memory's address, s[4:7] a descriptor over it.
struct Descriptor {
  u32 records = kMemoryBytes, stride = 0;
  u32 swizzle = 0; // two bits; before gfx11 the higher one swizzles
  bool add_lane = false;
  u32 rule = 3; // OOB_SELECT, from gfx10 on
  u32 index_stride = 0, data_format = 4, number_format = 7, select = 4 | 5 << 3 | 6 << 6 | 7 << 9;
};
void set_descriptor(State& s, const Descriptor& d);

// Runs each case on every host level with random registers, memory, LDS and EXEC, and compares everything with what the
// case expects.
void check(const std::vector<Case>& all, const char* target);

} // namespace isa_test::memory
