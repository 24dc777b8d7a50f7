// runtime/engine/tools/launch_counts.h - the first tool: exact counts of one launch. All of it is in this header, so
// that both sides of the engine's border can use it.
#pragma once

#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/tools/tool.h"

#include <bit>
#include <deque>
#include <mutex>

namespace hip::engine {

struct LaunchCounts {
  // Accesses of one kind to one space.
  struct Traffic {
    uint64_t accesses = 0; // of waves; an instruction with two elements makes two
    uint64_t lanes = 0;    // lanes that accessed an element each; scalar memory: one
    uint64_t bytes = 0;
    bool operator==(const Traffic&) const = default;
  };
  struct OfSpace {
    Traffic loads, stores, atomics;
    bool operator==(const OfSpace&) const = default;
  };
  std::array<OfSpace, kMemorySpaces> by_space{};
  InstructionCounts executed;

  const OfSpace& of(MemorySpace space) const noexcept { return by_space[size_t(space)]; }
  void add(const WaveAccess& access) noexcept {
    OfSpace& space = by_space[size_t(access.space)];
    Traffic& traffic = access.kind == MemoryKind::Load    ? space.loads
                       : access.kind == MemoryKind::Store ? space.stores
                                                          : space.atomics;
    const uint64_t lanes = uint64_t(std::popcount(access.lanes));
    traffic.accesses += 1, traffic.lanes += lanes, traffic.bytes += lanes * access.bytes;
  }
  void add(const LaunchCounts& more) noexcept {
    const auto sum = [](Traffic& to, const Traffic& from) {
      to.accesses += from.accesses, to.lanes += from.lanes, to.bytes += from.bytes;
    };
    for (size_t k = 0; k < kMemorySpaces; ++k) {
      sum(by_space[k].loads, more.by_space[k].loads);
      sum(by_space[k].stores, more.by_space[k].stores);
      sum(by_space[k].atomics, more.by_space[k].atomics);
    }
    executed.add(more.executed);
  }
  bool operator==(const LaunchCounts&) const = default;
};

// Counts the launches that it is given to.
class LaunchCounter final : public Tool {
public:
  // When these launches have finished.
  LaunchCounts counts() const {
    std::lock_guard lock(mutex_);
    return counts_;
  }

  AccessListener& begin_thread() override {
    std::lock_guard lock(mutex_);
    return threads_.emplace_back();
  }
  void end_thread(AccessListener& listener, const InstructionCounts& executed) noexcept override {
    const auto& thread = static_cast<const Listener&>(listener);
    std::lock_guard lock(mutex_);
    counts_.add(thread.counts);
    counts_.executed.add(executed);
  }

private:
  struct Listener final : AccessListener {
    LaunchCounts counts;
    uint64_t before(const Wave&, const WaveAccess& access) noexcept override {
      counts.add(access);
      return 0;
    }
  };

  mutable std::mutex mutex_; // guards the rest
  std::deque<Listener> threads_;
  LaunchCounts counts_;
};

} // namespace hip::engine
