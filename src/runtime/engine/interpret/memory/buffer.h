// runtime/engine/interpret/memory/buffer.h - where an instruction with a buffer resource accesses memory (ERRATA 34),
// for its handlers and for tools. Always inline, because the file is compiled at several host ISA levels.
#pragma once

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/target/target.h"

namespace hip::engine {

inline constexpr uint64_t kBufferBaseMask = (1ull << 48) - 1; // of a resource's first two dwords

struct Buffer {
  uint64_t base;
  uint32_t stride, records;
  bool swizzled;         // records interleaved dword by dword, in groups of index_stride
  bool adds_lane_number; // to the index
  uint32_t index_stride;
};
// Of its four dwords. Where formats are pairs (gfx9), four bits of a stride are in the format's place beside lane
// numbers.
[[gnu::always_inline]] inline Buffer buffer_of(const uint32_t* r, BufferFormats formats = BufferFormats::Pairs) {
  const bool adds_lane_number = r[3] >> 23 & 1, is_wide = adds_lane_number && formats == BufferFormats::Pairs;
  const uint32_t stride = (r[1] >> 16 & 0x3fff) | (is_wide ? r[3] >> 15 & 15 : 0) << 14;
  return {(uint64_t(r[1] & 0xffff) << 32) | r[0], stride, r[2], (r[1] >> 31) != 0, adds_lane_number, 8u << (r[3] >> 21 & 3)};
}
[[gnu::always_inline]] inline Buffer buffer_of(Wave* w, const Inst* i) {
  return buffer_of(&at<uint32_t>(w, i->src[1]), BufferFormats(i->imm[2] >> kMubufNumberingShift & 3));
}
[[gnu::always_inline]] inline uint32_t buffer_scalar_offset(Wave* w, const Inst* i) {
  return i->src[2] ? at<uint32_t>(w, i->src[2]) : uint32_t(i->imm[1]);
}

// A lane's element of `bytes`: its address, and whether it lies inside the buffer. Of one that does not, whole dwords from its
// beginning may.
struct BufferElement {
  uint64_t address;
  bool fits;
  uint32_t inside_bytes;
};
[[gnu::always_inline]] inline BufferElement buffer_element(Wave* w, const Inst* i, const Buffer& b, uint32_t lane,
                                                           uint32_t bytes) {
  const bool offen = i->imm[2] & kMubufOffen, idxen = i->imm[2] & kMubufIdxen;
  const uint32_t soffset = buffer_scalar_offset(w, i);
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  const uint32_t index = (idxen ? address[lane] : 0) + (b.adds_lane_number ? lane : 0);
  const uint64_t offset = uint64_t(offen ? address[(idxen ? kMaxLanes : 0) + lane] : 0) + uint32_t(i->imm[0]);
  // A stride counts where the instruction has an index: then the resource's size is in records, else in bytes (ERRATA 34).
  uint64_t room = 0;
  if (b.stride != 0 && idxen)
    room = index < b.records && offset + bytes <= b.stride ? bytes : 0;
  else if (offset + soffset < b.records)
    room = b.records - (offset + soffset);
  const bool fits = room >= bytes;
  uint64_t inside = uint64_t(index) * b.stride + offset;
  if (b.swizzled) {
    constexpr uint32_t kElement = 4; // bytes that stay together
    const uint64_t group = uint64_t(index / b.index_stride) * b.stride + offset / kElement * kElement;
    inside = group * b.index_stride + index % b.index_stride * kElement + offset % kElement;
  }
  return {b.base + soffset + inside, fits, fits ? bytes : uint32_t(room) & ~3u};
}

// The buffer over the wave's private segments (GridShape::private_buffer_sgpr), whose dwords lie lane beside lane. The
// base and the scalar offset count the bytes of all lanes together, the other offsets those of one.
struct PrivateBuffer {
  bool is_one;     // else it is an ordinary swizzled buffer
  uint32_t offset; // of the element in each lane's segment, without the lane's own offset
};
[[gnu::always_inline]] inline PrivateBuffer private_buffer(Wave* w, const Inst* i, const Buffer& b) {
  const uint64_t begin = w->scratch_base & kBufferBaseMask, before = b.base + buffer_scalar_offset(w, i) - begin;
  // A stack pointer, the scalar offset, may lie behind the end: then the stack has overflown.
  const bool own = b.base == begin || before / w->lanes < w->scratch_bytes;
  return {own && before % (w->lanes * sizeof(uint32_t)) == 0 && !(i->imm[2] & kMubufIdxen), uint32_t(before / w->lanes) + uint32_t(i->imm[0])};
}

} // namespace hip::engine
