// runtime/backend/backend.h - the seam between what HIP means (core/) and who does it (aql/, cuda/, null/).
// A back end offers devices; a device offers memory, code and in-order queues. Everything that one API call needs is
// one call here; nothing here calls back into core except host functions. Errors are Status values with HIP's numbers.
// Thread safety: Backend, Device and Executable may be used from any thread. A Queue is used by one thread at a time
// (core holds the stream's lock). Completion may be polled and waited for by any thread.
#pragma once

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
  Device,      // hipMalloc
  FineGrained, // hipExtMallocWithFlags(hipDeviceMallocFinegrained / Uncached)
  HostPinned,  // hipHostMalloc: page-locked, visible to all devices at the same address
  Managed,     // hipMallocManaged
};

struct DeviceProperties {
  std::string name;   // "AMD Instinct MI300X (software)"
  std::string target; // target id that code objects are matched against: "gfx942:sramecc+:xnack-", "sm_90"
  std::array<uint8_t, 16> uuid{};
  uint32_t pci_domain = 0, pci_bus = 0, pci_device = 0;
  bool is_software = false;
  uint64_t memory_bytes = 0;
  uint32_t compute_units = 0;
  uint32_t wave_lanes = 64;
  uint32_t max_waves_per_cu = 0;
  uint32_t simds_per_cu = 4;
  uint32_t max_group_items = 1024;
  std::array<uint32_t, 3> max_group_dim{1024, 1024, 1024};
  std::array<uint32_t, 3> max_grid_dim{0x7fffffff, 65535, 65535}; // in work-groups
  uint32_t lds_bytes_per_group = 65536;
  uint32_t lds_bytes_per_cu = 65536;
  uint32_t vgprs_per_simd = 512; // per lane, arch + accumulation
  uint32_t sgprs_per_wave = 102;
  uint64_t l2_bytes = 0;
  uint32_t core_clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0, wall_clock_khz = 100000;
  int major = 9, minor = 4; // compute capability as HIP reports it
  bool cooperative_launch = true;
  bool managed_memory = true;
  bool concurrent_managed_access = false;
  bool pageable_memory_access = false;
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
  // The error, without blocking; success while not done.
  virtual Status status() const noexcept = 0;
  // Device time in ns of a common clock (steady_clock) when the point was reached; 0 while not done.
  virtual uint64_t timestamp_ns() const noexcept = 0;
};

// Where an explicit kernel argument lies in the kernarg segment.
struct KernelArgument {
  uint32_t offset = 0, bytes = 0;
};

struct KernelAttributes {
  uint32_t static_lds_bytes = 0, private_bytes = 0, kernarg_bytes = 0, vgprs = 0, agprs = 0, sgprs = 0;
  uint32_t max_group_items = 1024;
  std::array<uint32_t, 3> required_group{0, 0, 0}; // 0: any
  bool uses_dynamic_stack = false;
  int binary_version = 0; // 94 for gfx942
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

// A code object loaded on one device. Unloads on destruction; no kernel of it may be running.
class Executable {
public:
  virtual ~Executable() = default;
  virtual Kernel* find_kernel(std::string_view name) noexcept = 0; // null: no such kernel
  virtual Result<Global> find_global(std::string_view name) = 0;   // hipErrorNotFound; also finds NAME.managed
  virtual std::vector<Kernel*> kernels() = 0;
  virtual const std::string& target() const noexcept = 0;
};

struct Launch {
  Kernel* kernel = nullptr;
  std::array<uint32_t, 3> grid_items{1, 1, 1}; // work-items, not work-groups; the last group may be partial
  std::array<uint32_t, 3> group_items{1, 1, 1};
  uint32_t dynamic_lds_bytes = 0;
  uint32_t stack_bytes = 0; // what each work-item has at least when the kernel's need is unknown (hipLimitStackSize)
  // Exactly one of the two: pointers to each explicit argument, or the packed explicit block.
  void* const* argument_pointers = nullptr;
  std::span<const std::byte> packed_arguments;
  bool cooperative = false;
  bool out_of_order = false; // hipExtAnyOrderLaunch: need not wait for what is before it in the queue
};

using HostFunction = void (*)(void* user_data, const Status& queue_status);

// In-order queue. Operations start when all before them in this queue are done.
class Queue {
public:
  virtual ~Queue() = default; // finishes outstanding work
  virtual Status launch(const Launch& launch) = 0;
  virtual Status copy(void* dst, const void* src, size_t bytes) = 0;
  virtual Status copy_3d(const Region& dst, const Region& src, const Extent3& extent) = 0;
  // pattern_bytes is 1, 2, 4 (or 8, 16); extent.width_bytes is a multiple of it.
  virtual Status fill_3d(const Region& dst, uint64_t pattern, uint32_t pattern_bytes, const Extent3& extent) = 0;
  // A point after everything submitted so far; the cheapest form when nothing is outstanding.
  virtual Result<Ref<Completion>> record() = 0;
  // What is submitted from now on waits for `completion` (of any queue of any device of this back end).
  virtual Status wait(const Ref<Completion>& completion) = 0;
  // Calls fn on a runtime thread when everything before is done; later operations wait for its return.
  virtual Status host_function(HostFunction fn, void* user_data) = 0;
  // All submitted work is done. May be polled.
  virtual bool idle() noexcept = 0;
  // Blocks until idle; reports as Completion::wait does.
  virtual Status synchronize() noexcept = 0;
};

struct QueueOptions {
  int priority = 0;                        // hip's: -1 high, 0 normal, 1 low
  std::vector<uint32_t> compute_unit_mask; // empty: all
};

class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceProperties& properties() const noexcept = 0;
  virtual MemoryInfo memory_info() noexcept = 0;
  // At least 256-byte aligned. hipErrorOutOfMemory when it cannot be had.
  virtual Result<void*> allocate(size_t bytes, MemoryKind kind) = 0;
  virtual Status free(void* base) = 0; // waits for nothing: core has synchronised
  // Makes host memory of the process accessible to kernels at its own address; hipErrorHostMemoryAlreadyRegistered.
  virtual Status register_host(void* base, size_t bytes) = 0;
  virtual Status unregister_host(void* base) = 0;
  // `image` is one code object (ELF or PTX), not a bundle; it may be freed after the call.
  virtual Result<std::unique_ptr<Executable>> load(std::span<const std::byte> image) = 0;
  virtual Result<std::unique_ptr<Queue>> create_queue(const QueueOptions& options) = 0;
  virtual Status enable_peer(Device& peer) = 0;
  // How many work-groups of this shape fit one compute unit at once (occupancy).
  virtual uint32_t max_groups_per_cu(const Kernel& kernel, uint32_t group_items, uint32_t dynamic_lds_bytes) = 0;
};

class Backend {
public:
  virtual ~Backend() = default;
  virtual std::string_view name() const noexcept = 0;
  // Enumerated once; stable for the life of the process.
  virtual std::span<Device* const> devices() noexcept = 0;
};

// Each back end's folder defines one of these. An absent driver is no error: it gives a back end without devices.
Result<std::unique_ptr<Backend>> create_aql_backend();
Result<std::unique_ptr<Backend>> create_null_backend();

} // namespace hip::backend
