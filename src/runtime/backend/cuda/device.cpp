#include "runtime/backend/cuda/device.h"

#include "runtime/backend/cuda/command_list.h"

#include "runtime/backend/cuda/queue.h"
#include "runtime/backend/cuda/virtual_memory.h"
#include "runtime/base/own.h"

#include <algorithm>
#include <cstring>

namespace hip::cuda {

// ---- properties ----------------------------------------------------------------------------------------------------

namespace {

constexpr CUdevice_attribute kThreadsPerMultiprocessor = 39, kMemoryPoolsSupported = 115, kVirtualMemorySupported = 102;
constexpr size_t kNameBytes = 256;
constexpr uint32_t kRegistersPerThread = 255;       // CUDA programming guide, "Technical specifications"
constexpr uint32_t kLargestStackBytes = 512 * 1024; // the same: local memory per thread
constexpr uint32_t kGlobalTimerKhz = 1'000'000;     // %globaltimer counts nanoseconds

} // namespace

Result<std::unique_ptr<Device>> Device::create(const Driver& driver, int ordinal) {
  std::unique_ptr<Device> device(new Device);
  RT_TRY(device->read_properties(driver, ordinal));
  device->context_ = std::make_unique<Context>(driver, device->device_,
                                               fmt::format("{} (CUDA device {})", device->properties_.name, ordinal));
  device->images_ = std::make_unique<Images>(*device->context_, device->device_);
  device->external_ = std::make_unique<External>(*device->context_);
  device->virtual_memory_ = make_virtual_memory(*device);
  device->partitions_ = Partitions::create(*device->context_, device->device_, device->properties_.major);
  return device;
}

Status Device::read_properties(const Driver& driver, int ordinal) {
  backend::DeviceProperties& p = properties_;
  RT_TRY(driver.status(driver.cuDeviceGet(&device_, ordinal), "cuDeviceGet"));
  char name[kNameBytes] = {};
  RT_TRY(driver.status(driver.cuDeviceGetName(name, sizeof name - 1, device_), "cuDeviceGetName"));
  p.name = name;
  size_t bytes = 0;
  RT_TRY(driver.status(driver.cuDeviceTotalMem(&bytes, device_), "cuDeviceTotalMem"));
  p.memory_bytes = bytes;
  CUuuid uuid{};
  RT_TRY(driver.status(driver.cuDeviceGetUuid(&uuid, device_), "cuDeviceGetUuid"));
  std::memcpy(p.uuid.data(), uuid.bytes, p.uuid.size());
  // A property that the driver does not know keeps its default.
  int value = 0;
#define CUDA_ATTRIBUTE(field, number, name)                                                                            \
  if (driver.cuDeviceGetAttribute(&value, number, device_) == kSuccess)                                                \
    p.field = static_cast<std::remove_reference_t<decltype((p.field))>>(value);
#include "runtime/backend/cuda/attributes.def"
#undef CUDA_ATTRIBUTE
  p.most_groups = p.max_grid_dim;
  if (driver.cuDeviceGetAttribute(&value, kThreadsPerMultiprocessor, device_) == kSuccess && p.wave_lanes != 0)
    p.max_waves_per_cu = static_cast<uint32_t>(value) / p.wave_lanes;
  has_memory_pools_ = p.native_pools =
      driver.cuDeviceGetAttribute(&value, kMemoryPoolsSupported, device_) == kSuccess && value != 0;
  p.virtual_memory = driver.cuDeviceGetAttribute(&value, kVirtualMemorySupported, device_) == kSuccess && value != 0;
  p.loading_waits = true;
  p.target = fmt::format("sm_{}{}", p.major, p.minor);
  p.vgprs_per_item = kRegistersPerThread;
  p.sgprs_per_wave = 0;
  p.max_stack_bytes_per_item = kLargestStackBytes;
  p.wall_clock_khz = kGlobalTimerKhz;
  p.large_bar = false;
  p.partial_groups = false;
  p.native_default_stream = true;
  p.fills_own_memory_alone = true;
  p.stream_values = driver.cuStreamWaitValue32 && driver.cuStreamWaitValue64 && driver.cuStreamWriteValue32 &&
                    driver.cuStreamWriteValue64;
  p.free_waits = true; // cuMemFree does, also for work of non-blocking streams
  return {};
}

// ---- memory --------------------------------------------------------------------------------------------------------

Result<backend::MemoryInfo> Device::memory_info() {
  size_t free_bytes = 0, total_bytes = 0;
  RT_TRY(context_->enter());
  RT_TRY(context_->check(context_->driver().cuMemGetInfo(&free_bytes, &total_bytes), "cuMemGetInfo"));
  return backend::MemoryInfo{free_bytes, total_bytes};
}

// Checked here, because the driver's functions answer absurd sizes with different errors.
Status Device::check_size(size_t bytes) const {
  if (bytes <= properties_.memory_bytes) return {};
  return error(ErrorCode::OutOfMemory, "{} bytes are more than the {} that {} has.", bytes, properties_.memory_bytes,
               context_->name());
}

Result<void*> Device::allocate(size_t bytes, backend::MemoryKind kind) {
  const Form form = form_of(kind);
  if (form == Form::Device && bytes > properties_.memory_bytes) [[unlikely]]
    return check_size(bytes);
  RT_TRY(context_->enter());
  const Driver& driver = context_->driver();
  CUdeviceptr address = 0;
  if (form == Form::Device) [[likely]] {
    RT_TRY(context_->check(driver.cuMemAlloc(&address, bytes), "cuMemAlloc"));
    return from_cuda(address);
  }
  if (form == Form::Managed) {
    RT_TRY(context_->check(driver.cuMemAllocManaged(&address, bytes, kMemAttachGlobal), "cuMemAllocManaged"));
    return from_cuda(address);
  }
  void* host = nullptr;
  RT_TRY(
      context_->check(driver.cuMemHostAlloc(&host, bytes, kHostAllocPortable | kHostAllocDeviceMap), "cuMemHostAlloc"));
  return host;
}

Status Device::free(void* base, backend::MemoryKind kind) {
  RT_TRY(context_->enter());
  const Driver& driver = context_->driver();
  const bool on_host = form_of(kind) == Form::Host;
  const CUresult result = on_host ? driver.cuMemFreeHost(base) : driver.cuMemFree(to_cuda(base));
  if (result == kErrorDeinitialized) return {}; // the process ends, and its memory with it
  return context_->check(result, on_host ? "cuMemFreeHost" : "cuMemFree");
}

Status Device::register_host(void* base, size_t bytes) {
  RT_TRY(context_->enter());
  return context_->check(
      context_->driver().cuMemHostRegister(base, bytes, kHostRegisterPortable | kHostRegisterDeviceMap),
      "cuMemHostRegister");
}

Status Device::unregister_host(void* base) {
  RT_TRY(context_->enter());
  return context_->check(context_->driver().cuMemHostUnregister(base), "cuMemHostUnregister");
}

Result<CUcontext> Device::owner_of(const void* address) {
  if (family_.size() < 2) return CUcontext{nullptr};
  int type = 0, is_managed = 0, ordinal = -1;
  CUpointer_attribute attributes[] = {kPointerMemoryType, kPointerIsManaged, kPointerDevice};
  void* values[] = {&type, &is_managed, &ordinal};
  RT_TRY(context_->enter());
  RT_TRY(context_->check(context_->driver().cuPointerGetAttributes(3, attributes, values, to_cuda(address)),
                         "cuPointerGetAttributes"));
  if (type != kMemoryDevice || is_managed != 0) return CUcontext{nullptr};
  for (backend::Device* each : family_) {
    auto& device = static_cast<Device&>(*each);
    if (device.device_ == ordinal) return device.context_->handle();
  }
  return CUcontext{nullptr};
}

// ---- code and queues -----------------------------------------------------------------------------------------------

Result<std::unique_ptr<backend::Executable>> Device::load(std::span<const std::byte> image) {
  return Executable::load(*context_, properties_, image);
}

uint32_t Device::max_groups_per_cu(const backend::Kernel& kernel, uint32_t group_items, uint32_t dynamic_lds_bytes) {
  if (group_items == 0 || group_items > kernel.attributes.max_group_items) return 0;
  const uint64_t shared = uint64_t{kernel.attributes.static_lds_bytes} + dynamic_lds_bytes;
  if (shared > properties_.most_lds_bytes_per_group() || !context_->enter().ok()) return 0;
  // The driver counts shared memory above the default limit only after it was asked for that, as launches ask, too.
  auto& ours = const_cast<Kernel&>(static_cast<const Kernel&>(kernel));
  if (!ours.allow_dynamic(*context_, dynamic_lds_bytes, properties_).ok()) return 0;
  int groups = 0;
  const CUresult result = context_->driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
      &groups, ours.function, static_cast<int>(group_items), dynamic_lds_bytes);
  return context_->check(result, "cuOccupancyMaxActiveBlocksPerMultiprocessor").ok() ? static_cast<uint32_t>(groups)
                                                                                     : 0;
}

// HIP's -1 is the device's highest priority, which CUDA counts downwards. CUDA has nothing below its default priority,
// so HIP's 1 becomes the default.
int Device::map_priority(int priority) const noexcept {
  int least = 0, greatest = 0;
  if (context_->driver().cuCtxGetStreamPriorityRange(&least, &greatest) != kSuccess) return 0;
  return priority < 0 ? greatest : std::clamp(priority, std::min(greatest, least), least);
}

Result<std::unique_ptr<backend::Queue>> Device::create_queue(const backend::QueueOptions& options) {
  if (!options.compute_unit_mask.empty())
    return error(ErrorCode::NotSupported, "{}: streams cannot be given compute units of their own.", context_->name());
  RT_TRY(context_->enter());
  if (options.kind == backend::QueueKind::Null)
    return std::unique_ptr<backend::Queue>(
        std::make_unique<Queue>(*this, make_ref<Stream>(*context_, kStreamLegacy, Stream::Owned::No)));
  if (options.partition) {
    RT_TRY_ASSIGN(const CUstream stream,
                  static_cast<Partition*>(options.partition)->create_stream(map_priority(options.priority)));
    const Ref<Stream> owner = own([&] { return make_ref<Stream>(*context_, stream, Stream::Owned::Yes); },
                                  [&] { return context_->driver().cuStreamDestroy(stream); });
    return std::unique_ptr<backend::Queue>(std::make_unique<Queue>(*this, owner));
  }
  CUstream stream = nullptr;
  const unsigned flags = options.kind == backend::QueueKind::NonBlocking ? kStreamNonBlocking : kStreamDefault;
  RT_TRY(context_->check(context_->driver().cuStreamCreateWithPriority(&stream, flags, map_priority(options.priority)),
                         "cuStreamCreateWithPriority"));
  const Ref<Stream> owner = own([&] { return make_ref<Stream>(*context_, stream, Stream::Owned::Yes); },
                                [&] { return context_->driver().cuStreamDestroy(stream); });
  return std::unique_ptr<backend::Queue>(std::make_unique<Queue>(*this, owner));
}

// ---- what kernels can do -------------------------------------------------------------------------------------------

Result<uint32_t> Device::ask_clusters(const backend::Kernel& kernel, const backend::ClusterShape& shape,
                                      ClusterOccupancy function, const char* name) {
  if (!function)
    return error(ErrorCode::InvalidClusterSize, "{}: the driver knows no clusters of blocks.", context_->name());
  RT_TRY(context_->enter());
  auto& ours = const_cast<Kernel&>(static_cast<const Kernel&>(kernel));
  RT_TRY(ours.allow_dynamic(*context_, shape.dynamic_lds_bytes, properties_));
  CUlaunchAttribute cluster{
      .id = kLaunchCluster, .pad = {}, .value = {shape.cluster[0], shape.cluster[1], shape.cluster[2]}};
  const CUlaunchConfig launch{shape.groups[0],
                              shape.groups[1],
                              shape.groups[2],
                              shape.group_items[0],
                              shape.group_items[1],
                              shape.group_items[2],
                              shape.dynamic_lds_bytes,
                              nullptr,
                              &cluster,
                              1};
  int count = 0;
  RT_TRY(context_->check(function(&count, ours.function, &launch), name));
  return static_cast<uint32_t>(count);
}

Result<uint32_t> Device::largest_cluster(const backend::Kernel& kernel, const backend::ClusterShape& shape) {
  return ask_clusters(kernel, shape, context_->driver().cuOccupancyMaxPotentialClusterSize,
                      "cuOccupancyMaxPotentialClusterSize");
}

Result<uint32_t> Device::active_clusters(const backend::Kernel& kernel, const backend::ClusterShape& shape) {
  return ask_clusters(kernel, shape, context_->driver().cuOccupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters");
}

namespace {

// What kernels of every GPU here do with one instruction (PTX's atom and red).
uint32_t instruction_capabilities(backend::AtomicOperation operation) noexcept {
  using backend::AtomicOperation;
  constexpr uint32_t kWidths = backend::kAtomic32 | backend::kAtomic64;
  constexpr uint32_t kIntegers = backend::kAtomicSigned | backend::kAtomicUnsigned | kWidths;
  switch (operation) {
  case AtomicOperation::Increment:
  case AtomicOperation::Decrement:
    return backend::kAtomicUnsigned | backend::kAtomicReduction | backend::kAtomic32;
  case AtomicOperation::Exchange:
  case AtomicOperation::CompareSwap:
    return kIntegers;
  case AtomicOperation::FloatAdd:
    return backend::kAtomicReduction | kWidths;
  case AtomicOperation::FloatMin:
  case AtomicOperation::FloatMax:
    return 0;
  default:
    return kIntegers | backend::kAtomicReduction;
  }
}

} // namespace

Result<uint32_t> Device::atomic_capabilities(backend::AtomicOperation operation, backend::Device* peer) {
  const Driver& driver = context_->driver();
  auto* const other = dynamic_cast<Device*>(peer);
  if (!driver.cuDeviceGetP2PAtomicCapabilities || !driver.cuDeviceGetHostAtomicCapabilities)
    return error(ErrorCode::NotSupported, "{}: drivers tell atomic capabilities since CUDA 13.0; this one has {}.",
                 context_->name(), version_text(driver.version));
  const int number = static_cast<int>(operation);
  unsigned bits = 0;
  RT_TRY(other ? context_->check(driver.cuDeviceGetP2PAtomicCapabilities(&bits, &number, 1, device_, other->device_),
                                 "cuDeviceGetP2PAtomicCapabilities")
               : context_->check(driver.cuDeviceGetHostAtomicCapabilities(&bits, &number, 1, device_),
                                 "cuDeviceGetHostAtomicCapabilities"));
  if (bits != 0 || !other) return bits;
  // Of a link that carries all atomic operations the driver (580) tells none one by one: it does for those that carry
  // some.
  const auto carries = [&](CUdevice_P2PAttribute which) {
    int value = 0;
    return driver.cuDeviceGetP2PAttribute(&value, which, device_, other->device_) == kSuccess && value != 0;
  };
  return carries(kP2PAtomics) && !carries(kP2PSomeAtomics) ? instruction_capabilities(operation) : 0;
}

Status Device::flush_remote_writes(WrittenFor whom) {
  constexpr int kTargetCurrentContext = 0, kToOwner = 100, kToAllDevices = 200;
  const Driver& driver = context_->driver();
  if (!driver.cuFlushGPUDirectRDMAWrites) return backend::Device::flush_remote_writes(whom);
  RT_TRY(context_->enter());
  return context_->check(
      driver.cuFlushGPUDirectRDMAWrites(kTargetCurrentContext, whom == WrittenFor::Owner ? kToOwner : kToAllDevices),
      "cuFlushGPUDirectRDMAWrites");
}

Result<Ref<backend::CommandList>> Device::prepare(std::vector<backend::Command> commands) {
  return CommandList::create(*this, std::move(commands));
}

Status Device::collect_profile(bool on) {
  const Driver& driver = context_->driver();
  if (!driver.cuProfilerStart || !driver.cuProfilerStop) return backend::Device::collect_profile(on);
  RT_TRY(context_->enter());
  return on ? context_->check(driver.cuProfilerStart(), "cuProfilerStart")
            : context_->check(driver.cuProfilerStop(), "cuProfilerStop");
}

Status Device::set_limit(backend::DeviceLimit limit, uint64_t value) {
  RT_TRY(context_->enter());
  const CUlimit which = limit == backend::DeviceLimit::StackBytes    ? kLimitStack
                        : limit == backend::DeviceLimit::PrintfBytes ? kLimitPrintf
                        : limit == backend::DeviceLimit::HeapBytes   ? kLimitHeap
                                                                     : kLimitPersistingL2;
  return context_->check(context_->driver().cuCtxSetLimit(which, value), "cuCtxSetLimit");
}

Status Device::reset_persisting_lines() {
  const Driver& driver = context_->driver();
  if (!driver.cuCtxResetPersistingL2Cache) return backend::Device::reset_persisting_lines();
  RT_TRY(context_->enter());
  return context_->check(driver.cuCtxResetPersistingL2Cache(), "cuCtxResetPersistingL2Cache");
}

Status Device::advise(const void* base, size_t bytes, backend::Advice advice, backend::Device* where) {
  constexpr CUdevice kHost = -1; // CU_DEVICE_CPU
  auto* const device = static_cast<Device*>(where);
  const auto takes_part = [](const Device& d) { return d.properties().concurrent_managed_access; };
  const Driver& driver = context_->driver();
  if (!driver.cuMemAdvise || !takes_part(*this) || (device && !takes_part(*device))) return {};
  RT_TRY(context_->enter());
  return context_->check(
      driver.cuMemAdvise(to_cuda(base), bytes, static_cast<CUmem_advise>(advice), device ? device->handle() : kHost),
      "cuMemAdvise");
}

Status Device::set_wait_policy(backend::WaitPolicy policy) {
  const Driver& driver = context_->driver();
  const unsigned flags = policy == backend::WaitPolicy::Spin    ? kScheduleSpin
                         : policy == backend::WaitPolicy::Yield ? kScheduleYield
                         : policy == backend::WaitPolicy::Block ? kScheduleBlockingSync
                                                                : kScheduleAuto;
  unsigned now = 0;
  int active = 0;
  RT_TRY(context_->check(driver.cuDevicePrimaryCtxGetState(device_, &now, &active), "cuDevicePrimaryCtxGetState"));
  if ((now & kScheduleMask) == flags) return {};
  return context_->check(driver.cuDevicePrimaryCtxSetFlags(device_, (now & ~kScheduleMask) | flags),
                         "cuDevicePrimaryCtxSetFlags");
}

// ---- peers ---------------------------------------------------------------------------------------------------------

backend::PeerLink Device::peer_link(backend::Device& other) {
  const auto* const peer = dynamic_cast<Device*>(&other);
  if (!peer || peer == this) return {};
  const Driver& driver = context_->driver();
  const auto ask = [&](CUdevice_P2PAttribute attribute) {
    int value = 0;
    return driver.cuDeviceGetP2PAttribute(&value, attribute, device_, peer->device_) == kSuccess ? value : 0;
  };
  int access = 0;
  if (driver.cuDeviceCanAccessPeer(&access, device_, peer->device_) != kSuccess) access = 0;
  return {.access = access != 0,
          .native_atomics = ask(kP2PAtomics) != 0,
          .array_access = ask(kP2PArrays) != 0,
          .performance_rank = ask(kP2PRank)};
}

Status Device::enable_peer(backend::Device& other) {
  auto* const peer = dynamic_cast<Device*>(&other);
  if (!peer)
    return error(ErrorCode::PeerAccessUnsupported, "{} and {} belong to different back ends.", context_->name(),
                 other.properties().name);
  RT_TRY(peer->context_->enter()); // its context must exist
  RT_TRY(context_->enter());
  const CUresult result = context_->driver().cuCtxEnablePeerAccess(peer->context_->handle(), 0);
  if (result == kErrorPeerAccessAlreadyEnabled) return {}; // by a CUDA library in this process
  return context_->check(result, "cuCtxEnablePeerAccess");
}

Status Device::disable_peer(backend::Device& other) {
  auto* const peer = dynamic_cast<Device*>(&other);
  if (!peer) return {};
  RT_TRY(context_->enter());
  const CUresult result = context_->driver().cuCtxDisablePeerAccess(peer->context_->handle());
  if (result == kErrorPeerAccessNotEnabled) return {};
  return context_->check(result, "cuCtxDisablePeerAccess");
}

} // namespace hip::cuda
