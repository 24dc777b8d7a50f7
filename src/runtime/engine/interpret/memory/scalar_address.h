// runtime/engine/interpret/memory/scalar_address.h - where instructions of the scalar unit access memory, for loads, stores and
// atomics. Always inline, because handlers of several files share it.
#pragma once

#include "runtime/engine/engine.h"
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/buffer.h"
#include "runtime/engine/interpret/memory/reach.h"

#include <cstring>

namespace hip::engine {

// Whether the wave may access `bytes` from `address` on, which no lane does for itself; ends it with a fault when it may not.
inline bool scalar_admitted(Wave* w, const Inst* i, uint64_t address, uint32_t bytes, MemoryKind kind) {
  if (in_arena(w, address, bytes)) [[likely]] return true;
  return admit(w, {i, MemorySpace::Scalar, kind, bytes, 1, &address}).has_value();
}
inline uint64_t sgpr64_at(Wave* w, uint32_t offset) {
  uint64_t v;
  std::memcpy(&v, &at<uint32_t>(w, offset), sizeof v);
  return v;
}
inline uint64_t scalar_offset(Wave* w, const Inst* i) { return i->imm[0] + (i->src[2] ? at<uint32_t>(w, i->src[2]) : i->imm[1]); }

// A buffer as the scalar unit sees it: records are `stride` bytes where there is a stride.
struct ScalarBuffer {
  uint64_t base, bytes;
};
inline ScalarBuffer scalar_buffer(Wave* w, const Inst* i) {
  const uint32_t* resource = &at<uint32_t>(w, i->src[1]);
  const uint32_t stride = resource[1] >> 16 & 0x3fff;
  return {sgpr64_at(w, i->src[1]) & kBufferBaseMask, stride ? uint64_t(resource[2]) * stride : resource[2]};
}

} // namespace hip::engine
