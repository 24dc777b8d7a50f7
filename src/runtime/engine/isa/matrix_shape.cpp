// runtime/engine/isa/matrix_shape.cpp - see matrix_shape.h. The meanings in isa/matrix.def are instantiated for their
// constants alone.
#include "runtime/engine/isa/matrix_shape.h"

#include "runtime/engine/isa/value.h"
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
#include "runtime/engine/isa/end.inl"
// clang-format on

template<class X> constexpr MatrixShape shape(bool blgp) {
  return {X::kSourceRegisters,
          X::kSourceRegistersB,
          X::kSumRegisters,
          X::kRows,
          X::kBlockCount,
          X::kIndexBits,
          sizeof(typename X::Sum) == 8 * kLanes,
          blgp};
}
constexpr auto kShapes = [] {
  std::array<MatrixShape, kOpcodeCount> all{};
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
