// runtime/backend/null/null_device.h - memory, code objects and queues of the back end without execution.
// Thread safety: as backend.h demands of each class.
#pragma once

#include "runtime/backend/backend.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>

namespace hip::backend::null {

// A point that was reached when it was made.
class NullCompletion final : public Completion {
public:
  NullCompletion() noexcept;
  bool done() const noexcept override { return true; }
  Status wait() noexcept override { return Status(); }
  Status status() const noexcept override { return Status(); }
  uint64_t timestamp_ns() const noexcept override { return timestamp_ns_; }

private:
  uint64_t timestamp_ns_;
};

class NullExecutable final : public Executable {
public:
  static Result<std::unique_ptr<Executable>> load(std::span<const std::byte> image);
  Result<Kernel*> find_kernel(std::string_view name) override;
  Result<Global> find_global(std::string_view name) override;
  std::vector<Kernel*> kernels() override;
  Result<std::vector<ManagedVariable>> managed_variables() override { return managed_variables_; }
  const std::string& target() const noexcept override { return target_; }

private:
  std::string target_;
  struct Free {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_; // the image, zero where nothing was loaded
  std::map<std::string, Kernel, std::less<>> kernels_;
  std::map<std::string, Global, std::less<>> globals_;
  std::vector<ManagedVariable> managed_variables_;
};

class NullQueue : public Queue {
public:
  Status launch(const Launch&) override { return Status(); }
  Status copy(void* dst, const void* src, size_t bytes) override;
  Status copy_3d(const Region& dst, const Region& src, const Extent3& extent) override;
  Status fill_3d(const Region& dst, uint64_t pattern, uint32_t pattern_bytes, const Extent3& extent) override;
  Result<Ref<Completion>> record(const PointOptions& options) override;
  Status wait(const Ref<Completion>& completion) override;
  Status host_function(HostFunction fn, void* user_data) override;
  Status wait_value(const ValueWait& wait) override;
  bool idle() noexcept override { return true; }
  Status synchronize() noexcept override { return Status(); }
};

class NullDevice : public Device {
public:
  NullDevice();
  ~NullDevice() override;
  const DeviceProperties& properties() const noexcept override { return properties_; }
  Result<MemoryInfo> memory_info() override;
  Result<void*> allocate(size_t bytes, MemoryKind kind) override;
  Status free(void* base, MemoryKind kind) override;
  Status register_host(void* base, size_t bytes) override;
  Status unregister_host(void* base) override;
  Result<std::unique_ptr<Executable>> load(std::span<const std::byte> image) override;
  Result<std::unique_ptr<Queue>> create_queue(const QueueOptions& options) override;
  PeerLink peer_link(Device&) override { return {}; }
  Status enable_peer(Device& peer) override;
  Status disable_peer(Device& peer) override;
  uint32_t max_groups_per_cu(const Kernel& kernel, uint32_t group_items, uint32_t dynamic_lds_bytes) override;

private:
  DeviceProperties properties_;
  std::mutex mutex_;
  uint64_t used_bytes_ = 0;
  std::map<void*, size_t> allocations_;
  std::map<void*, size_t> registered_;
};

} // namespace hip::backend::null
