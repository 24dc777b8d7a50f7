#include "runtime/backend/aql/soft/scheduler.h"

#include "runtime/backend/aql/soft/futex.h"
#include "runtime/backend/aql/soft/system.h"

#include <climits>
#include <mutex>
#include <signal.h>

namespace hip::aql::soft {

namespace {

constexpr uint64_t kWorthSharingNs = 20000; // a sleeping worker takes longer than this to arrive
constexpr uint64_t kStallNs = 10'000'000;   // no permit for so long: kernels may be waiting for what waits for a permit
constexpr unsigned kMostExtraPermits = 8;
constexpr unsigned kRelaxPerLook = 16;
constexpr unsigned kDeepestHelp = 8; // queues that wait for queues

uint64_t add_saturated(uint64_t a, uint64_t b) noexcept { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

} // namespace

Scheduler::Scheduler(System& system, unsigned threads, uint64_t spin_ns)
    : system_(system), threads_(threads), spin_ns_(spin_ns), limit_(threads) {}

Scheduler::~Scheduler() {
  stopping_.store(true, std::memory_order_seq_cst);
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(epoch_, INT_MAX);
  const bool child = !system_.usable().ok();
  std::lock_guard guard(workers_mutex_);
  for (std::thread& worker : workers_) child ? worker.detach() : worker.join();
}

bool Scheduler::is_short(uint64_t kernel_object, uint64_t groups) const noexcept {
  return kernel_times_.expected_ns(kernel_object, groups) < kWorthSharingNs;
}

// ---- queues ------------------------------------------------------------------------------------------------------

void Scheduler::add(SoftQueue& queue, uint64_t queue_ptr) {
  std::lock_guard guard(lists_);
  queues_[queue_ptr] = &queue;
}

void Scheduler::remove(SoftQueue& queue, uint64_t queue_ptr) noexcept {
  {
    std::lock_guard guard(lists_);
    queues_.erase(queue_ptr);
  }
  // Its packets are done, but a thread may still be on its way out, or about to put it on the ready list.
  for (unsigned looks = 0;; ++looks) {
    {
      std::lock_guard guard(lists_);
      if (queue.ready_linked_) {
        unlink_ready(queue);
        queue.state_.fetch_and(~uint32_t(SoftQueue::kQueued), std::memory_order_seq_cst);
      }
    }
    if ((queue.state_.load(std::memory_order_seq_cst) & (SoftQueue::kQueued | SoftQueue::kRunning)) == 0) return;
    if (looks % 64 == 63) ::sched_yield();
    cpu_relax();
  }
}

void Scheduler::make_ready(SoftQueue& queue) noexcept {
  {
    std::lock_guard guard(lists_);
    ReadyList& list = ready_[queue.priority_];
    queue.ready_previous_ = list.last;
    queue.ready_next_ = nullptr;
    (list.last ? list.last->ready_next_ : list.first) = &queue;
    list.last = &queue;
    queue.ready_linked_ = true;
    ready_count_.fetch_add(1, std::memory_order_seq_cst);
  }
  activity_.fetch_add(1, std::memory_order_relaxed);
  wake_worker();
}

void Scheduler::unlink_ready(SoftQueue& queue) noexcept {
  ReadyList& list = ready_[queue.priority_];
  (queue.ready_previous_ ? queue.ready_previous_->ready_next_ : list.first) = queue.ready_next_;
  (queue.ready_next_ ? queue.ready_next_->ready_previous_ : list.last) = queue.ready_previous_;
  queue.ready_linked_ = false;
  ready_count_.fetch_sub(1, std::memory_order_seq_cst);
}

SoftQueue* Scheduler::take_ready() noexcept {
  if (ready_count_.load(std::memory_order_relaxed) == 0) return nullptr;
  std::lock_guard guard(lists_);
  for (ReadyList& list : ready_)
    while (SoftQueue* queue = list.first) {
      unlink_ready(*queue);
      queue->state_.fetch_and(~uint32_t(SoftQueue::kQueued), std::memory_order_seq_cst);
      // Somebody else may have claimed it since it was put here; then he will look for what is new.
      if (queue->try_claim()) return queue;
    }
  return nullptr;
}

// ---- jobs --------------------------------------------------------------------------------------------------------

void Scheduler::share(std::unique_ptr<Job> owned, Executor& executor) noexcept {
  Job* const job = owned.release(); // leave() deletes it
  {
    std::lock_guard guard(lists_);
    job->next_ = jobs_;
    if (jobs_) jobs_->previous_ = job;
    jobs_ = job;
    job->listed_ = true;
    job->runners_ = job->helpers_ = 1;
    open_jobs_.fetch_add(1, std::memory_order_seq_cst);
  }
  wake_worker();
  job->run(executor);
  leave(job);
}

Job* Scheduler::join(const SoftQueue* of) noexcept {
  if (open_jobs_.load(std::memory_order_relaxed) == 0) return nullptr;
  std::lock_guard guard(lists_);
  return join_locked(of);
}

Job* Scheduler::join_locked(const SoftQueue* of) noexcept {
  for (Job* job = jobs_; job;) {
    Job* const next = job->next_;
    if (job->exhausted()) {
      unlink_job(*job); // whoever is still in it will finish it
    } else if (!of || job->queue_ == of) {
      ++job->runners_;
      ++job->helpers_;
      return job;
    }
    job = next;
  }
  return nullptr;
}

void Scheduler::unlink_job(Job& job) noexcept {
  if (!job.listed_) return;
  (job.previous_ ? job.previous_->next_ : jobs_) = job.next_;
  if (job.next_) job.next_->previous_ = job.previous_;
  job.listed_ = false;
  open_jobs_.fetch_sub(1, std::memory_order_seq_cst);
}

void Scheduler::leave(Job* job) noexcept {
  bool last;
  {
    std::lock_guard guard(lists_);
    unlink_job(*job); // whoever comes back from run() has seen the end of the pieces
    last = --job->runners_ == 0;
  }
  if (!last) return;
  job->queue_->finish(*job);
  delete job;
}

// ---- workers -----------------------------------------------------------------------------------------------------

bool Scheduler::acquire_permit() noexcept {
  unsigned count = executing_.load(std::memory_order_relaxed);
  do {
    if (count >= limit_.load(std::memory_order_relaxed) || stopping_.load(std::memory_order_relaxed)) return false;
  } while (!executing_.compare_exchange_weak(count, count + 1, std::memory_order_seq_cst));
  return true;
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

bool Scheduler::work_waiting() const noexcept {
  return ready_count_.load(std::memory_order_seq_cst) != 0 || open_jobs_.load(std::memory_order_seq_cst) != 0;
}

// The one worker that wakes makes the next call when there is more to do, so that the caller pays for one at most.
void Scheduler::wake_worker() noexcept {
  if (spinners_.load(std::memory_order_seq_cst) != 0) return;
  const bool full = saturated();
  // Without a permit nobody can work, but one worker should watch whether permits come back.
  if (full && (ready_count_.load(std::memory_order_relaxed) == 0 || watching_.load(std::memory_order_relaxed))) return;
  if (sleepers_.load(std::memory_order_seq_cst) != 0) {
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    futex_wake(epoch_, 1);
    return;
  }
  const unsigned most_workers = limit_.load(std::memory_order_relaxed) + (full ? 1 : 0);
  if (worker_count_.load(std::memory_order_relaxed) >= most_workers || stopping_.load(std::memory_order_relaxed))
    return;
  std::lock_guard guard(workers_mutex_);
  if (workers_.size() >= most_workers) return;
  // Signals to the process are for its own threads. Faults are not blocked: a kernel's would end the process.
  sigset_t foreign, before;
  ::sigfillset(&foreign);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) ::sigdelset(&foreign, fault);
  ::pthread_sigmask(SIG_SETMASK, &foreign, &before);
  workers_.emplace_back([this] { worker_main(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  worker_count_.store(static_cast<unsigned>(workers_.size()), std::memory_order_relaxed);
}

bool Scheduler::work_once(Executor& executor) noexcept {
  if (!work_waiting() || !acquire_permit()) return false;
  bool worked = false;
  if (SoftQueue* queue = take_ready()) {
    if (work_waiting()) wake_worker();
    queue->process(executor, SoftQueue::Goal());
    worked = true;
  } else if (Job* job = join(nullptr)) {
    if (!job->exhausted()) wake_worker();
    job->run(executor);
    leave(job);
    worked = true;
  }
  release_permit(); // this thread looks for more itself
  return worked;
}

void Scheduler::spin() noexcept {
  uint32_t activity = activity_.load(std::memory_order_relaxed);
  uint64_t until = now_ns() + spin_ns_;
  for (uint64_t now = 0; now < until && !stopping_.load(std::memory_order_relaxed); now = now_ns()) {
    if (work_waiting() && !saturated()) return;
    for (unsigned i = 0; i < kRelaxPerLook; ++i) cpu_relax();
    if (const uint32_t latest = activity_.load(std::memory_order_relaxed); latest != activity) {
      activity = latest;
      until = now + spin_ns_;
    }
  }
}

// All permits are in use while a queue is ready. When that lasts, the kernels that run may be waiting for the one that
// does not: a permit more lets it run. On a card they would run side by side as well.
void Scheduler::watch(uint32_t epoch) noexcept {
  const uint64_t begin = now_ns();
  futex_wait(epoch_, epoch, kStallNs);
  const bool stalled = ready_count_.load(std::memory_order_relaxed) != 0 && saturated() && now_ns() - begin >= kStallNs;
  if (stalled && limit_.load(std::memory_order_relaxed) < threads_ + kMostExtraPermits)
    limit_.fetch_add(1, std::memory_order_relaxed);
  watching_.store(false, std::memory_order_relaxed);
}

void Scheduler::worker_main() noexcept {
  Executor executor;
  const int most_spinners = std::max(1, static_cast<int>(threads_) / 2);
  while (!stopping_.load(std::memory_order_relaxed)) {
    if (work_once(executor)) continue;
    if (spinners_.fetch_add(1, std::memory_order_seq_cst) < most_spinners) spin();
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    const uint32_t epoch = epoch_.load(std::memory_order_seq_cst);
    spinners_.fetch_sub(1, std::memory_order_seq_cst);
    const bool full = saturated();
    if (!stopping_.load(std::memory_order_seq_cst) && (full || !work_waiting())) {
      if (full && ready_count_.load(std::memory_order_seq_cst) != 0 &&
          !watching_.exchange(true, std::memory_order_relaxed))
        watch(epoch);
      else
        futex_wait(epoch_, epoch, UINT64_MAX);
    }
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
  }
}

// ---- helping -----------------------------------------------------------------------------------------------------

std::unique_ptr<Executor> Scheduler::borrow_executor() {
  {
    std::lock_guard guard(lists_);
    if (!executors_.empty()) {
      std::unique_ptr<Executor> executor = std::move(executors_.back());
      executors_.pop_back();
      return executor;
    }
  }
  return std::make_unique<Executor>();
}

void Scheduler::return_executor(std::unique_ptr<Executor> executor) {
  std::lock_guard guard(lists_);
  executors_.push_back(std::move(executor));
}

// Does a part of what the goal depends on: packets of its queue, or of the queue that those wait for, and so on. True
// when something was done. A dependency may complete and its signal be reused while it serves as a goal here; signals
// are never unmapped, so at worst a packet too many is taken.
bool Scheduler::help_once(SoftQueue::Goal goal, Executor& executor) noexcept {
  bool helped = false;
  uint64_t queue_ptr = goal.signal->queue_ptr;
  for (unsigned depth = 0; depth < kDeepestHelp && queue_ptr != 0; ++depth) {
    SoftQueue* queue = nullptr;
    Job* job = nullptr;
    {
      std::lock_guard guard(lists_);
      const auto found = queues_.find(queue_ptr);
      if (found == queues_.end()) break;
      if (found->second->try_claim())
        queue = found->second;
      else
        job = join_locked(found->second);
    }
    if (job) {
      job->run(executor);
      leave(job);
      return true;
    }
    if (!queue) break;
    const SoftQueue::Progress progress = queue->process(executor, goal);
    helped |= progress.any;
    if (goal.reached() || !progress.dependency) break;
    goal = {progress.dependency, 1};
    queue_ptr = progress.dependency_queue_ptr;
  }
  return helped;
}

bool Scheduler::help(const SoftQueue::Goal& goal, uint64_t timeout_ns) noexcept {
  if (goal.reached()) return true;
  const uint64_t begin = now_ns();
  const uint64_t end = add_saturated(begin, timeout_ns);
  uint64_t sleep_at = begin + spin_ns_;
  std::unique_ptr<Executor> executor = borrow_executor();
  while (!goal.reached()) {
    const uint64_t now = now_ns();
    if (now >= end || stopping_.load(std::memory_order_relaxed)) break;
    bool helped = false;
    if (acquire_permit()) {
      helped = help_once(goal, *executor);
      if (release_permit() && work_waiting()) wake_worker();
    }
    if (helped) {
      sleep_at = now_ns() + spin_ns_;
    } else if (now >= sleep_at) {
      system_.parking().sleep(*goal.signal, goal.below, end == UINT64_MAX ? UINT64_MAX : end - now);
      sleep_at = now_ns(); // woken for another signal of the bucket, or for this one
    } else {
      for (unsigned i = 0; i < kRelaxPerLook && !goal.reached(); ++i) cpu_relax();
    }
  }
  return_executor(std::move(executor));
  return goal.reached();
}

void Scheduler::quiesce(uint64_t timeout_ns) noexcept {
  stopping_.store(true, std::memory_order_seq_cst);
  const uint64_t end = add_saturated(now_ns(), timeout_ns);
  while (!quiet() && now_ns() < end) ::sched_yield();
  system_.parking().wake_all();
}

} // namespace hip::aql::soft
