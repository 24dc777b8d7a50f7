// A conversion: tokens, passes, edits.
#include "convert.h"

#include "passes.h"

#include <algorithm>

namespace hip::hipify {

Finding& ConversionState::add(Finding::Kind kind, size_t token) {
  Finding& finding = findings.emplace_back();
  finding.kind = kind;
  finding.line = tokens[token].line;
  finding.column = tokens.column(token);
  finding.name = tokens.spelling(token);
  return finding;
}

bool is_member(const Tokens& tokens, size_t i) {
  const size_t before = tokens.previous(i);
  return before != Tokens::kNone && (tokens.is(before, ".") || tokens.is(before, "->"));
}

bool is_qualified(const Tokens& tokens, size_t i) {
  const size_t before = tokens.previous(i);
  if (before == Tokens::kNone || !tokens.is(before, "::")) return false;
  const size_t scope = tokens.previous(before);
  if (scope == Tokens::kNone || tokens.is(scope, "return")) return false;
  return tokens.is(scope, Token::Kind::Identifier) || tokens.is(scope, ">");
}

Target target_of(const Row& row, const ConvertOptions& options) {
  if (options.libraries == Libraries::Roc && row.has_roc()) return {row.roc, true, false};
  if (!row.has_hip()) return {row.hip, false, false};
  if ((row.flags & kExperimental) && !options.experimental) return {row.hip, false, true};
  return {row.hip, true, false};
}

Conversion convert(std::string_view source, const ConvertOptions& options) {
  const Tokens tokens(source);
  ConversionState state{tokens, options, {}, {}, {}, {}, false, false};
  find_own_names(state);
  convert_calls(state);
  convert_names(state);
  convert_launches(state);
  convert_includes(state);

  Conversion result;
  result.lines = tokens.line_count();
  result.changed = !state.edits.empty();
  result.text = state.edits.apply(source);
  result.findings = std::move(state.findings);
  // Passes add findings in the order of the file, each for itself.
  std::vector<Finding>& findings = result.findings;
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    if (a.line != b.line) return a.line < b.line;
    if (a.column != b.column) return a.column < b.column;
    return a.kind != b.kind ? a.kind < b.kind : a.message < b.message;
  });
  return result;
}

} // namespace hip::hipify
