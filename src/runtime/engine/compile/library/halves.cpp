// runtime/engine/compile/library/halves.cpp - fused multiply-adds of f16, which hosts with AVX512-FP16 have an instruction for, with
// the same bits but for payloads of NaNs (ERRATA 9). Compiled to bitcode with that extension and without; see entries.h.
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/compile/library/host_functions.h"

#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// clang-format off: each needs those before it
#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/end.inl"
// clang-format on

template <class H> H fused(H a, H b, H c) {
#ifdef __AVX512FP16__
  return __builtin_elementwise_fma(a, b, c);
#else
  return fma_through_f32<H, typename Lane<sizeof(H) / sizeof(_Float16)>::F32>(a, b, c);
#endif
}

// Of the low halves of dwords, and of both halves.
U32 fma_half(U32 a, U32 b, U32 c) {
  return to<U32>(bits<U16>(fused(bits<F16>(to<U16>(a)), bits<F16>(to<U16>(b)), bits<F16>(to<U16>(c)))));
}
U32 fma_halves(U32 a, U32 b, U32 c) {
  using H = decltype(HalvesF16::value);
  return bits<U32>(fused(bits<H>(a), bits<H>(b), bits<H>(c)));
}

} // namespace

extern "C" __attribute__((used)) const library::LanesEntry OMNIHIP_LEVEL_TABLE(omnihip_halves)[] = {
    {"fma_half", library::address_of(&fma_half)},
    {"fma_halves", library::address_of(&fma_halves)},
};

} // namespace hip::engine::OMNIHIP_LEVEL
