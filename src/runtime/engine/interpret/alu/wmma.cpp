// runtime/engine/interpret/alu/wmma.cpp - WMMA and SWMMAC of one host ISA level, made from the meanings in isa/wmma.def. EXEC is
// ignored.
#include "runtime/engine/isa/matrix_shape.h"
#include "runtime/engine/isa/wmma.h"
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/interpret/lift.h"

#include <cstddef>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {
namespace wmma {

constexpr int kLanes = 16; // of a strip, at every level
// clang-format off: each of these files needs those in front of it
#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/matrix.inl"
#include "runtime/engine/isa/wmma.inl"
#include "runtime/engine/isa/end.inl"
// clang-format on

const U32* strips_at(Wave* w, uint32_t offset) { return &at<U32>(w, offset); }

// A factor's strips in MFMA's order, of `registers` registers; strips that it has not are 0.
void gather(const U32* strips, MatrixLayout layout, WmmaFactor factor, uint32_t flipped, Register* out, uint32_t registers) {
  std::memset(out, 0, registers * sizeof(Register));
  for (uint32_t j = 0; j < factor.dwords; ++j) {
    const StripPlace place = wmma_factor_place(layout, factor, j);
    out[j % registers][j / registers] = strips[place.row * kQuarters + place.strip] ^ flipped;
  }
}

template<class X> void RT_HANDLER_CC execute(Wave* w, const Inst* i) {
  constexpr bool kSparse = X::kIndexBits != 0;
  const SumForm form = SumForm::of(uint32_t(i->imm[1]) & 0xff);
  Register a[X::kSourceRegisters], b[X::kSourceRegistersB], index;
  gather(strips_at(w, i->src[0]), form.layout, X::kFactorA, uint32_t(i->imm[0]), a, X::kSourceRegisters);
  gather(strips_at(w, i->src[1]), form.layout, X::kFactorB, uint32_t(i->imm[0] >> 32), b, X::kSourceRegistersB);
  if constexpr (kSparse) {
    constexpr uint32_t kElements = X::kIndexBits / 2; // of A in a lane, in MFMA's order
    const U32* indices = strips_at(w, i->src[2]);
    for (uint32_t q = 0; q < kQuarters; ++q) {
      const IndexPlace place = wmma_index_place(form.layout, X::kFactorA, X::kElementBits, q * kElements);
      index[q] = indices[place.strip] >> (place.bit + uint32_t(i->imm[1] >> kWmmaIndexShift));
    }
  }
  // C takes D's place, where it is another one.
  U32* sums = &at<U32>(w, i->dst);
  const uint32_t mask = form.mask();
  U32 addend[8 * kQuarters];
  const uint32_t count = form.registers() * kQuarters;
  for (uint32_t k = 0; k < count; ++k) {
    U32 c = kSparse ? sums[k] : i->flags & (kSrcConst << 2) ? splat<U32>(form.constant(i->imm[2])) : strips_at(w, i->src[2])[k];
    if (i->imm[1] & kWmmaAbsolute) c &= ~form.sign();
    if (i->imm[1] & kWmmaNegated) c ^= form.sign();
    addend[k] = (sums[k] & ~mask) | (c & mask);
  }
  typename X::Unit units_a[X::kUnitBytesA / sizeof(typename X::Unit)], units_b[X::kUnitBytesB / sizeof(typename X::Unit)];
  X::prepare_a(a, &index, units_a);
  X::prepare_b(b, units_b);
  const typename X::Factors factors{units_a, units_b};
  multiply_placed<X>(&factors, 1, reinterpret_cast<Register*>(addend), form.word());
  for (uint32_t k = 0; k < count; ++k)
    if (k % kQuarters * kLanes < w->lanes) sums[k] = addend[k];
  RT_NEXT(w, i);
}

template<class X> constexpr OpRow row(Opcode opcode) { return {opcode, lift_wmma, {execute<X>}}; }
constexpr OpRow kRows[] = {
#define WMMA(name, sums, k, ...) row<Placed<k, __VA_ARGS__>>(Opcode::name),
#include "runtime/engine/isa/wmma.def"
#undef WMMA
};

} // namespace wmma
} // namespace

std::span<const OpRow> wmma_rows() noexcept { return wmma::kRows; }

} // namespace hip::engine::OMNIHIP_LEVEL
