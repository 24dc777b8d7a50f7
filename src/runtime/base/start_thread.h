// runtime/base/start_thread.h - how the runtime starts a thread of its own: one that takes no signals of the program
// (blocked_signals.h), and whose lack is an error like any other. Thread safety: as std::thread's.
#pragma once

#include "runtime/base/blocked_signals.h"
#include "runtime/base/status.h"

#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace hip {

// Runs `body` on a new thread, which is `thread` from then on. Error: OutOfMemory; then nothing has changed, and a
// later call may succeed.
template<class Body> Status start_thread(std::thread& thread, Body body) noexcept {
  const BlockedSignals blocked;
  try {
    thread = std::thread(std::move(body));
    return {};
  } catch (const std::system_error&) {
    return Status::no_thread();
  } catch (const std::bad_alloc&) {
    return Status::no_memory();
  }
}

} // namespace hip
