// tests/tier1/traps.h - how the tests of known traps of this instruction set (traps_*_test.cpp) state what an
// instruction does: as a model of its own on the registers of a wave, with which both tiers, and handlers that compute
// one lane after the other, have to agree bit for bit. All registers that the programs may touch, SCC, VCC, EXEC and
// MODE are compared.
#pragma once

#include "machine.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tier1_test {

struct State {
  static constexpr uint32_t kRows = 16, kScalars = 16;
  uint32_t v[kRows][kMaxLanes];
  uint32_t s[kScalars];
  uint64_t vcc, exec;
  uint32_t scc, mode;
  uint64_t v64(uint32_t n, uint32_t lane) const { return v[n][lane] | uint64_t(v[n + 1][lane]) << 32; }
  void set_v64(uint32_t n, uint32_t lane, uint64_t value) {
    v[n][lane] = uint32_t(value), v[n + 1][lane] = uint32_t(value >> 32);
  }
};
using Fill = std::function<void(Wave&)>;
using Model = std::function<void(const State& before, State& after)>;

// Runs the text in all three forms, with every kind of EXEC, from random registers that `fill` may change.
void check(const std::string& text, const Model& model, const Fill& fill = {}, const std::string& processor = "gfx942");

// Runs the text in both tiers. The instruction that begins at `offset` of the program stops the wave, because the
// engine does not execute it in this form. (A Guest's text has an s_sleep in front of it.)
void check_stops_as_unsupported(const std::string& text, uint64_t offset = 4);

// A model of what each active lane does.
template<class F> Model each(F lane_model) {
  return [=](const State& before, State& after) {
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      if (before.exec >> l & 1) lane_model(before, after, l);
  };
}
// v4 = f(v0, v1, v2) of each active lane.
template<class F> Model result(F f) {
  return each([=](const State& b, State& a, uint32_t l) { a.v[4][l] = uint32_t(f(b.v[0][l], b.v[1][l], b.v[2][l])); });
}
// Each lane's v0, v1, v2 are one combination of the values.
Fill combinations(std::vector<uint32_t> values);

} // namespace tier1_test
