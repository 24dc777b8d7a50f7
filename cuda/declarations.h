// cuda/declarations.h - what HIP's C headers declare, read token by token: enumerations, structures, type names,
// functions with their default arguments, and macros. It reads our own headers in the one style that they have, not C
// at large.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hip::cuda {

using Tokens = std::vector<std::string>;

struct Enumeration {
  std::vector<std::string> names; // the tag and the typedef names
  std::vector<std::string> enumerators;
};
struct Structure {
  std::string keyword; // "struct" or "union"
  std::vector<std::string> names;
  Tokens body; // what stands between the braces
};
struct Parameter {
  Tokens type;
  std::string name;
  Tokens array;   // "[2]" behind the name
  Tokens initial; // the default argument
};
struct Function {
  std::string name;
  Tokens result;
  std::vector<Parameter> parameters;
};

struct Declarations {
  std::vector<Enumeration> enumerations;
  std::vector<Structure> structures;
  std::map<std::string, Tokens> typedefs; // other type names, with all between "typedef" and ";"
  std::vector<Function> functions;
  std::map<std::string, Tokens> macros; // names with what they stand for; those without arguments

  const Enumeration* enumeration(const std::string& name) const;
  const Structure* structure(const std::string& name) const;
  const Function* function(const std::string& name) const;
  // Whether the name is a macro for a number: not for a type, a pointer or words of another kind.
  bool is_number(const std::string& name) const;
};

// Splits C text into identifiers, numbers, literals and punctuation; comments and blanks drop out, lines of the
// preprocessor too, except that "#define" of a value adds it to `macros` when that is not null.
Tokens tokens_of(const std::string& text, std::map<std::string, Tokens>* macros);

// Adds what the header's text declares. Throws std::runtime_error where braces do not match.
void read_declarations(const std::string& text, Declarations& out);

// Tokens as C text.
std::string text_of(const Tokens& tokens);

bool is_identifier(const std::string& token);

} // namespace hip::cuda
