// Brackets, arguments, launches.
#include "syntax.h"

#include <algorithm>

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;

bool is_opening(std::string_view text) { return text == "(" || text == "[" || text == "{"; }
bool is_closing(std::string_view text) { return text == ")" || text == "]" || text == "}"; }

bool is_punctuator(const Tokens& tokens, size_t i) { return tokens.is(i, Token::Kind::Punctuator); }

// Token i and its successor are one operator of two characters, such as "&&".
bool is_pair(const Tokens& tokens, size_t i, char c) {
  return i + 1 < tokens.size() && tokens.text(i) == std::string_view(&c, 1) && tokens.text(i + 1) == tokens.text(i);
}

// What cannot stand among template arguments, outside of brackets.
bool ends_angles(const Tokens& tokens, size_t i) {
  const std::string_view text = tokens.text(i);
  if (is_pair(tokens, i, '&') || is_pair(tokens, i, '|')) return true;
  return text == ";" || text == "?" || text == "=" || text == "<<<" || text == "#";
}

// The opening '<' for the '>' at `close`.
size_t opening_angle(const Tokens& tokens, size_t close) {
  size_t depth = 0;
  for (size_t i = close; i != kNone; i = tokens.previous(i)) {
    if (!is_punctuator(tokens, i)) continue;
    const std::string_view text = tokens.text(i);
    if (is_closing(text)) {
      i = opening_bracket(tokens, i);
      if (i == kNone) return kNone;
    } else if (text == ">") {
      ++depth;
    } else if (text == "<") {
      if (--depth == 0) return i;
    } else if (text == "<<") { // of two nested lists: a<<b...
      if (depth <= 2) return kNone;
      depth -= 2;
    } else if (is_opening(text) || ends_angles(tokens, i)) {
      return kNone;
    }
  }
  return kNone;
}

// The first token of the expression that ends with token `last`: a name with qualifiers and template arguments, a
// member, an element or something in parentheses. `angles` becomes true where the last name has template arguments.
size_t expression_begin(const Tokens& tokens, size_t last, bool& angles) {
  size_t i = last;
  for (bool first_round = true;; first_round = false) {
    if (tokens.is(i, ">")) {
      i = opening_angle(tokens, i);
      if (i == kNone) return kNone;
      angles |= first_round;
      i = tokens.previous(i);
    }
    while (i != kNone && (tokens.is(i, ")") || tokens.is(i, "]"))) {
      const size_t open = opening_bracket(tokens, i);
      if (open == kNone) return kNone;
      const size_t before = tokens.previous(open);
      const bool follows_name = before != kNone && (tokens.is(before, Token::Kind::Identifier) ||
                                                    tokens.is(before, "]") || tokens.is(before, ")"));
      if (!follows_name) return open;
      i = before;
    }
    if (i == kNone || !tokens.is(i, Token::Kind::Identifier)) return kNone;
    size_t before = tokens.previous(i);
    if (before != kNone && tokens.is(before, "template")) before = tokens.previous(before);
    if (before == kNone) return i;
    if (tokens.is(before, ".") || tokens.is(before, "->")) {
      i = tokens.previous(before);
    } else if (tokens.is(before, "::")) {
      const size_t qualifier = tokens.previous(before);
      const bool global =
          qualifier == kNone || !(tokens.is(qualifier, Token::Kind::Identifier) || tokens.is(qualifier, ">"));
      if (global || tokens.is(qualifier, "return")) return before;
      i = qualifier;
    } else {
      return i;
    }
    if (i == kNone) return kNone;
  }
}

// The token behind i, blanks left out where `spaced`; kNone where that is not a '>'.
size_t next_chevron(const Tokens& tokens, size_t i, bool spaced) {
  ++i;
  while (spaced && tokens.is(i, Token::Kind::Space)) ++i;
  return is_punctuator(tokens, i) && tokens.is(i, ">") ? i : kNone;
}

// Sets the ">>>" of a launch: three adjacent '>' outside of brackets, or three with blanks between them where the
// launch began so.
void find_closing_chevrons(const Tokens& tokens, Launch& launch) {
  for (size_t i = tokens.next(launch.chevrons_last); i != kNone; i = tokens.next(i)) {
    if (!is_punctuator(tokens, i)) continue;
    const std::string_view text = tokens.text(i);
    if (is_opening(text)) {
      i = closing_bracket(tokens, i);
      if (i == kNone) return;
    } else if (is_closing(text) || text == ";" || text == "<<<") {
      return;
    } else if (text == ">") {
      const size_t second = next_chevron(tokens, i, launch.spaced);
      size_t third = second == kNone ? kNone : next_chevron(tokens, second, launch.spaced);
      if (third == kNone) continue;
      // k<<<1, f<a<b>>>>>: of more than three, the last three close.
      size_t first = i, middle = second;
      for (size_t more = third; more != kNone; more = next_chevron(tokens, more, launch.spaced)) {
        if (more == third) continue;
        first = middle;
        middle = third;
        third = more;
      }
      launch.configuration_close = first;
      launch.configuration_last = third;
      return;
    }
  }
}

} // namespace

size_t closing_bracket(const Tokens& tokens, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i != kNone; i = tokens.next(i)) {
    if (!is_punctuator(tokens, i)) continue;
    if (is_opening(tokens.text(i))) ++depth;
    if (is_closing(tokens.text(i)) && --depth == 0) return i;
  }
  return kNone;
}

size_t opening_bracket(const Tokens& tokens, size_t close) {
  size_t depth = 0;
  for (size_t i = close; i != kNone; i = tokens.previous(i)) {
    if (!is_punctuator(tokens, i)) continue;
    if (is_closing(tokens.text(i))) ++depth;
    if (is_opening(tokens.text(i)) && --depth == 0) return i;
  }
  return kNone;
}

size_t closing_angle(const Tokens& tokens, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i != kNone; i = tokens.next(i)) {
    if (!is_punctuator(tokens, i)) continue;
    const std::string_view text = tokens.text(i);
    if (is_opening(text)) {
      i = closing_bracket(tokens, i);
      if (i == kNone) return kNone;
    } else if (text == "<") {
      ++depth;
    } else if (text == ">") {
      if (--depth == 0) return i;
    } else if (is_closing(text) || text == "<<" || ends_angles(tokens, i)) {
      return kNone;
    }
  }
  return kNone;
}

std::vector<CallArgument> split_arguments(const Tokens& tokens, size_t open, size_t close) {
  std::vector<CallArgument> arguments(1);
  for (size_t i = tokens.next(open); i != kNone && i < close; i = tokens.next(i)) {
    CallArgument& argument = arguments.back();
    const bool punctuator = is_punctuator(tokens, i);
    if (punctuator && tokens.text(i) == ",") {
      arguments.emplace_back();
      continue;
    }
    if (argument.empty()) argument.first = i;
    argument.last = i;
    if (!punctuator) continue;
    if (is_opening(tokens.text(i))) {
      const size_t end = closing_bracket(tokens, i);
      if (end == kNone || end >= close) continue;
      argument.last = i = end;
    } else if (tokens.text(i) == "<") {
      // Template arguments, where a name is in front and what follows could follow a template's name.
      const size_t before = tokens.previous(i);
      const size_t end = closing_angle(tokens, i);
      if (before == kNone || !tokens.is(before, Token::Kind::Identifier) || end == kNone || end >= close) continue;
      const size_t behind = tokens.next(end);
      const bool follows = behind == close || tokens.is(behind, "(") || tokens.is(behind, "::") ||
                           tokens.is(behind, "{") || tokens.is(behind, ",");
      if (!follows) continue;
      for (size_t k = i; k < end; ++k) argument.comma |= tokens.is(k, ",");
      argument.last = i = end;
    }
  }
  if (arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  return arguments;
}

bool is_launch(const Tokens& tokens, size_t chevrons) {
  if (!is_punctuator(tokens, chevrons)) return false;
  const std::string_view text = tokens.text(chevrons);
  if (text == "<<") {
    const bool spaced = tokens.is(chevrons + 1, Token::Kind::Space) && is_punctuator(tokens, chevrons + 2) &&
                        tokens.is(chevrons + 2, "<");
    if (!spaced) return false;
  } else if (text != "<<<") {
    return false;
  }
  const size_t before = tokens.previous(chevrons);
  return before != kNone && !tokens.is(before, "operator");
}

Launch read_launch(const Tokens& tokens, size_t chevrons) {
  Launch launch;
  launch.spaced = tokens.is(chevrons, "<<");
  launch.chevrons_last = launch.spaced ? chevrons + 2 : chevrons;
  launch.kernel_last = tokens.previous(chevrons);
  if (launch.kernel_last != kNone)
    launch.kernel_first = expression_begin(tokens, launch.kernel_last, launch.has_template_arguments);
  find_closing_chevrons(tokens, launch);
  if (launch.configuration_close == kNone) return launch;
  launch.configuration = split_arguments(tokens, launch.chevrons_last, launch.configuration_close);
  const size_t open = tokens.next(launch.configuration_last);
  if (open == kNone || !tokens.is(open, "(")) return launch;
  launch.open = open;
  launch.close = closing_bracket(tokens, open);
  return launch;
}

} // namespace hip::hipify
