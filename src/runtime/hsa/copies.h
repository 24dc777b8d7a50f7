// runtime/hsa/copies.h - asynchronous copies: queues of the library's own on one GPU, in which a copy is its barriers
// (up to five signals each) and a transfer. A copy that waits holds up those behind it in its queue, as on the copy
// engines of cards, so there are several queues, and copies without signals take one that is idle. Thread safety: any
// thread.
#pragma once

#include "runtime/hsa/agents.h"

#include <mutex>
#include <span>

namespace hip::hsa {

class Copies {
public:
  static constexpr unsigned kEngines = 4;

  explicit Copies(aql::Agent& agent) noexcept;
  ~Copies(); // ends with the copies that are under way; others are not made

  // Begins when all of `dependencies` are 0; then decrements `completion`, which becomes negative when the copy fails.
  // `engine`: kAny, or which queue.
  static constexpr unsigned kAny = UINT32_MAX;
  Status copy(const aql::Transfer& transfer, std::span<const hsa_signal_t> dependencies, aql::Signal* completion,
              unsigned engine);
  // A bit for each engine that has nothing to do.
  uint32_t idle_engines() noexcept;

private:
  class Engine;
  Result<Engine*> engine(unsigned index);

  aql::Agent& agent_;
  std::mutex mutex_; // guards engines_
  std::array<std::unique_ptr<Engine>, kEngines> engines_;
  unsigned next_ = 0;
};

} // namespace hip::hsa
