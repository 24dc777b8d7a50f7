// runtime/backend/aql/hostcall_service.h - the host's end of hidden_hostcall_buffer of one device: a listener thread
// that answers what kernels ask for (printf, device malloc) while kernels that may ask are under way, and sleeps
// otherwise. Thread safety: watch() may be called from any thread.
#pragma once

#include "runtime/backend/aql/point.h"
#include "runtime/backend/aql/printf/hostcall.h"

#include <condition_variable>
#include <thread>

namespace hip::aql {

class Device;

class HostcallService {
public:
  static Result<std::unique_ptr<HostcallService>> create(Device& device);
  ~HostcallService();

  uint64_t buffer_address() const noexcept { return reinterpret_cast<uint64_t>(server_->buffer()); }
  // Listens until `kernel` is done.
  void watch(Ref<Point> kernel);

private:
  explicit HostcallService(Device& device) noexcept : device_(device) {}
  void listen() noexcept;
  bool kernels_under_way(); // forgets those that are done

  Device& device_;
  void* memory_ = nullptr;
  Signal* doorbell_ = nullptr;
  std::unique_ptr<HostcallServer> server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Ref<Point>> watched_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace hip::aql
