// runtime/engine/decode/waiting_loop.h - which loops may wait for another wave, and what their iterations change. A wave that
// waits in a loop reads the same memory again and again. When an iteration has left every register as the one before did, the
// next one will too, until somebody else writes that memory: then others should have the processor (wave/turn.h). Both tiers
// examine loops here. Thread safety: pure functions.
#pragma once

#include "runtime/engine/decode/resolve.h"

#include <optional>
#include <span>
#include <vector>

namespace hip::engine {

// What the search asks of one operation.
struct LoopStep {
  explicit LoopStep(const ResolvedInst& inst);
  Registers writes;
  Registers addressing;        // of what reads memory
  bool reads_memory = false;   // that other waves may write, into registers
  bool reads_shared = false;   // likewise, other work-groups
  bool writes_shared = false;  // by a plain store
  bool writes_private = false; // or may do so
  bool is_coherent = false;    // it reads what other waves write meanwhile
  bool lets_others_run = false;
  bool is_call = false;        // it leaves the function, so that anything may happen
};

// What the iterations of a loop change that may wait for other waves.
struct WaitingLoop {
  Registers written;
  bool writes_private = false; // memory
  bool calls = false;          // functions, which may write any register and private memory
  void add(const WaitingLoop& other);
};
// Of the loop whose instructions are `body` in their order, when it may wait: it reads memory coherently, or at addresses that it
// does not change (such a load would have been hoisted, were it not volatile), or in a function that it calls; and nothing in it
// lets other waves run.
std::optional<WaitingLoop> find_waiting_loop(std::span<const LoopStep> body);

// A part of a wave's state: bytes of the wave's block, or its private memory. Translated code holds arrays of them.
struct StateRange {
  static constexpr uint32_t kPrivateMemory = ~0u; // as an offset
  uint32_t offset = 0, bytes = 0;                 // multiples of 4
};
std::vector<StateRange> state_of(const WaitingLoop& loop);

} // namespace hip::engine
