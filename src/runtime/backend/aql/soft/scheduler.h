// runtime/backend/aql/soft/scheduler.h - the threads of the software GPUs. Workers take ready queues first and join
// running jobs second. At most `threads` threads execute at a time, counting host threads that help while they wait; a
// thread that finds no permit sleeps. When all permits stay in use while a queue is ready, a few more are made, because
// the running kernels may be waiting for that queue's kernel. An idle worker spins before it sleeps, and nobody makes a
// wake-up call while one spins.
// A host thread helps only with what it waits for: the queue that will complete its signal and, through unfinished
// dependencies, the queues before that. So a kernel that waits for the host never runs on the thread it waits for.
// Thread safety: any thread. Takes no lock but to make a worker: ready queues and jobs are bits in atomic words.
#pragma once

#include "runtime/backend/aql/soft/kernel_times.h"
#include "runtime/backend/aql/soft/soft_queue.h"
#include "runtime/base/start_thread.h"

#include <vector>

namespace hip::aql::soft {

class Scheduler {
public:
  Scheduler(System& system, unsigned threads, uint64_t spin_ns);
  ~Scheduler(); // only when all queues are gone
  unsigned threads() const noexcept { return threads_; }

  // Makes workers until there are `workers`, or as many as may ever work at once. Others are made as they are wanted and
  // the system has room for them. One is enough for every queue to go on while host threads wait in help(), which stand
  // in for those that are missing. Error: OutOfMemory.
  Status start(unsigned workers) noexcept;
  QueueTable& queues() noexcept { return queues_; }
  JobTable& jobs() noexcept { return jobs_; }
  // A queue has become ready.
  void became_ready() noexcept;
  // Waits for the goal, executing what it depends on. False: the time is over.
  bool help(const SoftQueue::Goal& goal, uint64_t timeout_ns) noexcept;
  // Lets other threads join the job; this one has joined and leaves it later.
  void offer(Job& job) noexcept;
  // Runs the job on this thread and those that join; the last one to leave finishes it.
  void share(Job& job, Executor& executor) noexcept;
  // Whether the grid is so short that sharing it costs more than it brings.
  bool is_short(uint64_t kernel_object, uint64_t groups) const noexcept;
  KernelTimes& kernel_times() noexcept { return kernel_times_; }
  // No kernel is executing at this moment.
  bool quiet() const noexcept { return executing_.load(std::memory_order_seq_cst) == 0; }
  // For the end of the process: what happens to work that comes after it.
  enum class AtExit {
    Stop,       // nobody takes it, and waiting threads give up
    KernelsFail // it is taken; System::usable() says by then that kernels are refused
  };
  // Takes no new work and waits, for a limited time, until no thread executes any; then goes on as `after` says. Where
  // the time is over first, it stops.
  void quiesce(uint64_t timeout_ns, AtExit after) noexcept;
  // Waits, for a limited time, until no queue has a packet that may start and no thread executes any.
  void drain(uint64_t timeout_ns) noexcept;
  bool stopped() const noexcept { return stopping_.load(std::memory_order_seq_cst); }

private:
  void worker_main() noexcept;
  // What a worker does next: one of the two, or nothing. A worker with work has a permit.
  struct Work {
    SoftQueue* queue = nullptr; // claimed
    Job* job = nullptr;         // joined
    bool any() const noexcept { return queue || job; }
  };
  Work take_work() noexcept;
  void do_work(const Work& work, Executor& executor) noexcept;
  bool work_waiting() const noexcept;
  void wake_workers(unsigned most) noexcept;
  Status make_worker_locked() noexcept;
  bool make_worker(unsigned most_workers) noexcept;
  Work spin() noexcept;
  void watch(uint32_t epoch) noexcept;
  bool acquire_permit() noexcept;
  bool release_permit() noexcept;  // true: all were in use, and somebody may wait for this one
  bool saturated() const noexcept; // no permit is left
  bool stand_in(Executor& executor) noexcept;
  bool help_once(const SoftQueue::Goal& goal, Executor& executor) noexcept;
  std::unique_ptr<Executor> borrow_executor();
  void return_executor(std::unique_ptr<Executor> executor) noexcept;

  System& system_;
  const unsigned threads_;
  const uint64_t spin_ns_;
  KernelTimes kernel_times_;
  QueueTable queues_;
  JobTable jobs_;

  static constexpr size_t kKeptExecutors = 64;
  std::array<std::atomic<Executor*>, kKeptExecutors> executors_{}; // kept for threads that help

  alignas(64) std::atomic<unsigned> executing_{0}; // permits in use
  std::atomic<unsigned> limit_;                    // permits: threads_, more while kernels block each other
  alignas(64) std::atomic<int> spinners_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<uint32_t> epoch_{0}; // futex of the sleepers
  std::atomic<bool> stopping_{false};
  std::atomic<bool> paused_{false};   // no permits are given, and workers sleep
  std::atomic<bool> watching_{false}; // one sleeping worker watches for a stall

  std::atomic<bool> worker_missing_{false}; // the last one that was wanted could not be made
  std::mutex workers_mutex_;
  std::vector<std::thread> workers_;
  std::atomic<unsigned> worker_count_{0};
};

} // namespace hip::aql::soft
