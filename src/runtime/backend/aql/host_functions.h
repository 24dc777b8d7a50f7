// runtime/backend/aql/host_functions.h - the thread that calls a queue's host functions, started with the first one.
// Each job waits for a point of the queue, calls the function, then opens a gate that the queue's next packet waits
// for. Thread safety: submit() may be called from any thread; jobs run in order, one at a time.
#pragma once

#include "runtime/backend/aql/fork_generation.h"
#include "runtime/backend/aql/point.h"
#include "runtime/base/start_thread.h"

#include <condition_variable>
#include <functional>
#include <list>

namespace hip::aql {

class HostFunctions {
public:
  using Function = std::function<void(const Status& queue_status)>;
  explicit HostFunctions(Agent& agent);
  // Calls what is left, and waits for it. A host function may destroy its own queue where the queue waits for nothing
  // any more (the device is lost, or the process ends): then its own gate is opened, and what is left is called, before
  // the destructor returns; the thread touches neither queue nor agent after that.
  ~HostFunctions();
  HostFunctions(const HostFunctions&) = delete;

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
  // What the thread uses. It may outlive this object.
  struct Work final : RefCounted {
    std::mutex mutex; // guards jobs and stopping
    std::condition_variable changed;
    Jobs jobs;
    bool stopping = false;
    Job* under_way = nullptr; // whose function is being called; used by the thread alone
  };
  static void run(Agent& agent, Work& work) noexcept;
  // Opens the job's gate and drops what the job keeps of the device. Does nothing the second time.
  static void end(Agent& agent, Job& job) noexcept;

  Agent& agent_;
  const Generation generation_{};
  Ref<Work> work_;
  std::thread thread_;
};

} // namespace hip::aql
