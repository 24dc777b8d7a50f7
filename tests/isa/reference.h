// tests/isa/reference.h - what vector and scalar ALU instructions must compute, written a second time and independently
// of the engine: one plain C++ lambda per mnemonic on raw register bits, after AMD's "CDNA3 Instruction Set
// Architecture" pseudocode. The harness (reference_test.cpp) assembles each instruction with clang, runs it through
// decode, lift and every tier-0 level, and compares lane by lane.
#pragma once

#include "raw_bits.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace isa_test {

enum class Type : uint8_t { None, F16, U16, I16, F32, U32, I32, F64, U64, I64 };
constexpr bool is_float(Type t) { return t == Type::F16 || t == Type::F32 || t == Type::F64; }
constexpr int bits_of(Type t) {
  switch (t) {
  case Type::F16:
  case Type::U16:
  case Type::I16: return 16;
  case Type::F64:
  case Type::U64:
  case Type::I64: return 64;
  default: return 32;
  }
}

struct Inputs {
  uint64_t s[3] = {}; // raw bits of the sources
  uint64_t d = 0;     // the destination's old bits (v_fmac and friends)
  bool vcc = false;   // this lane's bit of VCC, or SCC for scalar instructions
  uint32_t lane = 0;
};
struct Outputs {
  uint64_t d = 0;
  bool vcc = false;
};

enum Flags : uint32_t {
  kWritesVcc = 1,     // carry out: assembled as "op vdst, vcc, ..."
  kReadsVcc = 2,      // carry in or select: assembled with a last operand vcc
  kCompare = 4,       // the result is the lane's bit of VCC
  kReadsDst = 8,      // accumulates into vdst
  kNoDenormals = 16,  // neither input nor result is checked when denormal (the instruction flushes them)
  kFullDst = 32,      // a 16-bit result whose upper half must be zero
  kHalves = 64,       // sources and result are two packed f16
  kFloats = 128,      // sources and result are two packed f32
};

struct Op {
  const char* mnemonic;
  Type dst;
  Type src[3];
  uint32_t flags;
  uint32_t max_ulp; // allowed distance of a floating-point result; 0: exact (any NaN equals any NaN)
  void (*compute)(const Inputs&, Outputs&);
};

std::span<const Op> integer_ops();
std::span<const Op> float_ops();
std::span<const Op> convert_ops();
std::vector<Op> compare_ops();
std::span<const Op> scalar_ops();
// What gfx9 has not.
std::span<const Op> later_ops();
std::span<const Op> later_scalar_ops();

// --- how the lambdas see raw bits
using hip::test::from_bits;
using hip::test::to_bits;
using f16 = _Float16;
// f of both halves.
template <class F> uint32_t halves2(uint32_t a, uint32_t b, F f) {
  const auto half = [](uint32_t v) { return from_bits<f16>(uint16_t(v)); };
  return uint32_t(to_bits<f16>(f(half(a), half(b)))) | uint32_t(to_bits<f16>(f(half(a >> 16), half(b >> 16)))) << 16;
}

template <class T> struct TypeOf;
template <> struct TypeOf<f16> { static constexpr Type value = Type::F16; };
template <> struct TypeOf<float> { static constexpr Type value = Type::F32; };
template <> struct TypeOf<double> { static constexpr Type value = Type::F64; };
template <> struct TypeOf<uint16_t> { static constexpr Type value = Type::U16; };
template <> struct TypeOf<int16_t> { static constexpr Type value = Type::I16; };
template <> struct TypeOf<uint32_t> { static constexpr Type value = Type::U32; };
template <> struct TypeOf<int32_t> { static constexpr Type value = Type::I32; };
template <> struct TypeOf<uint64_t> { static constexpr Type value = Type::U64; };
template <> struct TypeOf<int64_t> { static constexpr Type value = Type::I64; };

} // namespace isa_test

// OP1(mnemonic, dst type, source types..., flags, ulp, expression of a, b, c, d, vcc, lane)
#define ISA_REF_BODY(D, ...)                                                                                           \
  [[maybe_unused]] D d = from_bits<D>(in.d);                                                                           \
  [[maybe_unused]] bool vcc = in.vcc;                                                                                  \
  [[maybe_unused]] uint32_t lane = in.lane;                                                                            \
  out.d = to_bits<D>(static_cast<D>(__VA_ARGS__));
#define OP1(name, D, A, flags, ulp, ...)                                                                               \
  Op{name, TypeOf<D>::value, {TypeOf<A>::value, Type::None, Type::None}, flags, ulp, [](const Inputs& in, Outputs& out) { \
       A a = from_bits<A>(in.s[0]);                                                                                    \
       ISA_REF_BODY(D, __VA_ARGS__)                                                                                    \
     }}
#define OP2(name, D, A, B, flags, ulp, ...)                                                                            \
  Op{name, TypeOf<D>::value, {TypeOf<A>::value, TypeOf<B>::value, Type::None}, flags, ulp,                             \
     [](const Inputs& in, Outputs& out) {                                                                              \
       A a = from_bits<A>(in.s[0]);                                                                                    \
       B b = from_bits<B>(in.s[1]);                                                                                    \
       ISA_REF_BODY(D, __VA_ARGS__)                                                                                    \
     }}
#define OP3(name, D, A, B, C, flags, ulp, ...)                                                                         \
  Op{name, TypeOf<D>::value, {TypeOf<A>::value, TypeOf<B>::value, TypeOf<C>::value}, flags, ulp,                       \
     [](const Inputs& in, Outputs& out) {                                                                              \
       A a = from_bits<A>(in.s[0]);                                                                                    \
       B b = from_bits<B>(in.s[1]);                                                                                    \
       C c = from_bits<C>(in.s[2]);                                                                                    \
       ISA_REF_BODY(D, __VA_ARGS__)                                                                                    \
     }}
