// runtime/backend/cuda/context.h - the primary context of one NVIDIA GPU, which CUDA libraries in the process share:
// making it current, its events, and its end when a kernel fails. A CUDA context does not survive an error of a kernel:
// from then on every call on this device gives the report that names the kernel. Other devices go on. Thread safety:
// any thread. Lives as long as its device's queues and points.
#pragma once

#include "runtime/backend/backend.h"
#include "runtime/backend/cuda/device_clock.h"
#include "runtime/backend/cuda/driver.h"
#include "runtime/backend/cuda/launch_log.h"

#include <atomic>
#include <list>
#include <mutex>
#include <unordered_set>

namespace hip::cuda {

class Context {
public:
  // `name` and `ordinal` are for messages.
  Context(const Driver& driver, CUdevice device, std::string name);
  ~Context(); // releases the primary context
  Context(const Context&) = delete;

  const Driver& driver() const noexcept { return driver_; }
  const std::string& name() const noexcept { return name_; }
  CUdevice device() const noexcept { return device_; }

  // Retains the context if need be and makes it current on the calling thread, where it stays current, as with the CUDA
  // runtime. Errors: the driver's; the report of what ended the context.
  Status enter() {
    if (!usable_.load(std::memory_order_acquire)) [[unlikely]]
      RT_TRY(start());
    CUcontext current = nullptr;
    if (get_current_(&current) == kSuccess && current == context_) [[likely]]
      return {};
    return check(driver_.cuCtxSetCurrent(context_), "cuCtxSetCurrent");
  }
  // Success, or HIP's error for what `call` gave on this context.
  Status check(CUresult result, const char* call) {
    if (result == kSuccess) [[likely]]
      return {};
    return fail(result, call);
  }
  // The report of the failure that ended the context; success while it lives.
  Status fault() const;
  // Valid after enter().
  CUcontext handle() const noexcept { return context_; }

  // Blocks until all work of the context is done. Where nobody in the process uses the device there is no context, and
  // none is made.
  Status synchronize();

  // Takes an event with these options. Its point gives it back, even while the event is pending.
  Result<CUevent> take_event(const backend::PointOptions& options);
  void give_event(CUevent event, const backend::PointOptions& options) noexcept;
  // Which tells when events were reached.
  DeviceClock& clock() noexcept { return clock_; }

  // Adds or removes a stream whose launches a report may name.
  void add_log(LaunchLog& log);
  void remove_log(LaunchLog& log) noexcept;
  // A copy of the text that lives as long as the process.
  const char* intern(const std::string& text);

  // Host functions in flight: each is called once, by the driver or, when the context is lost, with the fault.
  struct HostCall {
    Context& context;
    backend::HostFunction function;
    void* user_data;
    std::list<HostCall>::iterator self;
    bool failed; // called, or about to be, with the fault
  };
  HostCall& add_host_call(backend::HostFunction function, void* user_data);
  // Removes a call that the driver did not accept.
  void drop_host_call(HostCall& call) noexcept;
  // The function that the driver calls for every host function.
  static void run_host_call(void* call) noexcept;

private:
  Status start();
  Status fail(CUresult result, const char* call);
  void end(CUresult result, const char* call);
  std::string suspects_locked();
  bool used_by_others() const noexcept;

  const Driver& driver_;
  const decltype(Driver::cuCtxGetCurrent) get_current_; // a copy, beside the members that every call reads
  CUcontext context_ = nullptr;
  std::atomic<bool> usable_{false}; // retained and not lost
  const CUdevice device_;
  const std::string name_;

  mutable std::mutex mutex_; // start and end, logs, names
  Status fault_;
  std::vector<LaunchLog*> logs_;
  std::unordered_set<std::string> names_;

  std::mutex events_mutex_;
  std::array<std::vector<CUevent>, 4> free_events_; // by options
  DeviceClock clock_{*this};

  std::mutex calls_mutex_;
  std::list<HostCall> calls_, failed_calls_; // the latter stay: the driver may still hold their addresses
};

} // namespace hip::cuda
