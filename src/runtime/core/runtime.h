// runtime/core/runtime.h - the process's HIP state: back ends and visible devices. Made on the first API call, never
// destroyed, so that calls from static destructors and work outstanding at exit are safe.
#pragma once

#include "runtime/core/device.h"

#include "runtime/core/thread_state.h"

#include <span>

namespace hip::core {

namespace detail {
extern constinit std::atomic<bool> initialised; // false again in a child that fork() made
extern constinit std::atomic<bool> forked;      // fork() made this process after the first call in its parent
extern constinit std::span<Device* const> visible_devices; // written once, before `initialised`
Status initialise_slowly();
Result<Device*> first_current_device();
} // namespace detail

// Enumerates devices once; later calls cost one load. Finding no device is no error here: who needs one is told why.
// Error: NotInitialized in a forked child.
inline Status initialise() {
  if (detail::initialised.load(std::memory_order_acquire)) [[likely]]
    return {};
  return detail::initialise_slowly();
}
// This process was made by fork() after its parent's first call. The parent's other threads, which do the work of its
// devices, are not here, and a lock that one of them held stays locked; so nothing of the parent's HIP state can be
// used or destroyed here.
inline bool is_forked_child() noexcept { return detail::forked.load(std::memory_order_relaxed); }
// All visible devices, by ordinal; empty before initialise().
inline std::span<Device* const> devices() noexcept {
  return detail::initialised.load(std::memory_order_acquire) ? detail::visible_devices : std::span<Device* const>();
}
// A device that a back end found: one that HIP shows, or one that HIP_VISIBLE_DEVICES or its kin hide.
struct FoundDevice {
  backend::Device* hal;
  const backend::Backend* group; // stands for the back end that `hal` comes from
};
// All of them, in the order that devices() has without these variables: real GPUs, then software ones, each in the
// order of their back ends. Empty before initialise(). The HSA runtime of a card and NVIDIA's driver apply
// ROCR_VISIBLE_DEVICES and CUDA_VISIBLE_DEVICES by themselves: what these hide no back end finds.
std::span<const FoundDevice> found_devices() noexcept;
// Errors: InvalidDevice; NoDevice when there is none at all.
Result<Device*> find_device(int ordinal);
// The calling thread's device (hipSetDevice). Error: NoDevice.
inline Result<Device*> current_device() {
  const auto all = devices();
  const size_t ordinal = static_cast<size_t>(this_thread().device);
  if (ordinal >= all.size()) [[unlikely]] // the thread has none yet: hipSetDevice takes only devices that exist
    return detail::first_current_device();
  return all[ordinal];
}

// The order in which devices are tried by threads that have not chosen one; empty: as they are numbered. All devices
// can be used by any thread, so the first of them it is. Concerns the calling thread and those that have used none yet.
// Error: InvalidDevice.
Status set_device_order(std::span<const int> ordinals);

// The stream that a hipStream_t means for the calling thread; null means the default stream of the current device.
// Errors: ContextIsDestroyed for a handle that is none or whose stream was destroyed; StreamDetached when its execution
// context was.
Result<Pin<Stream>> find_special_stream(Handle handle); // what is no handle, and errors
inline Result<Pin<Stream>> find_stream(Handle handle) {
  if (!handle) {
    RT_TRY_ASSIGN(Device* const device, current_device());
    return Pin<Stream>::unowned(&device->null_stream());
  }
  if (Pin<Stream> pin = streams().pin(handle); pin && !pin->detached()) [[likely]]
    return pin;
  return find_special_stream(handle);
}
// Also a stream whose execution context was destroyed: for calls that ask what a stream is, and give it nothing.
inline Result<Pin<Stream>> find_stream_even_detached(Handle handle) {
  if (Pin<Stream> pin = streams().pin(handle)) return pin;
  return find_stream(handle);
}

} // namespace hip::core
