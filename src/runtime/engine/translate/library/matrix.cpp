// runtime/engine/translate/library/matrix.cpp - the matrix instructions of isa/matrix.inl for the translator; see
// entries.h. Compiled to bitcode.
#include "runtime/engine/exec/level.h"
#include "runtime/engine/exec/wave.h"
#include "runtime/engine/translate/library/entries.h"

#include <array>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// clang-format off: each needs those before it
#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/matrix.inl"
#include "runtime/engine/isa/end.inl"
// clang-format on

template<class X> struct Functions {
  using Unit = typename X::Unit;
  static void prepare_a(const Register* rows, const Register* index, Unit* units) { X::prepare_a(rows, index, units); }
  static void prepare_b(const Register* rows, Unit* units) { X::prepare_b(rows, units); }
  // Out of line, where there is much to do.
  [[gnu::noinline]] static void make_a(const Register* rows, const Register* index, Unit* units) {
    X::prepare_a(rows, index, units);
  }
  [[gnu::noinline]] static void make_b(const Register* rows, Unit* units) { X::prepare_b(rows, units); }
  [[gnu::noinline]] static void multiply(const Unit* a, const Unit* b, Register* sums) { X::multiply(a, b, sums); }
  static constexpr bool kMuchA = X::kUnitBytesA > 2 * X::kSourceRegisters * kRowBytes,
                        kMuchB = X::kUnitBytesB > 2 * X::kSourceRegistersB * kRowBytes;
};
template<class X> library::MatrixEntry entry(const char* mnemonic, bool blgp) {
  using F = Functions<X>;
  return {mnemonic,
          reinterpret_cast<const void*>(F::kMuchA ? &F::make_a : &F::prepare_a),
          reinterpret_cast<const void*>(F::kMuchB ? &F::make_b : &F::prepare_b),
          reinterpret_cast<const void*>(&F::multiply),
          X::kSourceRegisters,
          X::kSourceRegistersB,
          X::kSumRegisters,
          X::kUnitBytesA,
          X::kUnitBytesB,
          X::kRows,
          X::kBlockCount,
          X::kIndexBits,
          sizeof(typename X::Sum) == 8 * kLanes,
          blgp};
}

} // namespace

// (Function addresses are no constant expressions as const void*; the optimiser makes this a constant all the same.)
extern "C" __attribute__((used)) const std::array omnihip_matrix = {
#define MATRIX(name, blgp, ...) entry<__VA_ARGS__>(#name, blgp),
#include "runtime/engine/isa/matrix.def"
#undef MATRIX
};

} // namespace hip::engine::OMNIHIP_LEVEL
