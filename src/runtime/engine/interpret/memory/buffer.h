// runtime/engine/interpret/memory/buffer.h - where an instruction with a buffer resource accesses memory (ERRATA 34),
// for its handlers and for tools. Always inline, because the file is compiled at several host ISA levels.
#pragma once

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/memory/lift.h"

namespace hip::engine {

inline constexpr uint64_t kBufferBaseMask = (1ull << 48) - 1; // of a resource's first two dwords

struct Buffer {
  uint64_t base;
  uint32_t stride, records;
  bool swizzled; // lanes interleaved by element
};
[[gnu::always_inline]] inline Buffer buffer_of(Wave* w, const Inst* i) {
  const uint32_t* r = &at<uint32_t>(w, i->src[1]);
  return {(uint64_t(r[1] & 0xffff) << 32) | r[0], r[1] >> 16 & 0x3fff, r[2], (r[1] >> 31) != 0};
}
[[gnu::always_inline]] inline uint32_t buffer_scalar_offset(Wave* w, const Inst* i) {
  return i->src[2] ? at<uint32_t>(w, i->src[2]) : uint32_t(i->imm[1]);
}

// A lane's element of `bytes`: its address, and whether it lies inside the buffer.
struct BufferElement {
  uint64_t address;
  bool fits;
};
[[gnu::always_inline]] inline BufferElement buffer_element(Wave* w, const Inst* i, const Buffer& b, uint32_t lane,
                                                           uint32_t bytes) {
  const bool offen = i->imm[2] & kMubufOffen, idxen = i->imm[2] & kMubufIdxen;
  const uint32_t soffset = buffer_scalar_offset(w, i);
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  const uint32_t index = idxen ? address[lane] : 0;
  const uint64_t offset = uint64_t(offen ? address[(idxen ? kMaxLanes : 0) + lane] : 0) + uint32_t(i->imm[0]);
  // Raw buffers count bytes, structured ones records (AMDGPU ISA, "Buffer range checking").
  const bool fits = b.stride == 0 ? offset + soffset + bytes <= b.records
                                  : index < b.records && (!idxen || offset + bytes <= b.stride);
  return {b.base + soffset + uint64_t(index) * b.stride + offset, fits};
}

// The buffer over the wave's private segments (GridShape::private_buffer_sgpr), whose dwords lie lane beside lane. The
// base and the scalar offset count the bytes of all lanes together, the other offsets those of one.
struct PrivateBuffer {
  bool is_one;     // no other swizzled buffer is known
  uint32_t offset; // of the element in each lane's segment, without the lane's own offset
};
[[gnu::always_inline]] inline PrivateBuffer private_buffer(Wave* w, const Inst* i, const Buffer& b) {
  const uint64_t before = b.base + buffer_scalar_offset(w, i) - (w->scratch_base & kBufferBaseMask);
  const bool inside = before / w->lanes < w->scratch_bytes && before % (w->lanes * sizeof(uint32_t)) == 0;
  return {inside && !(i->imm[2] & kMubufIdxen), uint32_t(before / w->lanes) + uint32_t(i->imm[0])};
}

} // namespace hip::engine
