// runtime/engine/exec/gather.h - dwords of 16 lanes from anywhere: as AVX-512 gathers, or lane by lane for hosts without.
// Reads nothing for lanes that are not set; `lanes` has one. What such lanes get is undefined. An even number of dwords is
// read in pairs, as 64-bit loads must be (words.h).
// Include after mem.h, which it extends.
#pragma once

#include "runtime/engine/exec/mem.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace hip::engine::OMNIHIP_LEVEL {

using U64x16 = V16<uint64_t>;

#ifdef __AVX512F__

// `count` dwords from each address on.
MEM_INLINE void gather(const uint64_t* at, LaneBits lanes, uint32_t count, U32x16* out) {
  const __m512i first = *reinterpret_cast<const __m512i*>(at), second = *reinterpret_cast<const __m512i*>(at + 8);
  const __mmask8 low = __mmask8(lanes), high = __mmask8(lanes >> 8);
  for (uint32_t k = 0; k < count; ++k) {
    const char* displacement = reinterpret_cast<const char*>(uintptr_t(4 * k));
    if (count % 2 == 0) {
      const U32x16 a = U32x16(_mm512_mask_i64gather_epi64(_mm512_setzero_si512(), low, first, displacement, 1));
      const U32x16 b = U32x16(_mm512_mask_i64gather_epi64(_mm512_setzero_si512(), high, second, displacement, 1));
      out[k] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
      out[++k] = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
      continue;
    }
    const __m256i a = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), low, first, displacement, 1);
    const __m256i b = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), high, second, displacement, 1);
    out[k] = U32x16(_mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1));
  }
}
MEM_INLINE void gather(const uint8_t* base, U32x16 offsets, LaneBits lanes, uint32_t count, U32x16* out) {
  for (uint32_t k = 0; k < count; ++k)
    out[k] = U32x16(
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), __mmask16(lanes), __m512i(offsets), base + 4 * k, 1));
}

#else

// AVX2's gathers are as slow as single loads, or slower. Lanes that are not set read where the first one that is does.
// (Addresses go through memory: taking them out of vector registers costs more, see docs/decisions/0003.)
template<class V, class F>
MEM_INLINE void gather_lanes(V at, LaneBits lanes, uint32_t count, U32x16* out, F address_of) {
  using T = std::remove_reference_t<decltype(at[0])>;
  alignas(sizeof(V)) T each[kMemLanes];
  at = bools_of(lanes) ? at : V(at[std::countr_zero(lanes)]);
  *reinterpret_cast<volatile V*>(each) = at;
  for (uint32_t k = 0; k < count; ++k) {
    U32x16 v, w;
    if (count % 2 == 0) {
      _Pragma("clang loop unroll(full)") for (uint32_t l = 0; l < kMemLanes; ++l) {
        const uint64_t two = load_word64(address_of(static_cast<volatile T*>(each)[l]) + 4 * k);
        v[l] = uint32_t(two), w[l] = uint32_t(two >> 32);
      }
      out[k] = v, out[++k] = w;
      continue;
    }
    _Pragma("clang loop unroll(full)") for (uint32_t l = 0; l < kMemLanes; ++l) v[l] =
        load_unaligned<uint32_t>(address_of(static_cast<volatile T*>(each)[l]) + 4 * k);
    out[k] = v;
  }
}
MEM_INLINE void gather(const uint64_t* at, LaneBits lanes, uint32_t count, U32x16* out) {
  gather_lanes(*reinterpret_cast<const U64x16*>(at), lanes, count, out,
               [](uint64_t a) { return reinterpret_cast<const char*>(a); });
}
MEM_INLINE void gather(const uint8_t* base, U32x16 offsets, LaneBits lanes, uint32_t count, U32x16* out) {
  gather_lanes(offsets, lanes, count, out,
               [base](uint32_t offset) { return reinterpret_cast<const char*>(base + offset); });
}

#endif

} // namespace hip::engine::OMNIHIP_LEVEL
