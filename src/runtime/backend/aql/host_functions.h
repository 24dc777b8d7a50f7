// runtime/backend/aql/host_functions.h - the thread that calls a queue's host functions, started with the first one.
// Each job waits for a point of the queue, calls the function, then opens a gate that the queue's next packet waits
// for. Thread safety: submit() may be called from any thread; jobs run in order, one at a time.
#pragma once

#include "runtime/backend/aql/point.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

namespace hip::aql {

class HostFunctions {
public:
  using Function = std::function<void(const Status& queue_status)>;
  explicit HostFunctions(Agent& agent) noexcept : agent_(agent) {}
  ~HostFunctions(); // runs what is left

  // `gate`'s signal is decremented after the call.
  void submit(Ref<Point> after, Ref<FaultLog> faults, Ref<Point> gate, Function function);

private:
  struct Job {
    Ref<Point> after;
    Ref<FaultLog> faults;
    Ref<Point> gate;
    Function function;
  };
  void run() noexcept;

  Agent& agent_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace hip::aql
