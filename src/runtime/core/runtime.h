// runtime/core/runtime.h - the process's HIP state: back ends and visible devices. Made on the first API call, never
// destroyed, so that calls from static destructors and work outstanding at exit are safe.
#pragma once

#include "runtime/core/device.h"

#include <span>

namespace hip::core {

namespace detail {
extern std::atomic<bool> initialised;
void initialise_slowly();
} // namespace detail

// Enumerates devices once; later calls cost one load. Finding no device is no error here: who needs one is told why.
inline void initialise() {
  if (!detail::initialised.load(std::memory_order_acquire)) [[unlikely]]
    detail::initialise_slowly();
}
// All visible devices, by ordinal; empty before initialise().
std::span<Device* const> devices() noexcept;
// Errors: InvalidDevice; NoDevice when there is none at all.
Result<Device*> find_device(int ordinal);
// The calling thread's device (hipSetDevice). Error: NoDevice.
Result<Device*> current_device();

} // namespace hip::core
