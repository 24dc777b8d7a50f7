// runtime/backend/aql/hostcall_service.h - the host's end of hidden_hostcall_buffer of one device: a listener thread
// that answers what kernels ask for (printf, device malloc) while kernels that may ask are under way, and sleeps
// otherwise. Thread safety: watch() may be called from any thread; a Watch is used by one thread at a time, and its
// kernel() takes no lock and allocates nothing.
#pragma once

#include "runtime/backend/aql/fork_generation.h"
#include "runtime/backend/aql/point.h"
#include "runtime/backend/aql/printf/hostcall.h"
#include "runtime/base/mutex.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace hip::aql {

class Device;

class HostcallService {
public:
  static Result<std::unique_ptr<HostcallService>> create(Device& device);
  ~HostcallService();

  uint64_t buffer_address() const noexcept { return reinterpret_cast<uint64_t>(server_->buffer()); }
  // Listens until `kernel` is done. The kernel's queue has a Watch.
  void watch(Ref<Point> kernel);

  // Watches the kernels of one queue. They end in order, so the service waits for the last one only.
  class Watch {
  public:
    ~Watch(); // only when its kernels are done
    Watch(const Watch&) = delete;
    HostcallService& service() const noexcept { return service_; }
    // Listens until `kernel` is done. It must end after all kernels that this Watch was given before.
    void kernel(Ref<Point> kernel) noexcept;

  private:
    friend class HostcallService;
    explicit Watch(HostcallService& service) noexcept : service_(service) {}
    bool under_way() noexcept; // called by the listener

    HostcallService& service_;
    std::atomic<Point*> last_{nullptr}; // owns a reference; the listener takes the point out while it looks at it
  };

  // Starts the listener, when it does not run yet. Error: OutOfMemory.
  Result<std::unique_ptr<Watch>> make_watch();

private:
  explicit HostcallService(Device& device) noexcept : device_(device) {}
  void listen() noexcept;
  bool kernels_under_way(); // also drops the kernels that are done
  void wake() noexcept;

  Device& device_;
  const Generation generation_{};
  void* memory_ = nullptr;
  Signal* doorbell_ = nullptr;
  std::unique_ptr<HostcallServer> server_;
  Mutex mutex_; // guards the lists; a launch takes it only to add to one
  std::vector<Ref<Point>> watched_;
  std::vector<Watch*> watches_;
  std::atomic<uint32_t> asleep_{0}; // set by the listener before its last look, cleared by who wakes it
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

} // namespace hip::aql
