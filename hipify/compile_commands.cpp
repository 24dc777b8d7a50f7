// As much of JSON as a compilation database needs: an array of objects, of which two strings and the command matter;
// the rest is skipped.
#include "compile_commands.h"

#include "../hipcc/split_words.h"
#include "options.h"

#include <charconv>
#include <set>

namespace hip::hipify {
namespace {

class JsonReader {
public:
  JsonReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::vector<CompileCommand> run() {
    std::vector<CompileCommand> commands;
    expect('[');
    if (!accept(']')) {
      do {
        CompileCommand command = entry();
        if (files_.insert(command.file).second) commands.push_back(std::move(command));
      } while (accept(','));
      expect(']');
    }
    return commands;
  }

private:
  CompileCommand entry() {
    std::string file, directory;
    std::vector<std::string> words;
    expect('{');
    if (!accept('}')) {
      do {
        const std::string key = string();
        expect(':');
        if (key == "file" || key == "directory")
          (key == "file" ? file : directory) = string();
        else if (key == "command")
          words = hipcc::split_words(string());
        else if (key == "arguments")
          words = strings();
        else
          skip_value(0);
      } while (accept(','));
      expect('}');
    }
    if (file.empty()) fail("an entry has no \"file\"");
    if (!words.empty()) words.erase(words.begin()); // the compiler
    return {(std::filesystem::path(directory) / file).lexically_normal(), directory, std::move(words)};
  }

  std::vector<std::string> strings() {
    std::vector<std::string> all;
    expect('[');
    if (accept(']')) return all;
    do {
      skip_blanks();
      if (peek() == '"')
        all.push_back(string());
      else
        skip_value(0);
    } while (accept(','));
    expect(']');
    return all;
  }

  void skip_value(int depth) {
    constexpr int kMaxDepth = 64; // an entry's values are strings and arrays of strings
    if (depth > kMaxDepth) fail("values are nested too deep");
    skip_blanks();
    if (peek() == '"') {
      string();
    } else if (accept('[')) {
      if (accept(']')) return;
      do skip_value(depth + 1);
      while (accept(','));
      expect(']');
    } else if (accept('{')) {
      if (accept('}')) return;
      do {
        string();
        expect(':');
        skip_value(depth + 1);
      } while (accept(','));
      expect('}');
    } else {
      const size_t begin = at_;
      while (at_ < text_.size() &&
             std::string_view("+-.0123456789abcdefghijklmnopqrstuvwxyzE").find(text_[at_]) != std::string_view::npos)
        ++at_;
      if (at_ == begin) fail("a value is missing");
    }
  }

  std::string string() {
    expect('"');
    std::string value;
    for (;;) {
      if (at_ >= text_.size()) fail("a string has no end");
      const char c = text_[at_++];
      if (c == '"') return value;
      if (c != '\\') {
        value += c;
        continue;
      }
      if (at_ >= text_.size()) fail("a string has no end");
      escape(text_[at_++], value);
    }
  }

  void escape(char c, std::string& value) {
    switch (c) {
    case 'b':
      value += '\b';
      return;
    case 'f':
      value += '\f';
      return;
    case 'n':
      value += '\n';
      return;
    case 'r':
      value += '\r';
      return;
    case 't':
      value += '\t';
      return;
    case 'u': {
      unsigned code = 0;
      const std::string_view digits = text_.substr(at_, 4);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
      if (error != std::errc() || end != digits.data() + 4) fail("an escape \\u has no four digits");
      at_ += 4;
      append_utf8(code, value);
      return;
    }
    default:
      value += c;
    }
  }

  static void append_utf8(unsigned code, std::string& value) {
    if (code < 0x80) {
      value += static_cast<char>(code);
    } else if (code < 0x800) {
      value += static_cast<char>(0xc0 | code >> 6);
      value += static_cast<char>(0x80 | (code & 0x3f));
    } else {
      value += static_cast<char>(0xe0 | code >> 12);
      value += static_cast<char>(0x80 | (code >> 6 & 0x3f));
      value += static_cast<char>(0x80 | (code & 0x3f));
    }
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "' is missing");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw HipifyError("'" + name_ + "' is no compilation database: at byte " + std::to_string(at_) + ", " + what);
  }

  std::string_view text_;
  const std::string& name_;
  std::set<std::filesystem::path> files_;
  size_t at_ = 0;
};

} // namespace

std::vector<CompileCommand> read_compile_commands(std::string_view json, const std::string& name) {
  return JsonReader(json, name).run();
}

} // namespace hip::hipify
