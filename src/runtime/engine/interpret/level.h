// runtime/engine/interpret/level.h - what every source that is compiled per host ISA level includes first: the level's namespace
// with the value types of engine/isa. Such a source is compiled once per level with OMNIHIP_LEVEL (the namespace) and
// OMNIHIP_LEVEL_LANES (lanes per strip; 1 gives the one-lane-at-a-time reference). Inline functions must be in the level's
// namespace, because the linker would otherwise keep one level's code for all levels.
#pragma once

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/op_row.h"
#include "runtime/engine/isa/body_shape.h"
#include "runtime/engine/isa/value.h"

#include <cstdint>
#include <cstring>

namespace hip::engine::OMNIHIP_LEVEL {

using namespace hip::engine::isa;
inline constexpr int kLanes = OMNIHIP_LEVEL_LANES; // lanes per strip
inline constexpr int kStrips = int(kMaxLanes) / kLanes;
inline constexpr int kStripBytes = kLanes * 4;

} // namespace hip::engine::OMNIHIP_LEVEL
