// runtime/engine/interpret/memory/scratch.h - private memory, strip by strip. Dword d of lane l lies at
// scratch_base + d * 256 + l * 4, so the dwords of all lanes at one offset are a row, and lanes at different offsets never share
// memory. An element is "in its slot" when it consists of whole dwords, or lies within one. Callers have checked that offsets
// are inside. Include after mem.h, which it extends.
#pragma once

#include "runtime/engine/interpret/memory/mem.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace hip::engine::OMNIHIP_LEVEL {

// The lanes whose element lies inside their `bytes` of private memory. None when positions in the wave's memory would need more
// than 31 bits, which is more memory than any device has.
template <class E> MEM_INLINE LaneBits scratch_inside(U32x16 offsets, uint64_t bytes) {
  constexpr uint64_t kMost = 1u << 25;
  return bytes > kMost ? 0 : lanes_inside(offsets, bytes, E::kBytes);
}
template <class E> MEM_INLINE bool in_slot(uint32_t offset) {
  return E::kBytes >= 4 ? offset % 4 == 0 : offset % 4 + E::kBytes <= 4;
}
template <class E> MEM_INLINE bool in_slots(U32x16 offsets, LaneBits lanes) {
  if constexpr (E::kBytes == 1) return true;
  return (bits_of(E::kBytes >= 4 ? (offsets & 3) == 0 : (offsets & 3) + E::kBytes <= 4) & lanes) == lanes;
}

// --- all lanes at one offset
MEM_INLINE U32x16* scratch_row(uint64_t base, uint32_t offset, uint32_t q) {
  return reinterpret_cast<U32x16*>(base + uint64_t(offset / 4) * kRowBytes + q * sizeof(U32x16));
}
// Extends a small element to a dword; `from` has the element in its low bytes.
template <class E> MEM_INLINE U32x16 small_element(U32x16 from) {
  constexpr int32_t kUnused = 32 - 8 * int32_t(E::kBytes);
  const U32x16 high = from << uint32_t(kUnused);
  return E::kSigned ? __builtin_bit_cast(U32x16, __builtin_bit_cast(V16<int32_t>, high) >> kUnused) : high >> uint32_t(kUnused);
}
template <class E> MEM_INLINE void load_slot(uint64_t base, uint32_t offset, uint32_t q, U32x16 (&v)[4]) {
  for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = *scratch_row(base, offset + 4 * k, q);
  if constexpr (E::kBytes < 4) v[0] = small_element<E>(v[0] >> 8 * (offset % 4));
}
template <class E> MEM_INLINE void store_slot(uint64_t base, uint32_t offset, uint32_t q, LaneBits lanes, const U32x16 (&v)[4]) {
  const auto active = bools_of(lanes);
  if constexpr (E::kBytes >= 4) {
    for (uint32_t k = 0; k < E::kDwords; ++k) {
      U32x16* p = scratch_row(base, offset + 4 * k, q);
      *p = active ? v[k] : *p;
    }
  } else {
    const uint32_t shift = 8 * (offset % 4), field = ((1u << (8 * E::kBytes)) - 1) << shift;
    U32x16* p = scratch_row(base, offset, q);
    const U32x16 old = *p, mixed = (old & ~field) | (((v[0] >> E::kShift) << shift) & field);
    *p = active ? mixed : old;
  }
}

// --- each lane at an offset of its own
// The positions of the dwords, as distances from the start of the wave's private memory.
MEM_INLINE U32x16 slot_positions(U32x16 offsets, uint32_t q) {
  return (offsets >> 2) * kRowBytes + (lane_numbers16() + q * kMemLanes) * 4;
}
template <class E> MEM_INLINE void load_slots(uint64_t base, U32x16 offsets, uint32_t q, LaneBits lanes, U32x16 (&v)[4]) {
  const U32x16 at = slot_positions(offsets, q);
  const char* memory = reinterpret_cast<const char*>(base);
#ifdef __AVX512F__
  for (uint32_t k = 0; k < E::kDwords; ++k)
    v[k] = U32x16(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), __mmask16(lanes), __m512i(at), memory + k * kRowBytes, 1));
#else
  alignas(64) uint32_t each[kMemLanes], values[4][kMemLanes] = {};
  *reinterpret_cast<volatile U32x16*>(each) = at; // through memory: docs/decisions/0003
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    for (uint32_t k = 0; k < E::kDwords; ++k) values[k][l] = load_unaligned<uint32_t>(memory + each[l] + k * kRowBytes);
  }
  for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = *reinterpret_cast<const U32x16*>(values[k]);
#endif
  if constexpr (E::kBytes < 4) v[0] = small_element<E>(v[0] >> (offsets & 3) * 8);
}
template <class E> MEM_INLINE void store_slots(uint64_t base, U32x16 offsets, uint32_t q, LaneBits lanes, const U32x16 (&v)[4]) {
  alignas(64) uint32_t each[kMemLanes], values[4][kMemLanes];
  *reinterpret_cast<volatile U32x16*>(each) = slot_positions(offsets, q) + (E::kBytes < 4 ? offsets & 3 : U32x16(0));
  for (uint32_t k = 0; k < E::kDwords; ++k)
    *reinterpret_cast<volatile U32x16*>(values[k]) = E::kBytes < 4 ? v[k] >> E::kShift : v[k];
  char* memory = reinterpret_cast<char*>(base);
  auto put = [&](uint32_t l) {
    char* p = memory + static_cast<const volatile uint32_t*>(each)[l];
    for (uint32_t k = 0; k < E::kDwords; ++k) {
      const uint32_t value = static_cast<const volatile uint32_t*>(values[k])[l];
      if constexpr (E::kBytes == 1)
        store_unaligned(p, uint8_t(value));
      else if constexpr (E::kBytes == 2)
        store_unaligned(p, uint16_t(value));
      else
        store_unaligned(p + k * kRowBytes, value);
    }
  };
  if (lanes == 0xffff) {
    _Pragma("clang loop unroll(full)") for (uint32_t l = 0; l < kMemLanes; ++l) put(l);
  } else {
    for (LaneBits rest = lanes; rest; rest &= rest - 1) put(uint32_t(std::countr_zero(rest)));
  }
}

} // namespace hip::engine::OMNIHIP_LEVEL
