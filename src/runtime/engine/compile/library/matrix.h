// runtime/engine/compile/library/matrix.h - matrix instructions as functions that the translator calls; see entries.h.
// Included behind isa/matrix.inl.
#pragma once

template<class X> struct Functions {
  using Unit = typename X::Unit;
  using Factors = typename X::Factors;
  static void prepare_a(const Register* rows, const Register* index, Unit* units) { X::prepare_a(rows, index, units); }
  static void prepare_b(const Register* rows, Unit* units) { X::prepare_b(rows, units); }
  // Out of line, where there is much to do.
  [[gnu::noinline]] static void make_a(const Register* rows, const Register* index, Unit* units) {
    X::prepare_a(rows, index, units);
  }
  [[gnu::noinline]] static void make_b(const Register* rows, Unit* units) { X::prepare_b(rows, units); }
  [[gnu::noinline]] static uint32_t multiply(const Factors* all, uint32_t count, Register* sums, uint32_t coarse) {
    if constexpr (requires { X::multiply(all, count, sums, coarse); }) {
      return X::multiply(all, count, sums, coarse);
    } else {
      X::multiply(all, count, sums);
      return 0;
    }
  }
  static constexpr bool kMuchA = X::kUnitBytesA > 2 * X::kSourceRegisters * kRowBytes,
                        kMuchB = X::kUnitBytesB > 2 * X::kSourceRegistersB * kRowBytes;
};

template<class X> library::MatrixEntry entry(Opcode opcode, const char* needs = nullptr) {
  using F = Functions<X>;
  return {uint32_t(opcode),
          needs,
          reinterpret_cast<const void*>(F::kMuchA ? &F::make_a : &F::prepare_a),
          reinterpret_cast<const void*>(F::kMuchB ? &F::make_b : &F::prepare_b),
          reinterpret_cast<const void*>(&F::multiply),
          X::kUnitBytesA,
          X::kUnitBytesB,
          X::kInPlace};
}
