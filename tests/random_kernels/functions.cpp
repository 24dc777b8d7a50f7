// functions.cpp - structures with bit-fields, and the functions that kernels call, in the forms that calls have:
// direct, inlined, recursive, through tables, virtual, with structures by value, with more arguments than registers.
#include "functions.h"

namespace random_kernels {
namespace {

class Functions {
public:
  Functions(Random& random, Program& program) : random_(random), program_(program) {}

  std::string write() {
    for (unsigned i = random_.between(2, 3); i; --i) structure();
    for (unsigned i = random_.between(2, 4); i; --i) {
      const unsigned n = random_.below(100);
      if (n < 30)
        plain(random_.between(1, 4));
      else if (n < 38)
        plain(random_.between(12, 40));
      else if (n < 55)
        recursive();
      else if (n < 67)
        table();
      else if (n < 79)
        virtual_functions();
      else if (n < 88)
        by_value();
      else
        procedure();
    }
    procedure();
    return out_;
  }

private:
  using Access = Writer::Access;

  void structure() {
    Structure made;
    made.name = "S" + text(program_.structures.size());
    made.packed = random_.chance(25);
    out_ += "struct " + std::string(made.packed ? "__attribute__((packed)) " : "") + made.name + " {\n";
    for (unsigned i = 0, count = random_.between(3, 8); i < count; ++i) {
      Field field;
      field.name = "m" + text(i);
      field.type = random_.chance(60)   ? static_cast<Type>(random_.below(8))
                   : random_.chance(50) ? Type::F32
                                        : Type::F64;
      if (!is_float(field.type) && random_.chance(45))
        field.bits = random_.between(1, bytes(field.type) * 8);
      else if (!made.packed && random_.chance(20))
        field.count = random_.between(2, 6);
      out_ += std::string("  ") + name(field.type) + " " + field.name + (field.bits ? " : " + text(field.bits) : "") +
              (field.count ? "[" + text(field.count) + "]" : "") + ";\n";
      made.fields.push_back(field);
    }
    out_ += "};\n";
    program_.structures.push_back(made);
  }

  Type parameter_type() {
    const unsigned n = random_.below(10);
    if (n < 4) return Type::U32;
    if (n < 6) return random_.chance(50) ? Type::F32 : Type::F64;
    return static_cast<Type>(random_.below(8));
  }
  std::vector<Type> parameters(unsigned count) {
    std::vector<Type> types;
    for (unsigned i = 0; i < count; ++i) types.push_back(parameter_type());
    return types;
  }
  static std::string declared(const std::vector<Type>& types) {
    std::string list;
    for (size_t i = 0; i < types.size(); ++i) list += std::string(i ? ", " : "") + name(types[i]) + " x" + text(i);
    return list;
  }
  static std::string passed(size_t count) {
    std::string list;
    for (size_t i = 0; i < count; ++i) list += (i ? ", x" : "x") + text(i);
    return list;
  }
  Writer body(const std::vector<Type>& types, Type result, unsigned cost_limit, unsigned indent = 1) {
    Writer writer(random_, program_, indent, cost_limit);
    for (size_t i = 0; i < types.size(); ++i) writer.add_place("x" + text(i), types[i], Access::TakesAddress);
    writer.set_return(Writer::Returns::Value, result);
    return writer;
  }
  // A function's body from its parameters; returns its cost.
  unsigned define(const std::string& head, const std::vector<Type>& types, Type result, unsigned statements) {
    Writer writer = body(types, result, 120);
    writer.statements(statements, 1);
    writer.line(std::string("return ") + writer.value(result, 2) + ";");
    out_ += head + " {\n" + writer.out() + "}\n";
    return writer.cost();
  }
  std::string next() { return "f" + text(next_++); }

  void plain(unsigned count) {
    Function made{next(), parameter_type(), parameters(count), 0};
    made.cost = define((random_.chance(80) ? "RK_CALLED " : "RK_INLINE ") + std::string(name(made.result)) + " " +
                           made.name + "(" + declared(made.parameters) + ")",
                       made.parameters, made.result, random_.between(1, 4));
    program_.functions.push_back(made);
  }

  // A function, or two in turn, that call themselves until a count is used up or a condition holds.
  void recursive() {
    const Type result = parameter_type();
    const std::vector<Type> types = parameters(random_.between(1, 3));
    const std::string made = next(), result_name = name(result);
    const bool in_turn = random_.chance(40), twice = random_.chance(30);
    const unsigned deepest = twice ? 3 : random_.between(3, 6);
    const std::vector<std::string> names =
        in_turn ? std::vector<std::string>{made + "_even", made + "_odd"} : std::vector<std::string>{made + "_again"};
    for (const std::string& each : names)
      out_ += "RK_CALLED " + result_name + " " + each + "(u32 rest, " + declared(types) + ");\n";
    unsigned cost = 0;
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string& callee = names[names.size() - 1 - i];
      Writer writer = body(types, result, 120);
      writer.line("if (rest == 0 || (" + writer.condition(1) + ")) return " + writer.value(result, 1) + ";");
      writer.statements(random_.between(0, 3), 1);
      for (unsigned call = 0; call < (twice ? 2u : 1u); ++call) {
        std::string arguments = "rest - 1";
        for (const Type type : types) arguments += ", " + writer.value(type, 1);
        const std::string kept = call ? "second" : "first";
        writer.line("const " + result_name + " " + kept + " = " + callee + "(" + arguments + ");");
        writer.add_place(kept, result, Access::Reads);
        if (random_.chance(50)) writer.statements(1, 1);
      }
      writer.line("return " + writer.value(result, 2) + ";");
      out_ += "RK_CALLED " + result_name + " " + names[i] + "(u32 rest, " + declared(types) + ") {\n" + writer.out() +
              "}\n";
      cost += writer.cost();
    }
    Function function{made, result, types, cost * (twice ? 15 : deepest + 1)};
    function.parameters.insert(function.parameters.begin(), Type::U32);
    out_ += "RK_INLINE " + result_name + " " + made + "(" + declared(function.parameters) + ") {\n  return " +
            names[0] + "(x0 % " + text(deepest + 1) + "u";
    for (size_t i = 0; i < types.size(); ++i) out_ += ", x" + text(i + 1);
    out_ += ");\n}\n";
    program_.functions.push_back(function);
  }

  void table() {
    Function made{next(), parameter_type(), parameters(random_.between(1, 3)), 0};
    const unsigned count = random_.between(2, 5);
    const std::string result = name(made.result);
    std::string list;
    for (unsigned i = 0; i < count; ++i) {
      const std::string one = made.name + "_" + text(i);
      const unsigned cost = define("RK_CALLED " + result + " " + one + "(" + declared(made.parameters) + ")",
                                   made.parameters, made.result, random_.between(1, 4));
      made.cost = made.cost > cost ? made.cost : cost;
      list += (i ? ", " : "") + one;
    }
    const size_t passed_count = made.parameters.size();
    out_ += "RK_INLINE " + result + " " + made.name + "(" + declared(made.parameters) + ", u32 which) {\n  " + result +
            " (*const table[])(" + declared(made.parameters) + ") = {" + list + "};\n  return table[which % " +
            text(count) + "u](" + passed(passed_count) + ");\n}\n";
    made.parameters.push_back(Type::U32);
    made.cost += 20;
    program_.functions.push_back(made);
  }

  void virtual_functions() {
    Function made{next(), parameter_type(), parameters(random_.between(1, 3)), 0};
    const std::string base = "V" + made.name, result = name(made.result);
    const unsigned derived = random_.between(1, 3);
    std::string objects, list;
    Type base_type = Type::U32;
    for (unsigned i = 0; i <= derived; ++i) {
      const std::string type = base + (i ? "_" + text(i) : ""), own = "own" + text(i);
      const Type own_type = parameter_type();
      Writer writer = body(made.parameters, made.result, 150, 2);
      if (!i) base_type = own_type;
      writer.add_place("own0", base_type, Access::Reads);
      if (i) writer.add_place(own, own_type, Access::Reads);
      writer.statements(random_.between(1, 3), 1);
      writer.line("return " + writer.value(made.result, 2) + ";");
      made.cost = made.cost > writer.cost() ? made.cost : writer.cost();
      out_ += "struct " + type + (i ? " : " + base : "") + " {\n  " + name(own_type) + " " + own +
              " = 0;\n  __host__ __device__ " + (i ? "" : "virtual ") + result + " run(" + declared(made.parameters) +
              ") const" + (i ? " override" : "") + " {\n" + writer.out() + "  }\n};\n";
      Writer value = body(made.parameters, made.result, 50);
      objects += "  " + type + " object" + text(i) + ";\n  object" + text(i) + "." + own + " = " +
                 value.value(own_type, 1) + ";\n";
      list += (i ? ", &object" : "&object") + text(i);
    }
    out_ += std::string(random_.chance(50) ? "RK_CALLED " : "RK_INLINE ") + result + " " + made.name + "(" +
            declared(made.parameters) + ", u32 which) {\n" + objects + "  const " + base + "* const all[] = {" + list +
            "};\n  return all[which % " + text(derived + 1) + "u]->run(" + passed(made.parameters.size()) + ");\n}\n";
    made.parameters.push_back(Type::U32);
    made.cost += 40;
    program_.functions.push_back(made);
  }

  // A structure by value in both directions.
  void by_value() {
    const unsigned structure = random_.below(program_.structures.size());
    const std::string type = program_.structures[structure].name;
    Function made{next(), parameter_type(), parameters(random_.between(1, 3)), 0};
    const std::string result = name(made.result);
    {
      Writer writer(random_, program_, 1, 150);
      for (size_t i = 0; i < made.parameters.size(); ++i)
        writer.add_place("x" + text(i), made.parameters[i], Access::TakesAddress);
      writer.add_object("q", structure, Access::TakesAddress);
      writer.statements(random_.between(1, 3), 1);
      out_ += "RK_CALLED " + type + " " + made.name + "_changed(" + type + " q, " + declared(made.parameters) +
              ") {\n" + writer.out() + "  return q;\n}\n";
      made.cost += writer.cost();
    }
    Writer writer = body(made.parameters, made.result, 150);
    writer.line(type + " q = {};");
    writer.add_object("q", structure, Access::TakesAddress);
    writer.statements(2, 0);
    writer.line("q = " + made.name + "_changed(q, " + passed(made.parameters.size()) + ");");
    writer.line("return " + writer.value(made.result, 2) + ";");
    out_ += "RK_CALLED " + result + " " + made.name + "(" + declared(made.parameters) + ") {\n" + writer.out() + "}\n";
    made.cost += writer.cost();
    program_.functions.push_back(made);
  }

  // Results through a pointer to memory of any kind, and through a reference.
  void procedure() {
    Procedure made;
    made.name = "p" + text(next_++);
    made.target = random_.chance(60) ? Type::U32 : static_cast<Type>(random_.below(8));
    if (random_.chance(50)) made.structure = static_cast<int>(random_.below(program_.structures.size()));
    made.parameters = parameters(random_.between(0, 3));
    Writer writer(random_, program_, 1, 200);
    writer.add_array("to", made.target, 4, true);
    std::string head = "RK_CALLED void " + made.name + "(" + name(made.target) + "* to";
    if (made.structure >= 0) {
      const unsigned structure = static_cast<unsigned>(made.structure);
      head += ", " + program_.structures[structure].name + "& q";
      writer.add_object("q", structure, Access::TakesAddress);
    }
    for (size_t i = 0; i < made.parameters.size(); ++i)
      writer.add_place("x" + text(i), made.parameters[i], Access::TakesAddress);
    writer.set_return(Writer::Returns::Nothing);
    writer.statements(random_.between(1, 4), 1);
    out_ += head + (made.parameters.empty() ? "" : ", " + declared(made.parameters)) + ") {\n" + writer.out() + "}\n";
    made.cost = writer.cost();
    program_.procedures.push_back(made);
  }

  Random& random_;
  Program& program_;
  std::string out_;
  unsigned next_ = 0;
};

} // namespace

std::string write_functions(Random& random, Program& program) { return Functions(random, program).write(); }

} // namespace random_kernels
