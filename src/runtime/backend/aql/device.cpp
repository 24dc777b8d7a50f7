#include "runtime/backend/aql/device.h"

#include "runtime/backend/aql/command_list.h"

#include "device/abi/heap.h"
#include "runtime/backend/aql/executable.h"
#include "runtime/backend/aql/hostcall_service.h"
#include "runtime/backend/aql/queue.h"
#include "runtime/base/log.h"
#include "runtime/codeobject/processor.h"

#include <algorithm>

namespace hip::aql {

namespace {

constexpr size_t kAllocationAlignment = 256;

AgentMemory to_agent_memory(backend::MemoryKind kind) noexcept {
  switch (kind) {
  case backend::MemoryKind::Device:
  case backend::MemoryKind::StreamOrdered:
  case backend::MemoryKind::Mapped:
  case backend::MemoryKind::External:
    return AgentMemory::Device;
  case backend::MemoryKind::FineGrained:
  case backend::MemoryKind::Signal:
    return AgentMemory::FineGrained;
  case backend::MemoryKind::HostPinned:
    return AgentMemory::HostPinned;
  case backend::MemoryKind::Managed:
    return AgentMemory::Managed;
  }
  return AgentMemory::Device;
}

} // namespace

Device::Device(std::unique_ptr<Agent> agent) : agent_(std::move(agent)), points_(*agent_), external_(*agent_) {}

Device::~Device() {
  cooperative_.reset();
  hostcalls_.reset();
  if (!heap_ || !agent_->usable().ok()) return;
  if (Status status = agent_->free(heap_); !status.ok())
    log(LogLevel::Warning, "Freeing the heap of kernels: {}", status.message());
}

Result<void*> Device::allocate(size_t bytes, backend::MemoryKind kind) {
  RT_TRY(agent_->usable());
  return agent_->allocate(bytes, kAllocationAlignment, to_agent_memory(kind));
}

Status Device::free(void* base, backend::MemoryKind kind) {
  if (Status usable = agent_->usable(); !usable.ok()) {
    if (usable.code() == ErrorCode::Deinitialized) return {}; // the process ends, and its memory with it
    return usable;
  }
  return kind == backend::MemoryKind::External ? agent_->unmap_external(base) : agent_->free(base);
}

Status Device::register_host(void* base, size_t bytes) { return agent_->register_host(base, bytes); }
Status Device::unregister_host(void* base) { return agent_->unregister_host(base); }

Result<std::unique_ptr<backend::Executable>> Device::load(std::span<const std::byte> image) {
  RT_TRY(agent_->usable());
  return Executable::load(*this, image);
}

Result<std::unique_ptr<backend::Queue>> Device::create_queue(const backend::QueueOptions& options) {
  RT_TRY(agent_->usable());
  RT_TRY_ASSIGN(std::unique_ptr<Queue> queue, Queue::create(*this, options, RingKind::Ordinary));
  return std::unique_ptr<backend::Queue>(std::move(queue));
}

Result<Ref<backend::CommandList>> Device::prepare(std::vector<backend::Command> commands) {
  return CommandList::create(*this, std::move(commands));
}

backend::PeerLink Device::peer_link(backend::Device& peer) {
  auto* const other = dynamic_cast<Device*>(&peer); // of this back end
  return other && other != this ? agent_->peer_link(other->agent()) : backend::PeerLink{};
}

Status Device::enable_peer(backend::Device& peer) {
  if (peer_link(peer).access) return Status(); // memory is mapped to all that can reach it when it is allocated
  return error(ErrorCode::PeerAccessUnsupported, "{} cannot reach the memory of {}.", properties().name,
               peer.properties().name);
}

Status Device::advise(const void* base, size_t bytes, backend::Advice advice, backend::Device* where) {
  auto* const other = dynamic_cast<Device*>(where);
  if (where && !other) return Status(); // memory does not move to other back ends
  return agent_->advise(base, bytes, advice, other ? &other->agent() : nullptr);
}

uint32_t Device::max_groups_per_cu(const backend::Kernel& kernel, uint32_t group_items, uint32_t dynamic_lds_bytes) {
  const backend::DeviceProperties& p = properties();
  if (group_items == 0 || group_items > kernel.attributes.max_group_items) return 0;
  const uint32_t lanes = kernel.attributes.wave_lanes;
  const uint32_t waves = (group_items + lanes - 1) / lanes;
  // A wave of twice the default size takes its VGPRs in granules of half as many, and they count double.
  const uint32_t granule = p.vgpr_granule * p.wave_lanes / lanes;
  const uint32_t granules = std::max<uint32_t>(1, (kernel.attributes.vgprs + granule - 1) / granule);
  const uint32_t vgprs = granules * p.vgpr_granule;
  const uint32_t waves_per_simd = std::min(p.max_waves_per_cu / p.simds_per_cu, p.vgprs_per_simd / vgprs);
  uint32_t groups = waves_per_simd * p.simds_per_cu / waves;
  uint64_t lds = uint64_t(kernel.attributes.static_lds_bytes) + dynamic_lds_bytes;
  lds = (lds + p.lds_granule_bytes - 1) / p.lds_granule_bytes * p.lds_granule_bytes;
  if (lds > p.lds_bytes_per_group) return 0;
  if (lds > 0) groups = std::min<uint32_t>(groups, static_cast<uint32_t>(p.lds_bytes_per_cu / lds));
  return groups;
}

Result<uint32_t> Device::atomic_capabilities(backend::AtomicOperation operation, backend::Device* peer) {
  using backend::AtomicOperation, codeobject::Family;
  constexpr uint32_t kWidths = backend::kAtomic32 | backend::kAtomic64;
  const backend::DeviceProperties& p = properties();
  if (!peer && !p.host_native_atomics) return 0u;
  switch (operation) {
  case AtomicOperation::Increment:
  case AtomicOperation::Decrement:
    return backend::kAtomicUnsigned | backend::kAtomicReduction | kWidths;
  case AtomicOperation::FloatAdd:
  case AtomicOperation::FloatMin:
  case AtomicOperation::FloatMax:
    break;
  default:
    return backend::kAtomicSigned | backend::kAtomicUnsigned | backend::kAtomicReduction | kWidths;
  }
  // What cards can do with floats of each other's memory depends on the link; in the software GPU memory is one.
  const auto* const processor = codeobject::find_processor(std::string_view(p.target).substr(0, p.target.find(':')));
  if (!processor || !p.is_software) return 0u;
  const bool adds = operation == AtomicOperation::FloatAdd;
  switch (processor->family) {
  case Family::Gfx908:
    return adds ? backend::kAtomicReduction | backend::kAtomic32 : 0u;
  case Family::Gfx90a:
  case Family::Gfx94:
  case Family::Gfx950:
    return backend::kAtomicReduction | backend::kAtomic64 | (adds ? backend::kAtomic32 : 0u);
  case Family::Gfx101:
  case Family::Gfx103:
    return adds ? 0u : backend::kAtomicReduction | kWidths;
  case Family::Gfx11:
  case Family::Gfx115:
  case Family::Gfx12:
    return backend::kAtomicReduction | backend::kAtomic32;
  default:
    return 0u;
  }
}

Result<uint64_t> Device::heap() {
  std::lock_guard guard(mutex_);
  if (!heap_) {
    RT_TRY_ASSIGN(void* const made, agent_->allocate(kHeapBytes, 4096, AgentMemory::FineGrained));
    if (Status status = agent_->clear(made, kHeapBytes); !status.ok()) {
      static_cast<void>(agent_->free(made)); // which a card that is lost refuses
      return status;
    }
    heap_ = made;
  }
  return reinterpret_cast<uint64_t>(heap_);
}

Result<Device::CooperativeQueue> Device::cooperative_queue() {
  std::unique_lock lock(cooperative_mutex_);
  if (!cooperative_) {
    RT_TRY_ASSIGN(cooperative_, Queue::create(*this, {}, RingKind::Cooperative));
  }
  return CooperativeQueue{std::move(lock), cooperative_.get()};
}

Result<HostcallService*> Device::hostcalls() {
  std::lock_guard guard(mutex_);
  if (!hostcalls_) {
    RT_TRY_ASSIGN(hostcalls_, HostcallService::create(*this));
  }
  return hostcalls_.get();
}

} // namespace hip::aql
