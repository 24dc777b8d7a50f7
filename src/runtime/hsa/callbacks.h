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

private:
  struct Watched {
    Signals::Condition condition;
    hsa_amd_signal_handler handler = nullptr;
    void* argument = nullptr;
  };
  Status start_locked();
  void tell() noexcept; // the thread looks at what is below
  void run() noexcept;

  Signals& signals_;
  std::mutex mutex_;
  std::condition_variable news_;             // wakes the thread while it watches nothing,
  aql::Signal* changes_ = nullptr;           // and this one while it sleeps on signals; as old as the thread
  std::vector<std::function<void()>> calls_; // guarded by mutex_, as the three below
  std::vector<Watched> added_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace hip::hsa
