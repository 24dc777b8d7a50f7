// runtime/engine/isa/body_shape.cpp - see body_shape.h. The definitions are instantiated on one lane for their types
// alone.
#include "runtime/engine/isa/body_shape.h"

#include "runtime/engine/isa/value.h"

#include <utility>

namespace hip::engine {
namespace {

using namespace hip::engine::isa;
constexpr int kLanes = 1;
using Shapes = std::array<BodyShape, kOpcodeCount>;

// clang-format off: each needs those before it
namespace vector {
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
template <int... I> constexpr void fill(Shapes& all, std::integer_sequence<int, I...>) {
  ((all[size_t(Definition<I>::kOpcode)] = ShapeOf<Definition<I>::kBody>::kShape), ...);
}
constexpr void fill(Shapes& all) { fill(all, std::make_integer_sequence<int, kDefinitionCount>()); }
} // namespace vector
namespace scalar {
#include "runtime/engine/isa/scalar_bodies.inl"
#include "runtime/engine/isa/body_shape.inl"
template <int... I> constexpr void fill(Shapes& all, std::integer_sequence<int, I...>) {
  ((all[size_t(Definition<I>::kOpcode)] = ShapeOf<Definition<I>::kBody>::kShape), ...);
}
constexpr void fill(Shapes& all) { fill(all, std::make_integer_sequence<int, kDefinitionCount>()); }
} // namespace scalar
// clang-format on

constexpr Shapes kShapes = [] {
  Shapes all{};
  vector::fill(all);
  scalar::fill(all);
  return all;
}();

} // namespace

const BodyShape* shape_of(Opcode opcode) noexcept {
  const BodyShape& shape = kShapes[size_t(body_of(opcode))];
  return shape.result ? &shape : nullptr;
}

} // namespace hip::engine
