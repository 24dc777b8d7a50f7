// runtime/engine/compile/library/matrix.cpp - the matrix instructions of isa/matrix.def and isa/wmma.def for the translator. Compiled to
// bitcode; see entries.h.
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/wave/wave.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/isa/wmma.h"

#include <array>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// clang-format off: each needs those before it
#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/matrix.inl"
#include "runtime/engine/isa/wmma.inl"
#include "runtime/engine/isa/end.inl"
#include "runtime/engine/compile/library/matrix.h"
// clang-format on

} // namespace

// (Function addresses are no constant expressions as const void*; the optimiser makes this a constant all the same.)
extern "C" __attribute__((used)) const std::array omnihip_matrix = {
#define MATRIX(name, blgp, ...) entry<__VA_ARGS__>(Opcode::name),
#include "runtime/engine/isa/matrix.def"
#undef MATRIX
#define WMMA(name, sums, k, ...) entry<WithForm<Placed<k, __VA_ARGS__>>>(Opcode::name),
#include "runtime/engine/isa/wmma.def"
#undef WMMA
};

} // namespace hip::engine::OMNIHIP_LEVEL
