// runtime/engine/interpret/memory/crossbar.h - each lane reads any lane of the wave, as ds_bpermute_b32 does.
// Include after mem.h, which it extends.
#pragma once

#include "runtime/engine/interpret/memory/mem.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace hip::engine::OMNIHIP_LEVEL {

// One strip of the result: of `data`, the lane with the number `addresses` / 4 modulo 64.
MEM_INLINE U32x16 bpermute_strip(U32x16 addresses, const U32x16 (&data)[kMemStrips]) {
  const U32x16 from = addresses >> 2;
#ifdef __AVX512F__
  const U32x16 low = U32x16(_mm512_permutex2var_epi32(__m512i(data[0]), __m512i(from), __m512i(data[1])));
  const U32x16 high = U32x16(_mm512_permutex2var_epi32(__m512i(data[2]), __m512i(from), __m512i(data[3])));
  return (from & 2 * kMemLanes) != 0 ? high : low;
#else
  alignas(64) uint32_t rows[kMaxLanes];
  for (uint32_t q = 0; q < kMemStrips; ++q) *reinterpret_cast<U32x16*>(rows + q * kMemLanes) = data[q];
  U32x16 out;
  for (uint32_t l = 0; l < kMemLanes; ++l) out[l] = rows[from[l] % kMaxLanes];
  return out;
#endif
}

} // namespace hip::engine::OMNIHIP_LEVEL
