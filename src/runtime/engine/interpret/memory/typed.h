// runtime/engine/interpret/memory/typed.h - what tools have to know of a buffer access with a format.
#pragma once

#include "runtime/engine/interpret/inst.h"

namespace hip::engine {

// How many bytes each lane accesses: those of the format that the instruction holds, or its resource.
uint32_t typed_bytes(const Wave* w, const Inst* i) noexcept;

} // namespace hip::engine
