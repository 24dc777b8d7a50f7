// runtime/engine/compile/library/dots.cpp - dot products of the halves or bytes of dwords: pairs of 16-bit products in one
// instruction (vpmaddwd), or four of bytes (vpdpbusd, AVX512-VNNI), which takes its first operand for unsigned and its second for
// signed. Compiled to bitcode for hosts with AVX-512, with that extension too, and for those without; see entries.h.
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/compile/library/host_functions.h"
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

using I16s = Lane<2 * kLanes>::I16;
using U16s = Lane<2 * kLanes>::U16;

// Both products of each dword's halves, added.
I32 products_of_halves(I16s a, I16s b) {
#ifdef __AVX512F__
  return bits<I32>(_mm512_madd_epi16(bits<__m512i>(a), bits<__m512i>(b)));
#else
  return library::in_two_parts<__m256i, I32>(a, b, [](__m256i x, __m256i y) { return _mm256_madd_epi16(x, y); });
#endif
}
I32 host_dot2_i16(I32 a, I32 b, I32 c) { return products_of_halves(bits<I16s>(a), bits<I16s>(b)) + c; }

#ifdef __AVX512VNNI__
constexpr uint32_t kBytesOf128 = 0x80808080u;
// a's bytes are unsigned, b's signed.
I32 dot4_mixed(I32 c, U32 a, U32 b) {
  return bits<I32>(_mm512_dpbusd_epi32(bits<__m512i>(c), bits<__m512i>(a), bits<__m512i>(b)));
}
I32 host_dot4_i8_u8(I32 a, U32 b, I32 c) { return dot4_mixed(c, b, bits<U32>(a)); }
// With a's bytes 128 greater, which makes the sum greater by 128 times b's.
I32 host_dot4_i8(I32 a, I32 b, I32 c) {
  const I32 more = dot4_mixed(splat<I32>(0), splat<U32>(kBytesOf128), bits<U32>(b));
  return dot4_mixed(c - more, bits<U32>(a) ^ kBytesOf128, bits<U32>(b));
}
// With b's bytes 128 less.
U32 host_dot4_u8(U32 a, U32 b, U32 c) {
  const I32 less = dot4_mixed(splat<I32>(0), a, splat<U32>(kBytesOf128)); // times -128
  return bits<U32>(dot4_mixed(bits<I32>(c) - less, a, b ^ kBytesOf128));
}
#else
// The even and the odd bytes of dwords, as halves.
struct Bytes {
  I16s even, odd;
};
Bytes signed_bytes(I32 a) {
  const I16s halves = bits<I16s>(a);
  return {I16s(halves << 8) >> 8, halves >> 8};
}
Bytes unsigned_bytes(U32 a) {
  const U16s halves = bits<U16s>(a);
  return {bits<I16s>(U16s(halves & uint16_t(0xff))), bits<I16s>(U16s(halves >> 8))};
}
I32 dot4(Bytes a, Bytes b, I32 c) {
  return c + products_of_halves(a.even, b.even) + products_of_halves(a.odd, b.odd);
}
I32 host_dot4_i8_u8(I32 a, U32 b, I32 c) { return dot4(signed_bytes(a), unsigned_bytes(b), c); }
I32 host_dot4_i8(I32 a, I32 b, I32 c) { return dot4(signed_bytes(a), signed_bytes(b), c); }
U32 host_dot4_u8(U32 a, U32 b, U32 c) { return bits<U32>(dot4(unsigned_bytes(a), unsigned_bytes(b), bits<I32>(c))); }
#endif

} // namespace

extern "C" __attribute__((used)) const library::LanesEntry OMNIHIP_LEVEL_TABLE(omnihip_dots)[] = {
    {"dot2_i16", library::address_of(&host_dot2_i16)},
    {"dot4_i8", library::address_of(&host_dot4_i8)},
    {"dot4_u8", library::address_of(&host_dot4_u8)},
    {"dot4_i8_u8", library::address_of(&host_dot4_i8_u8)},
};

} // namespace hip::engine::OMNIHIP_LEVEL
