// runtime/engine/isa/matrix_shape.cpp - see matrix_shape.h. The meanings in isa/matrix.def and isa/wmma.def are instantiated for their
// constants alone.
#include "runtime/engine/isa/matrix_shape.h"

#include "runtime/engine/isa/value.h"
#include "runtime/engine/isa/wmma.h"
#include "runtime/engine/wave/wave.h"

#include <cstring>

namespace hip::engine {
namespace {

using namespace hip::engine::isa;
constexpr int kLanes = 16; // of a strip, at every host level
// clang-format off: each needs those before it
#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/matrix.inl"
#include "runtime/engine/isa/wmma.inl"
#include "runtime/engine/isa/end.inl"
// clang-format on

template<class X> constexpr MatrixShape shape(bool blgp) {
  MatrixShape out;
  out.registers_a = X::kSourceRegisters, out.registers_b = X::kSourceRegistersB, out.registers_d = X::kSumRegisters;
  out.rows = X::kRows, out.blocks = X::kBlockCount, out.index_bits = X::kIndexBits;
  out.wide = sizeof(typename X::Sum) == 8 * kLanes, out.blgp = blgp;
  return out;
}
template<class X> constexpr MatrixShape wmma_shape(SumFormat sums) {
  MatrixShape out = shape<X>(false);
  out.element_bits = X::kElementBits, out.sums = sums, out.a = X::kFactorA, out.b = X::kFactorB;
  return out;
}
constexpr auto kShapes = [] {
  std::array<MatrixShape, kOpcodeCount> all{};
#define WMMA(name, sums, k, ...) all[size_t(Opcode::name)] = wmma_shape<Placed<k, __VA_ARGS__>>(SumFormat::sums);
#include "runtime/engine/isa/wmma.def"
#undef WMMA
#define MATRIX(name, blgp, ...) all[size_t(Opcode::name)] = shape<__VA_ARGS__>(blgp);
#include "runtime/engine/isa/matrix.def"
#undef MATRIX
  return all;
}();

} // namespace

const MatrixShape* matrix_shape_of(Opcode opcode) noexcept {
  const MatrixShape& shape = kShapes[size_t(body_of(opcode))];
  return shape.rows ? &shape : nullptr;
}

} // namespace hip::engine
