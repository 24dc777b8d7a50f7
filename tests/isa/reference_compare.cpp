// v_cmp_*: every relation of every type, and v_cmp_class.
#include "reference.h"

#include <cmath>
#include <deque>
#include <string>

namespace isa_test {
namespace {

enum Relation { F, Lt, Eq, Le, Gt, Ne /* lg for floats */, Ge, T, Ordered, Unordered, Nge, Nlg, Ngt, Nle, Neq, Nlt };

template <class V> bool holds(Relation r, V a, V b) {
  bool unordered = a != a || b != b;
  switch (r) {
  case F: return false;
  case Lt: return a < b;
  case Eq: return a == b;
  case Le: return a <= b;
  case Gt: return a > b;
  case Ne: return a < b || a > b;
  case Ge: return a >= b;
  case T: return true;
  case Ordered: return !unordered;
  case Unordered: return unordered;
  case Nge: return !(a >= b);
  case Nlg: return !(a < b || a > b);
  case Ngt: return !(a > b);
  case Nle: return !(a <= b);
  case Neq: return !(a == b);
  case Nlt: return !(a < b);
  }
  return false;
}

template <class V, Relation R> void compare(const Inputs& in, Outputs& out) {
  out.vcc = holds(R, from_bits<V>(in.s[0]), from_bits<V>(in.s[1]));
}

template <class V> bool in_class(V v, uint32_t mask) {
  double d = static_cast<double>(v);
  bool negative = std::signbit(d);
  auto quiet = [&] {
    if constexpr (sizeof(V) == 2) return (std::bit_cast<uint16_t>(v) >> 9 & 1) != 0;
    else if constexpr (sizeof(V) == 4) return (std::bit_cast<uint32_t>(v) >> 22 & 1) != 0;
    else return (std::bit_cast<uint64_t>(v) >> 51 & 1) != 0;
  };
  auto denormal = [&] {
    if constexpr (sizeof(V) == 2) return v != 0 && std::fabs(d) < 0x1p-14;
    else if constexpr (sizeof(V) == 4) return v != 0 && std::fabs(d) < 0x1p-126;
    else return v != 0 && std::fabs(d) < 0x1p-1022;
  };
  int bit;
  if (v != v) bit = quiet() ? 1 : 0;
  else if (std::isinf(d)) bit = negative ? 2 : 9;
  else if (v == 0) bit = negative ? 5 : 6;
  else if (denormal()) bit = negative ? 4 : 7;
  else bit = negative ? 3 : 8;
  return mask >> bit & 1;
}
template <class V> void compare_class(const Inputs& in, Outputs& out) {
  out.vcc = in_class(from_bits<V>(in.s[0]), static_cast<uint32_t>(in.s[1]));
}

std::deque<std::string>& names() {
  static std::deque<std::string> all; // keeps the mnemonics that the rows point to
  return all;
}
template <class V, Relation R> void add(std::vector<Op>& ops, const char* relation, const char* type) {
  names().push_back(std::string("v_cmp_") + relation + "_" + type);
  ops.push_back(Op{names().back().c_str(), Type::None, {TypeOf<V>::value, TypeOf<V>::value, Type::None}, kCompare, 0,
                   compare<V, R>});
}
template <class V> void add_integer(std::vector<Op>& ops, const char* type) {
  add<V, F>(ops, "f", type);
  add<V, Lt>(ops, "lt", type);
  add<V, Eq>(ops, "eq", type);
  add<V, Le>(ops, "le", type);
  add<V, Gt>(ops, "gt", type);
  add<V, Ne>(ops, "ne", type);
  add<V, Ge>(ops, "ge", type);
  add<V, T>(ops, "t", type);
}
template <class V> void add_float(std::vector<Op>& ops, const char* type) {
  add<V, F>(ops, "f", type);
  add<V, Lt>(ops, "lt", type);
  add<V, Eq>(ops, "eq", type);
  add<V, Le>(ops, "le", type);
  add<V, Gt>(ops, "gt", type);
  add<V, Ne>(ops, "lg", type);
  add<V, Ge>(ops, "ge", type);
  add<V, Ordered>(ops, "o", type);
  add<V, Unordered>(ops, "u", type);
  add<V, Nge>(ops, "nge", type);
  add<V, Nlg>(ops, "nlg", type);
  add<V, Ngt>(ops, "ngt", type);
  add<V, Nle>(ops, "nle", type);
  add<V, Neq>(ops, "neq", type);
  add<V, Nlt>(ops, "nlt", type);
  add<V, T>(ops, "tru", type);
  names().push_back(std::string("v_cmp_class_") + type);
  ops.push_back(Op{names().back().c_str(), Type::None, {TypeOf<V>::value, Type::U32, Type::None}, kCompare, 0,
                   compare_class<V>});
}

} // namespace

std::vector<Op> compare_ops() {
  std::vector<Op> ops;
  add_integer<int16_t>(ops, "i16");
  add_integer<uint16_t>(ops, "u16");
  add_integer<int32_t>(ops, "i32");
  add_integer<uint32_t>(ops, "u32");
  add_integer<int64_t>(ops, "i64");
  add_integer<uint64_t>(ops, "u64");
  add_float<f16>(ops, "f16");
  add_float<float>(ops, "f32");
  add_float<double>(ops, "f64");
  return ops;
}

} // namespace isa_test
