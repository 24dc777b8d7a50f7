// runtime/engine/interpret/memory/scatter.h - stores elements of 16 lanes to any addresses, lane by lane in ascending order, so
// that the last lane's element stays where several have one address (ERRATA 37). Include after mem.h, which it extends.
#pragma once

#include "runtime/engine/interpret/memory/gather.h"

#include <bit>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {

// Calls store(lane) for each of `lanes`.
template<class F> MEM_INLINE void for_lanes(LaneBits lanes, F store) {
  if (lanes == 0xffff) {
    _Pragma("clang loop unroll(full)") for (uint32_t l = 0; l < kMemLanes; ++l) store(l);
  } else {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) store(uint32_t(std::countr_zero(rest)));
  }
}

// Stores elements of `bytes` (1, 2, 4, 8 or 16; below 4 the low bytes of a dword) to address_of(lane). Other
// threads may read the memory, so elements of 8 and 16 bytes are stored as one access (words.h).
template<class F> MEM_INLINE void scatter(const U32x16* in, LaneBits lanes, uint32_t bytes, F address_of) {
  alignas(64) U32x16 elements[4];
  if (bytes == 16) {
    U32x16 rows[4], quads[4];
    for (uint32_t k = 0; k < 4; ++k) rows[k] = in[k];
    transpose_quads(rows, quads); // quads[k]: lanes k, k + 4, k + 8 and k + 12
    for (uint32_t k = 0; k < 4; ++k) elements[k] = quads[k];
    const Word128* each = reinterpret_cast<const Word128*>(elements);
    for_lanes(lanes, [&](uint32_t l) { store_word128(address_of(l), each[l % 4 * 4 + l / 4]); });
  } else if (bytes == 8) {
    put_each(elements, V8<uint64_t>(__builtin_shufflevector(in[0], in[1], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                                            22, 7, 23)));
    put_each(elements + 1, V8<uint64_t>(__builtin_shufflevector(in[0], in[1], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                                                29, 14, 30, 15, 31)));
    const uint64_t* each = reinterpret_cast<const uint64_t*>(elements);
    for_lanes(lanes, [&](uint32_t l) { store_word64(address_of(l), each[l]); });
  } else {
    elements[0] = in[0];
    const uint32_t* each = reinterpret_cast<const uint32_t*>(elements);
    if (bytes == 4)
      for_lanes(lanes, [&](uint32_t l) { store_unaligned(address_of(l), each[l]); });
    else if (bytes == 2)
      for_lanes(lanes, [&](uint32_t l) { store_unaligned(address_of(l), uint16_t(each[l])); });
    else
      for_lanes(lanes, [&](uint32_t l) { *address_of(l) = char(each[l]); });
  }
}

#ifdef __AVX512F__
// Stores dwords to base + at by the host's scatter, which stores in ascending order, too. Where most lanes are on it
// takes half the time of a loop over these, whose end the host cannot predict; where all are on, as long as 16 stores.
MEM_INLINE void scatter_dwords(uint8_t* base, U32x16 at, U32x16 data, LaneBits lanes) {
  _mm512_mask_i32scatter_epi32(base, __mmask16(lanes), __m512i(at), __m512i(data), 1);
}
// Elements of 8 bytes, `low` and `high` their dwords.
MEM_INLINE void scatter_pairs(uint8_t* base, U32x16 at, U32x16 low, U32x16 high, LaneBits lanes) {
  const U32x16 first = __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
               second =
                   __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const __m256i at_first = _mm512_castsi512_si256(__m512i(at)), at_second = _mm512_extracti64x4_epi64(__m512i(at), 1);
  _mm512_mask_i32scatter_epi64(base, __mmask8(lanes), at_first, __m512i(first), 1);
  _mm512_mask_i32scatter_epi64(base, __mmask8(lanes >> 8), at_second, __m512i(second), 1);
}
#endif

// Stores elements of 16 bytes of all lanes to base + at, where lanes k, k + 4, k + 8 and k + 12 have 64 consecutive bytes for
// each k from 0 to 3, and these four blocks do not overlap and ascend with k. So are rows of a tile stored that become columns.
// False when the offsets have another shape.
MEM_INLINE bool scatter_columns(const U32x16 (&in)[4], U32x16 at, char* base) {
  const U32x16 first = __builtin_shufflevector(at, at, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
  const U32x16 within = {0, 0, 0, 0, 16, 16, 16, 16, 32, 32, 32, 32, 48, 48, 48, 48};
  if (bits_of(at - first != within)) return false;
  for (uint32_t k = 0; k < 3; ++k)
    if (at[k + 1] < at[k] || at[k + 1] - at[k] < 64) return false;
  U32x16 columns[4];
  transpose_quads(in, columns);
  for (uint32_t k = 0; k < 4; ++k) store_unaligned(base + at[k], columns[k]);
  return true;
}

// Each lane gets the number of the first of the kLanes (a power of two) that share a line of 64 bytes with it.
template<uint32_t kLanes> MEM_INLINE U32x16 of_first_lanes(U32x16 v) {
  return [&]<size_t... kLane>(std::index_sequence<kLane...>) {
    return __builtin_shufflevector(v, v, (kLane / kLanes * kLanes)...);
  }(std::make_index_sequence<kMemLanes>());
}
// Differs from 0 where the elements of each kLanes lanes are not 64 consecutive bytes, in ascending order.
template<uint32_t kLanes> MEM_INLINE U32x16 astray_of_lines(U32x16 at) {
  return of_first_lanes<kLanes>(at) ^ (at - (lane_numbers16() & (kLanes - 1)) * uint32_t(sizeof(U32x16) / kLanes));
}
// Stores elements of 16 bytes to base + at, where those of each four lanes are consecutive. They are one store only if
// they are one line of the host's cache, and two only if each is half of one: a load of what has been stored across two
// lines waits until the store has left the processor's core.
MEM_INLINE void store_lines(const U32x16 (&in)[4], U32x16 at, char* base) {
  using Half = V8<uint32_t>;
  U32x16 lines[4];
  join_quads(in[0], in[1], in[2], in[3], lines);
  for (uint32_t k = 0; k < 4; ++k) {
    char* line = base + at[4 * k];
    const uintptr_t behind = reinterpret_cast<uintptr_t>(line) % sizeof(U32x16);
    const Half low = __builtin_shufflevector(lines[k], lines[k], 0, 1, 2, 3, 4, 5, 6, 7),
               high = __builtin_shufflevector(lines[k], lines[k], 8, 9, 10, 11, 12, 13, 14, 15);
    if (behind == 0) {
      store_unaligned(line, lines[k]);
    } else if (behind == sizeof(Half)) {
      store_unaligned(line, low), store_unaligned(line + 32, high);
    } else {
      store_unaligned(line, __builtin_shufflevector(low, low, 0, 1, 2, 3));
      store_unaligned(line + 16, __builtin_shufflevector(low, low, 4, 5, 6, 7));
      store_unaligned(line + 32, __builtin_shufflevector(high, high, 0, 1, 2, 3));
      store_unaligned(line + 48, __builtin_shufflevector(high, high, 4, 5, 6, 7));
    }
  }
}
// Likewise; false when the offsets have another shape.
MEM_INLINE bool scatter_lines(const U32x16 (&in)[4], U32x16 at, char* base) {
  if (bits_of(astray_of_lines<4>(at) != 0)) return false;
  store_lines(in, at, base);
  return true;
}

} // namespace hip::engine::OMNIHIP_LEVEL
