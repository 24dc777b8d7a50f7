// runtime/api/atomics.h - what two functions of two files have in common: the atomic capabilities of a device.
#pragma once

#include "runtime/api/api.h"

#include <span>

namespace hip::api {

// Fills `capabilities`, one for each operation, or nothing when one of them is none: InvalidValue. Without `peer`, of
// memory of the host.
Status atomic_capabilities(core::Device& device, core::Device* peer, std::span<const hipAtomicOperation> operations,
                           unsigned* capabilities);

} // namespace hip::api
