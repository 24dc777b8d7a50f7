// runtime/backend/aql/device.h - one agent as a Device of backend.h, with what all its queues share: the pool of points
// and the buffers that kernels reach through hidden arguments, made when first needed. Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/aql/external.h"
#include "runtime/backend/aql/point_pool.h"

#include <memory>
#include <mutex>

namespace hip::aql {

class HostcallService;
class Queue;

class Device final : public backend::Device {
public:
  explicit Device(std::unique_ptr<Agent> agent);
  ~Device() override;

  const backend::DeviceProperties& properties() const noexcept override { return agent_->properties(); }
  Status fault() const override { return agent_->usable(); }
  Result<backend::MemoryInfo> memory_info() override { return agent_->memory_info(); }
  Result<void*> allocate(size_t bytes, backend::MemoryKind kind) override;
  Status free(void* base, backend::MemoryKind kind) override;
  Status register_host(void* base, size_t bytes) override;
  Status unregister_host(void* base) override;
  Result<std::unique_ptr<backend::Executable>> load(std::span<const std::byte> image) override;
  Result<std::unique_ptr<backend::Queue>> create_queue(const backend::QueueOptions& options) override;
  Result<Ref<backend::CommandList>> prepare(std::vector<backend::Command> commands) override;
  backend::PeerLink peer_link(backend::Device& peer) override;
  Status enable_peer(backend::Device& peer) override;
  Status disable_peer(backend::Device&) override { return {}; }
  Status advise(const void* base, size_t bytes, backend::Advice advice, backend::Device* where) override;
  uint32_t max_groups_per_cu(const backend::Kernel& kernel, uint32_t group_items, uint32_t dynamic_lds_bytes) override;

  Result<uint32_t> atomic_capabilities(backend::AtomicOperation operation, backend::Device* peer) override;

  backend::VirtualMemory* virtual_memory() noexcept override { return agent_->virtual_memory(); }
  backend::ExternalObjects* external_objects() noexcept override { return &external_; }

  Agent& agent() noexcept { return *agent_; }
  PointPool& points() noexcept { return points_; }
  // The device heap of malloc in kernels: zeroed once, then owned by the device library.
  Result<uint64_t> heap();
  // The queue of cooperative kernels, where they need one of its own: for the thread that has the lock.
  struct CooperativeQueue {
    std::unique_lock<std::mutex> lock;
    Queue* queue;
  };
  Result<CooperativeQueue> cooperative_queue();
  // The service that answers the calls of kernels to the host.
  Result<HostcallService*> hostcalls();

private:
  std::unique_ptr<Agent> agent_;
  PointPool points_;
  External external_;
  std::mutex mutex_;
  void* heap_ = nullptr;
  std::unique_ptr<HostcallService> hostcalls_;
  std::mutex cooperative_mutex_;
  std::unique_ptr<Queue> cooperative_;
};

} // namespace hip::aql
