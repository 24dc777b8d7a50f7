#include "runtime/core/memory.h"

#include "runtime/base/log.h"
#include "runtime/base/mapped.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/pool_list.h"
#include "runtime/core/range_advice.h"
#include "runtime/core/runtime.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace hip::core {
namespace {

// Whether the back end's free waits by itself for everything that may touch the allocation.
bool free_waits(const Allocation& allocation) {
  return allocation.kind == PointerKind::Device && allocation.memory == backend::MemoryKind::Device &&
         allocation.device->properties().free_waits;
}

// Waits for everything that may touch the allocation: a host or managed allocation may be used by every device. A fault
// of that work is its stream's to report.
void finish_users(const Allocation& allocation) {
  if (allocation.kind == PointerKind::Device) return allocation.device->finish();
  for (Device* device : devices()) device->finish();
}

// Calls f with one device of each back end but `owner`'s.
template<class F> void for_other_backends(const Device& owner, F f) {
  const Device* before = &owner;
  for (Device* device : devices()) { // the devices of a back end stand together
    if (device->same_backend(owner) || device->same_backend(*before)) continue;
    before = device;
    f(*device);
  }
}

// Host memory is for kernels of every device: what one back end has pinned or registered, the others register. Where
// that fails, kernels of that back end fault on it; all else works.
void share_with_others(const Device& owner, void* base, size_t bytes) {
  for_other_backends(owner, [&](Device& other) {
    if (const Status status = other.hal().register_host(base, bytes); !status.ok())
      log(LogLevel::Warning, "Host memory at {} is not for kernels of {}: {}", base, other.properties().name,
          status.message());
  });
}

void unshare_with_others(const Allocation& allocation) {
  if (!allocation.on_host()) return;
  for_other_backends(*allocation.device, [&](Device& other) {
    static_cast<void>(other.hal().unregister_host(allocation.base)); // may never have been registered there
  });
}

// Makes what a back end gave known to HIP; gives it back when that cannot be.
[[gnu::hot]] Result<void*> enter(Device& device, void* base, const AllocationRequest& request) {
  bool inserted = false;
  try {
    inserted = addresses().insert({.base = base,
                                   .bytes = request.bytes,
                                   .kind = request.kind,
                                   .memory = request.memory,
                                   .device = &device,
                                   .flags = request.flags,
                                   .pitch_bytes = request.pitch_bytes,
                                   .of_program = request.of_program});
  } catch (...) { // the host has no memory for the entry
    static_cast<void>(device.hal().free(base, request.memory));
    throw;
  }
  if (!inserted) {
    // Host memory was registered and then unmapped without being unregistered, and the address came back.
    RT_TRY(device.hal().free(base, request.memory));
    return error(ErrorCode::OutOfMemory, "The {} bytes at {} overlap host memory that is still registered.",
                 request.bytes, base);
  }
  if (request.kind == PointerKind::Host) share_with_others(device, base, request.bytes);
  return base;
}

} // namespace

Result<void*> allocate(Device& device, const AllocationRequest& request) {
  const auto ask = [&] { return device.hal().allocate(request.bytes, request.memory); };
  Result<void*> base = ask();
  if (!base.ok()) [[unlikely]] {
    if (base.status().code() == ErrorCode::OutOfMemory && request.memory != backend::MemoryKind::HostPinned &&
        request.bytes <= device.properties().memory_bytes)
      base = allocate_from_kept(device, ask);
    if (!base.ok()) return base;
  }
  return enter(device, *base, request);
}

KeptMemory give_back_kept_memory(Device& device) {
  return std::max(release_idle_pool_memory(device), GraphAllocation::give_back_unused(device));
}

// Asks time and again instead of waiting for a point: nobody knows which one is reached first, and Completion::wait
// would tell this call of faults that are the streams' to report.
bool wait_for_kept_memory(Device& device) {
  constexpr int kYields = 200;
  for (int turn = 0;; ++turn) {
    const KeptMemory kept = give_back_kept_memory(device);
    if (kept != KeptMemory::InUse) return kept == KeptMemory::GivenBack;
    // The work of a device that is lost never ends.
    for (Device* each : devices())
      if (!each->hal().fault().ok()) return false;
    if (turn < kYields)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

namespace {

// Gives `taken` back behind what the stream was given so far.
Status release_behind(const Allocation& taken, Stream& stream) {
  if (taken.pool) return taken.pool->free(taken, stream);
  const auto enqueue = [&](backend::Queue& queue) {
    return queue.release(taken.device->hal(), taken.base, taken.memory);
  };
  // Only queues of the memory's device can release it: after the work of another device's stream, the default stream
  // does.
  if (&stream.device() == taken.device) return stream.submit_now(enqueue);
  Stream& own = taken.device->null_stream();
  RT_TRY_ASSIGN(const Ref<backend::Completion> before, stream.record());
  RT_TRY(own.wait_now(before, stream.device()));
  return own.submit_now(enqueue);
}

// What could not be freed is the program's still. The map has room for what was taken from it a moment ago.
void put_back(const Allocation& taken) noexcept {
  try {
    static_cast<void>(addresses().insert(taken));
  } catch (...) { // another thread needed the room, and there is no more: then nobody can free it any more
  }
}

// Gives memory back whose entry the caller has taken out of the map.
Status free_taken(const Allocation& taken) {
  try {
    return taken.device->hal().free(taken.base, taken.memory);
  } catch (...) { // the host has no memory for that
    put_back(taken);
    throw;
  }
}

// Frees behind what the stream was given so far, on the runtime's own account: no capture is asked.
Status free_behind(void* base, Stream& stream) {
  const auto taken =
      addresses().take(base, [](const Allocation& a) { return a.kind == PointerKind::Device && a.user_can_free(); });
  if (!taken) {
    if (auto freed = free_graph_allocation(base)) return std::move(*freed);
    return error(ErrorCode::InvalidValue, "{} is not the start of a device allocation.", base);
  }
  try {
    Status released = release_behind(*taken, stream);
    if (!released.ok() && (!taken->pool || taken->pool->native())) put_back(*taken); // other pools have it back
    return released;
  } catch (...) {
    put_back(*taken);
    throw;
  }
}

} // namespace

Status free_memory(void* base, FreeKind kind) {
  if (!base) return {};
  const auto accept = [kind](const Allocation& a) {
    if (kind == FreeKind::Program) return a.of_program;
    return a.user_can_free() && (kind == FreeKind::Device || a.kind == PointerKind::Host || a.is_plain_device_memory());
  };
  // Where core has to wait first, the allocation is not taken yet: it must stay known while work that uses it still
  // runs.
  const auto found = addresses().claim(base, [&](const Allocation& a) {
    if (!accept(a)) return AddressMap::Claim::Refuse;
    return free_waits(a) ? AddressMap::Claim::Take : AddressMap::Claim::Leave;
  });
  const Allocation& known = found.allocation;
  // AMD's HIP lets it pass, and AMD's libraries do it (RCCL).
  if (found.known && kind == FreeKind::Host && known.kind != PointerKind::Host)
    log(LogLevel::Warning, "hipHostFree frees memory at {} that is not of hipHostMalloc; hipFree is for that.", base);
  if (found.taken) return free_taken(known);
  if (!found.known) {
    if (auto freed = free_graph_allocation(base)) return std::move(*freed);
    return error(ErrorCode::InvalidValue, "{} is not the start of an allocation; was it freed before?", base);
  }
  // What hipMallocAsync gave is freed without waiting, behind the work that was given so far.
  if (known.memory == backend::MemoryKind::StreamOrdered) return free_behind(base, known.device->null_stream());
  finish_users(known);
  const auto taken = addresses().take(base, [&](const Allocation& a) { return a.id == known.id; });
  if (!taken) return error(ErrorCode::InvalidValue, "{} was freed by another thread at the same time.", base);
  unshare_with_others(*taken);
  if (taken->kind == PointerKind::Managed) forget_advice(*taken);
  return free_taken(*taken);
}

Status free_unused(void* base) {
  const auto taken = addresses().take(base, [](const Allocation& a) { return a.of_program; });
  if (!taken) return error(ErrorCode::InvalidValue, "{} is not the start of a program's allocation.", base);
  return free_taken(*taken);
}

Status free_in_stream_order(void* base, Stream& stream) {
  if (!base) return {};
  if (stream.captures()) return capture_free(stream, base);
  return free_behind(base, stream);
}

Status register_host(Device& device, void* base, size_t bytes, unsigned flags) {
  if (!base || bytes == 0)
    return error(ErrorCode::InvalidValue, "Memory to register is {} bytes at {}; neither may be zero.", bytes, base);
  if (!is_mapped(reinterpret_cast<uint64_t>(base), bytes))
    return error(ErrorCode::InvalidValue, "The process has no memory at all of the {} bytes from {}.", bytes, base);
  const auto known = [&] {
    return error(ErrorCode::HostMemoryAlreadyRegistered, "The {} bytes at {} overlap memory that HIP knows already.",
                 bytes, base);
  };
  // Asked first, since back ends have errors of their own for memory that they gave.
  if (addresses().overlaps(base, bytes)) return known();
  RT_TRY(device.hal().register_host(base, bytes));
  const bool inserted = addresses().insert(
      {.base = base, .bytes = bytes, .kind = PointerKind::Registered, .device = &device, .flags = flags});
  if (inserted) {
    share_with_others(device, base, bytes);
    return {};
  }
  RT_TRY(device.hal().unregister_host(base)); // another thread was faster
  return known();
}

Status unregister_host(void* base) {
  if (!base) return error(ErrorCode::InvalidValue, "The pointer to unregister is null.");
  const auto known = addresses().find(base);
  if (!known || known->base != base || known->kind != PointerKind::Registered)
    return error(ErrorCode::HostMemoryNotRegistered, "{} is not the start of registered host memory.", base);
  finish_users(*known);
  const auto taken = addresses().take(base, [&](const Allocation& a) { return a.id == known->id; });
  if (!taken) return error(ErrorCode::HostMemoryNotRegistered, "{} was unregistered by another thread.", base);
  unshare_with_others(*taken);
  return taken->device->hal().unregister_host(base);
}

Status prefetch(Stream& stream, const Device& maker, const void* base, size_t bytes, Device* where) {
  if (!maker.same_backend(stream.device())) return {};
  // Devices of other back ends read managed memory where the host does.
  backend::Device* const there = where && where->same_backend(stream.device()) ? &where->hal() : nullptr;
  auto enqueue = [&](backend::Queue& queue) { return queue.prefetch(base, bytes, there); };
  return stream.submit(enqueue);
}

Status discard(Stream& stream, const Device& maker, void* base, size_t bytes) {
  auto enqueue = [&](backend::Queue& queue) {
    return maker.same_backend(stream.device()) ? queue.discard(base, bytes) : Status();
  };
  return stream.submit(enqueue);
}

Status advise(Device& maker, const void* base, size_t bytes, backend::Advice advice, Device* where) {
  if (where && !where->same_backend(maker)) return {};
  return maker.hal().advise(base, bytes, advice, where ? &where->hal() : nullptr);
}

Status free_all(Device& device) {
  Status first;
  for (const Allocation& allocation : addresses().take_all(device)) {
    unshare_with_others(allocation);
    if (allocation.kind == PointerKind::Managed) forget_advice(allocation);
    Status status = allocation.pool ? allocation.pool->free_now(allocation)
                    : allocation.kind == PointerKind::Registered
                        ? device.hal().unregister_host(allocation.base)
                        : device.hal().free(allocation.base, allocation.memory);
    if (first.ok()) first = std::move(status);
  }
  return first;
}

} // namespace hip::core
