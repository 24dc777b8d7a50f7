// runtime/engine/interpret/memory/buffer_range.h - accesses to buffers that are ranges of bytes, as most descriptors of hand-written
// code are: a strip at once, with the next one fetched where the descriptor moves from access to access. For handlers and for
// translated code.
#pragma once

#include "runtime/engine/interpret/memory/buffer.h"
#include "runtime/engine/interpret/memory/elements.h"
#include "runtime/engine/interpret/memory/mem.h"
#include "runtime/engine/interpret/memory/rows.h"
#include "runtime/engine/interpret/memory/scatter.h"
#include "runtime/engine/interpret/memory/strip_address.h"
#include "runtime/engine/wave/group.h"

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// Whether offsets alone say where the buffer's elements are. The instruction must have no index.
MEM_INLINE bool is_byte_range(const Buffer& b) {
  const bool by_bytes = b.rule == BufferRule::RecordsOrRange || b.rule == BufferRule::Range;
  return by_bytes && !b.swizzled() && !b.adds_lane_number;
}
struct ByteRange {
  uint64_t base;      // of offset 0 in the VGPR
  int64_t last;       // the largest offset at which an element of the instruction lies inside; negative: none does
  int64_t last_dword; // the same for its first dword
  // `fixed`: the instruction's offset and the scalar one together; `bytes`: of an element.
  MEM_INLINE ByteRange(const Buffer& b, uint64_t fixed, uint32_t bytes) : base(b.base + fixed) {
    const int64_t room = int64_t(b.records) - int64_t(fixed);
    last = room - bytes, last_dword = room - (bytes < 4 ? bytes : 4);
  }
};
MEM_INLINE LaneBits lanes_up_to(U32x16 offsets, int64_t last) { return last < 0 ? 0 : bits_of(offsets <= uint32_t(last)); }

// How far an instruction's buffer has moved when it moved last, for all waves of the group: they come here with the same one.
MEM_INLINE int64_t buffer_step(Wave* w, uint64_t instruction, uint64_t base) {
  constexpr int64_t kFarthest = 16 << 20; // of what is still a walk through one matrix
  if (!w->group) return 0; // a wave by itself
  auto& steps = w->group->buffer_steps;
  BufferStep& s = steps[instruction % steps.size()];
  if (s.instruction != instruction) {
    s = {instruction, base, 0};
  } else if (s.base != base) {
    const int64_t step = int64_t(base - s.base);
    s.step = step > -kFarthest && step < kFarthest ? step : 0;
    s.base = base;
  }
  return s.step;
}
// Fetches what the strip's lanes will load when the buffer has moved once more.
template <class E, bool kFull> MEM_INLINE void fetch_next(const StripAddress& a, LaneBits lanes, int64_t step) {
  constexpr uint32_t kLineBytes = 64, kLanesOfLine = E::kBytes >= kLineBytes / 4 ? 4 : kLineBytes / E::kBytes < kMemLanes ? kLineBytes / E::kBytes : kMemLanes;
  alignas(64) uint32_t offsets[kMemLanes];
  *reinterpret_cast<U32x16*>(offsets) = a.low;
  const char* base = reinterpret_cast<const char*>(a.base + uint64_t(step));
  for (uint32_t l = 0; l < kMemLanes; l += kLanesOfLine)
    if (kFull || (lanes >> l & 1)) __builtin_prefetch(base + offsets[l], 0, 3);
}

// Loads the elements of `lanes`, which lie inside the buffer; other lanes get anything. False: one is outside the arena, and nothing is
// loaded.
template <class E, bool kFull> MEM_INLINE bool load_range(Wave* w, const StripAddress& a, LaneBits lanes, U32x16 (&v)[4]) {
  const char* first = reinterpret_cast<const char*>(a.base + a.first);
  const StripShape shape = strip_shape<E, kFormScalar, kFull>(a, lanes);
  if (kFull && shape == StripShape::Linear && stretch_inside<E::kBytes, E::kBytes, kFull>(w, a, lanes)) {
    load_linear<E>(first, v);
  } else if (kFull && shape == StripShape::Dwords && stretch_inside<4, E::kBytes, kFull>(w, a, lanes)) {
    load_dwords<E>(first, v);
  } else if (shape == StripShape::Equal && in_arena(w, a.base + a.first, E::kBytes)) {
    splat<E>(first, v);
  } else {
    alignas(128) const FullAddresses full = full_addresses<kFormScalar>(a, 0);
    if ((lanes_in_arena(w, full, E::kBytes) & lanes) != lanes) return false;
    if constexpr (E::kBytes >= 4) {
      gather(reinterpret_cast<const uint64_t*>(&full), lanes, E::kDwords, v);
    } else {
      alignas(64) uint64_t addresses[kMemLanes];
      put_each(addresses, full);
      alignas(64) uint32_t values[kMemLanes] = {};
      for (LaneBits rest = lanes; rest; rest &= rest - 1) {
        const uint32_t l = uint32_t(std::countr_zero(rest));
        values[l] = E::load(reinterpret_cast<const void*>(addresses[l])).v[0];
      }
      v[0] = *reinterpret_cast<const U32x16*>(values);
    }
  }
  return true;
}
// The same for stores.
template <class E, bool kFull> MEM_INLINE bool store_range(Wave* w, const StripAddress& a, LaneBits lanes, const uint32_t* rows, uint32_t q) {
  if (kFull && strip_shape<E, kFormScalar, kFull>(a, lanes) == StripShape::Linear && stretch_inside<E::kBytes, E::kBytes, kFull>(w, a, lanes)) {
    store_linear<E>(reinterpret_cast<char*>(a.base + a.first), rows, q);
    return true;
  }
  const FullAddresses full = full_addresses<kFormScalar>(a, 0);
  if ((lanes_in_arena(w, full, E::kBytes) & lanes) != lanes) return false;
  alignas(64) uint64_t addresses[kMemLanes];
  put_each(addresses, full);
  if constexpr (E::kBytes == 12) {
    for_lanes(lanes, [&](uint32_t l) { E::put(reinterpret_cast<void*>(addresses[l]), rows, q * kMemLanes + l); });
  } else {
    U32x16 v[4];
    for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = load_row(rows + k * kMaxLanes, q) >> E::kShift;
    scatter(v, lanes, E::kBytes, [&](uint32_t l) { return reinterpret_cast<char*>(addresses[l]); });
  }
  return true;
}
// The same of some of a strip's lanes.
template <class E, bool kLoads, bool kFull> MEM_INLINE bool access_lanes(Wave* w, const ByteRange& range, U32x16 offsets, int64_t step, uint32_t q, LaneBits lanes, uint32_t* rows) {
  StripAddress a;
  a.low = offsets;
  a.base = range.base;
  const LaneBits inside = lanes_up_to(a.low, range.last) & lanes;
  if (E::kBytes > 4 && (lanes_up_to(a.low, range.last_dword) & lanes) != inside) return false;
  if (inside) a.first = a.low[std::countr_zero(inside)];
  if constexpr (kLoads) {
    U32x16 v[4];
    if (kFull && inside == lanes) {
      if (!load_range<E, true>(w, a, inside, v)) return false;
    } else {
      if (inside && !load_range<E, false>(w, a, inside, v)) return false;
      for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = inside ? (bools_of(inside) ? v[k] : U32x16(0)) : U32x16(0);
    }
    if (step) fetch_next<E, kFull>(a, inside, step);
    write_back<E, kFull>(rows, q, lanes, v);
    return true;
  } else {
    if (kFull && inside == lanes) return store_range<E, true>(w, a, inside, rows, q);
    return !inside || store_range<E, false>(w, a, inside, rows, q);
  }
}
// Accesses the elements of strip q's `lanes` at these offsets in the range; `rows` are of the data's registers. False where a lane's
// element is partly inside, or somewhere that has to be asked for: then nothing has been accessed.
template <class E, bool kLoads> MEM_INLINE bool access_range(Wave* w, const ByteRange& range, U32x16 offsets, int64_t step, uint32_t q, LaneBits lanes, uint32_t* rows) {
  return lanes == 0xffff ? access_lanes<E, kLoads, true>(w, range, offsets, step, q, lanes, rows)
                         : access_lanes<E, kLoads, false>(w, range, offsets, step, q, lanes, rows);
}

} // namespace
} // namespace hip::engine::OMNIHIP_LEVEL
