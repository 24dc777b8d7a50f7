// runtime/engine/compile/library/matrix.h - matrix instructions as functions that the translator calls; see entries.h.
// Included behind isa/matrix.inl.
#pragma once

// With the types that entries.h gives them; what rows, units and factors are is the instruction's own business.
template<class X> struct Functions {
  using Unit = typename X::Unit;
  using Factors = typename X::Factors;
  using Rows = library::MatrixRegisters;
  using Units = library::MatrixUnits;
  [[gnu::always_inline]] static const Register* registers(const Rows* rows) { return reinterpret_cast<const Register*>(rows); }
  [[gnu::always_inline]] static Unit* units_of(Units* units) { return reinterpret_cast<Unit*>(units); }
  static void prepare_a(const Rows* rows, const Rows* index, Units* units) {
    X::prepare_a(registers(rows), registers(index), units_of(units));
  }
  static void prepare_b(const Rows* rows, Units* units) { X::prepare_b(registers(rows), units_of(units)); }
  // Out of line, where there is much to do.
  [[gnu::noinline]] static void make_a(const Rows* rows, const Rows* index, Units* units) {
    X::prepare_a(registers(rows), registers(index), units_of(units));
  }
  [[gnu::noinline]] static void make_b(const Rows* rows, Units* units) { X::prepare_b(registers(rows), units_of(units)); }
  [[gnu::noinline]] static uint32_t multiply(const library::MatrixFactors* factors, uint32_t count, Rows* rows, uint32_t coarse) {
    const auto* all = reinterpret_cast<const Factors*>(factors);
    auto* sums = reinterpret_cast<Register*>(rows);
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

// WMMA: what the translator passes as `coarse` is a SumForm.
template<class X> struct WithForm : X {
  static constexpr bool kAsIs = false; // they are gathered
  [[gnu::always_inline]] static uint32_t multiply(const typename X::Factors* all, uint32_t count, Register* sums, uint32_t form) {
    multiply_placed<X>(all, count, sums, form);
    return 0;
  }
};

template<class X> library::MatrixEntry entry(Opcode opcode, const char* needs = nullptr) {
  using F = Functions<X>;
  return {uint32_t(opcode),
          needs,
          F::kMuchA ? &F::make_a : &F::prepare_a,
          F::kMuchB ? &F::make_b : &F::prepare_b,
          &F::multiply,
          X::kUnitBytesA,
          X::kUnitBytesB,
          X::kInPlace,
          X::kAsIs};
}
