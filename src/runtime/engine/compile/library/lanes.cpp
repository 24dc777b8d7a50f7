// runtime/engine/compile/library/lanes.cpp - what crosses lanes and is no shuffle that the translator knows beforehand,
// and arithmetic for which hosts with AVX-512 have instructions. Compiled to bitcode with AVX-512 and without; see entries.h.
#include "runtime/engine/interpret/memory/crossbar.h"
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/compile/library/parts.h"

#include <immintrin.h>
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

// The least or the greatest in IEEE mode (nan_rule).
enum class Extreme { Min, Max };
#ifdef __AVX512F__
constexpr int kSignOfResult = 4;
template<Extreme kExtreme> F32 in_range(F32 a, F32 b) {
  return F32(_mm512_range_ps(__m512(a), __m512(b), int(kExtreme) | kSignOfResult));
}
template<Extreme kExtreme> F64 in_range(F64 a, F64 b) {
  return library::in_two_parts<__m512d, F64>(
      a, b, [](__m512d x, __m512d y) { return _mm512_range_pd(x, y, int(kExtreme) | kSignOfResult); });
}
// VRANGE follows the rule, but that of two quiet NaNs the first comes out, and of two signalling ones, too.
template<Extreme kExtreme, class F> F extreme(F a, F b) { return sel(is_snan(a), quiet(a), in_range<kExtreme>(b, a)); }
#else
template<Extreme kExtreme, class F> F extreme(F a, F b) {
  return kExtreme == Extreme::Min ? min_ieee(a, b) : max_ieee(a, b);
}
#endif

// --- bytes of dwords
// Within each 16 bytes; 0 where the place is 128 or more.
U32 shuffled(U32 bytes, U32 places) {
#ifdef __AVX512F__
  return bits<U32>(_mm512_shuffle_epi8(bits<__m512i>(bytes), bits<__m512i>(places)));
#else
  return library::in_two_parts<__m256i, U32>(
      bytes, places, [](__m256i x, __m256i at) { return _mm256_shuffle_epi8(x, at); });
#endif
}
// Byte `places[k]` of 8 for each byte k: 0 to 3 are low's, 4 to 7 high's. Other bits of places do not count.
U32 bytes_at(U32 high, U32 low, U32 places) {
  constexpr uint32_t kFours = 0x04040404u;
  const U32 own{0, kFours, 2 * kFours, 3 * kFours, 0, kFours, 2 * kFours, 3 * kFours,
                0, kFours, 2 * kFours, 3 * kFours, 0, kFours, 2 * kFours, 3 * kFours};
  const U32 at = (places & 0x03030303u) | own, of_high = (places << 5) & 0x80808080u;
  return shuffled(low, at | of_high) | shuffled(high, at | (of_high ^ 0x80808080u));
}
// All bits of each byte whose highest is set.
U32 spread(U32 bytes) {
  const U32 highest = bytes & 0x80808080u;
  return highest | (highest - (highest >> 7));
}
// Where bytes are at least k, up to 128.
template<uint32_t k> U32 at_least(U32 bytes) {
  return spread(((bytes & 0x7f7f7f7fu) + (128 - k) * 0x01010101u) | bytes);
}
// Selectors 8 to 11 are the signs of bytes 1, 3, 5 and 7, 12 is 0, and all above it are 255.
U32 host_permute_bytes(U32 high, U32 low, U32 selector) {
  const U32 plain = bytes_at(high, low, selector);
  const U32 signs = spread(bytes_at(high, low, (selector << 1) | 0x01010101u));
  const U32 special = at_least<8>(selector);
  return (plain & ~special) | (signs & special & ~at_least<12>(selector)) | at_least<13>(selector);
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
    {"min_f32", library::address_of(&extreme<Extreme::Min, F32>)},
    {"max_f32", library::address_of(&extreme<Extreme::Max, F32>)},
    {"min_f64", library::address_of(&extreme<Extreme::Min, F64>)},
    {"max_f64", library::address_of(&extreme<Extreme::Max, F64>)},
    {"permute_bytes", library::address_of(&host_permute_bytes)},
};

} // namespace hip::engine::OMNIHIP_LEVEL
