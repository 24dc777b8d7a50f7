// runtime/hsa/callbacks.h - the thread on which the user's functions are called: handlers of signals, errors of queues,
// and what hsa_amd_async_function asks for. It executes no kernels, which may be waiting for the very call. Thread
// safety: any thread, the callbacks' own included.
#pragma once

#include "runtime/base/start_thread.h"
#include "runtime/hsa/signals.h"

#include <condition_variable>
#include <functional>

namespace hip::hsa {

class Callbacks {
public:
  explicit Callbacks(Signals& signals) noexcept : signals_(signals) {}
  ~Callbacks(); // ends after the call under way; calls that are left are not made

  // Makes the thread, when there is none yet. Error: OutOfMemory.
  Status start();
  // Both need the thread, and make it when there is none yet. Error: OutOfMemory.
  Status call(std::function<void()> function);
  // Calls `handler` when the condition holds, and again for as long as it returns true.
  Status watch(const Signals::Condition& condition, hsa_amd_signal_handler handler, void* argument);
  // The signal goes: its handlers are not called any more, and nobody looks at it when this returns. A call that is
  // under way goes on.
  void forget(const aql::Signal& signal) noexcept;

private:
  struct Watched {
    Signals::Condition condition;
    hsa_amd_signal_handler handler = nullptr;
    void* argument = nullptr;
  };
  Status start_locked();
  void tell() noexcept; // the thread looks at what is below
  void run() noexcept;
  // True: one was called.
  bool call_handlers(std::unique_lock<std::mutex>& lock, const bool& gone);

  Signals& signals_;
  std::mutex mutex_;
  std::condition_variable news_;             // wakes the thread while it watches nothing,
  aql::Signal* changes_ = nullptr;           // and this one while it sleeps on signals; as old as the thread
  std::vector<std::function<void()>> calls_; // guarded by mutex_, as those below but the thread
  std::vector<Watched> added_;
  std::vector<Watched> watched_; // those of a signal that is gone have none; only the thread adds and takes away
  bool dozing_ = false;          // the thread sleeps on signals,
  uint64_t dozes_ = 0;           // so often before
  std::condition_variable awake_;
  bool stopping_ = false;
  bool* gone_ = nullptr; // the thread's own note that one of its calls has destroyed this object
  std::thread thread_;
};

} // namespace hip::hsa
