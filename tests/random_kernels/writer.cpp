// writer.cpp - statements: assignments, declarations, branches, switches, bounded loops, state machines, calls.
#include "writer.h"

#include <algorithm>

namespace random_kernels {

void Writer::add_object(const std::string& text, unsigned structure, Access access) {
  const Structure& type = program_.structures[structure];
  for (const Field& field : type.fields) {
    const std::string member = text + "." + field.name;
    // Neither bit-fields nor members that may be misaligned can be pointed to.
    if (field.count)
      add_array(member, field.type, field.count, access != Access::Reads);
    else
      add_place(member, field.type, field.bits || type.packed ? std::min(access, Access::Assigns) : access);
  }
  if (access == Access::TakesAddress) objects_.push_back({text, structure});
}

void Writer::close(const Mark& mark, const std::string& tail) {
  places_.resize(mark.places);
  arrays_.erase(arrays_.begin() + static_cast<std::ptrdiff_t>(mark.arrays), arrays_.end());
  objects_.erase(objects_.begin() + static_cast<std::ptrdiff_t>(mark.objects), objects_.end());
  --indent_;
  line(tail);
}

// A place that can be assigned, as its number, or -1.
int Writer::assignable(Access least, bool integers) {
  std::vector<int> fitting;
  for (size_t i = 0; i < places_.size(); ++i)
    if (places_[i].access >= least && !(integers && (is_float(places_[i].type) || is_wide(places_[i].type))))
      fitting.push_back(static_cast<int>(i));
  return fitting.empty() ? -1 : random_.pick(fitting);
}

void Writer::assign(unsigned depth) {
  const int which = assignable(Access::Assigns, false);
  if (which < 0) return;
  const Place place = places_[static_cast<size_t>(which)];
  const std::string of = std::string("<") + name(place.type) + ">(" + place.text + ", ";
  if (random_.chance(55)) return line(place.text + " = " + value(place.type, depth) + ";");
  if (!is_float(place.type) && random_.chance(60)) {
    static constexpr const char* kOps[] = {"add", "sub", "bit_xor", "bit_or", "mul"};
    return line(place.text + " = " + kOps[random_.below(5)] + of + value(place.type, depth) + ");");
  }
  if (place.type == Type::U32 || place.type == Type::U64)
    return line(place.text + " += " + value(place.type, depth) + ";");
  line(place.text + " = add" + of + value(place.type, depth) + ");");
}

void Writer::assign_element(unsigned depth) {
  std::vector<const Array*> fitting;
  for (const Array& array : arrays_)
    if (array.assignable) fitting.push_back(&array);
  if (fitting.empty()) return assign(depth);
  const Array array = *fitting[random_.below(fitting.size())];
  if (!is_float(array.type) && random_.chance(20)) {
    const Type type = random_.chance(50) ? Type::U16 : random_.chance(50) ? Type::U8 : Type::I32;
    const unsigned size_bytes = array.count * bytes(array.type);
    if (size_bytes >= bytes(type))
      return line(std::string("store_bytes<") + name(type) + ">(" + array.text + ", " + text(size_bytes) + ", " +
                  value(Type::U32, 1) + ", " + value(type, depth) + ");");
  }
  line(array.text + "[" + index(array.count, 1) + "] = " + value(array.type, depth) + ";");
}

void Writer::declare(unsigned depth) {
  const Type type = some_type();
  const std::string variable = fresh("v");
  line(std::string(name(type)) + " " + variable + " = " + value(type, depth) + ";");
  add_place(variable, type, Access::TakesAddress);
}

void Writer::declare_array(unsigned depth) {
  const Type type = random_.chance(50) ? Type::U32 : random_.chance(30) ? Type::F32 : some_integer();
  const unsigned count = random_.between(3, 9);
  const std::string array = fresh("a"), i = fresh("n");
  line(std::string(name(type)) + " " + array + "[" + text(count) + "];");
  const unsigned times = times_;
  times_ *= count;
  line("for (u32 " + i + " = 0; " + i + " < " + text(count) + "; ++" + i + ")");
  const Mark here = mark();
  ++indent_;
  add_place(i, Type::U32, Access::Reads);
  line(array + "[" + i + "] = " + value(type, depth) + ";");
  --indent_;
  places_.resize(here.places);
  times_ = times;
  add_array(array, type, count, true);
}

void Writer::declare_object(unsigned depth) {
  if (program_.structures.empty()) return declare(depth);
  const unsigned structure = random_.below(program_.structures.size());
  const std::string type = program_.structures[structure].name, object = fresh("s");
  if (random_.chance(30)) {
    const unsigned count = random_.between(2, 4);
    line(type + " " + object + "_all[" + text(count) + "] = {};");
    line(type + "& " + object + " = " + object + "_all[" + index(count, 1) + "];");
  } else {
    std::vector<const Object*> same;
    for (const Object& other : objects_)
      if (other.structure == structure) same.push_back(&other);
    line(type + " " + object + " = " + (same.empty() || random_.chance(40) ? "{}" : random_.pick(same)->text) + ";");
  }
  add_object(object, structure, Access::TakesAddress);
  for (const Field& field : program_.structures[structure].fields)
    if (!field.count && random_.chance(50)) line(object + "." + field.name + " = " + value(field.type, depth) + ";");
}

// A pointer to one of two variables, or into one of two arrays, which may lie in different kinds of memory.
void Writer::declare_pointer(unsigned depth) {
  if (random_.chance(55)) {
    std::vector<const Array*> fitting;
    for (const Array& array : arrays_)
      if (array.assignable && array.count >= 4) fitting.push_back(&array);
    if (fitting.empty()) return declare_array(depth);
    const Array one = *fitting[random_.below(fitting.size())];
    std::erase_if(fitting, [&](const Array* array) { return array->type != one.type; });
    const Array other = *fitting[random_.below(fitting.size())];
    const std::string pointer = fresh("at");
    const auto into = [&](const Array& array) {
      return array.count > 4 ? array.text + " + (" + index(array.count - 3, 1) + ")" : "&" + array.text + "[0]";
    };
    line(std::string(name(one.type)) + "* " + pointer + " = (" + condition(1) + ") ? " + into(one) + " : " +
         into(other) + ";");
    return add_array(pointer, one.type, 4, true);
  }
  const int which = assignable(Access::TakesAddress, false);
  if (which < 0) return declare(depth);
  const Place one = places_[static_cast<size_t>(which)];
  std::vector<const Place*> fitting;
  for (const Place& place : places_)
    if (place.type == one.type && place.access == Access::TakesAddress) fitting.push_back(&place);
  const Place other = *fitting[random_.below(fitting.size())];
  const std::string pointer = fresh("at");
  line(std::string(name(one.type)) + "* " + pointer + " = (" + condition(1) + ") ? &" + one.text + " : &" + other.text +
       ";");
  add_place("(*" + pointer + ")", one.type, Access::TakesAddress);
}

void Writer::branch(unsigned depth) {
  const Mark here = mark();
  open("if (" + condition(random_.between(0, depth)) + ")");
  statements(random_.between(1, 3), depth - 1);
  if (random_.chance(50)) {
    close(here);
    out_.pop_back();
    out_ += (random_.chance(50) ? " else {" : " else if (" + condition(depth - 1) + ") {") + std::string("\n");
    ++indent_;
    statements(random_.between(1, 2), depth - 1);
  }
  close(here);
}

void Writer::choose(unsigned depth) {
  const unsigned cases = random_.between(2, 4);
  const Mark here = mark();
  open("switch (" + index(cases + random_.below(3), depth) + ")");
  ++switches_;
  for (unsigned i = 0; i < cases; ++i) {
    const Mark inside = mark();
    open((i + 1 == cases && random_.chance(50) ? "default:" : "case " + text(i) + ":"));
    statements(random_.between(1, 2), depth - 1);
    if (random_.chance(75)) line("break;");
    close(inside);
  }
  --switches_;
  close(here);
}

void Writer::loop(unsigned depth) {
  const unsigned most = random_.between(2, 7), times = times_;
  const std::string trips = random_.chance(35) ? text(most) + "u" : index(most + 1, 1);
  const std::string i = fresh("n");
  const unsigned kind = random_.below(4);
  Mark here = mark();
  std::string tail = "}";
  if (kind < 2) {
    // The count is taken before the loop, which may change what it is computed from.
    line("const u32 " + i + "_end = " + trips + ";");
    open("for (u32 " + i + " = 0; " + i + " < " + i + "_end; ++" + i + ")");
  } else if (kind == 2) {
    line("u32 " + i + " = " + trips + ";");
    open("while (" + i + " != 0 && (" + condition(depth - 1) + "))");
    line("--" + i + ";");
  } else {
    line("u32 " + i + " = " + trips + ";");
    open("do");
    tail = "} while (" + i + "-- != 0);";
  }
  times_ *= most + 1;
  ++loops_;
  add_place(i, Type::U32, Access::Reads);
  statements(random_.between(1, 3), depth - 1);
  --loops_;
  close(here, tail);
  times_ = times;
}

// A loop around a switch whose cases say which comes next: control flow without the shape of branches and loops.
void Writer::machine() {
  const unsigned states = random_.between(3, 5), steps = random_.between(4, 9), times = times_;
  const std::string state = fresh("state"), i = fresh("n");
  line("u32 " + state + " = " + index(states, 1) + ";");
  const Mark here = mark();
  open("for (u32 " + i + " = 0; " + i + " < " + text(steps) + "u && " + state + " < " + text(states) + "u; ++" + i +
       ")");
  open("switch (" + state + ")");
  times_ *= steps;
  ++loops_, ++switches_;
  for (unsigned s = 0; s < states; ++s) {
    const Mark inside = mark();
    open(s + 1 == states ? "default:" : "case " + text(s) + ":");
    statements(1, 0);
    line(state + " = (" + condition(1) + ") ? " + text(random_.below(states + 1)) +
         "u : " + text(random_.below(states)) + "u;");
    line("break;");
    close(inside);
  }
  --loops_, --switches_;
  close(mark());
  close(here);
  times_ = times;
}

void Writer::leave(unsigned depth) {
  const std::string when = "if (" + condition(depth) + ") ";
  if (loops_ && random_.chance(80)) return line(when + (random_.chance(50) ? "break;" : "continue;"));
  if (returns_ == Returns::Never || !random_.chance(25)) return assign(depth);
  if (returns_ == Returns::Nothing) return line(when + "return;");
  line(when + "return " + value(return_type_, depth) + ";");
}

void Writer::run_procedure(unsigned depth) {
  std::vector<std::string> calls;
  for (const Procedure& procedure : program_.procedures) {
    if (!affordable(procedure.cost + 50)) continue;
    std::vector<const Array*> targets;
    for (const Array& array : arrays_)
      if (array.assignable && array.type == procedure.target && array.count >= 4) targets.push_back(&array);
    std::vector<const Object*> objects;
    for (const Object& object : objects_)
      if (static_cast<int>(object.structure) == procedure.structure) objects.push_back(&object);
    if (targets.empty() || (procedure.structure >= 0 && objects.empty()) || random_.chance(30)) continue;
    const Array* const array = random_.pick(targets);
    std::string call = procedure.name + "(" + array->text + " + " + text(random_.below(array->count - 3));
    if (procedure.structure >= 0) call += ", " + random_.pick(objects)->text;
    for (const Type type : procedure.parameters) call += ", " + value(type, depth ? depth - 1 : 0);
    charge(procedure.cost + 10);
    return line(call + ");");
  }
  assign_element(depth);
}

// Arithmetic on two 16-bit numbers in one register.
void Writer::pack(unsigned depth) {
  const std::string v = fresh("h"), w = v + "w";
  for (const std::string& each : {v, w})
    line("u16x2 " + each + " = {" + value(Type::U16, depth) + ", " + value(Type::U16, depth) + "};");
  for (unsigned i = random_.between(2, 5); i; --i) {
    static constexpr const char* kOps[] = {" + ", " - ", " * ", " & ", " ^ "};
    static constexpr const char* kCalls[] = {"__builtin_elementwise_min", "__builtin_elementwise_max",
                                             "__builtin_elementwise_add_sat", "__builtin_elementwise_sub_sat"};
    const std::string target = random_.chance(50) ? v : w;
    switch (random_.below(5)) {
    case 0:
      line(target + " = " + v + (random_.chance(50) ? " << " : " >> ") + "(" + w + " & u16x2{15, 15});");
      break;
    case 1:
      line(target + " = " + kCalls[random_.below(4)] + std::string("(") + v + ", " + w + ");");
      break;
    case 2:
      line(target + " = (u16x2)" + kCalls[random_.below(4)] + "((i16x2)" + v + ", (i16x2)" + w + ");");
      break;
    case 3:
      line(target + " = " + w + ".yx;");
      break;
    default:
      line(target + " = " + v + kOps[random_.below(5)] + w + ";");
    }
  }
  add_place(v + ".x", Type::U16, Access::Assigns);
  add_place(v + ".y", Type::U16, Access::Assigns);
}

void Writer::statement(unsigned depth) {
  charge(1);
  const unsigned n = random_.below(100);
  if (n < 26 || !affordable(60)) return assign(random_.between(1, 2));
  if (n < 36) return assign_element(1);
  if (n < 46) return declare(random_.between(1, 3));
  if (n < 50) return declare_array(1);
  if (n < 55) return declare_object(1);
  if (n < 60) return declare_pointer(2);
  if (n < 67) return run_procedure(1);
  if (n < 69) return pack(1);
  if (depth == 0) return n < 80 ? leave(1) : assign(2);
  if (n < 80) return branch(depth);
  if (n < 92) return loop(depth);
  if (n < 95) return choose(depth);
  if (n < 97) return machine();
  leave(2);
}

void Writer::statements(unsigned count, unsigned depth) {
  for (unsigned i = 0; i < count; ++i) statement(depth);
}

} // namespace random_kernels
