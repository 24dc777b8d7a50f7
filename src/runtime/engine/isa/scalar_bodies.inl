// runtime/engine/isa/scalar_bodies.inl - all definitions of the scalar ALU, for an instantiation with kLanes = 1: include in its
// namespace. Floating-point ones call bodies of the vector ALU, which are not registered here.
// clang-format off: each needs those before it
#include "runtime/engine/isa/types.inl"
#undef OP
#define OP(name, R, params) [[gnu::always_inline, maybe_unused]] inline R name params
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_trans.inl"
#include "runtime/engine/isa/vop_cvt.inl"
#include "runtime/engine/isa/vop_16.inl"
#undef OP
#include "runtime/engine/isa/op.inl"
#include "runtime/engine/isa/sop.inl"
#include "runtime/engine/isa/sop_float.inl"
#include "runtime/engine/isa/end.inl"
// clang-format on
