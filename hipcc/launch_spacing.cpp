// Finds "<", "<", "<" with blanks between them, outside of comments and literals. No expression has that; ">> >" ends
// nested templates too, so it is closed up only where it ends a launch.
#include "launch_spacing.h"

#include <cctype>

namespace hip::hipcc {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Behind the comment or literal that begins at `at`; `at` when none does.
size_t behind_literal(const std::string& text, size_t at) {
  const size_t size = text.size();
  if (text.compare(at, 2, "//") == 0) {
    const size_t end = text.find('\n', at);
    return end == std::string::npos ? size : end;
  }
  if (text.compare(at, 2, "/*") == 0) {
    const size_t end = text.find("*/", at + 2);
    return end == std::string::npos ? size : end + 2;
  }
  if (text.compare(at, 2, "R\"") == 0 && (at == 0 || !is_word(text[at - 1]))) {
    const size_t open = text.find('(', at);
    if (open == std::string::npos) return at + 2;
    const std::string closing = ")" + text.substr(at + 2, open - at - 2) + "\"";
    const size_t end = text.find(closing, open);
    return end == std::string::npos ? size : end + closing.size();
  }
  const bool digit_separator = text[at] == '\'' && at > 0 && is_word(text[at - 1]);
  if (text[at] != '"' && (text[at] != '\'' || digit_separator)) return at;
  size_t end = at + 1;
  while (end < size && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return end < size ? end + 1 : size;
}

// The end of three of the character, with blanks between them, that begin at `at`; 0 when there are not three.
size_t end_of_three(const std::string& text, size_t at, char character) {
  for (int count = 0; at < text.size(); ++at) {
    if (text[at] == character && ++count == 3) return at + 1;
    if (text[at] != character && !is_blank(text[at])) return 0;
  }
  return 0;
}

void close_up(std::string& text, size_t begin, size_t end, char character) {
  for (size_t i = begin; i < end; ++i) text[i] = i < begin + 3 ? character : ' ';
}

// The ">>>" of a launch whose configuration begins at `at`, closed up; returns what is behind it, or `at`.
size_t close_up_end(std::string& text, size_t at) {
  int depth = 0;
  for (size_t i = at; i < text.size(); ++i) {
    const size_t behind = behind_literal(text, i);
    if (behind != i) {
      i = behind - 1;
      continue;
    }
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0 || (c == ';' && depth == 0)) return at;
    if (c != '>' || depth != 0) continue;
    const size_t end = end_of_three(text, i, '>');
    if (end == 0) continue;
    close_up(text, i, end, '>');
    return end;
  }
  return at;
}

} // namespace

std::string with_launches_closed_up(const std::string& text) {
  std::string out = text;
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t behind = behind_literal(out, i);
    if (behind != i) {
      i = behind - 1;
      continue;
    }
    if (out[i] != '<') continue;
    const size_t end = end_of_three(out, i, '<');
    if (end == 0) continue;
    close_up(out, i, end, '<');
    i = close_up_end(out, end) - 1;
  }
  return out;
}

} // namespace hip::hipcc
