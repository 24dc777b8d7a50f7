// runtime/backend/aql/soft/compute_unit_masks.h - the compute units that the kernels of one queue may run on. A compute
// unit of a software GPU is a thread, so a mask limits how many threads execute a kernel at once. A new mask holds from
// the next packet on; the old one stays until no kernel that was given it is under way, because grids refer to its
// words. Thread safety: set_next() and has_next() from any thread; the rest by the thread that has claimed the queue,
// and the lock, which is held by set_next() and take_next() alone, guards the mask that is to come.
#pragma once

#include "runtime/backend/aql/soft/job.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <span>
#include <vector>

namespace hip::aql::soft {

class ComputeUnitMasks {
public:
  // Of a device with so many units. No words: all units. A mask without any unit of the device counts as one unit.
  ComputeUnitMasks(unsigned units, std::span<const uint32_t> mask);

  // The mask of packets that no thread has taken yet.
  void set_next(std::span<const uint32_t> mask);
  bool has_next() const noexcept { return has_next_.load(std::memory_order_relaxed); }
  // The mask that set_next() left is that of the next packet. Allocates nothing.
  enum class Kernels { NoneUnderWay, MayBeUnderWay };
  void take_next(Kernels kernels) noexcept;

  // Of the next packet; the words stay as long as a kernel that was begun with them is under way.
  std::span<const uint32_t> current() const noexcept { return masks_.front(); }
  // How many threads execute one of its kernels at once; Job::kAnyNumber: all that there are.
  unsigned most_threads() const noexcept { return most_threads_; }

private:
  using Mask = std::vector<uint32_t>;
  unsigned threads_on(const Mask& mask) const noexcept;

  const unsigned units_;
  unsigned most_threads_;
  // The first one is that of the next packet; the others are those of kernels that may be under way.
  std::list<Mask> masks_;
  std::atomic<bool> has_next_{false};
  std::mutex next_mutex_;
  std::list<Mask> next_; // one, or none; guarded by next_mutex_
};

} // namespace hip::aql::soft
