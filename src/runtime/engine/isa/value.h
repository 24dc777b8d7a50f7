// runtime/engine/isa/value.h - the value types in which instructions are defined. Lane<N> names one N-lane strip of each
// type; Lane<1> is plain scalars. Definitions (*.inl) use only these names, operators, and the functions below, so the
// same text is a SIMD handler, a one-lane reference and code for the translator. Neither they nor this file use intrinsics.
// Signed overflow wraps (-fwrapv) and nothing is contracted (-ffp-contract=off): the build sets both.
#pragma once

#include "runtime/engine/isa/opcode.h"

#include <cstdint>
#include <type_traits>

namespace hip::engine::isa {

template <int N> struct Lane {
  template <class T> using Vec = T __attribute__((ext_vector_type(N)));
  using F32 = Vec<float>;
  using F64 = Vec<double>;
  using F16 = Vec<_Float16>;
  using U8 = Vec<uint8_t>;
  using I8 = Vec<int8_t>;
  using U16 = Vec<uint16_t>;
  using I16 = Vec<int16_t>;
  using U32 = Vec<uint32_t>;
  using I32 = Vec<int32_t>;
  using U64 = Vec<uint64_t>;
  using I64 = Vec<int64_t>;
  using M = Vec<bool>; // one bit per lane: compare results, carries
};
struct LaneBit { // a mask of one lane; bool would not do, because its operators & | ~ are those of int
  bool set = false;
  constexpr operator bool() const { return set; }
  friend constexpr LaneBit operator&(LaneBit a, LaneBit b) { return {a.set && b.set}; }
  friend constexpr LaneBit operator|(LaneBit a, LaneBit b) { return {a.set || b.set}; }
  friend constexpr LaneBit operator~(LaneBit a) { return {!a.set}; }
};
template <> struct Lane<1> {
  using F32 = float;
  using F64 = double;
  using F16 = _Float16;
  using U8 = uint8_t;
  using I8 = int8_t;
  using U16 = uint16_t;
  using I16 = int16_t;
  using U32 = uint32_t;
  using I32 = int32_t;
  using U64 = uint64_t;
  using I64 = int64_t;
  using M = LaneBit;
};

// Composite operands and results. The tags tell the formats how to load and store them.
template <class V> struct Pack { // two 16-bit halves of one register (packed math)
  V lo, hi;
};
template <class V> struct Halves { // the same as one vector of twice as many lanes, the low half first
  V value;
};
template <class V> struct Pair { // two consecutive registers (packed f32)
  V lo, hi;
};
template <class V> struct Wide { // two consecutive registers, as the halves of one 64-bit integer
  V lo, hi;
};
template <class V, class M> struct Carry { // a value and a lane mask (second destination)
  V value;
  M carry;
};
template <class V> struct Half { // a 16-bit result for the lower half of a register, which keeps its upper half
  V value;
};
template <class V> struct High { // a 16-bit result for the upper half, which keeps the lower one
  V value;
};
template <class V> struct Mix { // op_sel_hi says whether the operand is an f32 or an f16, op_sel which half the f16 is in
  V value;
};
template <class U> struct Quad { // four consecutive registers
  U x, y, z, w;
};

template <class T> inline constexpr bool is_scalar = std::is_arithmetic_v<T> || std::is_same_v<T, _Float16>;

// Numeric conversion, lane by lane (C rules; the caller excludes floats that are out of the integer's range).
template <class To, class From> [[gnu::always_inline]] inline To to(From v) {
  if constexpr (is_scalar<From>)
    return static_cast<To>(v);
  else
    return __builtin_convertvector(v, To);
}
// The same bits as another type of the same size.
template <class To, class From> [[gnu::always_inline]] inline To bits(From v) { return __builtin_bit_cast(To, v); }
// The result of a comparison as a lane mask.
template <class M, class C> [[gnu::always_inline]] inline M mask_of(C c) {
  if constexpr (is_scalar<C>)
    return {c};
  else
    return __builtin_convertvector(c, M);
}
// m ? a : b, lane by lane.
template <class M, class T> [[gnu::always_inline]] inline T sel(M m, T a, T b) { return m ? a : b; }

} // namespace hip::engine::isa
