// runtime/backend/cuda/device.h - one NVIDIA GPU as a Device: its properties, its memory, its primary context, which is
// retained when something needs it first. Thread safety: any thread.
#pragma once

#include "runtime/backend/cuda/context.h"
#include "runtime/backend/cuda/external.h"
#include "runtime/backend/cuda/images.h"
#include "runtime/backend/cuda/partitions.h"
#include "runtime/backend/virtual_memory.h"

#include <memory>

namespace hip::cuda {

class Device final : public backend::Device {
public:
  // Reads the properties; makes no context.
  static Result<std::unique_ptr<Device>> create(const Driver& driver, int ordinal);

  const backend::DeviceProperties& properties() const noexcept override { return properties_; }
  Result<backend::MemoryInfo> memory_info() override;
  // FineGrained is managed memory where the host may use it while kernels run, else pinned host memory: either is
  // coherent with the host, which plain device memory is not.
  [[gnu::hot]] Result<void*> allocate(size_t bytes, backend::MemoryKind kind) override;
  [[gnu::hot]] Status free(void* base, backend::MemoryKind kind) override;
  Status register_host(void* base, size_t bytes) override;
  Status unregister_host(void* base) override;
  Result<std::unique_ptr<backend::Executable>> load(std::span<const std::byte> image) override;
  Result<std::unique_ptr<backend::Queue>> create_queue(const backend::QueueOptions& options) override;
  Result<Ref<backend::CommandList>> prepare(std::vector<backend::Command> commands) override;
  Result<std::unique_ptr<backend::MemoryPool>> create_pool(const backend::PoolOptions* options) override;
  Result<std::unique_ptr<backend::MemoryPool>> import_pool(int descriptor) override;
  backend::PeerLink peer_link(backend::Device& peer) override;
  Status enable_peer(backend::Device& peer) override;
  Status disable_peer(backend::Device& peer) override;
  uint32_t max_groups_per_cu(const backend::Kernel& kernel, uint32_t group_items, uint32_t dynamic_lds_bytes) override;
  Result<uint32_t> largest_cluster(const backend::Kernel& kernel, const backend::ClusterShape& shape) override;
  Result<uint32_t> active_clusters(const backend::Kernel& kernel, const backend::ClusterShape& shape) override;
  Result<uint32_t> atomic_capabilities(backend::AtomicOperation operation, backend::Device* peer) override;
  Status flush_remote_writes(WrittenFor whom) override;
  backend::UnitPartitions* unit_partitions() noexcept override { return partitions_.get(); }
  Status set_limit(backend::DeviceLimit limit, uint64_t value) override;
  Status reset_persisting_lines() override;
  Status set_wait_policy(backend::WaitPolicy policy) override;
  Status advise(const void* base, size_t bytes, backend::Advice advice, backend::Device* where) override;
  backend::Images* images() noexcept override { return images_.get(); }
  backend::ExternalObjects* external_objects() noexcept override { return external_.get(); }
  backend::VirtualMemory* virtual_memory() noexcept override { return virtual_memory_.get(); }
  Status fault() const override { return context_->fault(); }
  Status select() override { return context_->enter(); }
  Status collect_profile(bool on) override;
  Status synchronize() override { return context_->synchronize(); }

  Context& context() noexcept { return *context_; }
  CUdevice handle() const noexcept { return device_; }
  bool has_memory_pools() const noexcept { return has_memory_pools_; }
  // Error: OutOfMemory for more than the device has in all.
  Status check_size(size_t bytes) const;
  // Sets the list of all devices of the back end; called once, before anything else is done with them.
  void set_family(std::span<backend::Device* const> family) noexcept { family_ = family; }
  // The context of the GPU in whose memory `address` lies; null for host and managed memory, which every GPU reaches,
  // and where there is only one GPU.
  Result<CUcontext> owner_of(const void* address);

private:
  Device() = default;
  Status read_properties(const Driver& driver, int ordinal);
  std::unique_ptr<backend::MemoryPool> owned_pool(CUmemoryPool pool);
  // The three forms of memory that cuMemAlloc and its kin know.
  enum class Form { Device, Managed, Host };
  Form form_of(backend::MemoryKind kind) const noexcept {
    switch (kind) {
    case backend::MemoryKind::HostPinned:
    case backend::MemoryKind::Signal: // streams wait for no word in managed memory
      return Form::Host;
    case backend::MemoryKind::Managed:
      return Form::Managed;
    case backend::MemoryKind::FineGrained:
      return properties_.concurrent_managed_access ? Form::Managed : Form::Host;
    case backend::MemoryKind::Device:
    case backend::MemoryKind::StreamOrdered:
    case backend::MemoryKind::Mapped:
    case backend::MemoryKind::External:
      break;
    }
    return Form::Device;
  }
  int map_priority(int priority) const noexcept;
  using ClusterOccupancy = CUresult (*)(int* count, CUfunction function, const CUlaunchConfig* launch);
  Result<uint32_t> ask_clusters(const backend::Kernel& kernel, const backend::ClusterShape& shape,
                                ClusterOccupancy function, const char* name);

  CUdevice device_ = 0;
  backend::DeviceProperties properties_;
  bool has_memory_pools_ = false;
  std::span<backend::Device* const> family_;
  std::unique_ptr<Context> context_;
  std::unique_ptr<Images> images_;
  std::unique_ptr<External> external_;
  std::unique_ptr<Partitions> partitions_; // null: the driver does not divide the device
  std::unique_ptr<backend::VirtualMemory> virtual_memory_;
};

} // namespace hip::cuda
