// runtime/backend/backend.h - the seam between what HIP means (core/) and who does it (aql/, cuda/, null/).
// A back end offers devices; a device offers memory, code and in-order queues. Everything that one API call needs is
// one call here; nothing here calls back into core except host functions. Errors are Status values with HIP's numbers.
// Thread safety: Backend, Device and Executable may be used from any thread. A Queue is used by one thread at a time
// (core holds the stream's lock). Completion may be polled and waited for by any thread.
#pragma once

#include "runtime/backend/memory_pool.h"
#include "runtime/backend/value_wait.h"
#include "runtime/base/ref.h"
#include "runtime/base/status.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip::backend {

enum class MemoryKind {
  Device,        // hipMalloc
  FineGrained,   // hipExtMallocWithFlags(hipDeviceMallocFinegrained / Uncached)
  Signal,        // hipExtMallocWithFlags(hipMallocSignalMemory): streams write it and wait for it, the host too
  HostPinned,    // hipHostMalloc: page-locked, visible to all devices at the same address
  Managed,       // hipMallocManaged
  StreamOrdered, // hipMallocAsync: what Queue::allocate gave
  Mapped,        // hipMemMap, hipIpcOpenMemHandle: what VirtualMemory mapped
  External,      // hipExternalMemoryGetMappedBuffer: what ExternalMemory mapped
};

// Largest images, per dimension; 0: the device has none of this kind.
struct TextureLimits {
  uint32_t texture_1d = 0, texture_1d_mipmapped = 0, texture_1d_linear = 0;
  std::array<uint32_t, 2> texture_1d_layered{}; // width, layers
  std::array<uint32_t, 2> texture_2d{}, texture_2d_mipmapped{}, texture_2d_gather{};
  std::array<uint32_t, 3> texture_2d_linear{};  // width, height, pitch
  std::array<uint32_t, 3> texture_2d_layered{}; // width, height, layers
  std::array<uint32_t, 3> texture_3d{}, texture_3d_alternate{};
  uint32_t texture_cubemap = 0;
  std::array<uint32_t, 2> texture_cubemap_layered{};
  uint32_t surface_1d = 0;
  std::array<uint32_t, 2> surface_1d_layered{}, surface_2d{};
  std::array<uint32_t, 3> surface_2d_layered{}, surface_3d{};
  uint32_t surface_cubemap = 0;
  std::array<uint32_t, 2> surface_cubemap_layered{};
};

struct DeviceProperties {
  std::string name;               // "AMD Instinct MI300X (software)"
  std::string target;             // target id that code objects are matched against: "gfx942:sramecc+:xnack-", "sm_90"
  std::array<uint8_t, 16> uuid{}; // AMD's are 16 hexadecimal digits
  uint32_t pci_domain = 0, pci_bus = 0, pci_device = 0;
  bool is_software = false;
  uint64_t memory_bytes = 0;
  uint32_t compute_units = 0;
  uint32_t wave_lanes = 64;
  uint32_t max_waves_per_cu = 0;
  uint32_t simds_per_cu = 4;
  uint32_t compute_unit_alignment = 1; // queues can have multiples of this many compute units
  uint32_t max_groups_per_cu = 0;      // 0: as many full groups as the work-items of a compute unit make
  uint32_t max_group_items = 1024;
  std::array<uint32_t, 3> max_group_dim{1024, 1024, 1024};
  std::array<uint32_t, 3> max_grid_dim{0x7fffffff, 65535, 65535}; // in work-groups, as HIP tells it for AMD's GPUs
  // That launches take: more than HIP tells, as AMD's runtime and GPUs do, since rocBLAS counts on that.
  std::array<uint32_t, 3> most_groups{UINT32_MAX, UINT32_MAX, UINT32_MAX};
  uint32_t lds_bytes_per_group = 65536;                           // that every kernel may use
  uint32_t lds_bytes_per_group_optin = 0; // that kernels may use which ask for it; 0: no more than others
  uint32_t lds_bytes_per_cu = 65536;
  uint32_t lds_reserved_bytes_per_group = 0;
  uint32_t lds_granule_bytes = 512; // LDS is handed out in multiples of this
  uint32_t vgprs_per_simd = 512;    // per lane of a wave of wave_lanes, arch + accumulation
  uint32_t vgpr_granule = 8;        // they are handed out in multiples of this
  uint32_t vgprs_per_item = 512;    // that one work-item can have
  uint32_t sgprs_per_wave = 102;
  uint64_t registers_per_group = 0, registers_per_cu = 0; // of 32 bits; 0: what the SIMDs hold
  uint32_t max_stack_bytes_per_item = 131056;
  uint64_t constant_bytes = 0; // 0: constants are ordinary memory
  uint64_t l2_bytes = 0, persisting_l2_bytes = 0;
  uint32_t access_policy_window_bytes = 0;
  bool compressed_memory = false; // virtual memory may be compressed (Compression::Generic)
  uint32_t core_clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0, wall_clock_khz = 100000;
  uint32_t max_pitch_bytes = 0x7fffffff;
  uint32_t texture_alignment = 256, texture_pitch_alignment = 256, surface_alignment = 256;
  TextureLimits textures;
  int major = 9, minor = 4; // compute capability as HIP reports it
  uint32_t async_copy_engines = 1;
  uint32_t single_to_double_ratio = 2;
  uint32_t multi_gpu_board_group = 0;
  uint32_t compute_mode = 0; // hipComputeMode's numbers
  bool cooperative_launch = true;
  bool multi_grid_barrier = false; // cooperative grids on devices of this back end can wait for one another
  bool partial_groups = true;      // the last group of a dimension may have fewer work-items than the others
  bool managed_memory = true;
  bool concurrent_managed_access = false;
  bool pageable_memory_access = false;
  bool pageable_access_by_host_tables = false;
  bool takes_short_arguments = false; // Launch::packed_arguments may end early
  bool loading_waits = false;         // load() may wait for all work of the device
  bool direct_managed_access_from_host = false;
  bool host_native_atomics = false;
  bool concurrent_kernels = true;
  bool unified_addressing = true;
  bool map_host_memory = true;
  bool host_register = true;
  bool host_pointer_for_registered = true;
  bool stream_priorities = true;
  bool compute_preemption = true;
  bool global_l1_cache = true, local_l1_cache = true;
  bool large_bar = true; // the host can address all device memory
  bool integrated = false;
  bool ecc = false;
  bool tcc_driver = false;
  bool kernel_timeout = false;
  bool multi_gpu_board = false;
  // Memory of every kind is ordinary memory of the process: the host and other back ends may read and write it in
  // place.
  bool memory_is_host_memory = false;
  // The order between a Null queue and Blocking ones (QueueKind) is the device's own doing; core does nothing for it.
  bool native_default_stream = false;
  // Queues fill memory of their own device alone, unless access to the other one is enabled; core has them do so.
  bool fills_own_memory_alone = false;
  // Device::free of MemoryKind::Device waits for all work of the device by itself.
  bool free_waits = false;
  // Device::create_pool gives pools of the driver; core keeps no pools itself.
  bool native_pools = false;
  bool stream_values = true;       // Queue::write_value and wait_value
  bool compute_unit_masks = false; // queues on a part of the compute units (QueueOptions)
  bool virtual_memory = false;     // Device::virtual_memory is not null

  uint32_t most_lds_bytes_per_group() const noexcept {
    return lds_bytes_per_group_optin > lds_bytes_per_group ? lds_bytes_per_group_optin : lds_bytes_per_group;
  }
};

struct MemoryInfo {
  uint64_t free_bytes = 0, total_bytes = 0;
};

struct Extent3 {
  size_t width_bytes = 0, height = 1, depth = 1;
};
// A pitched 3D region: row r of slice s starts at base + s * slice_bytes + r * pitch_bytes.
struct Region {
  void* base = nullptr;
  size_t pitch_bytes = 0, slice_bytes = 0;
};

// One point in a queue: everything submitted before it. Shared between core, events and other queues.
// Memory ordering: done() == true and wait() are acquire operations on all effects of the work before the point.
class Completion : public RefCounted {
public:
  virtual bool done() const noexcept = 0;
  // Blocks (spinning first); the calling thread may execute device work meanwhile. Returns the error of the first
  // failed operation before this point that was not reported by an earlier Completion of the queue, else success.
  virtual Status wait() noexcept = 0;
  // Blocks as wait(). Errors are left to those who ask for them; where the back end tells them to every caller, nothing
  // is lost by this default.
  virtual void finish() noexcept { static_cast<void>(wait()); }
  // The error, without blocking; success while not done.
  virtual Status status() const noexcept = 0;
  // Device time in ns of a common clock (steady_clock) when the point was reached; 0 while not done.
  virtual uint64_t timestamp_ns() const noexcept = 0;
  // Milliseconds of device time from `start`, a point of the same device, to this one; both are done.
  virtual Result<float> elapsed_ms(const Completion& start) const {
    const int64_t ns = static_cast<int64_t>(timestamp_ns()) - static_cast<int64_t>(start.timestamp_ns());
    return static_cast<float>(static_cast<double>(ns) * 1e-6);
  }
};

// Where an explicit kernel argument lies in the kernarg segment.
struct KernelArgument {
  uint32_t offset = 0, bytes = 0;
};

struct KernelAttributes {
  uint32_t static_lds_bytes = 0, private_bytes = 0, kernarg_bytes = 0, vgprs = 0, agprs = 0, sgprs = 0;
  uint32_t wave_lanes = 64; // that the kernel was compiled for
  uint32_t max_group_items = 1024;
  std::array<uint32_t, 3> required_group{0, 0, 0}; // 0: any
  uint32_t constant_bytes = 0;
  bool uses_dynamic_stack = false;
  int binary_version = 0; // 94 for gfx942, 90 for sm_90
  int ptx_version = 0;    // 0: not made from PTX
};

class Kernel { // owned by its Executable
public:
  virtual ~Kernel() = default;
  std::string name;
  std::vector<KernelArgument> arguments; // explicit ones, in order
  uint32_t explicit_bytes = 0;           // size of the packed explicit block
  KernelAttributes attributes;
};

struct Global {
  void* address = nullptr;
  size_t bytes = 0;
};

// A __managed__ variable of a code object has two parts: kernels read `pointer`, which must hold the address of memory
// that the host reaches too, and that memory begins with the bytes at `initial`. Core allocates it
// (core/managed_storage.h).
struct ManagedVariable {
  std::string name;
  Global pointer, initial;
};

// A code object loaded on one device. Unloads on destruction; no kernel of it may be running.
class Executable {
public:
  virtual ~Executable() = default;
  virtual Result<Kernel*> find_kernel(std::string_view name) = 0; // hipErrorNotFound, or what happened to the device
  virtual Result<Global> find_global(std::string_view name) = 0;  // hipErrorNotFound
  virtual std::vector<Kernel*> kernels() = 0;
  virtual Result<std::vector<ManagedVariable>> managed_variables() = 0;
  virtual const std::string& target() const noexcept = 0;
};

class Queue;

// A launch whose shape and arguments core has checked against the kernel and the queue's device (core/launch_shape.h);
// queues check nothing of it again.
// A cooperative grid's place among those that it may wait for.
struct MultiGrid {
  void* barrier = nullptr; // two words of memory that all the devices see (GridBarrierWords)
  uint32_t index = 0, count = 1;
  uint64_t items_before = 0, items_of_all = 0; // work-items of the grids with a lower index, and of all
};

struct Launch {
  Kernel* kernel = nullptr;
  std::array<uint32_t, 3> grid_items{1, 1, 1}; // work-items, not work-groups
  std::array<uint32_t, 3> group_items{1, 1, 1};
  std::array<uint32_t, 3> groups{1, 1, 1}; // in the grid; the last one may be partial on devices with partial_groups
  uint32_t dynamic_lds_bytes = 0;
  uint32_t stack_bytes = 0; // what each work-item has at least when the kernel's need is unknown (hipLimitStackSize)
  // Exactly one of the two: pointers to each explicit argument, or the packed explicit block. Where the device
  // takes_short_arguments the block may end early, and the arguments behind read as 0.
  void* const* argument_pointers = nullptr;
  std::span<const std::byte> packed_arguments;
  bool cooperative = false;
  const MultiGrid* multi_grid = nullptr; // of a cooperative launch on several devices
  bool out_of_order = false;             // hipExtAnyOrderLaunch: need not wait for what is before it in the queue
};

// Launches, copies and fills that queues of one device are given again and again, as one submission: what graphs are
// replayed with. Device::prepare makes a list, Queue::run gives it to a queue.
struct Command {
  enum class Kind : uint8_t { Launch, Copy, Fill };
  Kind kind = Kind::Launch;
  // False: may run at the same time as the commands before it, back to the last one that starts a step.
  bool starts_step = true;
  Launch launch{};                    // without arguments
  std::vector<std::byte> arguments{}; // of a launch: the packed explicit block
  Region dst{}, src{};
  Extent3 extent{};
  uint64_t pattern = 0;
  uint32_t pattern_bytes = 0;

  Status submit(Queue& queue) const; // as a single operation
};

// Any thread may use it, but for replace(). A queue keeps the lists that it was given until their work is done.
class CommandList : public RefCounted {
public:
  explicit CommandList(std::vector<Command> commands) noexcept : commands_(std::move(commands)) {}
  const std::vector<Command>& commands() const noexcept { return commands_; }
  // Puts another command in the place of one; whether it starts a step stays. Nobody else uses the list meanwhile, and
  // what queues were given of it is done. False, or an error: this cannot be done to the list, which is of no further
  // use.
  virtual Result<bool> replace(size_t place, Command command) {
    command.starts_step = commands_[place].starts_step;
    commands_[place] = std::move(command);
    return true;
  }

private:
  std::vector<Command> commands_;
};

using HostFunction = void (*)(void* user_data, const Status& queue_status);

class Device;
// The devices of this back end whose memory the ends of a copy are; null: what every device reaches (memory of the
// host, managed memory).
struct CopyOwners {
  Device* dst = nullptr;
  Device* src = nullptr;
};

class Images;          // images.h
class VirtualMemory;   // virtual_memory.h
class UnitPartition;   // compute_units.h
class UnitPartitions;  // compute_units.h
struct BoxEnd;         // images.h
class ExternalObjects; // external.h
struct ExternalStep;   // external.h
enum class ExternalAction : uint8_t;

// What the caller of record() needs of the point.
struct PointOptions {
  bool timed = true;          // timestamps and elapsed_ms are wanted
  bool blocking_wait = false; // a thread that waits for it sleeps and does not spin
  bool dated = false;         // of a timed one: timestamp_ns() will be asked; of others it may be less exact
};

enum class CopyTo { Host, Device };

// In-order queue. Operations start when all before them in this queue are done.
// How kernels' reads and writes of a range of addresses use the second level's cache: HIP's numbers of properties.
struct AccessWindow {
  void* base = nullptr;
  int hit_property = 0;
  float hit_ratio = 0; // the part of the range that has hit_property; the rest has miss_property
  int miss_property = 0;
  size_t bytes = 0;
};

class Queue {
public:
  virtual ~Queue() = default; // finishes outstanding work
  virtual Status launch(const Launch& launch) = 0;
  virtual Status copy(void* dst, const void* src, size_t bytes) = 0;
  // The same where the caller knows whose memory the ends are, which spares some back ends the question.
  virtual Status copy_between(void* dst, const void* src, size_t bytes, const CopyOwners&) {
    return copy(dst, src, bytes);
  }
  // Copies for a blocking call: returns when the host may use its side of the copy again. Any thread may call it,
  // beside other calls. Only Null queues of devices with a native default stream have it.
  virtual Status copy_now(void*, const void*, size_t, CopyTo) {
    return error(ErrorCode::NotSupported, "This queue copies in its order alone.");
  }
  virtual Status copy_3d(const Region& dst, const Region& src, const Extent3& extent) = 0;
  // A box of which at least one end is an image. Only queues of devices with images have it.
  virtual Status copy_box(const BoxEnd& /*dst*/, const BoxEnd& /*src*/, const Extent3& /*extent*/) {
    return error(ErrorCode::NotSupported, "This queue's device has no images.");
  }
  // pattern_bytes is 1, 2, 4 (or 8, 16); extent.width_bytes is a multiple of it.
  virtual Status fill_3d(const Region& dst, uint64_t pattern, uint32_t pattern_bytes, const Extent3& extent) = 0;
  // Hints that managed memory is used next by `where`, a device of this back end, or by the host when `where` is null.
  // Only memory that moves needs the hint.
  virtual Status prefetch(const void*, size_t, Device* /*where*/) { return {}; }
  // The contents of managed memory are not needed any more. Only memory that moves, or lies in pages that can be given
  // back, needs the hint.
  virtual Status discard(void*, size_t) { return {}; }
  // A hint for later kernels. Only devices whose access_policy_window_bytes is not 0 have use for it.
  virtual Status set_access_window(const AccessWindow&) { return {}; }
  // All commands of a list that the queue's device has prepared.
  virtual Status run(const Ref<CommandList>& list) {
    for (const Command& command : list->commands()) RT_TRY(command.submit(*this));
    return {};
  }
  // A point after everything submitted so far; the cheapest form when nothing is outstanding.
  virtual Result<Ref<Completion>> record(const PointOptions& options = {}) = 0;
  // As record, with the result in `point`. An old point there may be reused when it is of this device and nobody else
  // holds it.
  virtual Status record_into(Ref<Completion>& point, const PointOptions& options) {
    RT_TRY_ASSIGN(point, record(options));
    return {};
  }
  // As record, for a point that only the host waits for: no other queue waits for it, it has no timestamp, and a wait
  // for it may also wait for work that was submitted later.
  virtual Result<Ref<Completion>> tail() { return record({.timed = false}); }
  // Later submissions wait for `completion` (of any queue of any device of this back end).
  virtual Status wait(const Ref<Completion>& completion) = 0;
  // Calls fn on a runtime thread when all earlier work is done; later operations wait for its return. When the device
  // fails, fn is called with the error, at the latest while the queue is destroyed.
  virtual Status host_function(HostFunction fn, void* user_data) = 0;
  // Writes a word of 4 or 8 bytes, aligned to its size.
  virtual Status write_value(void* address, uint64_t value, uint32_t bytes) {
    return fill_3d({address, bytes, bytes}, value, bytes, {bytes, 1, 1});
  }
  // Later operations wait until the condition holds. By default a host thread looks, so the host must reach the memory.
  virtual Status wait_value(const ValueWait& wait);
  // Signals semaphores of other interfaces, or waits for them, one after the other. Only queues of devices with
  // external_objects() have it.
  virtual Status external(ExternalAction /*action*/, std::span<const ExternalStep> /*steps*/) {
    return error(ErrorCode::NotSupported, "This queue's device has no external semaphores.");
  }
  // Allocates and releases device memory in the order of the queue. `device` is the queue's device. release() also
  // takes memory from Device::allocate; `kind` is the kind that it was allocated with. By default allocate() gives
  // memory that exists at once, and a host function frees it.
  virtual Result<void*> allocate(Device& device, size_t bytes);
  virtual Status release(Device& device, void* base, MemoryKind kind);
  // All submitted work is done. May be polled.
  virtual bool idle() noexcept = 0;
  // Blocks until idle; reports as Completion::wait does.
  virtual Status synchronize() noexcept = 0;
};

inline Status Command::submit(Queue& queue) const {
  switch (kind) {
  case Kind::Copy:
    return extent.height == 1 && extent.depth == 1 ? queue.copy(dst.base, src.base, extent.width_bytes)
                                                   : queue.copy_3d(dst, src, extent);
  case Kind::Fill:
    return queue.fill_3d(dst, pattern, pattern_bytes, extent);
  case Kind::Launch:
    break;
  }
  Launch complete = launch;
  complete.packed_arguments = arguments;
  return queue.launch(complete);
}

// HIP's three kinds of streams. Devices without a native default stream treat them alike.
enum class QueueKind { Null, Blocking, NonBlocking };

struct QueueOptions {
  QueueKind kind = QueueKind::NonBlocking;
  int priority = 0;                          // hip's: -1 high, 0 normal, 1 low
  std::vector<uint32_t> compute_unit_mask{}; // a bit per compute unit; empty: all
  UnitPartition* partition = nullptr;        // of the same device, which the queue is on; null: all of it
};

// From one device to another of the same back end.
struct PeerLink {
  bool access = false; // kernels here can be given access to memory there (enable_peer)
  bool native_atomics = false, array_access = false;
  int performance_rank = 0;
};

enum class DeviceLimit { StackBytes, PrintfBytes, HeapBytes, PersistingL2Bytes };
// A launch in clusters of work-groups, as occupancy is asked for.
struct ClusterShape {
  std::array<uint32_t, 3> groups{1, 1, 1}, group_items{1, 1, 1}, cluster{1, 1, 1}; // cluster: in groups
  uint32_t dynamic_lds_bytes = 0;
};
// An atomic operation: hipAtomicOperation's numbers; and what hardware can do of it: hipAtomicCapability's bits.
enum class AtomicOperation : uint32_t {
  Add,
  Min,
  Max,
  Increment,
  Decrement,
  And,
  Or,
  Xor,
  Exchange,
  CompareSwap,
  FloatAdd,
  FloatMin,
  FloatMax
};
inline constexpr uint32_t kAtomicSigned = 1, kAtomicUnsigned = 2, kAtomicReduction = 4, kAtomic32 = 8, kAtomic64 = 16;
// What a program says of managed memory; HIP's and CUDA's numbers.
enum class Advice : uint32_t { ReadMostly = 1, NotReadMostly, Prefer, PreferNothing, AccessedBy, NotAccessedBy };
enum class WaitPolicy { Auto, Spin, Yield, Block }; // of host threads

class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceProperties& properties() const noexcept = 0;
  // Error: the driver's.
  virtual Result<MemoryInfo> memory_info() = 0;
  // At least 256-byte aligned. hipErrorOutOfMemory when it cannot be had.
  virtual Result<void*> allocate(size_t bytes, MemoryKind kind) = 0;
  // `kind` is the kind that the memory was allocated with. Core has synchronised, so free waits for nothing, except on
  // devices with free_waits.
  virtual Status free(void* base, MemoryKind kind = MemoryKind::Device) = 0;
  // Makes host memory of the process accessible to kernels at its own address; hipErrorHostMemoryAlreadyRegistered.
  virtual Status register_host(void* base, size_t bytes) = 0;
  virtual Status unregister_host(void* base) = 0;
  // `image` is one code object (ELF or PTX), not a bundle; it may be freed after the call.
  virtual Result<std::unique_ptr<Executable>> load(std::span<const std::byte> image) = 0;
  virtual Result<std::unique_ptr<Queue>> create_queue(const QueueOptions& options) = 0;
  // For queues of this device. By default the queues are given one command after the other.
  virtual Result<Ref<CommandList>> prepare(std::vector<Command> commands) {
    return make_ref<CommandList>(std::move(commands));
  }
  // To a device of the same back end.
  virtual PeerLink peer_link(Device& peer) = 0;
  virtual Status enable_peer(Device& peer) = 0;
  virtual Status disable_peer(Device& peer) = 0;
  // How many work-groups of this shape fit one compute unit at once (occupancy).
  virtual uint32_t max_groups_per_cu(const Kernel& kernel, uint32_t group_items, uint32_t dynamic_lds_bytes) = 0;
  // The largest cluster of work-groups that a launch can have, and how many clusters run at once. Error:
  // InvalidClusterSize where there are no clusters.
  virtual Result<uint32_t> largest_cluster(const Kernel&, const ClusterShape&) { return no_clusters(); }
  virtual Result<uint32_t> active_clusters(const Kernel&, const ClusterShape&) { return no_clusters(); }
  // What kernels can do atomically to memory of `peer`, a device of this back end to which there is access, or to that
  // of the host when null.
  virtual Result<uint32_t> atomic_capabilities(AtomicOperation, Device* /*peer*/) { return 0u; }
  // Waits until what other hardware has written to this device's memory can be seen: by the device, or by all devices.
  enum class WrittenFor { Owner, AllDevices };
  virtual Status flush_remote_writes(WrittenFor) {
    return error(ErrorCode::NotSupported, "{} has no flush of what other hardware writes.", properties().name);
  }
  // A pool of the driver; the one that the driver allocates from by itself when `options` is null. Only devices with
  // native_pools have them.
  virtual Result<std::unique_ptr<MemoryPool>> create_pool(const PoolOptions* /*options*/) {
    return error(ErrorCode::NotSupported, "This device has no pools of its own.");
  }
  // The pool that another process exported.
  virtual Result<std::unique_ptr<MemoryPool>> import_pool(int /*descriptor*/) {
    return error(ErrorCode::NotSupported, "This device has no pools of its own.");
  }
  // Null: memory of the device always has an address, and no other process sees it.
  virtual VirtualMemory* virtual_memory() noexcept { return nullptr; }
  // Null: the device's driver does not divide its compute units.
  virtual UnitPartitions* unit_partitions() noexcept { return nullptr; }
  // Null: the device has no image instructions.
  virtual Images* images() noexcept { return nullptr; }
  // Null: memory and semaphores of other interfaces cannot be used.
  virtual ExternalObjects* external_objects() noexcept { return nullptr; }
  // For devices that must be told their limits; others see the limits of each launch.
  virtual Status set_limit(DeviceLimit, uint64_t) { return {}; }
  // Makes all lines of the cache that persist (AccessWindow) normal ones. Only devices with room for such lines
  // (persisting_l2_bytes) have it.
  virtual Status reset_persisting_lines() {
    return error(ErrorCode::NotSupported, "The device has no lines of its cache that persist.");
  }
  virtual Status set_wait_policy(WaitPolicy) { return {}; }
  // Of managed memory that a device of this back end made, for `where`, one of them too, or for the host when `where`
  // is null. Only memory that moves needs it.
  virtual Status advise(const void*, size_t, Advice, Device* /*where*/) { return {}; }
  // What has ended the device for this process, so that all work fails with it; success while it can be used.
  virtual Status fault() const { return {}; }
  // Makes this the device that the calling thread uses, for libraries of the vendor, which ask the driver for it.
  virtual Status select() { return {}; }
  // Tells an attached profiler of the vendor's to begin or to stop collecting.
  virtual Status collect_profile(bool /*on*/) {
    return error(ErrorCode::NotSupported, "Profilers of this device take no orders from programs.");
  }
  // Blocks until all work of the device is done, including work that did not come through this interface. Only devices
  // with a native default stream have it.
  virtual Status synchronize() { return error(ErrorCode::NotSupported, "This device is waited for by its queues."); }

private:
  Status no_clusters() const {
    return error(ErrorCode::InvalidClusterSize, "{} has no clusters of blocks.", properties().name);
  }
};

inline Result<void*> Queue::allocate(Device& device, size_t bytes) {
  return device.allocate(bytes, MemoryKind::Device);
}

inline Status Queue::wait_value(const ValueWait& wait) {
  auto order = std::make_unique<ValueWait>(wait);
  RT_TRY(host_function(
      [](void* data, const Status&) { std::unique_ptr<ValueWait>(static_cast<ValueWait*>(data))->wait_on_host(); },
      order.get()));
  static_cast<void>(order.release()); // the host function owns it now
  return {};
}

inline Status Queue::release(Device& device, void* base, MemoryKind kind) {
  struct Order {
    Device& device;
    void* base;
    MemoryKind kind;
  };
  auto order = std::make_unique<Order>(Order{device, base, kind});
  RT_TRY(host_function(
      [](void* data, const Status&) {
        const std::unique_ptr<Order> owned(static_cast<Order*>(data));
        static_cast<void>(owned->device.free(owned->base, owned->kind)); // nobody is there to be told
      },
      order.get()));
  static_cast<void>(order.release()); // the host function owns it now
  return {};
}

class Backend {
public:
  virtual ~Backend() = default;
  virtual std::string_view name() const noexcept = 0;
  // Enumerated once; stable for the life of the process.
  virtual std::span<Device* const> devices() noexcept = 0;
  // Why there are no devices, as a sentence; empty when there are, or when nothing is wrong.
  virtual std::string_view absence() const noexcept { return {}; }
};

enum class SoftwareDevices { Offer, Leave };

// Each back end's folder defines one of these. An absent driver is no error: it gives a back end without devices.
// What this library offers others of the process that have software GPUs (aql/soft/shared_system.h).
const void* software_gpus() noexcept;
Result<std::unique_ptr<Backend>> create_aql_backend(SoftwareDevices software = SoftwareDevices::Offer);
Result<std::unique_ptr<Backend>> create_hsa_backend();
Result<std::unique_ptr<Backend>> create_cuda_backend();
Result<std::unique_ptr<Backend>> create_null_backend();

} // namespace hip::backend
