// runtime/engine/wave/grid.h - a dispatch in execution and the workers that execute it. Work-groups are handed out by one
// counter, in runs of neighbours. A worker finishes one group before it takes the next, unless its groups give up their
// turns again and again: then they may be waiting for a group that nobody has started, so it takes one more and rotates.
// Thread safety: a grid may be run by any number of threads; a worker belongs to one at a time.
// Memory ordering: leaving run() releases, finished() acquires.
#pragma once

#include "runtime/engine/wave/fault.h"
#include "runtime/engine/wave/grid_shape.h"
#include "runtime/engine/wave/group.h"

#include <atomic>
#include <deque>
#include <mutex>

namespace hip::engine {

class WaveWorker final : public Worker {
public:
  // A group to use, kept between grids; null when there is no memory.
  WorkGroup* take_group();
  void give_group(WorkGroup* group) noexcept;
  // Groups in execution, in the order in which they were started; the grid's business.
  std::vector<WorkGroup*> resident;
  // Gives back what is still resident (after a fault).
  void abandon_groups() noexcept;
  // Another grid begins: what groups hold of the one before is worth nothing.
  void forget_layouts() noexcept;

private:
  std::deque<WorkGroup> groups_;
  std::vector<WorkGroup*> free_;
};

class WaveGrid final : public Grid {
public:
  explicit WaveGrid(const AddressSpace& space) noexcept : space_(space) {}
  // As if it had just been made, for another dispatch; make_grid_shape() does the same for what the shape holds.
  void renew() noexcept;
  GridShape shape;
  std::unique_ptr<ItemIds> own_ids; // when the engine's cache does not hold them
  bool cooperative = false;
  uint32_t threads = 1; // that may run it at once

  void run(Worker& worker) noexcept override;
  bool exhausted() const noexcept override { return next_.load(std::memory_order_relaxed) >= shape.group_count; }
  bool finished() const noexcept override { return exhausted() && active_.load(std::memory_order_acquire) == 0; }
  const Status& status() const noexcept override { return status_; }
  uint64_t group_count() const noexcept override { return shape.group_count; }

private:
  // A run of group numbers that the caller now owns; `end` == `begin` when none is left.
  struct Share {
    uint64_t begin = 0, end = 0;
  };
  Share take() noexcept;
  void run_groups(WaveWorker& worker, GuestContext& context) noexcept;
  void record_fault(Wave& wave, const WorkGroup& group) noexcept;
  void record(Status status) noexcept;

  const AddressSpace& space_;
  std::atomic<uint64_t> next_{0};
  std::atomic<uint32_t> active_{0};
  std::atomic<bool> stopped_{false};
  std::mutex status_mutex_;
  Status status_;
};

} // namespace hip::engine
