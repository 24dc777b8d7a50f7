#include "runtime/backend/aql/soft/scheduler.h"

#include "runtime/backend/aql/cpu_relax.h"
#include "runtime/backend/aql/soft/futex.h"
#include "runtime/backend/aql/soft/system.h"
#include "runtime/base/log.h"
#include "runtime/base/thread_names.h"

#include <algorithm>
#include <climits>
#include <mutex>
#include <pthread.h>

namespace hip::aql::soft {

namespace {

constexpr uint64_t kWorthSharingNs = 20000; // a sleeping worker takes longer than this to arrive
constexpr uint64_t kStallNs = 10'000'000;   // no permit free for so long: running kernels may wait for a ready queue
constexpr unsigned kMostExtraPermits = 8;
constexpr unsigned kRelaxPerLook = 16;
constexpr unsigned kDeepestHelp = 8; // of a chain of queues that wait for each other

constexpr unsigned kWakesPerWorker = 2;

// Each thread starts its search for an executor at a place of its own, so it finds the one that it used before.
size_t first_place() noexcept {
  static std::atomic<size_t> threads{0};
  thread_local const size_t place = threads.fetch_add(1, std::memory_order_relaxed);
  return place;
}

uint64_t add_saturated(uint64_t a, uint64_t b) noexcept { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

} // namespace

Scheduler::Scheduler(System& system, unsigned threads, uint64_t spin_ns)
    : system_(system), threads_(threads), spin_ns_(spin_ns), jobs_(threads + kMostExtraPermits), limit_(threads) {
  workers_.reserve(threads + kMostExtraPermits + 1); // all that there may be, so that making one allocates nothing
}

Scheduler::~Scheduler() {
  // Workers of the process that this one was forked from are not here; those that were stopped at exit may be stuck.
  const bool leave = stopping_.exchange(true, std::memory_order_seq_cst) || system_.inherited();
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(epoch_, INT_MAX);
  std::lock_guard guard(workers_mutex_);
  for (std::thread& worker : workers_) leave ? worker.detach() : worker.join();
  for (std::atomic<Executor*>& executor : executors_) delete executor.load(std::memory_order_acquire);
}

bool Scheduler::is_short(uint64_t kernel_object, uint64_t groups) const noexcept {
  return kernel_times_.expected_ns(kernel_object, groups) < kWorthSharingNs;
}

void Scheduler::became_ready() noexcept { wake_workers(1); }

void Scheduler::offer(Job& job) noexcept {
  jobs_.open(job);
  wake_workers(1);
}

void Scheduler::share(Job& job, Executor& executor) noexcept {
  offer(job);
  job.run(executor);
  jobs_.leave(job);
}

// ---- workers -----------------------------------------------------------------------------------------------------

bool Scheduler::acquire_permit() noexcept {
  unsigned count = executing_.load(std::memory_order_relaxed);
  do {
    if (count >= limit_.load(std::memory_order_relaxed) || stopping_.load(std::memory_order_relaxed)) return false;
  } while (!executing_.compare_exchange_weak(count, count + 1, std::memory_order_seq_cst));
  if (!paused_.load(std::memory_order_seq_cst)) return true; // else quiesce() has set it before it looked at the count
  release_permit();
  return false;
}

bool Scheduler::release_permit() noexcept {
  const unsigned before = executing_.fetch_sub(1, std::memory_order_seq_cst);
  const unsigned limit = limit_.load(std::memory_order_relaxed);
  if (limit > threads_ && before <= threads_) limit_.store(threads_, std::memory_order_relaxed); // the stall is over
  return before >= limit;
}

bool Scheduler::saturated() const noexcept {
  return executing_.load(std::memory_order_seq_cst) >= limit_.load(std::memory_order_relaxed);
}

bool Scheduler::work_waiting() const noexcept { return queues_.any_ready() || jobs_.any_open(); }

// A thread that makes work ready pays for one wake-up call at most: each worker that wakes makes the next call, for two
// more, so all are awake after a number of steps that is logarithmic in their number.
void Scheduler::wake_workers(unsigned most) noexcept {
  if (spinners_.load(std::memory_order_seq_cst) != 0) return;
  const bool full = saturated();
  // Without a permit nobody can work, but one worker should watch whether permits come back.
  if (full && (watching_.load(std::memory_order_relaxed) || !queues_.any_ready())) return;
  if (sleepers_.load(std::memory_order_seq_cst) != 0) {
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    futex_wake(epoch_, static_cast<int>(most));
    return;
  }
  const unsigned most_workers = limit_.load(std::memory_order_relaxed) + (full ? 1 : 0);
  while (most > 0 && make_worker(most_workers)) --most;
}

bool Scheduler::make_worker(unsigned most_workers) noexcept {
  if (worker_count_.load(std::memory_order_relaxed) >= most_workers || stopping_.load(std::memory_order_relaxed))
    return false;
  std::lock_guard guard(workers_mutex_);
  if (workers_.size() >= most_workers) return false;
  const bool made = make_worker_locked().ok();
  if (!worker_missing_.exchange(!made, std::memory_order_relaxed) && !made)
    log(LogLevel::Warning,
        "No thread can be made for the software GPUs, which have {} of {}: kernels run one after the "
        "other that would run at once.",
        workers_.size(), threads_);
  return made;
}

Status Scheduler::make_worker_locked() noexcept {
  std::thread worker;
  RT_TRY(start_thread(worker, [this] { worker_main(); }));
  workers_.push_back(std::move(worker));
  worker_count_.store(static_cast<unsigned>(workers_.size()), std::memory_order_relaxed);
  return {};
}

Status Scheduler::start(unsigned workers) noexcept {
  workers = std::min(workers, threads_ + kMostExtraPermits);
  if (worker_count_.load(std::memory_order_relaxed) >= workers) return {};
  std::lock_guard guard(workers_mutex_);
  while (workers_.size() < workers) RT_TRY(make_worker_locked());
  return {};
}

Scheduler::Work Scheduler::take_work() noexcept {
  Work work;
  if (!work_waiting() || !acquire_permit()) return work;
  work.queue = queues_.take_ready();
  if (!work.queue) work.job = jobs_.join(JobTable::kAnyQueue);
  if (!work.any()) release_permit(); // nobody needs to be woken: this thread looks for more itself
  return work;
}

void Scheduler::do_work(const Work& work, Executor& executor) noexcept {
  // A thread that made work ready while this one was spinning made no wake-up call (wake_workers), so this one wakes
  // others.
  uint64_t wanted = work_waiting() ? kWakesPerWorker : 0;
  if (work.job && !queues_.any_ready() && !jobs_.any_open_but(*work.job)) {
    const uint64_t pieces = work.job->pieces(), helpers = work.job->helpers.load(std::memory_order_relaxed);
    wanted = std::min<uint64_t>(wanted, pieces - std::min(pieces, helpers));
  }
  if (wanted != 0) wake_workers(static_cast<unsigned>(wanted));
  if (work.queue) {
    work.queue->process(executor, SoftQueue::Goal());
  } else {
    work.job->run(executor);
    jobs_.leave(*work.job);
  }
  release_permit(); // nobody needs to be woken: this thread looks for more itself
}

// Takes work only when two looks in a row find some: a thread that launches and waits at once claims its queue between
// the two, and is quicker alone than with a worker that competes for the queue.
Scheduler::Work Scheduler::spin() noexcept {
  uint32_t changes = queues_.changes();
  uint64_t until = now_ns() + spin_ns_;
  bool seen = false;
  for (uint64_t now = 0; now < until && !stopping_.load(std::memory_order_relaxed); now = now_ns()) {
    const bool wanted = work_waiting() && !saturated();
    if (wanted && seen)
      if (const Work work = take_work(); work.any()) return work;
    seen = wanted;
    for (unsigned i = 0; i < kRelaxPerLook; ++i) cpu_relax();
    if (const uint32_t latest = queues_.changes(); latest != changes) { // somebody launches: more work may follow
      changes = latest;
      until = now + spin_ns_;
    }
  }
  return Work();
}

// For the time when all permits are in use while a queue is ready. If that lasts, the running kernels may be waiting
// for that queue's kernel, so one more permit lets it run. On a card the kernels would run side by side as well.
void Scheduler::watch(uint32_t epoch) noexcept {
  const uint64_t begin = now_ns();
  futex_wait(epoch_, epoch, kStallNs);
  const bool stalled = queues_.any_ready() && saturated() && now_ns() - begin >= kStallNs;
  if (stalled && limit_.load(std::memory_order_relaxed) < threads_ + kMostExtraPermits)
    limit_.fetch_add(1, std::memory_order_relaxed);
  watching_.store(false, std::memory_order_relaxed);
}

void Scheduler::worker_main() noexcept {
  pthread_setname_np(pthread_self(), kWorkerThreadName);
  Executor executor;
  const int most_spinners = std::max(1, static_cast<int>(threads_) / 2);
  while (!stopping_.load(std::memory_order_relaxed)) {
    Work work = take_work();
    if (!work.any()) {
      if (spinners_.fetch_add(1, std::memory_order_seq_cst) < most_spinners) work = spin();
      if (work.any()) spinners_.fetch_sub(1, std::memory_order_seq_cst);
    }
    if (work.any()) {
      do_work(work, executor);
      continue;
    }
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    const uint32_t epoch = epoch_.load(std::memory_order_seq_cst);
    spinners_.fetch_sub(1, std::memory_order_seq_cst);
    const bool full = saturated(), paused = paused_.load(std::memory_order_seq_cst);
    if (!stopping_.load(std::memory_order_seq_cst) && (full || paused || !work_waiting())) {
      if (full && queues_.any_ready() && !watching_.exchange(true, std::memory_order_relaxed))
        watch(epoch);
      else
        futex_wait(epoch_, epoch, UINT64_MAX);
    }
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
  }
}

// ---- helping -----------------------------------------------------------------------------------------------------

std::unique_ptr<Executor> Scheduler::borrow_executor() {
  for (size_t k = 0; k < kKeptExecutors; ++k) {
    std::atomic<Executor*>& place = executors_[(first_place() + k) % kKeptExecutors];
    if (!place.load(std::memory_order_relaxed)) continue;
    if (Executor* const executor = place.exchange(nullptr, std::memory_order_acquire))
      return std::unique_ptr<Executor>(executor);
  }
  return std::make_unique<Executor>();
}

void Scheduler::return_executor(std::unique_ptr<Executor> executor) noexcept {
  for (size_t k = 0; k < kKeptExecutors; ++k) {
    Executor* nobody = nullptr;
    std::atomic<Executor*>& place = executors_[(first_place() + k) % kKeptExecutors];
    if (place.compare_exchange_strong(nobody, executor.get(), std::memory_order_release, std::memory_order_relaxed)) {
      static_cast<void>(executor.release());
      return;
    }
  }
}

// Does a part of what the goal depends on: packets of its queue, or of the queue that those packets wait for, and so
// on. True when something was done. While a dependency serves as the goal here it may complete and its signal be
// reused, and a queue may go, so both are checked again when the queue has been claimed.
bool Scheduler::help_once(const SoftQueue::Goal& goal, Executor& executor) noexcept {
  bool helped = false;
  SoftQueue::Goal step = goal;
  uint32_t tag = goal.signal->queue_tag.load(std::memory_order_relaxed);
  for (unsigned depth = 0; depth < kDeepestHelp && tag != 0; ++depth) {
    QueueTable::Entry* const entry = queues_.find(tag);
    if (!entry) break;
    SoftQueue* const queue = queues_.try_claim(*entry);
    if (!queue) {
      Job* const job = jobs_.join(tag);
      if (!job) break;
      job->run(executor);
      jobs_.leave(*job);
      return true;
    }
    if (step.reached() || step.signal->queue_tag.load(std::memory_order_relaxed) != tag ||
        QueueTable::tag_of(*entry) != tag) {
      if (queues_.give_back(*entry, QueueTable::Rest::More)) became_ready();
      return true;
    }
    const SoftQueue::Progress progress = queue->process(executor, step);
    helped |= progress.any;
    if (step.reached() || !progress.dependency) break;
    step = {progress.dependency, 1};
    tag = progress.dependency_tag;
  }
  return helped;
}

// A worker could not be made, and the kernel that this thread waits for may be waiting for what that worker would do.
// Tries to make it again; else this thread does a piece of its work, which it must not do while there is another way: a
// kernel that waits for the host would wait for this thread.
bool Scheduler::stand_in(Executor& executor) noexcept {
  if (!work_waiting()) return false;
  const bool others = spinners_.load(std::memory_order_seq_cst) != 0 || sleepers_.load(std::memory_order_seq_cst) != 0;
  wake_workers(1);
  if (others || !worker_missing_.load(std::memory_order_relaxed)) return false;
  if (saturated() && queues_.any_ready() && limit_.load(std::memory_order_relaxed) < threads_ + kMostExtraPermits)
    limit_.fetch_add(1, std::memory_order_relaxed); // as in watch()
  const Work work = take_work();
  if (work.any()) do_work(work, executor);
  return work.any();
}

bool Scheduler::help(const SoftQueue::Goal& goal, uint64_t timeout_ns) noexcept {
  if (goal.reached()) return true;
  uint64_t end = 0, sleep_at = 0; // the clock is first read after a try in vain
  std::unique_ptr<Executor> executor = borrow_executor();
  while (!goal.reached() && !stopping_.load(std::memory_order_relaxed)) {
    bool helped = false;
    if (acquire_permit()) {
      helped = help_once(goal, *executor);
      if (release_permit() && work_waiting()) wake_workers(1);
    }
    if (goal.reached()) break;
    const uint64_t now = now_ns();
    if (end == 0) end = add_saturated(now, timeout_ns);
    if (now >= end) break;
    if (helped || sleep_at == 0) {
      sleep_at = now + spin_ns_;
    } else if (now >= sleep_at) {
      uint64_t longest = end == UINT64_MAX ? UINT64_MAX : end - now;
      if (worker_missing_.load(std::memory_order_relaxed)) {
        if (stand_in(*executor)) continue;
        longest = std::min(longest, kStallNs);
      }
      system_.parking().sleep(*goal.signal, goal.below, longest);
      sleep_at = now; // woken for another signal of the bucket, or for this one
    } else {
      for (unsigned i = 0; i < kRelaxPerLook && !goal.reached(); ++i) cpu_relax();
    }
  }
  return_executor(std::move(executor));
  return goal.reached();
}

void Scheduler::drain(uint64_t timeout_ns) noexcept {
  const uint64_t end = add_saturated(now_ns(), timeout_ns);
  while ((work_waiting() || !quiet()) && now_ns() < end) ::sched_yield();
}

void Scheduler::quiesce(uint64_t timeout_ns, AtExit after) noexcept {
  (after == AtExit::Stop ? stopping_ : paused_).store(true, std::memory_order_seq_cst);
  const uint64_t end = add_saturated(now_ns(), timeout_ns);
  while (!quiet() && now_ns() < end) ::sched_yield();
  if (after == AtExit::KernelsFail) {
    if (!quiet()) stopping_.store(true, std::memory_order_seq_cst);
    paused_.store(false, std::memory_order_seq_cst);
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    futex_wake(epoch_, INT_MAX);
  }
  system_.parking().wake_all();
}

} // namespace hip::aql::soft
