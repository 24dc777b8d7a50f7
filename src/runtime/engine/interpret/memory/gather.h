// runtime/engine/interpret/memory/gather.h - loads dwords of 16 lanes from any addresses: with AVX-512's gathers, or
// lane by lane on hosts without them. At least one lane must be set in `lanes`. Nothing is read for the other lanes,
// and their results are undefined. Two dwords and four of a lane are read at once (words.h), but not volatile: the
// compiler folds these loads into the instructions that join them. Include after mem.h, which it extends.
#pragma once

#include "runtime/engine/interpret/memory/mem.h"

#include <bit>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace hip::engine::OMNIHIP_LEVEL {

using U64x16 = V16<uint64_t>;

// All 16 addresses or offsets as an array; lanes that are not set have those of the first lane that is. The array is in memory,
// since taking addresses out of vector registers costs more (docs/decisions/0003).
template<class V> struct EachLane {
  using T = std::remove_reference_t<decltype(V{}[0])>;
  alignas(sizeof(V)) T each[kMemLanes];
  MEM_INLINE EachLane(V at, LaneBits lanes) {
    const V all = lanes == 0xffff ? at : bools_of(lanes) ? at : V(at[std::countr_zero(lanes)]);
    if constexpr (sizeof(T) == 8)
      put_each(each, all);
    else
      *reinterpret_cast<volatile V*>(each) = all;
  }
  MEM_INLINE T operator[](uint32_t lane) const { return static_cast<const volatile T*>(each)[lane]; }
};

// Two or four dwords from address_of(lane) on: one load per lane is faster than a gather per dword.
template<class F> MEM_INLINE void gather_pairs(U32x16* out, F address_of) {
  using U64x2 = uint64_t __attribute__((ext_vector_type(2)));
  auto two = [&](uint32_t l) {
    return U64x2{load_unaligned<uint64_t>(address_of(l)), load_unaligned<uint64_t>(address_of(l + 1))};
  };
  auto eight = [&](uint32_t l) {
    const auto a = __builtin_shufflevector(two(l), two(l + 2), 0, 1, 2, 3);
    const auto b = __builtin_shufflevector(two(l + 4), two(l + 6), 0, 1, 2, 3);
    return U32x16(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
  };
  const U32x16 a = eight(0), b = eight(8);
  out[0] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  out[1] = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}
// Transposes the four 4x4 matrices of dwords that `in` holds, one in each 128 bits.
MEM_INLINE void transpose_quads(const U32x16 (&in)[4], U32x16 (&out)[4]) {
#define OF_TWO(a, b, i, j, k, l) /* four dwords for each 128 bits; those of b count from 16 */                               \
  __builtin_shufflevector(a, b, i, j, k, l, i + 4, j + 4, k + 4, l + 4, i + 8, j + 8, k + 8, l + 8, i + 12, j + 12,    \
                          k + 12, l + 12)
  const U32x16 a = OF_TWO(in[0], in[1], 0, 16, 1, 17), b = OF_TWO(in[0], in[1], 2, 18, 3, 19);
  const U32x16 c = OF_TWO(in[2], in[3], 0, 16, 1, 17), d = OF_TWO(in[2], in[3], 2, 18, 3, 19);
  out[0] = OF_TWO(a, c, 0, 1, 16, 17), out[1] = OF_TWO(a, c, 2, 3, 18, 19);
  out[2] = OF_TWO(b, d, 0, 1, 16, 17), out[3] = OF_TWO(b, d, 2, 3, 18, 19);
#undef OF_TWO
}
template<class F> MEM_INLINE void gather_quads(U32x16* out, F address_of) {
  U32x16 rows[4], columns[4];
  for (uint32_t k = 0; k < 4; ++k) {
    auto quad = [&](uint32_t l) { return load_unaligned<Word128>(address_of(l + k)); };
    const auto a = __builtin_shufflevector(quad(0), quad(4), 0, 1, 2, 3, 4, 5, 6, 7);
    const auto b = __builtin_shufflevector(quad(8), quad(12), 0, 1, 2, 3, 4, 5, 6, 7);
    rows[k] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
  transpose_quads(rows, columns);
  for (uint32_t k = 0; k < 4; ++k) out[k] = columns[k];
}
// Loads elements of 16 bytes where each four lanes have 64 consecutive bytes, as tiles of matrices are read. False when the
// addresses have another shape.
MEM_INLINE bool gather_lines(const uint64_t* at, LaneBits lanes, U32x16* out) {
  if (lanes != 0xffff) return false;
  const U64x16 all = load_unaligned<U64x16>(at);
  const U64x16 first = __builtin_shufflevector(all, all, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  const U64x16 within = {0, 16, 32, 48, 0, 16, 32, 48, 0, 16, 32, 48, 0, 16, 32, 48};
  if (bits_of(all - first != within)) return false;
  auto line = [&](uint32_t l) { return load_unaligned<U32x16>(reinterpret_cast<const char*>(all[l])); };
  U32x16 dwords[4];
  split_quads(line(0), line(4), line(8), line(12), dwords);
  for (uint32_t k = 0; k < 4; ++k) out[k] = dwords[k];
  return true;
}

// Addresses that are equally far apart: they are there sooner than out of a vector.
struct PitchedAddresses {
  const char* first;
  int64_t pitch; // of the offsets, which may fall from lane to lane
  MEM_INLINE PitchedAddresses(const uint8_t* base, U32x16 offsets)
      : first(reinterpret_cast<const char*>(base + offsets[0])), pitch(int32_t(offsets[1] - offsets[0])) {}
  MEM_INLINE const char* operator()(uint32_t lane) const { return first + int64_t(lane) * pitch; }
  // Differs from 0 in lanes whose offsets are others.
  MEM_INLINE U32x16 astray(U32x16 offsets) const { return offsets ^ (offsets[0] + lane_numbers16() * uint32_t(pitch)); }
};
// Two or four dwords of all lanes, if these are equally far apart; loads begin before it is known that they are. False
// when the offsets have another shape.
MEM_INLINE bool gather_pitched(const uint8_t* base, U32x16 offsets, uint32_t count, U32x16* out) {
  const PitchedAddresses addresses(base, offsets);
  if (bits_of(addresses.astray(offsets) != 0)) return false;
  if (count == 2)
    gather_pairs(out, addresses);
  else
    gather_quads(out, addresses);
  return true;
}

#ifdef __AVX512F__

// `count` dwords from each address on.
MEM_INLINE void gather(const uint64_t* at, LaneBits lanes, uint32_t count, U32x16* out) {
  if (count == 4 && gather_lines(at, lanes, out)) return;
  if (count == 2 || count == 4) {
    const EachLane<U64x16> each(load_unaligned<U64x16>(at), lanes);
    auto address_of = [&](uint32_t l) { return reinterpret_cast<const char*>(each[l]); };
    return count == 2 ? gather_pairs(out, address_of) : gather_quads(out, address_of);
  }
  const __m512i first = *reinterpret_cast<const __m512i*>(at), second = *reinterpret_cast<const __m512i*>(at + 8);
  const __mmask8 low = __mmask8(lanes), high = __mmask8(lanes >> 8);
  for (uint32_t k = 0; k < count; ++k) {
    const char* displacement = reinterpret_cast<const char*>(uintptr_t(4 * k));
    const __m256i a = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), low, first, displacement, 1);
    const __m256i b = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), high, second, displacement, 1);
    out[k] = U32x16(_mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1));
  }
}
MEM_INLINE void gather(const uint8_t* base, U32x16 offsets, LaneBits lanes, uint32_t count, U32x16* out) {
  if (count == 2 || count == 4) {
    if (lanes == 0xffff && gather_pitched(base, offsets, count, out)) return;
    const EachLane<U32x16> each(offsets, lanes);
    auto address_of = [&](uint32_t l) { return reinterpret_cast<const char*>(base + each[l]); };
    return count == 2 ? gather_pairs(out, address_of) : gather_quads(out, address_of);
  }
  for (uint32_t k = 0; k < count; ++k)
    out[k] = U32x16(
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), __mmask16(lanes), __m512i(offsets), base + 4 * k, 1));
}

#else

// AVX2's gathers are not faster than single loads. Lanes that are not set read the element of the first lane that is.
template<class V, class F>
MEM_INLINE void gather_lanes(V at, LaneBits lanes, uint32_t count, U32x16* out, F address_of) {
  const EachLane<V> each(at, lanes);
  auto lane_address = [&](uint32_t l) { return address_of(each[l]); };
  if (count == 2) return gather_pairs(out, lane_address);
  if (count == 4) return gather_quads(out, lane_address);
  for (uint32_t k = 0; k < count; ++k) {
    U32x16 v;
    _Pragma("clang loop unroll(full)") for (uint32_t l = 0; l < kMemLanes; ++l) v[l] =
        load_unaligned<uint32_t>(lane_address(l) + 4 * k);
    out[k] = v;
  }
}
MEM_INLINE void gather(const uint64_t* at, LaneBits lanes, uint32_t count, U32x16* out) {
  if (count == 4 && gather_lines(at, lanes, out)) return;
  gather_lanes(load_unaligned<U64x16>(at), lanes, count, out,
               [](uint64_t a) { return reinterpret_cast<const char*>(a); });
}
MEM_INLINE void gather(const uint8_t* base, U32x16 offsets, LaneBits lanes, uint32_t count, U32x16* out) {
  if ((count == 2 || count == 4) && lanes == 0xffff && gather_pitched(base, offsets, count, out)) return;
  gather_lanes(offsets, lanes, count, out,
               [base](uint32_t offset) { return reinterpret_cast<const char*>(base + offset); });
}

#endif

} // namespace hip::engine::OMNIHIP_LEVEL
