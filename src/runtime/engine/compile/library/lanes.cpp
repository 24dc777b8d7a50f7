// runtime/engine/compile/library/lanes.cpp - what crosses lanes and is no shuffle that the translator knows beforehand,
// and arithmetic for which hosts with AVX-512 have instructions. Compiled to bitcode with AVX-512 and without; see entries.h.
#include "runtime/engine/interpret/memory/crossbar.h"
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/compile/library/entries.h"

#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// clang-format off: each needs those before it
#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/end.inl"
// clang-format on

U32x16 bpermute(U32x16 addresses, U32x16 a, U32x16 b, U32x16 c, U32x16 d) { return bpermute_strip(addresses, {a, b, c, d}); }

// Of the numbers next to the sum on either side the one with an odd last bit; where the sum is exact they are the same,
// or -0 and +0, of which MXCSR says which it is: +0, if it rounds to nearest.
template<bool kToNearest> F32 odd_fma(F32 a, F32 b, F32 c) {
#ifdef __AVX512F__
  const __m512 x = __m512(a), y = __m512(b), z = __m512(c);
  const __m512i below = _mm512_castps_si512(_mm512_fmadd_round_ps(x, y, z, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
  const __m512i above = _mm512_castps_si512(_mm512_fmadd_round_ps(x, y, z, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC));
  U32 rest(above);
  if constexpr (!kToNearest) rest |= bits<U32>(bits<F32>(below) + bits<F32>(above)) & 0x80000000u;
  return bits<F32>(_mm512_mask_mov_epi32(__m512i(rest), _mm512_test_epi32_mask(below, _mm512_set1_epi32(1)), below));
#else
  return fma_to_odd(a, b, c);
#endif
}

F32 host_ldexp(F32 a, I32 n) { return ldexp(a, n); }
F32 host_scaled(F32 p, F32 n) { return scaled(p, n); }
F32 host_rsqrt(F32 a) { return rsqrt(a); }

} // namespace

extern "C" __attribute__((used)) const library::LanesEntry OMNIHIP_LEVEL_TABLE(omnihip_lanes)[] = {
    {"bpermute", library::address_of<library::Crossbar>(&bpermute)},
    {"fma_to_odd", library::address_of(&odd_fma<false>)},
    {library::kOddFmaToNearest, library::address_of(&odd_fma<true>)},
    {"ldexp", library::address_of(&host_ldexp)},
    {"scaled", library::address_of(&host_scaled)},
    {"rsqrt", library::address_of(&host_rsqrt)},
};

} // namespace hip::engine::OMNIHIP_LEVEL
