#include "runtime/codeobject/ptx.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hip::codeobject {
namespace {

constexpr uint64_t kMostParameterBytes = 1u << 20; // far above the 32764 that PTX allows

bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

// Words (with their leading dot), strings and single marks; an empty token is the end.
class Lexer {
public:
  explicit Lexer(std::string_view text) noexcept : text_(text) {}

  std::string_view next() noexcept {
    skip_blank();
    if (at_ == text_.size()) return {};
    const size_t begin = at_;
    if (text_[at_] == '"') {
      const size_t end = text_.find('"', at_ + 1);
      at_ = end == std::string_view::npos ? text_.size() : end + 1;
    } else if (is_word(text_[at_])) {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  std::string_view peek() noexcept {
    const size_t at = at_;
    const std::string_view token = next();
    at_ = at;
    return token;
  }
  // Everything up to the mark that closes the one just read, nested pairs included. False: the text ends first.
  bool skip_nested(std::string_view open, std::string_view close) noexcept {
    for (unsigned depth = 1; depth > 0;) {
      const std::string_view token = next();
      if (token.empty()) return false;
      if (token == open) ++depth;
      if (token == close) --depth;
    }
    return true;
  }
  size_t line() const noexcept {
    return 1 + static_cast<size_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }

private:
  void skip_blank() noexcept {
    while (at_ < text_.size()) {
      if (is_space(text_[at_])) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_).starts_with("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::optional<uint64_t> number(std::string_view word) noexcept {
  int base = 10;
  if (word.starts_with("0x") || word.starts_with("0X")) {
    word.remove_prefix(2);
    base = 16;
  }
  while (word.ends_with('U') || word.ends_with('u')) word.remove_suffix(1);
  uint64_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (code != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// Bytes of a fundamental or opaque type (".u32"); 0 for another word.
uint32_t type_bytes(std::string_view word) noexcept {
  if (word == ".texref" || word == ".samplerref" || word == ".surfref") return 8;
  if (word == ".f16x2" || word == ".bf16x2") return 4;
  if (word == ".bf16") return 2;
  if (word.size() < 3 || (word[1] != 'b' && word[1] != 'u' && word[1] != 's' && word[1] != 'f')) return 0;
  const auto bits = number(word.substr(2));
  if (!bits || (*bits != 8 && *bits != 16 && *bits != 32 && *bits != 64 && *bits != 128)) return 0;
  return static_cast<uint32_t>(*bits / 8);
}

struct Declaration {
  std::string_view name;
  uint64_t bytes = 0;
  uint32_t align = 1;
};

class Parser {
public:
  explicit Parser(std::string_view text) noexcept : lexer_(text) {}

  Result<PtxModule> run() {
    for (std::string_view token = lexer_.next(); !token.empty(); token = lexer_.next()) {
      if (token == ".version") {
        module_.version = lexer_.next();
      } else if (token == ".target") {
        const std::string_view text = lexer_.next();
        const auto target = parse_sm_target(text);
        if (!target) return wrong(fmt::format("\".target {}\" names no architecture", text));
        module_.target = *target;
      } else if (token == ".entry") {
        RT_TRY(entry());
      } else if (token == ".global" || token == ".const") {
        RT_TRY_ASSIGN(const Declaration variable, declaration(";"));
        module_.variables.push_back({std::string(variable.name), variable.bytes});
      } else if (token == "{") { // a function, or a section of debug information
        if (!lexer_.skip_nested("{", "}")) return wrong("a body has no end");
      }
    }
    if (module_.version.empty() || module_.target.number() == 0) return wrong("it names no .version or no .target");
    return std::move(module_);
  }

private:
  Status wrong(std::string_view what) const {
    return error(ErrorCode::InvalidImage, "The PTX module is broken at line {}: {}.", lexer_.line(), what);
  }

  // "[.align N] [.v2] .type [.ptr [.space] [.align N]] name [[N]...]" up to what ends it: `end`, "," or an initialiser.
  Result<Declaration> declaration(std::string_view end) {
    Declaration d;
    uint64_t element = 0, vector = 1, align = 0, count = 1;
    bool pointee = false;
    for (std::string_view token = lexer_.peek(); token != end && token != "," && token != "="; token = lexer_.peek()) {
      if (token.empty()) return wrong("a declaration has no end");
      static_cast<void>(lexer_.next());
      if (token == ".align") {
        const auto value = number(lexer_.next());
        if (!value || *value == 0 || *value > 4096) return wrong("an alignment is no number from 1 to 4096");
        if (!pointee) align = *value;
      } else if (token == ".ptr") {
        pointee = true;
      } else if (token == ".v2" || token == ".v4" || token == ".v8") {
        vector = static_cast<uint64_t>(token[2] - '0');
      } else if (const uint32_t bytes = type_bytes(token)) {
        element = bytes;
      } else if (token == "[") {
        const std::string_view size = lexer_.next();
        const auto value = size == "]" ? std::optional<uint64_t>(0) : number(size);
        if (!value || __builtin_mul_overflow(count, *value, &count)) return wrong("an array has no proper size");
        if (size != "]" && lexer_.next() != "]") return wrong("the size of an array does not end in \"]\"");
      } else if (token[0] != '.') {
        d.name = token;
      }
    }
    if (lexer_.peek() == "=") { // an initialiser
      for (std::string_view token = lexer_.next(); token != ";"; token = lexer_.next()) {
        if (token.empty()) return wrong("an initialiser has no end");
        if (token == "{" && !lexer_.skip_nested("{", "}")) return wrong("an initialiser has no end");
      }
    }
    if (d.name.empty() || element == 0) return wrong("a declaration has no name or no type");
    if (__builtin_mul_overflow(element * vector, count, &d.bytes)) return wrong("an array is larger than all memory");
    d.align = static_cast<uint32_t>(align ? align : element * vector);
    return d;
  }

  Status entry() {
    PtxKernel kernel;
    kernel.name = lexer_.next();
    if (kernel.name.empty() || !is_word(kernel.name[0])) return wrong("an .entry has no name");
    if (lexer_.peek() == "(") {
      static_cast<void>(lexer_.next());
      uint64_t offset = 0;
      for (std::string_view token = lexer_.next(); token != ")"; token = lexer_.next()) {
        if (token == ",") continue;
        if (token != ".param") return wrong(fmt::format("a parameter of {} does not begin with .param", kernel.name));
        RT_TRY_ASSIGN(const Declaration d, declaration(")"));
        offset = (offset + d.align - 1) / d.align * d.align;
        if (d.bytes > kMostParameterBytes || offset + d.bytes > kMostParameterBytes)
          return wrong(fmt::format("the parameters of {} are too large", kernel.name));
        kernel.parameters.push_back({static_cast<uint32_t>(offset), static_cast<uint32_t>(d.bytes)});
        offset += d.bytes;
      }
    }
    // Performance directives up to the body, or to the end of a declaration without one.
    for (std::string_view token = lexer_.peek(); token != "{" && token != ";"; token = lexer_.peek()) {
      if (token.empty()) return wrong(fmt::format("the .entry {} has no body", kernel.name));
      static_cast<void>(lexer_.next());
      if (token == ".reqntid") read_shape(kernel.required_group);
    }
    if (lexer_.next() == "{") {
      if (!lexer_.skip_nested("{", "}")) return wrong(fmt::format("the body of {} has no end", kernel.name));
      module_.kernels.push_back(std::move(kernel));
    }
    return {};
  }

  // "nx[, ny[, nz]]"
  void read_shape(std::array<uint32_t, 3>& shape) noexcept {
    shape = {1, 1, 1};
    for (uint32_t& extent : shape) {
      const auto value = number(lexer_.next());
      if (value) extent = static_cast<uint32_t>(*value);
      if (lexer_.peek() != ",") return;
      static_cast<void>(lexer_.next());
    }
  }

  Lexer lexer_;
  PtxModule module_;
};

} // namespace

bool is_ptx(Bytes data) noexcept { return Lexer(as_text(data)).next() == ".version"; }

Result<PtxModule> parse_ptx(Bytes data) {
  const std::string_view text = as_text(data);
  return Parser(text.substr(0, text.find('\0'))).run();
}

} // namespace hip::codeobject
