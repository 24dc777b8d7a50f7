// runtime/backend/aql/soft/kernel_times.h - how long a work-group of a kernel took the last time, to tell grids that
// one thread should run from those worth sharing. A guess: entries collide and races lose an update, neither matters.
// Thread safety: any thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace hip::aql::soft {

class KernelTimes {
public:
  // Expected time of the grid on one thread; UINT64_MAX for a kernel not seen yet.
  uint64_t expected_ns(uint64_t kernel_object, uint64_t groups) const noexcept {
    const Entry& e = entry(kernel_object);
    if (e.kernel_object.load(std::memory_order_relaxed) != kernel_object) return UINT64_MAX;
    return e.ps_per_group.load(std::memory_order_relaxed) * groups / 1000;
  }
  void measured(uint64_t kernel_object, uint64_t groups, uint64_t thread_ns) noexcept {
    Entry& e = entry(kernel_object);
    e.ps_per_group.store(std::min<uint64_t>(thread_ns, uint64_t(1) << 40) * 1000 / groups, std::memory_order_relaxed);
    e.kernel_object.store(kernel_object, std::memory_order_relaxed);
  }

private:
  struct Entry {
    std::atomic<uint64_t> kernel_object{0};
    std::atomic<uint64_t> ps_per_group{0};
  };
  const Entry& entry(uint64_t kernel_object) const noexcept { return entries_[(kernel_object >> 6) % entries_.size()]; }
  Entry& entry(uint64_t kernel_object) noexcept { return entries_[(kernel_object >> 6) % entries_.size()]; }
  std::array<Entry, 1021> entries_;
};

} // namespace hip::aql::soft
