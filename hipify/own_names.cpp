// Names that the file declares itself. There is no parser here: a name is taken for declared where a type, or what
// looks like one, stands in front of it.
#include "passes.h"

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;

// Keywords that stand in front of an expression.
bool precedes_expression(std::string_view word) {
  for (std::string_view keyword :
       {"return",  "else",      "case",     "do",       "throw",  "new",     "delete",   "goto",    "sizeof",
        "alignof", "co_return", "co_await", "co_yield", "not",    "and",     "or",       "if",      "defined",
        "ifdef",   "ifndef",    "elif",     "undef",    "pragma", "include", "operator", "decltype"}) {
    if (word == keyword) return true;
  }
  return false;
}

// Whether the '*' or '&' at i ends a type: what is in front of it, back to where the statement or parameter begins, is
// names only. Else it is an operator. (An argument such as `a * b` is taken for a parameter; b is a variable all the
// same.)
bool ends_type(const Tokens& tokens, size_t i) {
  bool name_seen = false;
  for (i = tokens.previous(i); i != kNone; i = tokens.previous(i)) {
    if (tokens.is(i, Token::Kind::Identifier)) {
      if (precedes_expression(tokens.text(i))) return false;
      name_seen = true;
      continue;
    }
    const std::string_view text = tokens.text(i);
    if (text == "*" || text == "&" || text == "::") continue;
    return name_seen &&
           (text == ";" || text == "{" || text == "}" || text == ">" || text == "#" || text == "(" || text == ",");
  }
  return name_seen;
}

bool is_declared(const Tokens& tokens, size_t i) {
  const size_t before = tokens.previous(i);
  if (before == kNone) return false;
  const std::string_view text = tokens.text(before);
  if (text == "{" || text == ",") return tokens.is(tokens.next(i), "="); // an enumerator
  if (tokens.is(before, Token::Kind::Identifier)) return !precedes_expression(text);
  if (text == "*" || text == "&") return ends_type(tokens, before);
  // vector<int> name: a closing angle, unless it is a comparison, behind which a declaration makes no sense either.
  return text == ">" && tokens[before].end < tokens[i].begin && !tokens[i].in_directive &&
         (tokens.is(tokens.next(i), "(") || tokens.is(tokens.next(i), ";"));
}

} // namespace

void find_own_names(ConversionState& state) {
  const Tokens& tokens = state.tokens;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::Identifier) continue;
    Row row;
    const std::string name = tokens.spelling(i);
    const bool in_table = find_row(name, row);
    if (!looks_like_cuda(name) && !in_table) continue; // nobody will ask
    const size_t before = tokens.previous(i);
    if (before == kNone) continue;
    const bool is_macro = tokens[i].in_directive && tokens.is(before, "define");
    // A macro of CUDA's may stand behind a type: void CUDART_CB callback().
    const bool can_be_declared = !in_table || row.kind != Kind::Macro;
    if (is_macro || (can_be_declared && is_declared(tokens, i))) state.own_names.insert(name);
  }
}

std::vector<std::string> declared_names(std::string_view source) {
  const Tokens tokens(source);
  const ConvertOptions options;
  ConversionState state{tokens, options, {}, {}, {}, {}, {}, false, false};
  find_own_names(state);
  return {state.own_names.begin(), state.own_names.end()};
}

} // namespace hip::hipify
