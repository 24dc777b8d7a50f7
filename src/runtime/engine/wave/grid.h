// runtime/engine/wave/grid.h - a dispatch in execution and the workers that execute it. Workers take shares of consecutive
// work-groups from one counter. A worker finishes one group before it takes the next, unless its groups yield again and again:
// then they may wait for a group that nobody has started, so the worker starts one more and runs its groups in turns.
// Thread safety: a grid may be run by any number of threads; a worker belongs to one at a time.
// Memory ordering: leaving run() releases, finished() acquires.
#pragma once

#include "runtime/engine/wave/fault.h"
#include "runtime/engine/wave/grid_shape.h"
#include "runtime/engine/wave/group.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <string>

namespace hip::engine {

class WaveWorker final : public Worker {
public:
  // A group to use, kept between grids; null when there is no memory.
  WorkGroup* take_group();
  void give_group(WorkGroup* group) noexcept;
  // What the grid's instrumented code tells; null: the code is plain.
  void set_probe(Probe* probe) noexcept { probe_ = probe; }
  // Groups in execution, in the order in which they were started. Only WaveGrid uses it.
  std::vector<WorkGroup*> resident;
  // Gives back the groups that are still resident (after a fault).
  void abandon_groups() noexcept;
  // Called when another grid begins: the groups are laid out anew.
  void forget_layouts() noexcept;

private:
  std::deque<WorkGroup> groups_;
  std::vector<WorkGroup*> free_;
  Probe* probe_ = nullptr;
};

// How many of a grid's groups, of which `left` have not been taken yet, one of `threads` threads takes at once:
// neighbours, which often access the same memory.
uint64_t groups_in_share(const GridShape& shape, uint64_t left, uint32_t threads) noexcept;

class WaveGrid final : public Grid {
public:
  explicit WaveGrid(const AddressSpace& space) noexcept : space_(space) {
    shape.late = &late_;
    shape.sync = syncs_.data();
  }
  // Makes the grid as new, for another dispatch, except for the fields of `shape` that make_grid_shape() fills.
  void renew() noexcept;
  GridShape shape;
  std::unique_ptr<ItemIds> own_ids; // shape.ids, when the engine's cache does not hold them
  bool cooperative = false;
  uint32_t threads = 1; // the number of threads that may run it at once
  bool timed = false;   // Dispatch::timed
  Tool* tool = nullptr; // Dispatch::tool

  void run(Worker& worker) noexcept override;
  bool exhausted() const noexcept override { return next_.load(std::memory_order_relaxed) >= shape.group_count; }
  bool finished() const noexcept override { return exhausted() && active_.load(std::memory_order_acquire) == 0; }
  const Status& status() const noexcept override { return status_; }
  uint64_t group_count() const noexcept override { return shape.group_count; }
  void time_out(std::string_view limit) noexcept override;

  // For a thread that executes the grid's groups in their order by itself (sequence.h), in a context that it has armed.
  // The worker's only resident group has come to an end of its turn, and is not done; it is the one before group number `next`.
  // Executes it and the rest.
  void run_rest(WaveWorker& worker, GuestContext& context, uint64_t next) noexcept;
  // A wave has accessed memory that is not mapped, and the fault handler has jumped to the context's place.
  void record_access(const GuestContext& context) noexcept;
  void record_fault(Wave& wave, const WorkGroup& group) noexcept;
  // There is none for the waves of a group.
  void record_no_memory() noexcept;
  // The status, which is as new afterwards. When the grid has finished.
  Status take_status() noexcept;

private:
  // Consecutive group numbers that the caller has taken; `end` == `begin` when none is left.
  struct Share {
    uint64_t begin = 0, end = 0;
  };
  Share take() noexcept;
  // Whether groups of the kernel have been seen to wait for others, in this grid or in one before. They mostly wait for
  // those in front of them, as in a scan that is made in one pass, and then a share of more than one group would let a
  // thread wait until another one has executed all of its own.
  bool groups_wait() const noexcept;
  void note_waiting_groups() noexcept;
  void run_until_exhausted(WaveWorker& worker) noexcept;
  // Executes the groups that are resident, and those that are left to take.
  void run_groups(WaveWorker& worker, GuestContext& context) noexcept;
  void add_context(GuestContext& context) noexcept;
  void remove_context(GuestContext& context) noexcept;
  void record_time_out(const WorkGroup* group, const Wave* interrupted = nullptr, uint64_t pc = 0) noexcept;
  void record(Status status) noexcept;

  const AddressSpace& space_;
  std::atomic<uint64_t> next_{0};
  std::atomic<uint32_t> active_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<bool> groups_wait_{false};
  std::mutex status_mutex_;
  Status status_;
  std::atomic<bool> late_{false};
  std::array<WaveSync, kWaveSyncs> syncs_;
  std::mutex contexts_mutex_;           // guards what follows
  std::vector<GuestContext*> contexts_; // of the threads that run the grid, when it is timed
  std::string limit_;                   // as time_out() has it
};

} // namespace hip::engine
