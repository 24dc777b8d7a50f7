// Calls whose arguments HIP wants otherwise, by the rows of calls.def.
#include "passes.h"
#include "syntax.h"

#include <algorithm>
#include <map>
#include <optional>

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;

struct CallRule {
  enum class Kind { Symbol, Kernel, Pointer, Dropped, Mask, Counted, Look, Location, Succeeds, Cast, DroppedType };
  std::string_view name;
  Kind kind;
  size_t argument; // the argument that changes
  size_t count;    // of arguments, for which the rule holds; 0: any
  std::string_view hip;
  std::string_view text; // appended arguments, a type, or what the user has to do
};

constexpr CallRule kRules[] = {
#define HIPIFY_SYMBOL(name, argument) {#name, CallRule::Kind::Symbol, argument, 0, "", ""},
#define HIPIFY_KERNEL(name, argument) {#name, CallRule::Kind::Kernel, argument, 0, "", ""},
#define HIPIFY_POINTER(name, argument) {#name, CallRule::Kind::Pointer, argument, 0, "", ""},
#define HIPIFY_DROPPED(name, argument) {#name, CallRule::Kind::Dropped, argument, 0, "", ""},
#define HIPIFY_MASK(name, argument) {#name, CallRule::Kind::Mask, argument, 0, "", ""},
#define HIPIFY_COUNTED(name, count, hip, appended) {#name, CallRule::Kind::Counted, 0, count, hip, appended},
#define HIPIFY_COUNTED_DROPPED(name, count, argument) {#name, CallRule::Kind::Dropped, argument, count, "", ""},
#define HIPIFY_COUNTED_LOOK(name, count, text) {#name, CallRule::Kind::Look, 0, count, "", text},
#define HIPIFY_LOCATION(name, hip) {#name, CallRule::Kind::Location, 0, 0, hip, ""},
#define HIPIFY_SUCCEEDS(name) {#name, CallRule::Kind::Succeeds, 0, 0, "", ""},
#define HIPIFY_CAST(name, hip, type) {#name, CallRule::Kind::Cast, 0, 2, hip, type},
#define HIPIFY_DROPPED_TYPE(name) {#name, CallRule::Kind::DroppedType, 0, 0, "", ""},
#include "calls.def"
};

const std::multimap<std::string_view, const CallRule*>& rules_by_name() {
  static const std::multimap<std::string_view, const CallRule*> rules = [] {
    std::multimap<std::string_view, const CallRule*> map;
    for (const CallRule& rule : kRules) map.emplace(rule.name, &rule);
    return map;
  }();
  return rules;
}

constexpr std::string_view kAllLanes = "0xffffffffffffffffull";

// True for a number with the value 2^32 - 1, in any spelling.
bool is_all_ones(std::string_view number) {
  std::string digits;
  for (char c : number) {
    if (c != '\'') digits += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'l')) digits.pop_back();
  return digits == "0xffffffff" || digits == "4294967295" || digits == "037777777777" ||
         digits == "0b11111111111111111111111111111111";
}

class CallPass {
public:
  explicit CallPass(ConversionState& state) : state_(state), tokens_(state.tokens) {}

  void run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Token::Kind::Identifier) continue;
      if (std::string_view("c_ulC").find(tokens_.text(i)[0]) == std::string_view::npos)
        continue; // rules' names begin so
      const std::string name = tokens_.spelling(i);
      const auto [begin, end] = rules_by_name().equal_range(name);
      if (begin == end || state_.is_whitelisted(name) || state_.is_left_alone(i)) continue;
      if (begin->second->kind == CallRule::Kind::DroppedType) {
        empty_structure(i);
        continue;
      }
      const size_t open = tokens_.next(i);
      if (open == kNone || !tokens_.is(open, "(") || is_member(tokens_, i) || is_declaration(i)) continue;
      const size_t close = closing_bracket(tokens_, open);
      if (close == kNone) continue;
      const std::vector<CallArgument> arguments = split_arguments(tokens_, open, close);
      for (auto rule = begin; rule != end; ++rule) apply(*rule->second, i, close, arguments);
    }
  }

private:
  // A definition or declaration of a function with this name.
  bool is_declaration(size_t i) const {
    const size_t before = tokens_.previous(i);
    if (before == kNone || !tokens_.is(before, Token::Kind::Identifier)) return false;
    const std::string_view word = tokens_.text(before);
    return word != "return" && word != "else" && word != "do" && word != "case" && word != "co_return";
  }

  void apply(const CallRule& rule, size_t name, size_t close, const std::vector<CallArgument>& arguments) {
    if (rule.count && rule.count != arguments.size()) return;
    if (rule.kind == CallRule::Kind::Counted) {
      state_.call_names[name] = rule.hip;
      if (!rule.text.empty()) state_.edits.insert(tokens_[close].begin, std::string(rule.text));
      const std::string_view more = rule.text.substr(std::min<size_t>(rule.text.size(), 2)); // without ", "
      rewritten(name, more.empty()
                          ? "is " + std::string(rule.hip) + " with these arguments"
                          : "is " + std::string(rule.hip) + " with the arguments " + std::string(more) + " added");
      return;
    }
    if (rule.kind == CallRule::Kind::Cast) {
      cast(rule, name, arguments);
      return;
    }
    if (rule.kind == CallRule::Kind::Location) {
      if (!has_location(name, arguments)) return;
      state_.call_names[name] = rule.hip;
      rewritten(name, "is " + std::string(rule.hip) + " with a location");
      return;
    }
    if (rule.kind == CallRule::Kind::Succeeds) {
      succeed(name, close);
      return;
    }
    if (rule.kind == CallRule::Kind::Look) {
      look(name, std::string(rule.text));
      return;
    }
    if (rule.argument >= arguments.size() || arguments[rule.argument].empty()) return;
    const CallArgument& argument = arguments[rule.argument];
    if (rule.kind == CallRule::Kind::Symbol) wrap_symbol(name, argument);
    if (rule.kind == CallRule::Kind::Kernel) wrap_kernel(name, argument);
    if (rule.kind == CallRule::Kind::Pointer) cast_pointer(name, argument);
    if (rule.kind == CallRule::Kind::Mask) widen_mask(name, argument);
    if (rule.kind == CallRule::Kind::Dropped) drop(name, rule.argument, arguments);
  }

  Finding& rewritten(size_t name, std::string message) {
    Finding& finding = state_.add(Finding::Kind::Rewritten, name);
    finding.message = std::move(message);
    return finding;
  }

  void look(size_t name, std::string message) { state_.add(Finding::Kind::Look, name).message = std::move(message); }

  void wrap(const CallArgument& argument, std::string before, std::string after) {
    state_.edits.insert(tokens_[argument.first].begin, std::move(before));
    state_.edits.insert(tokens_[argument.last].end, std::move(after));
  }

  // The compiler says it, or an argument is a variable that this file declares as a location.
  bool has_location(size_t name, const std::vector<CallArgument>& arguments) const {
    if (state_.known(name) & kLocation) return true;
    if (state_.is_known_cuda(name)) return false;
    for (const CallArgument& argument : arguments) {
      if (argument.empty() || argument.first != argument.last) continue;
      for (size_t i = 0; i < argument.first; ++i) {
        if (!tokens_.is(i, "cudaMemLocation") && !tokens_.is(i, "CUmemLocation")) continue;
        const size_t variable = tokens_.next(i);
        if (variable != kNone && tokens_.text(variable) == tokens_.text(argument.first)) return true;
      }
    }
    return false;
  }

  // What the call leaves as the last error must not be found by the program's next look at it either.
  void succeed(size_t name, size_t close) {
    const size_t before = tokens_.previous(name), behind = tokens_.next(close);
    const bool statement = before == kNone || tokens_.is(before, ";") || tokens_.is(before, "{") ||
                           tokens_.is(before, "}") || tokens_.is(before, ")") || tokens_.is(before, "else");
    const bool unused = statement && behind != kNone && tokens_.is(behind, ";");
    state_.edits.insert(tokens_[name].begin, unused ? "(void)" : "((void)");
    state_.edits.insert(tokens_[close].end,
                        unused ? ", (void)hipGetLastError()" : ", (void)hipGetLastError(), hipSuccess)");
    rewritten(name, "HIP's returns hipErrorNotSupported where no profiler listens, which is no fault");
  }

  // The names are ordinary words, so a program may have functions of its own that are called so.
  void cast(const CallRule& rule, size_t name, const std::vector<CallArgument>& arguments) {
    if (is_qualified(tokens_, name) || (state_.is_own(rule.name) && !state_.is_known_cuda(name))) return;
    if (arguments[0].empty() || arguments[1].empty()) return;
    for (const CallArgument& argument : arguments) wrap(argument, "(" + std::string(rule.text) + ")(", ")");
    state_.call_names[name] = rule.hip;
    rewritten(name, "is " + std::string(rule.hip) + " of arguments that are " + std::string(rule.text));
  }

  // T name = {}; or T name; where only the address of the variable is passed on, to a call that drops it.
  void empty_structure(size_t i) {
    const size_t before = tokens_.previous(i), variable = tokens_.next(i);
    if (variable == kNone || !tokens_.is(variable, Token::Kind::Identifier)) return;
    if (before != kNone && !tokens_.is(before, ";") && !tokens_.is(before, "{") && !tokens_.is(before, "}")) return;
    const size_t behind = tokens_.next(variable);
    if (behind == kNone || !(tokens_.is(behind, ";") || tokens_.is(behind, "=") || tokens_.is(behind, "{"))) return;
    state_.call_names[i] = "struct {}";
    rewritten(i, "is an empty structure: HIP's functions do not have this argument");
  }

  void wrap_symbol(size_t name, const CallArgument& argument) {
    if (tokens_.is(argument.first, "HIP_SYMBOL")) return;
    if (tokens_.is(argument.first, Token::Kind::String)) {
      name_symbol(name, argument);
      return;
    }
    wrap(argument, "HIP_SYMBOL(", ")");
    rewritten(name, "its variable is named with HIP_SYMBOL");
  }

  // Until CUDA 4 a variable could be named by a string. CUDA's functions have returned an error for one since then.
  void name_symbol(size_t name, const CallArgument& argument) {
    std::string_view text = tokens_.text(argument.first);
    const bool plain = argument.first == argument.last && text.size() > 2 && text.front() == '"' && text.back() == '"';
    if (plain) text = text.substr(1, text.size() - 2);
    if (!plain || !is_identifier(text)) {
      look(name, "variables cannot be named by a string: give the variable itself");
      return;
    }
    const Token& token = tokens_[argument.first];
    state_.edits.replace(token.begin, token.end, "HIP_SYMBOL(" + std::string(text) + ")");
    look(name,
         "variables cannot be named by a string since CUDA 5: the variable itself is given, if it is visible here");
  }

  static bool is_identifier(std::string_view text) {
    if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
    return std::ranges::all_of(text, [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
  }

  void wrap_kernel(size_t name, const CallArgument& argument) {
    if (tokens_.is(argument.first, "reinterpret_cast") || tokens_.is(argument.first, "static_cast") ||
        is_cast(argument.first))
      return;
    const bool c = state_.options.language == Language::C;
    wrap(argument, c ? "(const void*)(" : "reinterpret_cast<const void*>(", ")");
    rewritten(name, "its kernel is cast to const void*");
  }

  void cast_pointer(size_t name, const CallArgument& argument) {
    if (state_.options.language == Language::C || tokens_.is(argument.first, "reinterpret_cast") ||
        is_cast(argument.first))
      return;
    wrap(argument, "reinterpret_cast<void**>(", ")");
    rewritten(name, "its pointer is cast to void**");
  }

  // (void*)k, (const void*)k, (void**)&p
  bool is_cast(size_t first) const {
    if (!tokens_.is(first, "(")) return false;
    size_t i = tokens_.next(first);
    if (i != kNone && tokens_.is(i, "const")) i = tokens_.next(i);
    if (i == kNone || !tokens_.is(i, "void")) return false;
    i = tokens_.next(i);
    return i != kNone && tokens_.is(i, "*");
  }

  void drop(size_t name, size_t index, const std::vector<CallArgument>& arguments) {
    if (index == 0 || arguments[index - 1].empty()) return; // no rule drops the first
    state_.edits.erase(tokens_[arguments[index - 1].last].end, tokens_[arguments[index].last].end);
    rewritten(name, "HIP's function does not have argument " + std::to_string(index + 1));
  }

  // "All lanes" is written as 32 ones in CUDA; HIP has waves of 64 lanes too, and takes masks of 64 bits everywhere.
  void widen_mask(size_t name, const CallArgument& argument) {
    const size_t first = argument.first, last = argument.last;
    const TokenBits known = state_.known(name) & (kWideMask | kNarrowMask | kAllLanesMask);
    if (known == kWideMask) return;
    if (is_all_lanes(first, last)) {
      state_.edits.replace(tokens_[first].begin, tokens_[last].end, std::string(kAllLanes));
      rewritten(name, "its mask of all lanes has 64 bits");
      return;
    }
    if (first == last && tokens_.is(first, Token::Kind::Identifier)) {
      if (widen_macro(tokens_.text(first))) {
        rewritten(name, "its mask of all lanes has 64 bits");
        return;
      }
    }
    if (known == kAllLanesMask) { // a constant of the program
      state_.edits.replace(tokens_[first].begin, tokens_[last].end, std::string(kAllLanes));
      rewritten(name, "its mask of all lanes has 64 bits");
      return;
    }
    for (size_t i = first; i <= last; ++i) {
      // These have 64 bits already.
      if (tokens_.is(i, "__activemask") || tokens_.is(i, "__ballot") || tokens_.is(i, "__ballot_sync") ||
          tokens_.is(i, "uint64_t") || tokens_.is(i, "__match_any_sync"))
        return;
      if (tokens_.is(i, Token::Kind::Number) && is_long(tokens_.text(i))) return;
    }
    if (known & kNarrowMask) {
      wrap(argument, "(unsigned long long)(", ")");
      look(name, "masks have 64 bits in HIP, so this one of 32 is converted: see that it names lanes 32 to 63 of a "
                 "wave of 64 as "
                 "well");
      return;
    }
    look(name,
         "masks have 64 bits in HIP: make the mask an unsigned long long, and see that it names lanes 32 to 63 of a "
         "wave of 64 as well");
  }

  static bool is_long(std::string_view number) {
    return number.find("ll") != std::string_view::npos || number.find("LL") != std::string_view::npos;
  }

  // 0xffffffff, -1, ~0
  bool is_all_lanes(size_t first, size_t last) const {
    if (first == last) return tokens_.is(first, Token::Kind::Number) && is_all_ones(tokens_.text(first));
    if (tokens_.next(first) != last || !tokens_.is(last, Token::Kind::Number)) return false;
    const std::string_view number = tokens_.text(last);
    if (tokens_.is(first, "-")) return number == "1";
    return tokens_.is(first, "~") && (number == "0" || number == "0u" || number == "0U" || number == "0x0");
  }

  // A macro of this file that is nothing but "all lanes" is widened where it is defined, once.
  bool widen_macro(std::string_view macro) {
    const auto known = macros_.find(macro);
    if (known != macros_.end()) return known->second;
    bool widened = false;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Token::Kind::Identifier || !tokens_[i].in_directive || tokens_.text(i) != macro) continue;
      const size_t before = tokens_.previous(i);
      if (before == kNone || !tokens_.is(before, "define")) continue;
      size_t first = tokens_.next(i), last = kNone;
      for (size_t k = first; k != kNone; k = tokens_.next(k)) last = k;
      if (first == kNone || (tokens_.is(first, "(") && tokens_[first].begin == tokens_[i].end))
        return macros_[macro] = false;
      if (tokens_.is(first, "(") && tokens_.is(last, ")")) {
        first = tokens_.next(first);
        last = tokens_.previous(last);
      }
      if (!is_all_lanes(first, last)) return macros_[macro] = false;
      state_.edits.replace(tokens_[first].begin, tokens_[last].end, std::string(kAllLanes));
      widened = true;
    }
    return macros_[macro] = widened;
  }

  ConversionState& state_;
  const Tokens& tokens_;
  std::map<std::string_view, bool> macros_;
};

} // namespace

void convert_calls(ConversionState& state) { CallPass(state).run(); }

} // namespace hip::hipify
