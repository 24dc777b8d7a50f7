// writer_values.cpp - expressions: literals with a taste for boundaries, reads of what is in scope, operations of
// values.h, conversions, loads at computed places, calls.
#include "writer.h"

namespace random_kernels {

Type Writer::some_type() {
  const unsigned n = random_.below(100);
  if (n < 3) return random_.chance(50) ? Type::I128 : Type::U128;
  if (n < 14) return Type::F32;
  if (n < 24) return Type::F64;
  if (n < 44) return Type::U32;
  if (n < 56) return Type::I32;
  return some_integer();
}

std::string Writer::literal(Type type) {
  const std::string name = random_kernels::name(type);
  if (is_float(type)) {
    switch (random_.below(6)) {
    case 0:
      return name + "(" + text(random_.below(5)) + ")";
    case 1:
      return name + "(-" + text(random_.below(100)) + ".5)";
    case 2:
      return name + "(0x1." + text(random_.below(10)) + "p" + std::to_string(int(random_.below(60)) - 30) + ")";
    case 3: {
      // Infinities, the largest and the smallest numbers, subnormal ones and the negative zero.
      static constexpr uint64_t kSingle[] = {0x7f800000, 0xff800000, 0x7f7fffff, 0x00800000,
                                             0x00000001, 0x807fffff, 0x80000000};
      static constexpr uint64_t kDouble[] = {0x7ff0000000000000, 0xfff0000000000000, 0x7fefffffffffffff,
                                             0x0010000000000000, 0x0000000000000001, 0x800fffffffffffff,
                                             0x8000000000000000};
      const unsigned which = random_.below(7);
      return "value_of<" + name + ">(" + hex(type == Type::F32 ? kSingle[which] : kDouble[which]) + ")";
    }
    default:
      return name + "(" + text(random_.below(1000)) + "." + text(random_.below(1000)) + ")";
    }
  }
  const unsigned width = bytes(type) * 8;
  uint64_t number = 0;
  switch (random_.below(7)) {
  case 0:
    number = random_.below(4);
    break;
  case 1:
    number = ~uint64_t(0);
    break;
  case 2:
    number = uint64_t(1) << random_.below(width < 64 ? width : 64);
    break;
  case 3:
    number = (uint64_t(1) << random_.below(width < 64 ? width : 64)) - 1;
    break;
  case 4:
    number = uint64_t(1) << ((width < 64 ? width : 64) - 1);
    break;
  case 5:
    number = random_.below(100);
    break;
  default:
    number = random_.word();
  }
  if (width < 64) number &= (uint64_t(1) << width) - 1;
  if (is_wide(type))
    return "wide<" + name + ">(" + hex(random_.chance(50) ? 0 : random_.word()) + ", " + hex(number) + ")";
  return name + "(" + hex(number) + ")";
}

std::string Writer::read(Type type) {
  std::vector<const Place*> fitting;
  for (const Place& place : places_)
    if (place.type == type) fitting.push_back(&place);
  return fitting.empty() ? "" : fitting[random_.below(fitting.size())]->text;
}

std::string Writer::leaf(Type type) {
  if (random_.chance(18)) return literal(type);
  if (std::string place = read(type); !place.empty() && random_.chance(80)) return place;
  // Something of another type, converted. 128-bit integers and floating point do not meet.
  std::vector<const Place*> fitting;
  for (const Place& place : places_)
    if (!(is_wide(type) && is_float(place.type)) && !(is_float(type) && is_wide(place.type))) fitting.push_back(&place);
  if (fitting.empty()) return literal(type);
  const Place& place = *fitting[random_.below(fitting.size())];
  return std::string("convert<") + name(type) + ", " + name(place.type) + ">(" + place.text + ")";
}

std::string Writer::index(unsigned count, unsigned depth) {
  const std::string number = value(random_.chance(80) ? Type::U32 : random_.chance(50) ? Type::U8 : Type::U64, depth);
  if ((count & (count - 1)) == 0) return "(" + number + ") & " + text(count - 1);
  return "(" + number + ") % " + text(count) + "u";
}

std::string Writer::condition(unsigned depth) {
  charge(1);
  if (depth && random_.chance(25)) {
    const char* op = random_.chance(50) ? " && " : " || ";
    return "(" + condition(depth - 1) + ")" + op + "(" + condition(depth - 1) + ")";
  }
  if (random_.chance(8)) return "!(" + condition(depth ? depth - 1 : 0) + ")";
  const Type type = some_type();
  const unsigned below = depth ? depth - 1 : 0;
  if (!is_float(type) && random_.chance(25))
    return std::string("bit_and<") + name(type) + ">(" + value(type, below) + ", " + name(type) + "(" +
           text(1u << random_.below(6)) + ")) != 0";
  static constexpr const char* kCompare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
  return value(type, below) + kCompare[random_.below(is_float(type) || random_.chance(70) ? 4 : 6)] +
         value(type, below);
}

std::string Writer::call(const Function& function, unsigned depth) {
  charge(function.cost + 10);
  std::string text = function.name + "(";
  for (size_t i = 0; i < function.parameters.size(); ++i)
    text += (i ? ", " : "") + value(function.parameters[i], depth && function.parameters.size() < 6 ? depth - 1 : 0);
  return text + ")";
}

// A load: an element of an array, or bytes of one at any offset.
std::string Writer::memory(Type type, unsigned depth) {
  std::vector<const Array*> fitting;
  for (const Array& array : arrays_)
    if (array.type == type || (array.count * bytes(array.type) >= bytes(type) && !is_float(type) && random_.chance(30)))
      fitting.push_back(&array);
  if (fitting.empty()) return leaf(type);
  const Array array = *fitting[random_.below(fitting.size())];
  charge(2);
  if (array.type == type && random_.chance(85)) return array.text + "[" + index(array.count, depth) + "]";
  if (is_float(type)) return leaf(type); // the bytes might be those of any NaN
  if (is_float(array.type)) return leaf(type);
  return std::string("load_bytes<") + name(type) + ">(" + array.text + ", " + text(array.count * bytes(array.type)) +
         ", " + value(Type::U32, depth) + ")";
}

std::string Writer::integer(Type type, unsigned depth) {
  const std::string name = random_kernels::name(type), of = "<" + name + ">(";
  const bool narrow = bytes(type) < 4, wide = is_wide(type);
  const auto operand = [&] { return value(type, depth - 1); };
  switch (random_.below(17)) {
  case 0:
  case 1:
    return "add" + of + operand() + ", " + operand() + ")";
  case 2:
    return "sub" + of + operand() + ", " + operand() + ")";
  case 3:
    return "mul" + of + operand() + ", " + operand() + ")";
  case 4:
    if (wide && !random_.chance(10))
      return "mul" + of + operand() + ", " + operand() + ")"; // a division is 10 000 instructions
    charge(bytes(type) * 5);
    return (random_.chance(50) ? "div" : "rem") + of + operand() + ", " + operand() + ")";
  case 5:
  case 6: {
    static constexpr const char* kOps[] = {"bit_and", "bit_or", "bit_xor", "minimum", "maximum"};
    return kOps[random_.below(5)] + of + operand() + ", " + operand() + ")";
  }
  case 7:
  case 8: {
    const std::string count = random_.chance(50) ? text(random_.below(bytes(type) * 8)) : value(Type::U32, depth - 1);
    return (random_.chance(50) ? "shl" : "shr") + of + operand() + ", " + count + ")";
  }
  case 9: {
    static constexpr const char* kOps[] = {"neg", "bit_not", "population", "mixed"};
    return kOps[random_.below(4)] + of + operand() + ")";
  }
  case 10:
    if (wide) return "sub" + of + operand() + ", " + operand() + ")";
    if (narrow || random_.chance(40))
      return (random_.chance(50) ? "add_saturated" : "sub_saturated") + of + operand() + ", " + operand() + ")";
    if (random_.chance(50)) return "mul_high" + of + operand() + ", " + operand() + ")";
    return (random_.chance(50) ? "reverse_bits" : "reverse_bytes") + of + operand() + ")";
  case 11:
    if (wide) return "neg" + of + operand() + ")";
    switch (random_.below(4)) {
    case 0:
      return "leading_zeros" + of + operand() + ")";
    case 1:
      return "trailing_zeros" + of + operand() + ")";
    case 2:
      return "abs_difference" + of + operand() + ", " + operand() + ")";
    default:
      return "field" + of + operand() + ", " + text(random_.below(bytes(type) * 8)) + ", " + text(random_.below(8)) +
             ")";
    }
  case 12:
    return "((" + condition(depth - 1) + ") ? " + operand() + " : " + operand() + ")";
  case 13: {
    Type from = some_type();
    if (wide && is_float(from)) from = Type::U64;
    charge(is_float(from) ? 4 : 1);
    return "convert<" + name + ", " + random_kernels::name(from) + ">(" + value(from, depth - 1) + ")";
  }
  case 14:
    if (wide) return operand();
    if (random_.chance(40)) {
      const Type from = random_.chance(50) ? Type::F32 : Type::F64;
      return name + "(bits<" + random_kernels::name(from) + ">(" + value(from, depth - 1) + "))";
    }
    return "rotate" + of + operand() + ", " + value(Type::U32, depth - 1) + ")";
  default:
    return memory(type, depth - 1);
  }
}

std::string Writer::floating(Type type, unsigned depth) {
  const std::string name = random_kernels::name(type), of = "<" + name + ">(";
  const auto operand = [&] { return value(type, depth - 1); };
  switch (random_.below(14)) {
  case 0:
  case 1:
    return "add" + of + operand() + ", " + operand() + ")";
  case 2:
    return "sub" + of + operand() + ", " + operand() + ")";
  case 3:
  case 4:
    return "mul" + of + operand() + ", " + operand() + ")";
  case 5:
    charge(12);
    return "div" + of + operand() + ", " + operand() + ")";
  case 6:
    return "fused(" + operand() + ", " + operand() + ", " + operand() + ")";
  case 7:
    charge(12);
    return "root(magnitude(" + operand() + "))";
  case 8:
    return (random_.chance(50) ? "minimum" : "maximum") + of + operand() + ", " + operand() + ")";
  case 9: {
    static constexpr const char* kOps[] = {"neg",      "magnitude",     "round_down",
                                           "round_up", "round_to_zero", "round_to_even"};
    return kOps[random_.below(6)] + std::string("(") + operand() + ")";
  }
  case 10:
    return "((" + condition(depth - 1) + ") ? " + operand() + " : " + operand() + ")";
  case 11: {
    Type from = some_type();
    if (is_wide(from)) from = Type::I64;
    return "convert<" + name + ", " + random_kernels::name(from) + ">(" + value(from, depth - 1) + ")";
  }
  case 12:
    if (random_.chance(50))
      return "value_of<" + name + ">(" + value(type == Type::F32 ? Type::U32 : Type::U64, depth - 1) + ")";
    return operand();
  default:
    return memory(type, depth - 1);
  }
}

std::string Writer::value(Type type, unsigned depth) {
  charge(1);
  if (depth == 0 || random_.chance(20)) return leaf(type);
  if (random_.chance(7)) {
    std::vector<const Function*> fitting;
    for (const Function& function : program_.functions)
      if (function.result == type && affordable(function.cost + 50)) fitting.push_back(&function);
    if (!fitting.empty()) return call(*fitting[random_.below(fitting.size())], depth);
  }
  return is_float(type) ? floating(type, depth) : integer(type, depth);
}

} // namespace random_kernels
