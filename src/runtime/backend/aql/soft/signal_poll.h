// runtime/backend/aql/soft/signal_poll.h - queues that wait for signals which a kernel or the host may change by a
// plain store, without telling anybody: signals of HSA's users (runtime/hsa). A thread of its own lets such queues look
// again every half millisecond; it is made with the first queue of such a user, and sleeps while none waits. Thread
// safety: any thread.
#pragma once

#include "runtime/backend/aql/soft/parking.h"
#include "runtime/base/start_thread.h"

#include <condition_variable>
#include <mutex>

namespace hip::aql::soft {

class SignalPoll {
public:
  explicit SignalPoll(Parking& parking) noexcept : parking_(parking) {}
  // Not in a child process after fork, which has no such thread to wait for.
  ~SignalPoll();
  // Makes the thread, when there is none yet. Error: OutOfMemory.
  Status start() noexcept;
  // A queue has parked itself at a signal of an unknown producer. (A producer that tells is heard without the thread,
  // which queues of others than HSA's users may lack.)
  void watch() noexcept;

private:
  void main() noexcept;

  Parking& parking_;
  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  bool wanted_ = false, stopping_ = false;
  std::thread thread_;
};

} // namespace hip::aql::soft
