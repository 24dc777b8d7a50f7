// runtime/engine/compile/library/salu.cpp - the SALU definitions of isa/sop.inl for the translator; see entries.h.
#include "runtime/engine/isa/value.h"
#include "runtime/engine/compile/library/entries.h"

#include <array>
#include <utility>

namespace hip::engine::salu {
namespace {

using namespace hip::engine::isa;
using library::SaluOut;
constexpr int kLanes = 1;
#include "runtime/engine/isa/scalar_bodies.inl"

template <class T> [[gnu::always_inline]] inline T take(uint64_t v) {
  if constexpr (std::is_same_v<T, SccIn>)
    return {v != 0};
  else if constexpr (std::is_same_v<T, ExecIn>)
    return {v};
  else if constexpr (std::is_same_v<T, float>)
    return __builtin_bit_cast(float, uint32_t(v));
  else if constexpr (std::is_same_v<T, _Float16>)
    return __builtin_bit_cast(_Float16, uint16_t(v));
  else if constexpr (std::is_same_v<T, PF16>)
    return __builtin_bit_cast(PF16, uint32_t(v));
  else
    return T(v);
}
template <class T> uint64_t widen(T v) {
  if constexpr (sizeof(T) == 8)
    return uint64_t(v);
  else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, PF16>)
    return __builtin_bit_cast(uint32_t, v);
  else if constexpr (std::is_same_v<T, _Float16>)
    return __builtin_bit_cast(uint16_t, v);
  else
    return uint32_t(v);
}
template <class R> struct Write {
  static void apply(SaluOut* out, R r) { out->value = widen(r); }
};
template <class T> struct Write<WithScc<T>> {
  static void apply(SaluOut* out, WithScc<T> r) { out->value = widen(r.value), out->scc = r.scc; }
};
template <class T> struct Write<Maybe<T>> {
  static void apply(SaluOut* out, Maybe<T> r) { out->value = widen(r.value), out->write = r.write; }
};
template <> struct Write<Scc> {
  static void apply(SaluOut* out, Scc r) { out->scc = r.scc; }
};
template <class T> struct Write<SaveExec<T>> {
  static void apply(SaluOut* out, SaveExec<T> r) { out->value = r.value, out->exec = r.exec, out->scc = r.exec != 0; }
};

template <auto Body, class Signature = decltype(Body)> struct Bridge;
template <auto Body, class R, class... A> struct Bridge<Body, R (*)(A...)> {
  template <class> using Any = uint64_t;
  static void run(SaluOut* out, Any<A>... a) { Write<R>::apply(out, Body(take<A>(a)...)); }
  static library::SaluEntry entry(Opcode opcode) {
    return {uint32_t(opcode), library::address_of<void(SaluOut*, Any<A>...)>(&run)};
  }
};
template <int... I> auto make_entries(std::integer_sequence<int, I...>) {
  return std::array<library::SaluEntry, sizeof...(I)>{
      Bridge<Definition<I>::kBody>::entry(Definition<I>::kOpcode)...};
}

} // namespace

extern "C" __attribute__((used)) const std::array<library::SaluEntry, kDefinitionCount> omnihip_salu =
    make_entries(std::make_integer_sequence<int, kDefinitionCount>());

} // namespace hip::engine::salu
