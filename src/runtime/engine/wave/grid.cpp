// runtime/engine/wave/grid.cpp - see grid.h.
#include "runtime/engine/wave/grid.h"

#include "runtime/engine/wave/run.h"
#include "runtime/engine/tiering/precompiled.h"
#include "runtime/engine/tiering/tier1.h"
#include "runtime/engine/tools/tool.h"

#include <algorithm>
#include <new>
#include <sched.h>
#include <utility>
#include <x86intrin.h>

namespace hip::engine {
namespace {

// When this many time slices have passed without the end of a group, or all resident groups have waited for this many turns in a
// row, one more group is started.
constexpr uint32_t kPatienceSlices = 16, kPatienceTurns = 4;
// When there is no group left to start, the host thread yields after this many of them.
constexpr uint32_t kSpinSlices = 32, kSpinTurns = 16;
constexpr uint64_t kLargestShare = 64;
// A share of a grid with several dimensions is rows of groups, or planes: groups above each other and one behind the other often
// access the same memory, which should stay in one core's caches.
constexpr uint64_t kRowsPerShare = 8;
// The next share is at most this fraction of the groups that are left: one of so many shares.
constexpr uint64_t kFewestShares = 16, kSharesPerThread = 4;

} // namespace

// Shares shrink towards the end of the grid so that workers finish together.
uint64_t groups_in_share(const GridShape& shape, uint64_t left, uint32_t threads) noexcept {
  const uint64_t shares = std::max(kFewestShares, uint64_t(threads) * kSharesPerThread);
  if (left < 2 * shares) return 1; // else small grids would pay for a division
  const uint64_t row = shape.groups[0], plane = row * shape.groups[1];
  const uint64_t part = shape.group_count != plane ? plane : shape.group_count != row ? row : 0;
  return std::min(left / shares, std::max(kLargestShare, kRowsPerShare * part));
}

void WaveGrid::renew() noexcept {
  shape.tiered_full = shape.tiered_partial = nullptr;
  shape.ids = nullptr;
  own_ids.reset();
  cooperative = false;
  threads = 1;
  timed = false;
  tool = nullptr;
  late_.store(false, std::memory_order_relaxed);
  next_.store(0, std::memory_order_relaxed);
  stopped_.store(false, std::memory_order_relaxed);
  groups_wait_.store(false, std::memory_order_relaxed);
  if (!status_.ok()) {
    status_ = Status();
    for (WaveSync& sync : syncs_) sync.arrived.store(0, std::memory_order_relaxed); // only a fault leaves waves at one
  }
}

WorkGroup* WaveWorker::take_group() {
  WorkGroup* group = nullptr;
  if (free_.empty())
    group = &groups_.emplace_back();
  else
    group = free_.back(), free_.pop_back();
  group->probe = probe_;
  return group;
}

void WaveWorker::give_group(WorkGroup* group) noexcept { free_.push_back(group); }

bool WaveGrid::groups_wait() const noexcept {
  const auto waits = [](const TieredFunction* kernel) {
    return kernel && kernel->groups_wait.load(std::memory_order_relaxed);
  };
  return groups_wait_.load(std::memory_order_relaxed) || waits(shape.tiered_full) || waits(shape.tiered_partial);
}

void WaveGrid::note_waiting_groups() noexcept {
  if (groups_wait_.load(std::memory_order_relaxed)) return;
  groups_wait_.store(true, std::memory_order_relaxed);
  for (TieredFunction* kernel : {shape.tiered_full, shape.tiered_partial})
    if (kernel) kernel->groups_wait.store(true, std::memory_order_relaxed);
}

WaveGrid::Share WaveGrid::take() noexcept {
  uint64_t seen = next_.load(std::memory_order_relaxed);
  if (seen >= shape.group_count) return {};
  const uint64_t count = cooperative || groups_wait() ? 1 : groups_in_share(shape, shape.group_count - seen, threads);
  uint64_t begin = next_.fetch_add(count, std::memory_order_relaxed);
  if (begin >= shape.group_count) return {};
  return {begin, std::min(begin + count, shape.group_count)};
}

void WaveGrid::record(Status status) noexcept {
  std::lock_guard lock(status_mutex_);
  if (status_.ok()) status_ = std::move(status);
  stopped_.store(true, std::memory_order_relaxed);
  next_.store(shape.group_count, std::memory_order_relaxed);
}

void WaveGrid::record_fault(Wave& wave, const WorkGroup& group) noexcept { record(fault_report(wave, group)); }

void WaveGrid::record_time_out(const WorkGroup* group, const Wave* interrupted, uint64_t pc) noexcept {
  std::string limit;
  {
    std::lock_guard lock(contexts_mutex_);
    limit = limit_;
  }
  record(time_out_report(shape, group, limit, interrupted, pc));
}

void WaveGrid::add_context(GuestContext& context) noexcept {
  context.thread = pthread_self();
  context.late = &late_;
  context.directory = shape.directory;
  std::lock_guard lock(contexts_mutex_);
  contexts_.push_back(&context);
}

void WaveGrid::remove_context(GuestContext& context) noexcept {
  std::lock_guard lock(contexts_mutex_);
  std::erase(contexts_, &context);
}

// A thread in translated code may ask nobody for ever, so it is interrupted; all others come to see `late_` or `stopped_`.
void WaveGrid::time_out(std::string_view limit) noexcept {
  std::lock_guard lock(contexts_mutex_);
  if (!late_.load(std::memory_order_relaxed)) {
    try {
      limit_ = limit;
    } catch (const std::bad_alloc&) {
      limit_ = "it may"; // "It has executed for longer than ..."; so short a text needs no memory
    }
  }
  late_.store(true, std::memory_order_release);
  stopped_.store(true, std::memory_order_release);
  for (const GuestContext* context : contexts_) interrupt_guest(*context);
}

void WaveGrid::run(Worker& worker) noexcept {
  active_.fetch_add(1, std::memory_order_acquire);
  auto& wave_worker = static_cast<WaveWorker&>(worker);
  if (tool) [[unlikely]] {
    AccessListener& listener = tool->begin_thread();
    Probe probe{{}, &listener};
    wave_worker.set_probe(&probe);
    run_until_exhausted(wave_worker);
    wave_worker.set_probe(nullptr);
    tool->end_thread(listener, probe.executed);
  } else {
    run_until_exhausted(wave_worker);
  }
  if (shape.initial.streams) _mm_sfence(); // nothing else orders stores that bypass the caches
  active_.fetch_sub(1, std::memory_order_release);
}

void WaveGrid::run_until_exhausted(WaveWorker& worker) noexcept {
  if (!exhausted()) {
    unsigned control = _mm_getcsr();
    GuestContext context;
    if (timed) add_context(context);
    if (sigsetjmp(context.jump, 0) == 0) {
      GuestContext* before = arm_guest_context(&context);
      __builtin_ia32_ldmxcsr(kGuestControl);
      worker.resident.clear();
      worker.forget_layouts();
      run_groups(worker, context);
      restore_host_state(control);
      arm_guest_context(before);
    } else if (context.interrupted) { // by interrupt_guest(), in translated code
      restore_host_state(control);
      const Wave& wave = *context.wave->current;
      // Wave::pc is the region's element, or of the wave before.
      const uint64_t begin = wave.pc->imm[1], region = wave.pc->pc - begin;
      const uint64_t pc = is_precompiled_code(context.host_pc) ? begin + region : shape.directory->guest_pc_of(context.host_pc, region);
      record_time_out(wave.group, &wave, pc);
      worker.abandon_groups();
    } else { // the fault handler has jumped here: a wave has accessed memory that is not mapped
      restore_host_state(control);
      record_access(context);
      worker.abandon_groups();
    }
    if (timed) remove_context(context);
  }
}

void WaveGrid::record_access(const GuestContext& context) noexcept {
  Wave& wave = wave_with_access(context);
  wave.fault = FaultKind::Memory;
  wave.fault_value = 0;
  record_fault(wave, *wave.group);
}

void WaveGrid::record_no_memory() noexcept {
  record(error(ErrorCode::LaunchOutOfResources, "The host has no memory for the waves of a work-group."));
}

Status WaveGrid::take_status() noexcept {
  stopped_.store(false, std::memory_order_relaxed);
  return std::exchange(status_, Status());
}

void WaveGrid::run_rest(WaveWorker& worker, GuestContext& context, uint64_t next) noexcept {
  next_.store(next, std::memory_order_relaxed);
  worker.forget_layouts(); // another group may be from the grid before
  run_groups(worker, context);
}

void WaveGrid::run_groups(WaveWorker& worker, GuestContext& context) noexcept {
  std::vector<WorkGroup*>& resident = worker.resident;
  Share share;
  uint64_t since = __rdtsc();
  uint64_t waves = 0; // of the share
  auto account = [&] {
    const uint64_t now = __rdtsc();
    for (TieredFunction* kernel : {shape.tiered_full, shape.tiered_partial})
      if (kernel) kernel->worked(now - since, waves);
    since = now;
  };
  const uint64_t x = shape.groups[0], y = shape.groups[1];
  std::array<uint32_t, 3> id{}; // of the group at share.begin
  // Makes `group` the next work-group of the grid; false when there is none, or it cannot start.
  auto start = [&](WorkGroup* group) -> bool {
    if (share.begin == share.end) {
      share = take();
      if (waves != 0) account(); // of the share before
      waves = (share.end - share.begin) * shape.waves_per_group;
      const uint64_t number = share.begin;
      if (number < x) // the first share of every grid, and all of most
        id = {uint32_t(number), 0, 0};
      else
        id = {uint32_t(number % x), uint32_t(number / x % y), uint32_t(number / x / y)};
    }
    if (share.begin == share.end) return false;
    ++share.begin;
    const std::array<uint32_t, 3> own = id;
    if (++id[0] == x) {
      id[0] = 0;
      if (++id[1] == y) id[1] = 0, ++id[2];
    }
    if (group->start(shape, own, space_)) return true;
    record_no_memory();
    return false;
  };
  auto start_one = [&]() -> bool {
    WorkGroup* group = worker.take_group();
    const bool started = start(group);
    if (started)
      resident.push_back(group);
    else
      worker.give_group(group);
    return started;
  };

  uint32_t idle_slices = 0, waiting_turns = 0;
  while (!stopped_.load(std::memory_order_relaxed)) {
    if (resident.empty() && !start_one()) break;
    bool finished = false, slice_over = false, advanced = false;
    for (size_t k = 0; k < resident.size();) {
      WorkGroup* group = resident[k];
      WorkGroup::Turn turn = group->take_turn(shape.initial.mode, context.wave);
      // The usual case: one group after the other, none of which gives up its turn.
      while (turn == WorkGroup::Turn::Done && resident.size() == 1 && !stopped_.load(std::memory_order_relaxed) &&
             start(group)) {
        finished = true;
        turn = group->take_turn(shape.initial.mode, context.wave);
      }
      if (turn != WorkGroup::Turn::Done && turn != WorkGroup::Turn::Faulted) {
        slice_over |= turn == WorkGroup::Turn::Yielded;
        advanced |= turn == WorkGroup::Turn::Advanced;
        ++k;
        continue;
      }
      finished = true;
      resident.erase(resident.begin() + std::ptrdiff_t(k));
      worker.give_group(group);
      if (turn == WorkGroup::Turn::Faulted) {
        record_fault(*group->faulted, *group);
        break;
      }
    }
    if (finished) idle_slices = 0;
    if (finished || advanced || slice_over) waiting_turns = 0;
    if (finished || (advanced && !slice_over)) continue;
    if (!slice_over) note_waiting_groups();
    uint32_t& idle = slice_over ? idle_slices : waiting_turns;
    if (++idle < (cooperative ? 1 : slice_over ? kPatienceSlices : kPatienceTurns)) continue;
    if (start_one())
      idle = 0;
    else if (idle >= (slice_over ? kSpinSlices : kSpinTurns))
      sched_yield();
  }
  // Late, unless all groups have ended nevertheless.
  const bool unfinished = !resident.empty() || share.begin != share.end || !exhausted();
  if (unfinished && late_.load(std::memory_order_acquire)) [[unlikely]]
    record_time_out(resident.empty() ? nullptr : resident.front());
  worker.abandon_groups();
}

void WaveWorker::forget_layouts() noexcept {
  for (WorkGroup& group : groups_) group.laid_out = false;
}

void WaveWorker::abandon_groups() noexcept {
  free_.insert(free_.end(), resident.begin(), resident.end());
  resident.clear();
}

} // namespace hip::engine
