// writer.h - writes the bodies of functions: statements and expressions of C++ over what is in scope, without undefined
// behaviour. What is in scope is kept in lists from which expressions and assignments pick; a block takes its own
// entries away when it ends. The cost of a body, in operations that a lane executes at most, stays below a limit.
#pragma once

#include "random.h"

namespace random_kernels {

struct Field {
  std::string name;
  Type type = Type::U32;
  unsigned bits = 0;  // of a bit-field
  unsigned count = 0; // of an array's elements
};
struct Structure {
  std::string name;
  std::vector<Field> fields;
  bool packed = false;
};
/// A function that expressions may call: it changes nothing but its own locals.
struct Function {
  std::string name;
  Type result = Type::U32;
  std::vector<Type> parameters;
  unsigned cost = 0;
};
/// A function that statements call: it changes what its first parameters point to.
struct Procedure {
  std::string name;
  Type target = Type::U32; // of the pointer, to at least four elements
  int structure = -1;      // of the reference that follows, or none
  std::vector<Type> parameters;
  unsigned cost = 0;
};
struct Program {
  std::vector<Structure> structures;
  std::vector<Function> functions;
  std::vector<Procedure> procedures;
};

class Writer {
public:
  Writer(Random& random, const Program& program, unsigned indent, unsigned cost_limit)
      : random_(random), program_(program), indent_(indent), limit_(cost_limit) {}

  enum class Access : uint8_t { Reads, Assigns, TakesAddress }; ///< what bodies may do; each allows what is before it
  struct Place {
    std::string text;
    Type type;
    Access access;
  };
  struct Array {
    std::string text;
    Type type;
    unsigned count;
    bool assignable;
  };
  void add_place(std::string text, Type type, Access access) { places_.push_back({std::move(text), type, access}); }
  void add_array(std::string text, Type type, unsigned count, bool assignable) {
    arrays_.push_back({std::move(text), type, count, assignable});
  }
  /// An object of a structure: its fields become places and arrays.
  void add_object(const std::string& text, unsigned structure, Access access);
  /// What a `return` among the statements looks like; by default there is none.
  enum class Returns : uint8_t { Value, Nothing, Never };
  void set_return(Returns returns, Type type = Type::U32) { returns_ = returns, return_type_ = type; }

  void line(const std::string& text) { out_ += std::string(indent_ * 2, ' ') + text + "\n"; }
  void statements(unsigned count, unsigned depth);
  std::string value(Type type, unsigned depth);
  std::string condition(unsigned depth);
  std::string index(unsigned count, unsigned depth); ///< an unsigned expression below `count`
  Type some_type();
  Type some_integer() { return static_cast<Type>(random_.below(8)); }

  const std::string& out() const { return out_; }
  unsigned cost() const { return cost_; }

private:
  struct Mark {
    size_t places, arrays, objects;
  };
  Mark mark() const { return {places_.size(), arrays_.size(), objects_.size()}; }
  void open(const std::string& head) { line(head + " {"), ++indent_; }
  void close(const Mark& mark, const std::string& tail = "}");
  std::string fresh(const char* prefix) { return prefix + text(next_name_++); }
  bool affordable(unsigned cost) const { return cost_ + cost * times_ < limit_; }
  void charge(unsigned cost) { cost_ += cost * times_; }

  // writer_values.cpp
  std::string literal(Type type);
  std::string leaf(Type type);
  std::string read(Type type); // a place of that type, or the empty string
  std::string integer(Type type, unsigned depth);
  std::string floating(Type type, unsigned depth);
  std::string call(const Function& function, unsigned depth);
  std::string memory(Type type, unsigned depth);

  // writer.cpp
  void statement(unsigned depth);
  void assign(unsigned depth);
  void assign_element(unsigned depth);
  void declare(unsigned depth);
  void declare_array(unsigned depth);
  void declare_object(unsigned depth);
  void declare_pointer(unsigned depth);
  void branch(unsigned depth);
  void choose(unsigned depth);
  void loop(unsigned depth);
  void machine();
  void leave(unsigned depth);
  void run_procedure(unsigned depth);
  void pack(unsigned depth);
  int assignable(Access least, bool integers);

  struct Object {
    std::string text;
    unsigned structure;
  };
  Random& random_;
  const Program& program_;
  std::string out_;
  std::vector<Place> places_;
  std::vector<Array> arrays_;
  std::vector<Object> objects_; // that can be passed by reference
  unsigned indent_;
  unsigned limit_;
  unsigned cost_ = 0, times_ = 1;
  unsigned loops_ = 0, switches_ = 0; // around the statement being written: where break and continue lead
  unsigned next_name_ = 0;
  Returns returns_ = Returns::Never;
  Type return_type_ = Type::U32;
};

} // namespace random_kernels
