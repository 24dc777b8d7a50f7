// runtime/engine/compile/strip.h - how translated code holds a VGPR: as strips of 16 lanes, one host vector each. A wave of 64
// lanes has four, one of 32 two.
#pragma once

#include "runtime/engine/wave/wave.h"

namespace hip::engine::compile {

inline constexpr uint32_t kStripLanes = 16, kMaxStrips = kMaxLanes / kStripLanes;
// The mask of all lanes of a wave that has so many.
constexpr uint64_t all_lanes(uint32_t lanes) { return ~0ull >> (kMaxLanes - lanes); }

} // namespace hip::engine::compile
