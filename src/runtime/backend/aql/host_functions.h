// runtime/backend/aql/host_functions.h - the thread that calls a queue's host functions, started with the first one.
// Each job waits for a point of the queue, calls the function, then opens a gate that the queue's next packet waits
// for. Thread safety: submit() may be called from any thread; jobs run in order, one at a time.
#pragma once

#include "runtime/backend/aql/point.h"
#include "runtime/base/start_thread.h"

#include <condition_variable>
#include <functional>
#include <list>

namespace hip::aql {

class HostFunctions {
public:
  using Function = std::function<void(const Status& queue_status)>;
  explicit HostFunctions(Agent& agent) noexcept : agent_(agent) {}
  ~HostFunctions(); // runs what is left

  struct Job {
    Ref<Point> after;
    Ref<FaultLog> faults;
    Ref<Point> gate; // whose signal is decremented after the call
    Function function;
  };
  using Jobs = std::list<Job>;

  // Starts the thread, when it does not run yet. Error: OutOfMemory.
  Status start();
  // Everything about a call that may fail: the thread, and the job for submit().
  Result<Jobs> prepare(Job job);
  void submit(Jobs job) noexcept;
  // What a function waits for need not come any more: the agent is lost, or the queue is being destroyed. Any thread.
  bool gives_up() noexcept;

private:
  void run() noexcept;

  Agent& agent_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Jobs jobs_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace hip::aql
