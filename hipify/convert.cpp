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

void find_program_names(ConversionState& state) {
  if (!state.options.knowledge) return;
  std::unordered_set<std::string> cuda_names;
  for (size_t i = 0; i < state.tokens.size(); ++i) {
    if (state.tokens[i].kind != Token::Kind::Identifier) continue;
    const TokenBits bits = state.known(i);
    if (bits & kCudaName) cuda_names.insert(state.tokens.spelling(i));
    if (bits & kProgramName) state.program_names.insert(state.tokens.spelling(i));
  }
  for (const std::string& name : cuda_names) state.program_names.erase(name);
}

bool ConversionState::is_left_alone(size_t token) const {
  if (!options.knowledge) return false;
  if (options.skip_dead_code && options.knowledge->is_dead(tokens[token].begin)) return true;
  const TokenBits bits = known(token);
  if (bits & kCudaName) return false;
  if (bits & kProgramName) return true;
  if (tokens[token].kind != Token::Kind::Identifier) return false;
  // Code that was not compiled, or not understood: CUDA's names are no members, in no namespace but those of its
  // libraries, and a name that is the program's everywhere else is here as well.
  if (is_member(tokens, token) || program_names.contains(tokens.spelling(token))) return true;
  Row row;
  return is_qualified(tokens, token) && find_row(tokens.spelling(token), row) && row.api != Api::Cub;
}

Target target_of(const Row& row, const ConvertOptions& options) {
  if (options.libraries == Libraries::Roc && row.has_roc()) return {row.roc, true, false};
  if (!row.has_hip()) return {row.hip, false, false};
  if ((row.flags & kExperimental) && !options.experimental) return {row.hip, false, true};
  return {row.hip, true, false};
}

Conversion convert(std::string_view source, const ConvertOptions& options) {
  const Tokens tokens(source);
  ConversionState state{tokens, options, {}, {}, {}, {}, {}, false, false, Tokens::kNone};
  find_own_names(state);
  find_program_names(state);
  convert_calls(state);
  convert_names(state);
  convert_by_type(state);
  convert_launches(state);
  find_shifts(state);
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
