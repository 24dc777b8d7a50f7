// Reading our C headers.
#include "declarations.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

namespace hip::cuda {
namespace {

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The end of a line of the preprocessor, lines that a backslash continues included.
size_t end_of_directive(const std::string& text, size_t at) {
  for (;;) {
    at = text.find('\n', at);
    if (at == std::string::npos) return text.size();
    if (text[at - 1] != '\\') return at;
    ++at;
  }
}

// Adds what "#define NAME value" gives a value; nothing for other lines, guards and macros with arguments.
void read_define(std::string_view line, std::map<std::string, Tokens>& macros) {
  constexpr std::string_view kBlank = " \t";
  size_t at = line.find_first_not_of(kBlank, 1);
  constexpr std::string_view kDefine = "define";
  if (at == std::string_view::npos || line.substr(at, kDefine.size()) != kDefine) return;
  at = line.find_first_not_of(kBlank, at + kDefine.size());
  if (at == std::string_view::npos) return;
  size_t end = at;
  while (end < line.size() && continues_word(line[end])) ++end;
  if (end == line.size() || line[end] == '(') return;
  Tokens value = tokens_of(std::string(line.substr(end)), nullptr);
  if (!value.empty()) macros.emplace(line.substr(at, end - at), std::move(value));
}

size_t closing(const Tokens& tokens, size_t open) {
  const std::string& opening = tokens[open];
  const std::string end = opening == "{" ? "}" : opening == "(" ? ")" : "]";
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i] == opening) ++depth;
    if (tokens[i] == end && --depth == 0) return i;
  }
  throw std::runtime_error("a '" + opening + "' has no counterpart");
}

size_t end_of_statement(const Tokens& tokens, size_t at) {
  for (; at < tokens.size() && tokens[at] != ";"; ++at)
    if (tokens[at] == "{" || tokens[at] == "(") at = closing(tokens, at);
  return at;
}

// Names of "} A, B;" from the closing brace on; pointers to the type are not names of it.
std::vector<std::string> names_behind(const Tokens& tokens, size_t at, size_t end) {
  std::vector<std::string> names;
  for (bool pointer = false; at < end; ++at) {
    if (tokens[at] == "*") pointer = true;
    if (tokens[at] == ",") pointer = false;
    if (tokens[at] == "__attribute__" && at + 1 < end) {
      at = closing(tokens, at + 1);
      continue;
    }
    if (is_identifier(tokens[at]) && !pointer) names.push_back(tokens[at]);
  }
  return names;
}

void read_typedef(const Tokens& tokens, size_t at, size_t end, Declarations& out) {
  const std::string& keyword = tokens[at];
  const bool aggregate = keyword == "struct" || keyword == "union";
  if (keyword != "enum" && !aggregate) {
    size_t name = end - 1;
    // typedef void (*name)(...);
    for (size_t i = at; i + 3 < end; ++i)
      if (tokens[i] == "(" && tokens[i + 1] == "*" && tokens[i + 3] == ")") name = i + 2;
    out.typedefs[tokens[name]] =
        Tokens(tokens.begin() + static_cast<long>(at), tokens.begin() + static_cast<long>(end));
    return;
  }
  const size_t open = static_cast<size_t>(
      std::find(tokens.begin() + static_cast<long>(at), tokens.begin() + static_cast<long>(end), "{") - tokens.begin());
  if (open == end) {
    out.typedefs[tokens[end - 1]] =
        Tokens(tokens.begin() + static_cast<long>(at), tokens.begin() + static_cast<long>(end));
    return;
  }
  const size_t close = closing(tokens, open);
  std::vector<std::string> names = names_behind(tokens, close + 1, end);
  if (is_identifier(tokens[open - 1]) && tokens[open - 1] != keyword &&
      std::find(names.begin(), names.end(), tokens[open - 1]) == names.end())
    names.push_back(tokens[open - 1]);
  if (aggregate) {
    out.structures.push_back(
        {keyword, names,
         Tokens(tokens.begin() + static_cast<long>(open + 1), tokens.begin() + static_cast<long>(close))});
    return;
  }
  Enumeration enumeration{names, {}};
  bool at_name = true;
  for (size_t i = open + 1; i < close; ++i) {
    if (at_name && is_identifier(tokens[i])) enumeration.enumerators.push_back(tokens[i]);
    at_name = tokens[i] == ",";
  }
  out.enumerations.push_back(std::move(enumeration));
}

Parameter read_parameter(Tokens tokens) {
  Parameter parameter;
  const auto initial = std::find(tokens.begin(), tokens.end(), "__dparm");
  if (initial != tokens.end()) {
    parameter.initial.assign(initial + 2, tokens.end() - 1);
    tokens.erase(initial, tokens.end());
  }
  const auto array = std::find(tokens.begin(), tokens.end(), "[");
  parameter.array.assign(array, tokens.end());
  tokens.erase(array, tokens.end());
  if (!tokens.empty() && is_identifier(tokens.back())) {
    parameter.name = tokens.back();
    tokens.pop_back();
  }
  parameter.type = std::move(tokens);
  return parameter;
}

// A declaration of a function that begins at `at`: result, name, parameters. False when it is something else.
bool read_function(const Tokens& tokens, size_t at, size_t end, Declarations& out) {
  const auto open_it = std::find(tokens.begin() + static_cast<long>(at), tokens.begin() + static_cast<long>(end), "(");
  const size_t open = static_cast<size_t>(open_it - tokens.begin());
  if (open >= end || open < at + 2 || !is_identifier(tokens[open - 1]) || closing(tokens, open) + 1 != end)
    return false;
  Function function;
  function.name = tokens[open - 1];
  function.result = Tokens(tokens.begin() + static_cast<long>(at), tokens.begin() + static_cast<long>(open - 1));
  Tokens one;
  int depth = 0;
  for (size_t i = open + 1; i < end; ++i) {
    if (tokens[i] == "(") ++depth;
    if ((tokens[i] == "," && depth == 0) || i == end - 1) {
      if (!one.empty() && !(one.size() == 1 && one[0] == "void")) function.parameters.push_back(read_parameter(one));
      one.clear();
      continue;
    }
    if (tokens[i] == ")") --depth;
    one.push_back(tokens[i]);
  }
  out.functions.push_back(std::move(function));
  return true;
}

} // namespace

bool is_identifier(const std::string& token) { return !token.empty() && begins_word(token[0]); }

const Enumeration* Declarations::enumeration(const std::string& name) const {
  for (const Enumeration& one : enumerations)
    if (std::find(one.names.begin(), one.names.end(), name) != one.names.end()) return &one;
  return nullptr;
}
const Structure* Declarations::structure(const std::string& name) const {
  for (const Structure& one : structures)
    if (std::find(one.names.begin(), one.names.end(), name) != one.names.end()) return &one;
  return nullptr;
}
const Function* Declarations::function(const std::string& name) const {
  for (const Function& one : functions)
    if (one.name == name) return &one;
  return nullptr;
}

bool Declarations::is_number(const std::string& name) const {
  const auto found = macros.find(name);
  if (found == macros.end()) return false;
  return std::all_of(found->second.begin(), found->second.end(), [&](const std::string& token) {
    if (!is_identifier(token)) return token != "*" && token[0] != '"';
    return is_number(token) || std::any_of(enumerations.begin(), enumerations.end(), [&](const Enumeration& one) {
             return std::find(one.enumerators.begin(), one.enumerators.end(), token) != one.enumerators.end();
           });
  });
}

Tokens tokens_of(const std::string& text, std::map<std::string, Tokens>* macros) {
  Tokens tokens;
  bool line_begins = true;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n') line_begins = true;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
    } else if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      at = std::min(text.find("*/", at), text.size() - 2) + 2;
    } else if (c == '#' && line_begins) {
      const size_t end = end_of_directive(text, at);
      if (macros) read_define(std::string_view(text).substr(at, end - at), *macros);
      at = end;
    } else {
      line_begins = false;
      size_t end = at + 1;
      if (continues_word(c)) {
        while (end < text.size() && continues_word(text[end])) ++end;
      } else if (c == '"' || c == '\'') {
        while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
        ++end;
      }
      tokens.push_back(text.substr(at, end - at));
      at = end;
    }
  }
  return tokens;
}

void read_declarations(const std::string& text, Declarations& out) {
  const Tokens tokens = tokens_of(text, &out.macros);
  for (size_t at = 0; at < tokens.size();) {
    const size_t end = end_of_statement(tokens, at);
    if (tokens[at] == "HIP_C_BEGIN" || tokens[at] == "HIP_C_END") {
      ++at;
      continue;
    }
    if (tokens[at] == "HIP_DEPRECATED") {
      at = closing(tokens, at + 1) + 1;
      continue;
    }
    if (tokens[at] == "static") { // an inline function: its body ends it, without a semicolon
      const auto open = std::find(tokens.begin() + static_cast<long>(at), tokens.end(), "{");
      at = closing(tokens, static_cast<size_t>(open - tokens.begin())) + 1;
      continue;
    }
    if (tokens[at] == "typedef")
      read_typedef(tokens, at + 1, end, out);
    else
      read_function(tokens, at, end, out);
    at = end + 1;
  }
  for (const auto& [name, value] : out.macros) // another name of a type
    if (value.size() == 1 && (out.enumeration(value[0]) || out.structure(value[0])))
      out.typedefs.emplace(name, Tokens{value[0], name});
}

std::string text_of(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    const bool words = !text.empty() && continues_word(text.back()) && continues_word(token[0]);
    const bool behind = !text.empty() && (text.back() == ',' ||
                                          ((text.back() == '*' || text.back() == '}') && continues_word(token[0])) ||
                                          token == "=" || text.back() == '=' || token == "{" || text.back() == ';' ||
                                          text.back() == '{' || token == "}");
    if (words || behind) text += ' ';
    text += token;
  }
  return text;
}

} // namespace hip::cuda
