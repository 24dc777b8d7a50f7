// hipify/lexer.h - cuts a source file into the tokens of C++ and CUDA, without preprocessing it. Every byte of the file
// is in exactly one token, so what is not changed is copied as it is: line ends, a byte order mark, trailing blanks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hip::hipify {

struct Token {
  enum class Kind : uint8_t {
    Space,      // blanks, line continuations, a byte order mark
    Newline,    // "\n", "\r\n" or "\r"
    Comment,    // either kind; a line comment without its newline
    String,     // with prefix and quotes; raw strings too
    Character,  // a character literal
    Number,     // a preprocessing number, with digit separators and suffix
    Identifier, // keywords too
    Punctuator, // one character, or one of :: -> << <<<
    HeaderName, // <...> or "..." behind #include and its kin, and <...> in __has_include
    Text,       // the rest of an #error or #warning line
    Other,      // a stray character, or a run of more than three '<'
  };

  uint32_t begin = 0; // bytes of the file
  uint32_t end = 0;
  uint32_t line = 0; // from 1
  Kind kind = Kind::Other;
  bool spliced = false;      // an identifier or number with a line continuation in it: spelling() leaves that out
  bool in_directive = false; // on a line that begins with '#'
  bool unterminated = false; // a literal or comment that has no end
};

// A file's text with its tokens. The text belongs to the caller and must outlive this.
class Tokens {
public:
  // Files of 4 GiB and more are the caller's to refuse.
  explicit Tokens(std::string_view text);

  size_t size() const { return tokens_.size(); }
  const Token& operator[](size_t i) const { return tokens_[i]; }

  std::string_view source() const { return text_; }
  std::string_view text(size_t i) const { return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin); }
  // As the compiler reads it: without line continuations.
  std::string spelling(size_t i) const;
  bool is(size_t i, std::string_view text) const { return i < size() && this->text(i) == text; }
  bool is(size_t i, Token::Kind kind) const { return i < size() && tokens_[i].kind == kind; }

  // The token behind (in front of) i that is neither blank, newline nor comment; kNone where there is none, or i is
  // kNone. A newline ends the search in a directive, and no search enters a directive or leaves one.
  static constexpr size_t kNone = SIZE_MAX;
  size_t next(size_t i) const;
  size_t previous(size_t i) const;

  // Of the token's first byte, from 1, in bytes.
  uint32_t column(size_t i) const;
  uint32_t line_count() const { return line_count_; }

private:
  friend class Lexer;
  bool is_blank(size_t i) const;

  std::string_view text_;
  std::vector<Token> tokens_;
  uint32_t line_count_ = 0;
};

} // namespace hip::hipify
