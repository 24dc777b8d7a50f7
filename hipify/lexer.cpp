// The lexer. Phases 2 and 3 of translation (line continuations, tokens) of the C++ standard, [lex.phases], as far as
// they decide where a token ends.
#include "lexer.h"

#include <array>

namespace hip::hipify {
namespace {

enum CharacterClass : uint8_t { kNothing = 0, kStartsName = 1, kDigit = 2, kBlank = 4 };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kStartsName;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kStartsName;
  for (int c = 0x80; c <= 0xff; ++c) classes[c] = kStartsName; // part of a UTF-8 sequence, or of some older encoding
  classes['_'] = classes['$'] = kStartsName;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (char c : {' ', '\t', '\v', '\f'}) classes[static_cast<uint8_t>(c)] = kBlank;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = make_classes();

bool is_class(char c, uint8_t classes) { return kClasses[static_cast<uint8_t>(c)] & classes; }
bool continues_name(char c) { return is_class(c, kStartsName | kDigit); }

bool one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  for (std::string_view one : list) {
    if (text == one) return true;
  }
  return false;
}

} // namespace

class Lexer {
public:
  Lexer(std::string_view text, std::vector<Token>& tokens) : text_(text), tokens_(tokens) {}

  uint32_t run() {
    if (text_.starts_with("\xef\xbb\xbf")) {
      at_ = 3;
      push(Token::Kind::Space, 0);
    }
    while (at_ < text_.size()) lex_token();
    return line_;
  }

private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  // Length of a newline at `at`, 0 where there is none.
  size_t newline_size(size_t at) const {
    if (at >= text_.size()) return 0;
    if (text_[at] == '\n') return 1;
    if (text_[at] != '\r') return 0;
    return at + 1 < text_.size() && text_[at + 1] == '\n' ? 2 : 1;
  }

  // Length of a line continuation at `at`: a backslash, blanks (as compilers allow) and a newline.
  size_t splice_size(size_t at) const {
    if (at >= text_.size() || text_[at] != '\\') return 0;
    size_t end = at + 1;
    while (end < text_.size() && is_class(text_[end], kBlank)) ++end;
    const size_t newline = newline_size(end);
    return newline ? end + newline - at : 0;
  }

  Token& push(Token::Kind kind, size_t begin) {
    Token token;
    token.begin = static_cast<uint32_t>(begin);
    token.end = static_cast<uint32_t>(at_);
    token.line = line_;
    token.kind = kind;
    token.in_directive = in_directive_;
    tokens_.push_back(token);
    if (kind != Token::Kind::Space && kind != Token::Kind::Newline && kind != Token::Kind::Comment) {
      line_is_empty_ = false;
      before_last_ = last_;
      last_ = text_.substr(begin, at_ - begin);
    }
    return tokens_.back();
  }

  // Lines that a token spans beyond its first are counted once it is made, so that its own number is where it begins.
  void count_lines(size_t begin) {
    for (size_t i = begin; i < at_;) {
      const size_t newline = newline_size(i);
      line_ += newline != 0;
      i += newline ? newline : 1;
    }
  }

  void lex_token() {
    const size_t begin = at_;
    const char c = text_[at_];
    if (const size_t newline = newline_size(at_)) {
      at_ += newline;
      push(Token::Kind::Newline, begin);
      ++line_;
      in_directive_ = false;
      line_is_empty_ = true;
      last_ = before_last_ = directive_ = {};
      return;
    }
    if (const size_t splice = splice_size(at_)) {
      at_ += splice;
      push(Token::Kind::Space, begin);
      ++line_;
      return;
    }
    if (is_class(c, kBlank)) {
      while (is_class(peek(), kBlank)) ++at_;
      push(Token::Kind::Space, begin);
      return;
    }
    if (c == '/' && peek(1) == '/') return lex_line_comment();
    if (c == '/' && peek(1) == '*') return lex_block_comment();
    if (in_directive_ && one_of(directive_, {"error", "warning"})) return lex_rest_of_line();
    if (in_directive_ && lex_header_name()) return;
    if (is_class(c, kStartsName)) return lex_name();
    if (is_class(c, kDigit) || (c == '.' && is_class(peek(1), kDigit))) return lex_number();
    if (c == '"') return lex_quoted(begin, '"', Token::Kind::String);
    if (c == '\'') return lex_quoted(begin, '\'', Token::Kind::Character);
    lex_punctuator();
  }

  void lex_line_comment() {
    const size_t begin = at_;
    while (at_ < text_.size() && !newline_size(at_)) {
      const size_t splice = splice_size(at_);
      at_ += splice ? splice : 1;
    }
    push(Token::Kind::Comment, begin);
    count_lines(begin);
  }

  void lex_block_comment() {
    const size_t begin = at_;
    const size_t end = text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    push(Token::Kind::Comment, begin).unterminated = end == std::string_view::npos;
    count_lines(begin);
  }

  void lex_rest_of_line() {
    const size_t begin = at_;
    while (at_ < text_.size() && !newline_size(at_)) {
      const size_t splice = splice_size(at_);
      at_ += splice ? splice : 1;
    }
    push(Token::Kind::Text, begin);
    count_lines(begin);
  }

  bool lex_header_name() {
    const char c = peek();
    const bool include = one_of(last_, {"include", "include_next", "import"}) && before_last_ == "#";
    const bool has_include = last_ == "(" && one_of(before_last_, {"__has_include", "__has_include_next"});
    if (!(include && (c == '<' || c == '"')) && !(has_include && c == '<')) return false;
    const char close = c == '<' ? '>' : '"';
    const size_t begin = at_;
    for (size_t end = at_ + 1; end < text_.size() && !newline_size(end); ++end) {
      if (text_[end] != close) continue;
      at_ = end + 1;
      push(Token::Kind::HeaderName, begin);
      return true;
    }
    return false;
  }

  void lex_name() {
    const size_t begin = at_;
    const bool spliced = skip_name();
    const std::string_view name = text_.substr(begin, at_ - begin);
    const char quote = peek();
    if (quote == '"' && one_of(name, {"R", "LR", "uR", "UR", "u8R"})) return lex_raw_string(begin);
    if ((quote == '"' || quote == '\'') && one_of(name, {"L", "u", "U", "u8"}))
      return lex_quoted(begin, quote, quote == '"' ? Token::Kind::String : Token::Kind::Character);
    if (in_directive_ && last_ == "#" && directive_.empty()) directive_ = name;
    push(Token::Kind::Identifier, begin).spliced = spliced;
    if (spliced) count_lines(begin);
  }

  // Moves behind the name at at_; true where a line continuation is in it.
  bool skip_name() {
    bool spliced = false;
    for (;;) {
      while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
      size_t behind = at_;
      while (const size_t splice = splice_size(behind)) behind += splice;
      if (behind == at_ || behind >= text_.size() || !continues_name(text_[behind])) return spliced;
      at_ = behind;
      spliced = true;
    }
  }

  void lex_number() {
    const size_t begin = at_;
    bool spliced = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool sign_follows = peek(1) == '+' || peek(1) == '-';
      if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && sign_follows) {
        at_ += 2;
      } else if (c == '.' || continues_name(c)) {
        ++at_;
      } else if (c == '\'' && continues_name(peek(1))) {
        at_ += 2;
      } else {
        const size_t splice = splice_size(at_);
        if (!splice || at_ + splice >= text_.size() || !continues_name(text_[at_ + splice])) break;
        at_ += splice;
        spliced = true;
      }
    }
    push(Token::Kind::Number, begin).spliced = spliced;
    if (spliced) count_lines(begin);
  }

  // A string or character literal whose prefix begins at `begin`. One without end stops at the end of the line: text in
  // excluded blocks has apostrophes.
  void lex_quoted(size_t begin, char quote, Token::Kind kind) {
    ++at_;
    bool closed = false;
    while (at_ < text_.size() && !newline_size(at_)) {
      const char c = text_[at_];
      if (c == '\\') {
        const size_t splice = splice_size(at_);
        at_ += splice ? splice : at_ + 1 < text_.size() ? 2 : 1;
        continue;
      }
      ++at_;
      if (c == quote) {
        closed = true;
        break;
      }
    }
    push(kind, begin).unterminated = !closed;
    count_lines(begin);
  }

  // In a raw string neither escapes nor line continuations count, [lex.string].
  void lex_raw_string(size_t begin) {
    constexpr size_t kMaxDelimiter = 16;
    const size_t open = text_.find('(', at_ + 1);
    if (open == std::string_view::npos || open - at_ - 1 > kMaxDelimiter)
      return lex_quoted(begin, '"', Token::Kind::String);
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = text_.find(close, open + 1);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
    push(Token::Kind::String, begin).unterminated = end == std::string_view::npos;
    count_lines(begin);
  }

  void lex_punctuator() {
    const size_t begin = at_;
    const char c = text_[at_];
    Token::Kind kind = Token::Kind::Punctuator;
    if (c == '#' && line_is_empty_) in_directive_ = true;
    if (c == '<') {
      size_t run = 0;
      while (peek(run) == '<') ++run;
      if (run > 3) kind = Token::Kind::Other; // the mark of a merge conflict
      at_ += run;
    } else if ((c == ':' && peek(1) == ':') || (c == '-' && peek(1) == '>')) {
      at_ += 2;
    } else {
      ++at_;
    }
    push(kind, begin);
  }

  std::string_view text_;
  std::vector<Token>& tokens_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  bool in_directive_ = false;
  bool line_is_empty_ = true;           // of everything but blanks and comments
  std::string_view last_, before_last_; // the line's last two tokens
  std::string_view directive_;          // its name
};

Tokens::Tokens(std::string_view text) : text_(text) {
  constexpr size_t kBytesPerToken = 4; // typical of sources
  tokens_.reserve(text.size() / kBytesPerToken + 16);
  line_count_ = Lexer(text, tokens_).run();
  // A last line without newline counts; an empty one behind the last newline does not.
  if (tokens_.empty() || tokens_.back().kind == Token::Kind::Newline) --line_count_;
}

std::string Tokens::spelling(size_t i) const {
  const std::string_view raw = text(i);
  if (!tokens_[i].spliced) return std::string(raw);
  std::string clean;
  for (size_t at = 0; at < raw.size();) {
    if (raw[at] != '\\') {
      clean += raw[at++];
      continue;
    }
    while (at < raw.size() && !continues_name(raw[at])) ++at;
  }
  return clean;
}

bool Tokens::is_blank(size_t i) const {
  const Token::Kind kind = tokens_[i].kind;
  return kind == Token::Kind::Space || kind == Token::Kind::Newline || kind == Token::Kind::Comment;
}

size_t Tokens::next(size_t i) const {
  if (i >= tokens_.size()) return kNone;
  const bool directive = tokens_[i].in_directive;
  for (++i; i < tokens_.size(); ++i) {
    if (directive && !tokens_[i].in_directive) return kNone;
    if (directive && tokens_[i].kind == Token::Kind::Newline) return kNone;
    if (!directive && tokens_[i].in_directive) continue;
    if (!is_blank(i)) return i;
  }
  return kNone;
}

size_t Tokens::previous(size_t i) const {
  if (i >= tokens_.size()) return kNone;
  const bool directive = tokens_[i].in_directive;
  while (i-- > 0) {
    if (directive && (!tokens_[i].in_directive || tokens_[i].kind == Token::Kind::Newline)) return kNone;
    if (!directive && tokens_[i].in_directive) continue;
    if (!is_blank(i)) return i;
  }
  return kNone;
}

uint32_t Tokens::column(size_t i) const {
  size_t begin = tokens_[i].begin;
  while (begin > 0 && text_[begin - 1] != '\n' && text_[begin - 1] != '\r') --begin;
  return static_cast<uint32_t>(tokens_[i].begin - begin + 1);
}

} // namespace hip::hipify
