// hipify/passes.h - the parts of a conversion, internal to it. Each pass reads the tokens and adds edits and findings
// to the common state. find_own_names and convert_calls come before convert_names, which uses what they found;
// convert_includes comes last.
#pragma once

#include "convert.h"
#include "edits.h"
#include "lexer.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hip::hipify {

struct ConversionState {
  const Tokens& tokens;
  const ConvertOptions& options;
  Edits edits;
  std::vector<Finding> findings;
  std::unordered_set<std::string> own_names; // that the file itself declares: macros, functions, types, variables
  // What stands for a name because of the call or declaration that it is in, not by the table: the token and the text,
  // for convert_names.
  std::unordered_map<size_t, std::string_view> call_names;
  std::unordered_set<std::string> program_names; // that the compiler knows as the program's and never as CUDA's
  bool uses_kernels = false;                     // __global__ and its kin, launches
  bool uses_runtime = false;                     // a name of the runtime or driver interface was converted
  size_t unknown_shift = Tokens::kNone;          // the first shift in device code by an amount that is not known

  Finding& add(Finding::Kind kind, size_t token);
  void replace_token(size_t token, std::string text) {
    edits.replace(tokens[token].begin, tokens[token].end, std::move(text));
  }
  bool is_own(std::string_view name) const {
    return own_names.contains(std::string(name)) || options.declared_elsewhere.contains(name);
  }
  // True for a name that is the program's own as far as the compiler knows, and for one in code that stays as it is.
  bool is_left_alone(size_t token) const;
  // True where the compiler says that the name is CUDA's.
  bool is_known_cuda(size_t token) const { return known(token) & kCudaName; }
  TokenBits known(size_t token) const {
    return options.knowledge ? options.knowledge->at(tokens[token].begin) : TokenBits(0);
  }
  bool is_whitelisted(std::string_view name) const { return options.whitelist.contains(name); }
};

// True behind '.' or '->': the name of a member.
bool is_member(const Tokens& tokens, size_t i);
// True behind "name::"; "::name" alone is the global namespace's and is not qualified.
bool is_qualified(const Tokens& tokens, size_t i);

// True for names such as cudaFoo and cublasFoo, which CUDA could have declared.
bool looks_like_cuda(std::string_view name);

// Collects own_names.
void find_own_names(ConversionState& state);
// Collects program_names.
void find_program_names(ConversionState& state);
// Replaces identifiers by the table, warns of those without counterpart, inline PTX, and strings that are names.
void convert_names(ConversionState& state);
// Calls whose arguments differ in HIP: calls.def.
void convert_calls(ConversionState& state);
// What the compiler's types ask for.
void convert_by_type(ConversionState& state);
// Counts launches, and rewrites them where the options say so.
void convert_launches(ConversionState& state);
// The source with "<<<" and ">>>" for "<< <" and ">> >", blanks behind them: every other token keeps its place. Empty
// where nothing is to do.
std::string close_up_launches(std::string_view source);
// Looks for unknown_shift.
void find_shifts(ConversionState& state);
// #include and __has_include; adds the runtime's header where one is needed.
void convert_includes(ConversionState& state);

// The name that a row stands for under these options, and whether it may be used.
struct Target {
  std::string_view name;
  bool usable = false;
  bool experimental = false; // not usable for that reason
};
Target target_of(const Row& row, const ConvertOptions& options);

} // namespace hip::hipify
