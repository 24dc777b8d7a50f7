// runtime/engine/interpret/memory/strip_address.h - the addresses of a strip's lanes as a base and 32-bit offsets, and
// whether the elements there lie inside the arena: what the fast ways of GLOBAL, FLAT and MUBUF instructions are chosen
// by. Include after mem.h, which it extends.
#pragma once

#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/interpret/memory/mem.h"
#include "runtime/engine/interpret/memory/reach.h"

namespace hip::engine::OMNIHIP_LEVEL {

using U64x8 = V8<uint64_t>;

// The addresses of one strip: base + zero-extended offset, with one upper half for all lanes unless `spread`.
struct StripAddress {
  U32x16 low;
  U32x16 high;       // not for kFormScalar
  uint64_t base = 0; // added to `low` where !spread
  bool spread = false;
  uint32_t first = 0; // `low` of the first lane that is set
};
template<uint32_t kForm, bool kFull>
MEM_INLINE StripAddress strip_address(Wave* w, const Inst* i, uint32_t q, LaneBits lanes) {
  StripAddress a;
  const uint32_t* row = &at<uint32_t>(w, i->src[0]);
  const uint32_t f = q * kMemLanes + first_lane<kFull>(lanes);
  a.low = load_row(row, q);
  a.first = row[f];
  if constexpr (kForm == kFormScalar) {
    a.base = load_unaligned<uint64_t>(&at<uint32_t>(w, i->src[1])) + i->imm[0];
  } else {
    a.high = load_row(row + kMaxLanes, q);
    const uint32_t high = row[kMaxLanes + f];
    a.spread = (bits_of(a.high == high) & lanes) != lanes;
    a.base = (uint64_t(high) << 32) + i->imm[0];
  }
  return a;
}
template<class E, uint32_t kForm, bool kFull> MEM_INLINE StripShape strip_shape(const StripAddress& a, LaneBits lanes) {
  return kForm != kFormScalar && a.spread ? StripShape::Any : offsets_shape<E::kBytes, kFull>(a.low, a.first, lanes);
}
// Whether elements of kBytes at a distance of kStep bytes lie in the arena, and the addresses' low halves do not wrap
// around.
template<uint32_t kStep, uint32_t kBytes, bool kFull>
MEM_INLINE bool stretch_inside(const Wave* w, const StripAddress& a, LaneBits lanes) {
  const uint32_t span = (last_lane<kFull>(lanes) - first_lane<kFull>(lanes)) * kStep;
  return a.first <= ~0u - span && in_arena(w, a.base + a.first, span + kBytes);
}

// The addresses of a strip in 64 bits: lanes 0-7 and 8-15.
struct FullAddresses {
  U64x8 half[2];
};
template<uint32_t kForm> MEM_INLINE FullAddresses full_addresses(const StripAddress& a, uint64_t offset) {
  const U32x16 high = kForm == kFormScalar ? U32x16(0) : a.high;
  const uint64_t add = kForm == kFormScalar ? a.base : offset;
  return {__builtin_bit_cast(
              U64x8, __builtin_shufflevector(a.low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)) +
              add,
          __builtin_bit_cast(U64x8, __builtin_shufflevector(a.low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                                            14, 30, 15, 31)) +
              add};
}
// Where single addresses are read next.
MEM_INLINE void put_each(uint64_t* to, const FullAddresses& a) { put_each(to, a.half[0]), put_each(to + 8, a.half[1]); }
MEM_INLINE LaneBits lanes_in_arena(const Wave* w, const FullAddresses& a, uint32_t bytes) {
  if (w->arena_bytes < bytes) return 0;
  const auto low = __builtin_convertvector(lies_in(a.half[0], w->arena_base, w->arena_bytes, bytes), V8<bool>);
  const auto high = __builtin_convertvector(lies_in(a.half[1], w->arena_base, w->arena_bytes, bytes), V8<bool>);
  return LaneBits(__builtin_bit_cast(uint8_t, low)) | LaneBits(__builtin_bit_cast(uint8_t, high)) << 8;
}
template<class E, bool kFull> MEM_INLINE void write_back(uint32_t* dst, uint32_t q, LaneBits lanes, U32x16 (&v)[4]) {
  for (uint32_t k = 0; k < E::kDwords; ++k) {
    uint32_t* row = dst + k * kMaxLanes;
    store_row<kFull>(row, q, lanes, E::kHalf ? E::merge(v[k], load_row(row, q)) : v[k]);
  }
}

} // namespace hip::engine::OMNIHIP_LEVEL
