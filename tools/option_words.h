// tools/option_words.h - the command lines of ROCm's tools: "--device=0", "-d=0", "-d0" and "-tu" as the options that
// they stand for.
#pragma once

#include "names.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hip::tools {

struct OptionWord {
  std::string text;                 // "--device", "-d", or a word that is no option
  std::optional<std::string> value; // what is written to an option, in the same word
  bool is_option() const { return text.starts_with("-"); }
};

// Options of one letter can stand together behind one sign. What is behind a letter of `with_value` is its value, with
// "=" in front of it or without.
std::vector<OptionWord> option_words(Arguments arguments, std::string_view with_value);

// The values of the option words[at]: the one in its own word, else the words behind it up to the next option; `at` is
// then the last of these. Empty: there is none.
std::vector<std::string> take_values(const std::vector<OptionWord>& words, size_t& at);

} // namespace hip::tools
