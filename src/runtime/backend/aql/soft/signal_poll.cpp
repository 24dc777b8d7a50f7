#include "runtime/backend/aql/soft/signal_poll.h"

#include <chrono>

namespace hip::aql::soft {

namespace {
constexpr std::chrono::microseconds kPeriod(500);
}

SignalPoll::~SignalPoll() {
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Status SignalPoll::start() noexcept {
  std::lock_guard guard(mutex_);
  return thread_.joinable() ? Status() : start_thread(thread_, [this] { main(); });
}

void SignalPoll::watch() noexcept {
  std::lock_guard guard(mutex_);
  if (std::exchange(wanted_, true)) return;
  if (thread_.joinable())
    changed_.notify_one();
  else if (!start_thread(thread_, [this] { main(); }).ok())
    wanted_ = false; // the next queue that waits asks again
}

void SignalPoll::main() noexcept {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!std::exchange(wanted_, false)) {
      changed_.wait(lock, [this] { return wanted_ || stopping_; });
      continue;
    }
    changed_.wait_for(lock, kPeriod, [this] { return stopping_; });
    // A queue that still waits parks itself anew and calls watch() again.
    parking_.notify_queues();
  }
}

} // namespace hip::aql::soft
