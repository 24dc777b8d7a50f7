// runtime/core/memory.h - allocation and registration: the back end's memory entered into the address map.
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/core/address_map.h"
#include "runtime/core/device.h"

#include <type_traits>

namespace hip::core {

struct AllocationRequest {
  size_t bytes = 0; // not 0
  backend::MemoryKind memory = backend::MemoryKind::Device;
  PointerKind kind = PointerKind::Device;
  unsigned flags = 0;
  size_t pitch_bytes = 0;
  bool of_program = false; // a variable's storage: the user cannot free it
};
// Waits only when the device has no memory left but for what was freed and work may still use. Error: OutOfMemory.
[[gnu::hot]] Result<void*> allocate(Device& device, const AllocationRequest& request);

enum class FreeKind { Device, Host, Program }; // hipFree, hipHostFree, storage of a program's variable
// Finishes what may still use the memory (all of the device's work), then frees. Null is no error; InvalidValue for
// what is no allocation of this kind, or was freed before. Where the host has no memory for that (std::bad_alloc), the
// allocation is as it was.
[[gnu::hot]] Status free_memory(void* base, FreeKind kind);

// Frees memory of FreeKind::Program that no work uses any more, as free_memory: waits for nothing, except on devices
// with free_waits.
Status free_unused(void* base);

// Frees when the stream has done all that it was given so far; the address is unknown to HIP at once. InvalidValue for
// what is no device allocation.
Status free_in_stream_order(void* base, Stream& stream);

// What the runtime has of a device's memory that the program has freed: in pools (memory_pool.h), and of graphs
// (graph/graph_memory.h). The later ones are of more use to a caller that needs memory.
enum class KeptMemory {
  None,
  InUse,     // work may still use all of it
  GivenBack, // some of it is the device's again
};
// Gives back what no work uses any more.
KeptMemory give_back_kept_memory(Device& device);
// Waits until some of it is given back; false: there is none.
bool wait_for_kept_memory(Device& device);
// For a caller that got no memory of the device: calls `allocate`, which gives a Result, again when kept memory was
// given back, until there is no more of it. The caller holds no lock of a stream.
template<class F> [[gnu::cold]] std::invoke_result_t<const F&> allocate_from_kept(Device& device, const F& allocate) {
  give_back_kept_memory(device);
  for (bool more = true;;) {
    auto memory = allocate();
    if (memory.ok() || memory.status().code() != ErrorCode::OutOfMemory || !more) return memory;
    // Where there is none, another thread may have given it back since: then the next attempt is the last one.
    more = wait_for_kept_memory(device);
  }
}

// Errors: InvalidValue for null, no bytes, or memory that the process does not have; HostMemoryAlreadyRegistered.
Status register_host(Device& device, void* base, size_t bytes, unsigned flags);
// Errors: InvalidValue for null, HostMemoryNotRegistered.
Status unregister_host(void* base);

// Tells the stream's device that managed memory, which `maker` allocated, is used next by `where`, or by the host when
// it is null. Does nothing when another vendor's device made the memory.
Status prefetch(Stream& stream, const Device& maker, const void* base, size_t bytes, Device* where);

// Tells the stream's device that the contents of managed memory, which `maker` allocated, are not needed any more. Does
// nothing when another vendor's device made the memory.
Status discard(Stream& stream, const Device& maker, void* base, size_t bytes);

// Hands advice on managed memory, which `maker` allocated, to its back end; of devices of other back ends there is
// nothing to say there.
Status advise(Device& maker, const void* base, size_t bytes, backend::Advice advice, Device* where);

// The end of everything that was allocated on the device (hipDeviceReset). No work is outstanding.
Status free_all(Device& device);

} // namespace hip::core
