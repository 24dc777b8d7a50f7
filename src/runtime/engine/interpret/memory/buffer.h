// runtime/engine/interpret/memory/buffer.h - where an instruction with a buffer resource accesses memory (ERRATA 34),
// for its handlers and for tools. Always inline, because the file is compiled at several host ISA levels.
#pragma once

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/target/target.h"

namespace hip::engine {

inline constexpr uint64_t kBufferBaseMask = (1ull << 48) - 1; // of a resource's first two dwords

// What lies inside a buffer. Index and offset are the lane's; the bytes of a range count behind the scalar offset.
enum class BufferRule : uint8_t {
  RecordsOrRange, // Records where there is a stride and the instruction has an index, else Range
  Range,          // as many bytes as the buffer has, whatever the index
  Interleaved,    // the same of a swizzled buffer, of the place where the element has come to lie
  Records,        // the index is below the number of records, and the element ends inside the stride
  RecordBegins,   // likewise, but the element need only begin inside the stride
  Index,          // the index is below the number of records
  NotEmpty,       // everything, unless there is no record
};
struct Buffer {
  uint64_t base;
  uint32_t stride, records;
  uint32_t element_bytes; // of a swizzled one: records are interleaved by these, in groups of index_stride; else 0
  bool adds_lane_number; // to the index
  uint32_t index_stride;
  BufferRule rule;

  constexpr bool swizzled() const noexcept { return element_bytes != 0; }
};
// From gfx10 on a field of the descriptor (OOB_SELECT) names the rule.
[[gnu::always_inline]] inline BufferRule buffer_rule(BufferGeneration generation, uint32_t select, bool swizzled,
                                                     uint32_t stride) {
  if (generation == BufferGeneration::Gfx9) return BufferRule::RecordsOrRange;
  const bool is_gfx10 = generation == BufferGeneration::Gfx10;
  switch (select) {
  case 0:
    return is_gfx10 ? BufferRule::RecordBegins : BufferRule::Records;
  case 1:
    return BufferRule::Index;
  case 2:
    return BufferRule::NotEmpty;
  default:
    if (!swizzled) return BufferRule::Range;
    return is_gfx10 ? BufferRule::Interleaved : stride ? BufferRule::Records : BufferRule::Range;
  }
}
// Of a descriptor's four dwords.
[[gnu::always_inline]] inline Buffer buffer_of(const uint32_t* r, BufferGeneration generation) {
  const bool adds_lane_number = r[3] >> 23 & 1;
  // Beside lane numbers gfx9's strides have four bits more, in the format's place.
  const bool is_wide = adds_lane_number && generation == BufferGeneration::Gfx9;
  const uint32_t stride = (r[1] >> 16 & 0x3fff) | (is_wide ? r[3] >> 15 & 15 : 0) << 14;
  // gfx11 has elements of 4, 8 and 16 bytes; before there is a bit that swizzles, and below it one for a cache.
  const uint32_t swizzle = generation == BufferGeneration::Gfx11 ? r[1] >> 30 : r[1] >> 31;
  return {.base = (uint64_t(r[1] & 0xffff) << 32) | r[0],
          .stride = stride,
          .records = r[2],
          .element_bytes = swizzle ? 2u << swizzle : 0,
          .adds_lane_number = adds_lane_number,
          .index_stride = 8u << (r[3] >> 21 & 3),
          .rule = buffer_rule(generation, r[3] >> 28 & 3, swizzle != 0, stride)};
}
[[gnu::always_inline]] inline BufferGeneration buffer_generation(const Inst* i) {
  return BufferGeneration(i->imm[2] >> kMubufGenerationShift & 3);
}
[[gnu::always_inline]] inline Buffer buffer_of(Wave* w, const Inst* i) {
  return buffer_of(&at<uint32_t>(w, i->src[1]), buffer_generation(i));
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
  uint64_t place = uint64_t(index) * b.stride + offset;
  if (b.swizzled()) {
    const uint64_t group = uint64_t(index / b.index_stride) * b.stride + offset / b.element_bytes * b.element_bytes;
    place = group * b.index_stride + index % b.index_stride * b.element_bytes + offset % b.element_bytes;
  }
  const auto all_if = [&](bool condition) { return uint64_t(condition ? bytes : 0); };
  const auto up_to_end = [&](uint64_t begin) { return begin < b.records ? b.records - begin : 0; };
  const auto room_by = [&](BufferRule rule) {
    switch (rule) {
    case BufferRule::Records:
      return all_if(index < b.records && offset + bytes <= b.stride);
    case BufferRule::RecordBegins:
      return all_if(index < b.records && offset < b.stride);
    case BufferRule::Index:
      return all_if(index < b.records);
    case BufferRule::NotEmpty:
      return all_if(b.records != 0);
    case BufferRule::Interleaved:
      return up_to_end(place + soffset);
    default:
      return up_to_end(offset + soffset);
    }
  };
  const bool counts_records = b.rule == BufferRule::RecordsOrRange && b.stride != 0 && idxen;
  const uint64_t room = room_by(counts_records ? BufferRule::Records : b.rule);
  const bool fits = room >= bytes;
  return {b.base + soffset + place, fits, fits ? bytes : uint32_t(room) & ~3u};
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
