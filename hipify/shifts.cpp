// Shifts in kernels. CUDA's GPUs shift everything out where the amount is the number's width or more, which C++ leaves
// undefined and AMD's GPUs do otherwise. A file that shifts by an amount of which nothing shows that it is small enough
// asks for CUDA's shifts (convert_includes); the compiler drops what it finds needless.
#include "passes.h"
#include "syntax.h"

#include <algorithm>

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;

class ShiftPass {
public:
  explicit ShiftPass(const Tokens& tokens) : tokens_(tokens) {}

  // The first shift by an unknown amount in device code, kNone without one.
  size_t find() const {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].in_directive || !(tokens_.is(i, "__global__") || tokens_.is(i, "__device__"))) continue;
      const size_t open = body_of(i);
      if (open == kNone) continue;
      const size_t close = closing_bracket(tokens_, open);
      if (close == kNone) continue;
      const size_t found = find_in(open, close);
      if (found != kNone) return found;
      i = close;
    }
    return kNone;
  }

private:
  // The '{' of the function that the attribute belongs to; kNone for variables and declarations.
  size_t body_of(size_t attribute) const {
    for (size_t i = tokens_.next(attribute); i != kNone; i = tokens_.next(i)) {
      if (tokens_.is(i, "{")) return i;
      if (tokens_.is(i, ";") || tokens_.is(i, "=") || tokens_.is(i, "}")) return kNone;
      if (tokens_.is(i, "(")) i = closing_bracket(tokens_, i);
      if (i == kNone) return kNone;
    }
    return kNone;
  }

  size_t find_in(size_t open, size_t close) const {
    size_t arguments_end = open; // the '>' of the template arguments that came last
    for (size_t i = tokens_.next(open); i != kNone && i < close; i = tokens_.next(i)) {
      size_t amount = kNone;
      if (tokens_.is(i, "<")) {
        const size_t end = closing_angle(tokens_, i);
        if (end != kNone) arguments_end = std::max(arguments_end, end);
      } else if (tokens_.is(i, "<<") && !is_launch(tokens_, i)) {
        amount = tokens_.next(i);
      } else if (tokens_.is(i, ">") && tokens_.is(i + 1, ">") && tokens_.is(i + 2, ">")) {
        i += 2; // of a launch
      } else if (tokens_.is(i, ">") && i > arguments_end && tokens_.is(i + 1, ">")) {
        amount = tokens_.next(i + 1);
      }
      if (amount == kNone) continue;
      if (tokens_.is(amount, "=")) amount = tokens_.next(amount);
      if (!is_known(amount, end_of_amount(amount, close))) return i;
    }
    return kNone;
  }

  // The first token behind the sums and products that begin at `begin`.
  size_t end_of_amount(size_t begin, size_t close) const {
    size_t i = begin;
    while (i != kNone && i < close) {
      const std::string_view text = tokens_.text(i);
      if (text == "(" || text == "[") {
        i = closing_bracket(tokens_, i);
        if (i == kNone) break;
      } else if (tokens_.is(i, Token::Kind::Punctuator) && std::string_view("+-*/%~!.").find(text) == text.npos &&
                 text != "::" && text != "->") {
        break;
      }
      i = tokens_.next(i);
    }
    return i;
  }

  // A constant, or cut off by '&' or '%' and one. What macros and template arguments are called counts as constant.
  bool is_known(size_t begin, size_t end) const {
    size_t first = begin;
    size_t last = kNone;
    for (size_t i = begin; i != kNone && i < end; i = tokens_.next(i)) last = i;
    if (last == kNone || is_constant(first, end)) return true;
    while (tokens_.is(first, "(") && closing_bracket(tokens_, first) == last) {
      end = last;
      first = tokens_.next(first);
      last = tokens_.previous(last);
    }
    if (tokens_.is(last, ")")) last = opening_bracket(tokens_, last);
    if (last == kNone || !is_constant(last, end)) return false;
    const size_t cut = tokens_.previous(last);
    if (tokens_.is(cut, "%")) return true;
    return tokens_.is(cut, "&") && !tokens_.is(tokens_.previous(cut), "&");
  }

  bool is_constant(size_t begin, size_t end) const {
    for (size_t i = begin; i != kNone && i < end; i = tokens_.next(i)) {
      if (!tokens_.is(i, Token::Kind::Identifier)) continue;
      const std::string_view text = tokens_.text(i);
      if (text != "sizeof" && text != "int" && text != "unsigned" && std::any_of(text.begin(), text.end(), is_lower))
        return false;
    }
    return true;
  }
  static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

  const Tokens& tokens_;
};

} // namespace

void find_shifts(ConversionState& state) {
  if (!state.options.cuda_shifts || state.options.runtime_header == RuntimeHeader::Never) return;
  state.unknown_shift = ShiftPass(state.tokens).find();
  // What the compiler knows of macros, and of functions that a macro marks.
  const size_t end = std::min(state.unknown_shift, state.tokens.size());
  for (size_t i = 0; i < end; ++i) {
    if (!(state.known(i) & kUnknownShift)) continue;
    state.unknown_shift = i;
    return;
  }
}

} // namespace hip::hipify
