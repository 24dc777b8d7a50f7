// Reads comments, blank lines and #include lines; stops at everything else.
#include "preamble.h"

#include <algorithm>
#include <string_view>

namespace hip::hipcc {
namespace {

// Headers that a program may include twice without any effect. Sorted.
constexpr std::string_view kStandardHeaders[] = {"algorithm",
                                                 "any",
                                                 "array",
                                                 "assert.h",
                                                 "atomic",
                                                 "bit",
                                                 "bitset",
                                                 "cassert",
                                                 "ccomplex",
                                                 "cctype",
                                                 "cerrno",
                                                 "cfenv",
                                                 "cfloat",
                                                 "charconv",
                                                 "chrono",
                                                 "cinttypes",
                                                 "climits",
                                                 "clocale",
                                                 "cmath",
                                                 "complex",
                                                 "complex.h",
                                                 "concepts",
                                                 "condition_variable",
                                                 "csetjmp",
                                                 "csignal",
                                                 "cstdarg",
                                                 "cstddef",
                                                 "cstdint",
                                                 "cstdio",
                                                 "cstdlib",
                                                 "cstring",
                                                 "ctime",
                                                 "ctype.h",
                                                 "cwchar",
                                                 "cwctype",
                                                 "deque",
                                                 "errno.h",
                                                 "exception",
                                                 "execution",
                                                 "fcntl.h",
                                                 "fenv.h",
                                                 "filesystem",
                                                 "float.h",
                                                 "forward_list",
                                                 "fstream",
                                                 "functional",
                                                 "future",
                                                 "getopt.h",
                                                 "initializer_list",
                                                 "inttypes.h",
                                                 "iomanip",
                                                 "ios",
                                                 "iosfwd",
                                                 "iostream",
                                                 "istream",
                                                 "iterator",
                                                 "limits",
                                                 "limits.h",
                                                 "list",
                                                 "locale",
                                                 "locale.h",
                                                 "map",
                                                 "math.h",
                                                 "memory",
                                                 "mutex",
                                                 "new",
                                                 "numbers",
                                                 "numeric",
                                                 "optional",
                                                 "ostream",
                                                 "pthread.h",
                                                 "queue",
                                                 "random",
                                                 "ranges",
                                                 "ratio",
                                                 "regex",
                                                 "set",
                                                 "shared_mutex",
                                                 "signal.h",
                                                 "span",
                                                 "sstream",
                                                 "stack",
                                                 "stdarg.h",
                                                 "stdbool.h",
                                                 "stddef.h",
                                                 "stdexcept",
                                                 "stdint.h",
                                                 "stdio.h",
                                                 "stdlib.h",
                                                 "streambuf",
                                                 "string",
                                                 "string.h",
                                                 "string_view",
                                                 "sys/stat.h",
                                                 "sys/time.h",
                                                 "sys/types.h",
                                                 "system_error",
                                                 "thread",
                                                 "time.h",
                                                 "tuple",
                                                 "type_traits",
                                                 "typeindex",
                                                 "typeinfo",
                                                 "unistd.h",
                                                 "unordered_map",
                                                 "unordered_set",
                                                 "utility",
                                                 "valarray",
                                                 "variant",
                                                 "vector",
                                                 "wchar.h",
                                                 "wctype.h"};
static_assert(std::is_sorted(std::begin(kStandardHeaders), std::end(kStandardHeaders)));

// Moves at past blanks and comments; npos at the end of text or where a comment cannot be followed.
size_t skip_comments(const std::string& text, size_t at) {
  for (;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos) return at;
    if (text.compare(at, 2, "//") == 0) {
      at = text.find('\n', at);
      // A line comment that ends in a backslash goes on; that is rare enough to give up.
      if (at == std::string::npos || text[at - 1] == '\\') return std::string::npos;
    } else if (text.compare(at, 2, "/*") == 0) {
      at = text.find("*/", at + 2);
      if (at == std::string::npos) return at;
      at += 2;
    } else {
      return at;
    }
  }
}

} // namespace

std::vector<std::string> leading_includes(const std::string& text) {
  constexpr std::string_view kInclude = "include";
  std::vector<std::string> names;
  size_t at = 0;
  for (;;) {
    at = skip_comments(text, at);
    if (at == std::string::npos || text[at] != '#') return {};
    at = text.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || text.compare(at, kInclude.size(), kInclude) != 0) return {};
    at = text.find_first_not_of(" \t", at + kInclude.size());
    if (at == std::string::npos || (text[at] != '<' && text[at] != '"')) return {};
    size_t end = text.find_first_of(text[at] == '<' ? ">\n" : "\"\n", at + 1);
    if (end == std::string::npos || text[end] == '\n') return {};
    names.push_back(text.substr(at + 1, end - at - 1));
    if (names.back() == kRuntimeHeader) return names;
    bool standard = std::binary_search(std::begin(kStandardHeaders), std::end(kStandardHeaders), names.back());
    if (text[at] != '<' || !standard) return {};
    at = end + 1;
  }
}

} // namespace hip::hipcc
