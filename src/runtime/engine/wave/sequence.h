// runtime/engine/wave/sequence.h - small dispatches that one thread executes one after the other, time and again. Each
// has a grid that was made ready once. A run arms the thread for faults once, takes every group of every grid by
// itself, so that nothing is counted by atomic operations, and leaves the waves' layout in place from a grid to the
// next one of the same kernel. A group that gives up its turn, because it waits for another one or takes long, goes the
// general way (WaveGrid::run_rest). Thread safety: one thread at a time.
#pragma once

#include "runtime/engine/wave/grid.h"

#include <vector>

namespace hip::engine {

class WaveSequence final : public DispatchSequence {
public:
  explicit WaveSequence(const AddressSpace& space) noexcept : space_(space) {}
  // Whether what the dispatch, which can be prepared, does is told by its memory alone.
  static bool fits(const Dispatch& dispatch) noexcept;
  // Adds a dispatch whose grid has been prepared; null: a dispatch that is not executed here.
  void add(std::unique_ptr<WaveGrid> grid);

  size_t run(Worker& worker, size_t first, size_t end) noexcept override;
  const Status& status() const noexcept override { return status_; }

private:
  struct Entry {
    std::unique_ptr<WaveGrid> grid;
    bool same_layout = false; // as the entry before
    uint32_t runs = 0;        // that began here
    // Nothing about the kernel's translation needs Engine::prepare(): it has been asked for.
    bool is_ready() const noexcept;
  };
  // What has come of a grid.
  enum class Outcome { Done, DoneElsewhere /* the worker's groups are given back */, Failed };
  void run_entries(WaveWorker& worker, GuestContext& context, size_t first, size_t end) noexcept;
  Outcome run_grid(WaveGrid& grid, WorkGroup& group, WaveWorker& worker, GuestContext& context) noexcept;

  const AddressSpace& space_;
  std::vector<Entry> entries_;
  size_t at_ = 0; // the dispatch in execution
  Status status_;
};

} // namespace hip::engine
