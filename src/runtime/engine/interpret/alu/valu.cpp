// runtime/engine/interpret/alu/valu.cpp - the vector ALU handlers of one host ISA level (interpret/level.h). The build compiles
// this file once per level and group of definitions (OMNIHIP_VALU_GROUP), to keep each compilation short.
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/interpret/lift.h"
#include "runtime/engine/interpret/alu/staging.h"

#include <array>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
// The definitions of this group. They are listed because a macro cannot portably be part of an include path.
#if OMNIHIP_VALU_GROUP == 0
#include "runtime/engine/isa/vop_f32.inl"
#include "runtime/engine/isa/vop_trans.inl"
#elif OMNIHIP_VALU_GROUP == 1
#include "runtime/engine/isa/vop_int.inl"
#elif OMNIHIP_VALU_GROUP == 2
#include "runtime/engine/isa/vop_cvt.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/vop_scaled.inl"
#include "runtime/engine/isa/vop_f64.inl"
#elif OMNIHIP_VALU_GROUP == 3
#include "runtime/engine/isa/vop_16.inl"
#elif OMNIHIP_VALU_GROUP == 4
#include "runtime/engine/isa/vop_cmp.inl"
#endif
#include "runtime/engine/isa/end.inl"

#include "runtime/engine/isa/body_shape.inl"
#include "runtime/engine/interpret/alu/valu.h"

template <int... I> constexpr std::array<OpRow, sizeof...(I)> make_rows(std::integer_sequence<int, I...>) {
  return {valu_row<Definition<I>>()...};
}
constexpr auto kRows = make_rows(std::make_integer_sequence<int, kDefinitionCount>());

} // namespace

#define VALU_ROWS_NAME2(group) valu_rows_##group
#define VALU_ROWS_NAME(group) VALU_ROWS_NAME2(group)
std::span<const OpRow> VALU_ROWS_NAME(OMNIHIP_VALU_GROUP)() noexcept { return kRows; }

} // namespace hip::engine::OMNIHIP_LEVEL
