// runtime/engine/wave/group.h - one resident work-group: its waves, LDS and private segments, and the rule by which its
// waves take turns. A wave runs until it ends, reaches a barrier or gives up its turn; the barrier opens when every wave
// that has not ended waits at it.
// Thread safety: a group belongs to the worker that took it.
#pragma once

#include "runtime/engine/wave/grid_shape.h"
#include "runtime/engine/interpret/program.h"
#include "runtime/engine/wave/wave.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace hip::engine {

struct Probe; // tools/tool.h

inline constexpr uint32_t kMaxWavesPerGroup = 32; // 1024 work-items in waves of 32

// A block of address space whose pages the system commits when they are touched.
class LazyMemory {
public:
  LazyMemory() = default;
  LazyMemory(const LazyMemory&) = delete;
  LazyMemory& operator=(const LazyMemory&) = delete;
  ~LazyMemory();
  // Makes the block at least `bytes` large. The contents are kept only when it is large enough already. False when the system
  // refuses.
  bool reserve(size_t bytes) noexcept;
  char* data() const noexcept { return data_; }

private:
  char* data_ = nullptr;
  size_t bytes_ = 0;
};

// How far the buffer that an instruction loads from moves between two of its executions: code that goes through a matrix moves its
// descriptor's base. What will be loaded next is fetched by it.
struct BufferStep {
  uint64_t instruction = ~0ull; // a number of its own
  uint64_t base = 0;
  int64_t step = 0; // of the last move; 0: none that is worth following
};

struct WorkGroup {
  enum class Turn : uint8_t {
    Done,     // all waves have ended
    Yielded,  // a wave has used up its time slice, and no other can proceed; or the grid is late
    Advanced, // all waves wait for each other or for other work-groups, and one has done more than that
    Waiting,  // likewise, and none has done more
    Faulted, // `faulted` says which wave
  };
  enum class WaveState : uint8_t { Ready, AtBarrier, Ended };

  std::array<uint32_t, 3> id{};
  const GridShape* grid = nullptr; // whose work-group it is
  uint64_t entry_pc = 0, kernel_object = 0;
  ProgramDirectory* directory = nullptr;
  const std::atomic<bool>* late = &kNeverLate; // of the grid
  uint32_t wave_count = 0;
  uint32_t running = 0; // waves that have not ended
  Wave* faulted = nullptr;
  std::array<Wave*, kMaxWavesPerGroup> waves{};
  std::array<WaveState, kMaxWavesPerGroup> state{};
  LazyMemory memory; // waves, then LDS, then private segments
  bool laid_out = false; // the waves and everything that all groups of the grid have in common are in place
  bool as_one = false;   // translated code runs all waves as one batch next
  Probe* probe = nullptr; // of the worker whose group it is; null unless the grid's code is instrumented
  std::array<BufferStep, 64> buffer_steps; // by the instruction's number
  bool untouched = false; // since the layout only translated code has run that leaves MODE alone, and all waves as one batch

  // Makes the group ready to run as work-group `id` of a grid. False when there is no memory.
  bool start(const GridShape& shape, std::array<uint32_t, 3> id, const AddressSpace& space) noexcept;
  // Runs each wave that is ready for one turn. `current` always holds the wave in execution. The caller has set the
  // host's floating-point control word for `mode`, the MODE register with which the grid's waves start, and restores it
  // and the vector registers' upper halves after many turns: doing that for every turn would cost more than the turn.
  Turn take_turn(uint32_t mode, Wave* volatile& current) noexcept;

  // Whether the grid has executed for too long. Asked where a wave stops without having ended, and where turn_is_over()
  // is, so a launch without a limit pays nothing for it at a branch or an instruction; tier 0 comes to one of these
  // places in every loop. Translated code need not: Grid::time_out() interrupts it (fault.h).
  bool is_late() const noexcept { return late->load(std::memory_order_relaxed); }

private:
  ItemIds edge_ids_; // work-item ids of the last group that the grid's edge has cut
  bool lay_out(const GridShape& shape, const AddressSpace& space) noexcept;
  bool start_as_one(const GridShape& shape) noexcept;
  bool ready_as_one(uint32_t mode) const noexcept;
};

// Whether a group that was laid out for one of the shapes can be started for the other as it is.
bool have_same_layout(const GridShape& a, const GridShape& b) noexcept;

} // namespace hip::engine
