// runtime/engine/compile/library/alu.cpp - the VALU definitions of isa/ as functions of strips (OMNIHIP_LEVEL_LANES = 16)
// or of single lanes (1), for the translator. Compiled to bitcode once for each; never linked into anything.
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/interpret/lift.h"
#include "runtime/engine/interpret/alu/staging.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/compile/library/host_functions.h"

#include <array>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_f32.inl"
#include "runtime/engine/isa/vop_trans.inl"
#include "runtime/engine/isa/vop_int.inl"
#include "runtime/engine/isa/vop_cvt.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/vop_scaled.inl"
#include "runtime/engine/isa/vop_f64.inl"
#include "runtime/engine/isa/vop_16.inl"
#include "runtime/engine/isa/vop_cmp.inl"
#include "runtime/engine/isa/end.inl"

#include "runtime/engine/isa/body_shape.inl"
#include "runtime/engine/interpret/alu/valu.h"

template <class T> constexpr uint32_t kDwordsOf = Operand<T>::kRegisters;
template <> constexpr uint32_t kDwordsOf<LaneIndex> = 1;
template <> constexpr uint32_t kDwordsOf<Field> = 1;
template <> constexpr uint32_t kDwordsOf<Old> = 1;
template <class T> constexpr uint32_t kMasksOf = std::is_same_v<T, M> ? 1 : 0;
template <size_t> using Dword = U32;
template <size_t> using MaskBits = uint16_t;

template <class V = M> STRIP_INLINE V to_mask(uint16_t lanes) {
  if constexpr (kLanes == 1)
    return V{(lanes & 1) != 0};
  else
    return __builtin_bit_cast(V, lanes);
}
template <class V = M> STRIP_INLINE uint16_t from_mask(V m) {
  if constexpr (kLanes == 1)
    return uint16_t(bool(m));
  else
    return __builtin_bit_cast(uint16_t, m);
}

// What comes back: kRows dwords and, where there is one, a mask.
template <uint32_t kRows, bool kMask> struct Returned {
  U32 rows[kRows];
  uint16_t mask;
};
template <uint32_t kRows> struct Returned<kRows, false> {
  U32 rows[kRows];
};

template <auto Body, class Signature = decltype(Body)> struct Bridge;
template <auto Body, class R, class... A> struct Bridge<Body, R (*)(A...)> {
  using Out = Outcome<R>;
  static constexpr uint32_t kCount = sizeof...(A);
  static constexpr uint32_t kDwords = (kDwordsOf<A> + ... + 0), kMasks = (kMasksOf<A> + ... + 0);
  // Where parameter k's dwords and masks begin.
  static constexpr std::array<uint32_t, kCount + 1> kFirstDword = [] {
    std::array<uint32_t, kCount + 1> first{};
    uint32_t k = 0;
    ((first[k + 1] = first[k] + kDwordsOf<A>, ++k), ...);
    return first;
  }();
  static constexpr std::array<uint32_t, kCount + 1> kFirstMask = [] {
    std::array<uint32_t, kCount + 1> first{};
    uint32_t k = 0;
    ((first[k + 1] = first[k] + kMasksOf<A>, ++k), ...);
    return first;
  }();
  template <class T> STRIP_INLINE T take(const U32* dwords, const uint16_t* masks, uint32_t k) {
    if constexpr (std::is_same_v<T, M>)
      return to_mask(masks[kFirstMask[k]]);
    else if constexpr (std::is_same_v<T, LaneIndex> || std::is_same_v<T, Field> || std::is_same_v<T, Old>)
      return {dwords[kFirstDword[k]]};
    else if constexpr (std::is_same_v<T, Mix<F32>>)
      return {bits<F32>(dwords[kFirstDword[k]])};
    else
      return Operand<T>::load(reinterpret_cast<const char*>(dwords + kFirstDword[k]), sizeof(U32));
  }
  template <size_t... K> STRIP_INLINE R compute(const U32* dwords, const uint16_t* masks, std::index_sequence<K...>) {
    return Body(take<A>(dwords, masks, K)...);
  }

  static constexpr bool kMask = Out::kMask || Out::kCarry;
  using Result = std::conditional_t<Out::kRows == 0, uint16_t, std::conditional_t<Out::kRows == 1 && !kMask, U32, Returned<Out::kRows ? Out::kRows : 1, kMask>>>;

  template <class Dwords, class Masks> struct Function;
  template <size_t... D, size_t... K> struct Function<std::index_sequence<D...>, std::index_sequence<K...>> {
    static Result run(uint32_t flags, Dword<D>... d, MaskBits<K>... m) {
      const U32 dwords[kDwords + 1] = {d...};
      const uint16_t masks[kMasks + 1] = {m...};
      const R r = Modify<R>::apply(compute(dwords, masks, std::make_index_sequence<kCount>()), flags);
      if constexpr (Out::kMask) {
        return from_mask(r);
      } else {
        U32 rows[Out::kRows];
        Out::rows(r, rows);
        if constexpr (Out::kRows == 1 && !kMask) {
          return rows[0];
        } else {
          Result out;
          for (uint32_t k = 0; k < Out::kRows; ++k) out.rows[k] = rows[k];
          if constexpr (kMask) out.mask = from_mask(r.carry);
          return out;
        }
      }
    }
  };
  static constexpr auto kRun = &Function<std::make_index_sequence<kDwords>, std::make_index_sequence<kMasks>>::run;
};

template <class D> library::ValuEntry entry() {
  return {uint32_t(D::kOpcode), library::address_of(Bridge<D::kBody>::kRun)};
}
template <int... I> constexpr auto make_entries(std::integer_sequence<int, I...>) {
  return std::array<library::ValuEntry, sizeof...(I)>{entry<Definition<I>>()...};
}

} // namespace

// (Function addresses are no constant expressions as const void*; the optimiser makes this a constant all the same.)
extern "C" __attribute__((used)) const std::array<library::ValuEntry, kDefinitionCount> OMNIHIP_LEVEL_TABLE(omnihip_valu) =
    make_entries(std::make_integer_sequence<int, kDefinitionCount>());

} // namespace hip::engine::OMNIHIP_LEVEL
