// runtime/backend/aql/fork_generation.h - whether something was made by this process or by one that it was forked from,
// whose threads it does not have. Thread safety: any thread.
#pragma once

#include <atomic>

namespace hip::aql {

// How many calls of fork() lie between this process and the one that made the first Generation.
extern constinit std::atomic<unsigned> fork_generation;

// A member of what does not survive fork(): remembers which process made it.
class Generation {
public:
  Generation() noexcept;
  // This process was forked, directly or not, from the one that made the object. Costs a load.
  bool inherited() const noexcept { return fork_generation.load(std::memory_order_relaxed) != made_in_; }

private:
  unsigned made_in_;
};

} // namespace hip::aql
