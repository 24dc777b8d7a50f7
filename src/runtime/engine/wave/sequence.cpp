// runtime/engine/wave/sequence.cpp - see sequence.h.
#include "runtime/engine/wave/sequence.h"

#include "runtime/codeobject/kernel_descriptor.h"
#include "runtime/engine/tiering/tier1.h"
#include "runtime/engine/wave/run.h"

#include <x86intrin.h>

namespace hip::engine {
namespace {

// The clock is read for one run of so many, because reading it twice for each grid takes a tenth of a small kernel's
// time.
constexpr uint32_t kTimedOneOf = 16;

} // namespace

bool WaveSequence::fits(const Dispatch& dispatch) noexcept {
  if (dispatch.cooperative || dispatch.timed || dispatch.tool) return false;
  const auto& kd = *reinterpret_cast<const codeobject::KernelDescriptor*>(dispatch.kernel_object);
  return !kd.enable_sgpr_queue_ptr() && !kd.enable_sgpr_dispatch_id();
}

void WaveSequence::add(std::unique_ptr<WaveGrid> grid) {
  bool same_layout = false;
  if (grid) {
    grid->shape.late = &kNeverLate; // which a layout holds
    same_layout =
        !entries_.empty() && entries_.back().grid && have_same_layout(entries_.back().grid->shape, grid->shape);
  }
  entries_.push_back({std::move(grid), same_layout});
}

bool WaveSequence::Entry::is_ready() const noexcept {
  if (!grid) return false;
  for (const TieredFunction* kernel : {grid->shape.tiered_full, grid->shape.tiered_partial})
    if (kernel && !kernel->asked.load(std::memory_order_relaxed)) return false;
  return true;
}

WaveSequence::Outcome WaveSequence::run_grid(WaveGrid& grid, WorkGroup& group, WaveWorker& worker,
                                             GuestContext& context) noexcept {
  const GridShape& shape = grid.shape;
  std::array<uint32_t, 3> id{};
  for (uint64_t number = 0; number < shape.group_count; ++number) {
    if (!group.start(shape, id, space_)) {
      grid.record_no_memory();
      return Outcome::Failed;
    }
    const WorkGroup::Turn turn = group.take_turn(shape.initial.mode, context.wave);
    if (turn == WorkGroup::Turn::Faulted) [[unlikely]] {
      grid.record_fault(*group.faulted, group);
      return Outcome::Failed;
    }
    if (turn != WorkGroup::Turn::Done) [[unlikely]] {
      grid.run_rest(worker, context, number + 1);
      return grid.status().ok() ? Outcome::DoneElsewhere : Outcome::Failed;
    }
    if (++id[0] == shape.groups[0]) {
      id[0] = 0;
      if (++id[1] == shape.groups[1]) id[1] = 0, ++id[2];
    }
  }
  if (shape.initial.streams) _mm_sfence(); // as in WaveGrid::run
  return Outcome::Done;
}

void WaveSequence::run_entries(WaveWorker& worker, GuestContext& context, size_t first, size_t end) noexcept {
  const bool timed = ++entries_[first].runs % kTimedOneOf == 0;
  uint64_t since = timed ? __rdtsc() : 0;
  WorkGroup* group = nullptr;
  for (at_ = first; at_ < end && entries_[at_].is_ready(); ++at_) {
    const Entry& entry = entries_[at_];
    WaveGrid& grid = *entry.grid;
    if (!group) {
      worker.resident.assign(1, worker.take_group());
      group = worker.resident.front();
      group->laid_out = false;
    } else if (!entry.same_layout) {
      group->laid_out = false;
    }
    const Outcome outcome = run_grid(grid, *group, worker, context);
    if (outcome == Outcome::Failed) [[unlikely]] {
      status_ = grid.take_status();
      ++at_;
      break;
    }
    if (outcome == Outcome::DoneElsewhere) group = nullptr;
    if (!timed) continue;
    const uint64_t now = __rdtsc();
    for (TieredFunction* kernel : {grid.shape.tiered_full, grid.shape.tiered_partial})
      if (kernel)
        kernel->worked((now - since) * kTimedOneOf, grid.shape.group_count * grid.shape.waves_per_group * kTimedOneOf);
    since = now;
  }
  worker.abandon_groups();
}

size_t WaveSequence::run(Worker& worker, size_t first, size_t end) noexcept {
  auto& wave_worker = static_cast<WaveWorker&>(worker);
  if (!status_.ok()) status_ = Status();
  const unsigned control = _mm_getcsr();
  GuestContext context;
  if (sigsetjmp(context.jump, 0) == 0) {
    GuestContext* const before = arm_guest_context(&context);
    __builtin_ia32_ldmxcsr(kGuestControl);
    run_entries(wave_worker, context, first, end);
    restore_host_state(control);
    arm_guest_context(before);
    return at_;
  }
  // The fault handler has jumped here.
  restore_host_state(control);
  WaveGrid& grid = *entries_[at_].grid;
  grid.record_access(context);
  status_ = grid.take_status();
  wave_worker.abandon_groups();
  return ++at_;
}

} // namespace hip::engine
