// runtime/engine/interpret/memory/flat.h - flat accesses of a strip whose lanes all point into their own private
// segments, or all into the work-group's LDS: by pointers to local variables, mostly. What has another shape goes lane
// by lane (access.h), which also makes reports. Include after mem.h, which it extends.
#pragma once

#include "runtime/engine/interpret/memory/gather.h"
#include "runtime/engine/interpret/memory/scatter.h"
#include "runtime/engine/interpret/memory/scratch.h"

namespace hip::engine::OMNIHIP_LEVEL {

// The flat addresses of a strip's active lanes, of which there is at least one.
struct FlatStrip {
  U32x16 low, high;
  LaneBits lanes;
  uint32_t q; // the strip's number in the wave

  MEM_INLINE FlatStrip(U64x16 addresses, LaneBits active, uint32_t strip)
      : low(__builtin_convertvector(addresses, U32x16)), high(__builtin_convertvector(addresses >> 32, U32x16)),
        lanes(active), q(strip) {}
  MEM_INLINE bool all_in(uint64_t aperture) const {
    return (bits_of(high == uint32_t(aperture >> 32)) & lanes) == lanes;
  }
  MEM_INLINE uint32_t first() const { return low[uint32_t(std::countr_zero(lanes))]; }
  MEM_INLINE bool at_one_offset() const { return (bits_of(low == first()) & lanes) == lanes; }
  template<class E> MEM_INLINE bool in_private_slots(const Wave* w) const {
    return all_in(w->private_aperture) && (scratch_inside<E>(low, w->scratch_bytes) & lanes) == lanes &&
           in_slots<E>(low, lanes);
  }
  template<class E> MEM_INLINE bool in_lds(const Wave* w) const {
    return all_in(w->shared_aperture) && (lanes_inside(low, w->lds_bytes, E::kBytes) & lanes) == lanes;
  }
};

// False: nothing is accessed, for the addresses have another shape.
template<class E> MEM_INLINE bool load_flat(const Wave* w, const FlatStrip& strip, U32x16 (&v)[4]) {
  if (strip.in_private_slots<E>(w)) {
    if (strip.at_one_offset())
      load_slot<E>(w->scratch_base, strip.first(), strip.q, v);
    else
      load_slots<E>(w->scratch_base, strip.low, strip.q, strip.lanes, v);
    return true;
  }
  if (!strip.in_lds<E>(w)) return false;
  if constexpr (E::kBytes >= 4) {
    gather(w->lds, strip.low, strip.lanes, E::kDwords, v);
  } else {
    const EachLane<U32x16> each(strip.low, strip.lanes);
    alignas(64) uint32_t values[kMemLanes];
    for (uint32_t l = 0; l < kMemLanes; ++l) values[l] = E::load(w->lds + each[l]).v[0];
    v[0] = *reinterpret_cast<const U32x16*>(values);
  }
  return true;
}
template<class E> MEM_INLINE bool store_flat(const Wave* w, const FlatStrip& strip, const U32x16 (&v)[4]) {
  if (strip.in_private_slots<E>(w)) {
    if (strip.at_one_offset())
      store_slot<E>(w->scratch_base, strip.first(), strip.q, strip.lanes, v);
    else
      store_slots<E>(w->scratch_base, strip.low, strip.q, strip.lanes, v);
    return true;
  }
  if constexpr (E::kBytes == 12) {
    return false;
  } else {
    if (!strip.in_lds<E>(w)) return false;
    const EachLane<U32x16> each(strip.low, strip.lanes);
    const U32x16 shifted = v[0] >> E::kShift;
    scatter(E::kBytes < 4 ? &shifted : v, strip.lanes, E::kBytes,
            [&](uint32_t l) { return reinterpret_cast<char*>(w->lds) + each[l]; });
    return true;
  }
}

} // namespace hip::engine::OMNIHIP_LEVEL
