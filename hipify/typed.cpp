// What types tell: functions for both kinds of errors, which are one type in HIP, and addresses of the driver's
// interface, which are numbers in CUDA and pointers to void in HIP. The second is the exact form's alone; the first is
// seen in a file's tokens as well, also where no compilation reads them.
#include "passes.h"
#include "syntax.h"

#include <map>
#include <set>

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;

// The parameters of a function, their names left out, with CUresult as cudaError_t.
struct Parameters {
  std::string types;
  bool has_errors = false, has_driver_errors = false;
};
Parameters read_parameters(const Tokens& tokens, size_t open, size_t close) {
  Parameters all;
  for (const CallArgument& one : split_arguments(tokens, open, close)) {
    if (one.empty()) continue;
    all.types += ',';
    for (size_t i = one.first; i != kNone && i <= one.last; i = tokens.next(i)) {
      if (i == one.last && i != one.first && tokens.is(i, Token::Kind::Identifier)) break; // the name
      const bool driver = tokens.is(i, "CUresult");
      all.has_driver_errors |= driver;
      all.has_errors |= driver || tokens.is(i, "cudaError_t");
      all.types += driver ? "cudaError_t" : tokens.spelling(i);
      all.types += ' ';
    }
  }
  return all;
}

// The first token of a function's definition, whose name is at `name`; kNone for what is none, or a template already.
size_t definition_begin(const Tokens& tokens, size_t name) {
  size_t first = name;
  for (size_t i = tokens.previous(name); i != kNone; i = tokens.previous(i)) {
    if (tokens.is(i, ">")) return kNone;
    if (!tokens.is(i, Token::Kind::Identifier) && !tokens.is(i, "*") && !tokens.is(i, "&") && !tokens.is(i, "::"))
      break;
    first = i;
  }
  return first == name ? kNone : first;
}

// The first tokens of functions for the driver's errors that the file has for the runtime's as well.
std::set<size_t> second_definitions(const ConversionState& state) {
  const Tokens& tokens = state.tokens;
  std::map<std::string, std::vector<size_t>> of_driver; // by name and parameters
  std::set<std::string> of_runtime;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::Identifier || tokens[i].in_directive || tokens.is(i, "catch")) continue;
    const size_t open = tokens.next(i);
    if (open == kNone || !tokens.is(open, "(")) continue;
    const size_t close = closing_bracket(tokens, open);
    if (close == kNone || !tokens.is(tokens.next(close), "{")) continue;
    const Parameters parameters = read_parameters(tokens, open, close);
    if (!parameters.has_errors) continue;
    const std::string key = tokens.spelling(i) + parameters.types;
    if (!parameters.has_driver_errors)
      of_runtime.insert(key);
    else if (const size_t first = definition_begin(tokens, i); first != kNone && !state.is_left_alone(first))
      of_driver[key].push_back(first);
  }
  std::set<size_t> seconds;
  for (const auto& [key, places] : of_driver)
    if (of_runtime.contains(key)) seconds.insert(places.begin(), places.end());
  return seconds;
}

} // namespace

void convert_by_type(ConversionState& state) {
  const Tokens& tokens = state.tokens;
  const auto rewritten = [&](size_t i, const char* message) {
    Finding& finding = state.add(Finding::Kind::Rewritten, i);
    finding.message = message;
  };
  std::set<size_t> seconds = second_definitions(state);
  for (size_t i = 0; state.options.knowledge && i < tokens.size(); ++i) {
    if (tokens[i].kind == Token::Kind::Space || tokens[i].kind == Token::Kind::Newline ||
        tokens[i].kind == Token::Kind::Comment)
      continue;
    const TokenBits bits = state.known(i);
    if (bits & kSecondError) seconds.insert(i);
    if (bits & kAddressSum) {
      state.edits.insert(tokens[i].begin, "(char*)");
      rewritten(i, "is an address that is counted with; HIP's are pointers, so it is cast to one of bytes");
    }
    if (bits & kAddressValue) {
      state.edits.insert(tokens[i].begin, "(hipDeviceptr_t)");
      rewritten(i, "is a number that becomes an address, which is a pointer in HIP");
    }
  }
  for (const size_t i : seconds) {
    state.edits.insert(tokens[i].begin, "template <class = void> ");
    rewritten(i, "begins a function that is there for cudaError_t as well, which is the same type in HIP: it is a "
                 "template now, and the other one is preferred");
  }
}

} // namespace hip::hipify
