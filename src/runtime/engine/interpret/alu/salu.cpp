// runtime/engine/interpret/alu/salu.cpp - handlers of the scalar ALU, made from the definitions in isa/scalar_bodies.inl by the types of
// their parameters and results. Compiled once: scalar code gains nothing from a host ISA level.
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/lift.h"
#include "runtime/engine/interpret/rows.h"
#include "runtime/engine/isa/value.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace hip::engine {
namespace {

using namespace hip::engine::isa;
constexpr int kLanes = 1;
#include "runtime/engine/isa/scalar_bodies.inl"

template <class T> [[gnu::always_inline]] inline T fetch(Wave* w, const Inst* i, uint32_t k) {
  if constexpr (std::is_same_v<T, SccIn>) {
    return {w->scc != 0};
  } else if constexpr (std::is_same_v<T, ExecIn>) {
    return {w->exec()};
  } else {
    const char* base = i->flags & (kSrcConst << k) ? reinterpret_cast<const char*>(i) : reinterpret_cast<const char*>(w);
    T v;
    std::memcpy(&v, base + i->src[k], sizeof v);
    return v;
  }
}
template <class T> [[gnu::always_inline]] inline void put(Wave* w, const Inst* i, T v) {
  if constexpr (sizeof v == 2)
    put(w, i, uint32_t(std::bit_cast<uint16_t>(v)));
  else
    std::memcpy(reinterpret_cast<char*>(w) + i->dst, &v, sizeof v);
}

// For each result type: the number of dwords that it writes, and how it is written.
template <class R> struct Write {
  static void apply(Wave* w, const Inst* i, R r) { put(w, i, r); }
};
template <class T> struct Write<WithScc<T>> {
  static void apply(Wave* w, const Inst* i, WithScc<T> r) {
    put(w, i, r.value);
    w->scc = r.scc;
  }
};
template <class T> struct Write<Maybe<T>> {
  static void apply(Wave* w, const Inst* i, Maybe<T> r) {
    if (r.write) put(w, i, r.value);
  }
};
template <> struct Write<Scc> {
  static void apply(Wave* w, const Inst*, Scc r) { w->scc = r.scc; }
};
template <class T> struct Write<SaveExec<T>> {
  static void apply(Wave* w, const Inst* i, SaveExec<T> r) {
    // Waves of 32 lanes have no EXEC_HI: what is written there is lost (ERRATA 66).
    if constexpr (sizeof(T) == 8) {
      const T lanes = ~T(0) >> (kMaxLanes - w->lanes);
      r.value &= lanes, r.exec &= lanes;
    }
    put(w, i, r.value);
    std::memcpy(&w->sgpr[kExecLo], &r.exec, sizeof r.exec);
    w->scc = r.exec != 0;
  }
};

template <auto Body, class Signature = decltype(Body)> struct Salu;
template <auto Body, class R, class... A> struct Salu<Body, R (*)(A...)> {
  template <size_t... K> [[gnu::always_inline]] static inline R compute(Wave* w, const Inst* i, std::index_sequence<K...>) {
    return Body(fetch<A>(w, i, K)...);
  }
  static void RT_HANDLER_CC run(Wave* w, const Inst* i) {
    Write<R>::apply(w, i, compute(w, i, std::make_index_sequence<sizeof...(A)>()));
    RT_NEXT(w, i);
  }
};

template <class D> constexpr OpRow salu_row() { return {D::kOpcode, lift_salu, {&Salu<D::kBody>::run}}; }
template <int... I> constexpr std::array<OpRow, sizeof...(I)> make_rows(std::integer_sequence<int, I...>) {
  return {salu_row<Definition<I>>()...};
}
constexpr auto kRows = make_rows(std::make_integer_sequence<int, kDefinitionCount>());

} // namespace

std::span<const OpRow> salu_rows() noexcept { return kRows; }

} // namespace hip::engine
