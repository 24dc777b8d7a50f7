// Command line -> arguments, by the longest matching spelling of the table.
#include "options.h"

#include <fstream>
#include <sstream>

namespace hip::hipcc {
namespace {

constexpr OptionRow kRows[] = {
#define HIPCC_OPTION(id, spelling, form, use, pch) {OptionId::id, spelling, Form::form, Use::use, Pch::pch},
#include "options.def"
};
constexpr OptionRow kInput = {OptionId::Input, "", Form::Flag, Use::Order, Pch::None};
constexpr OptionRow kUnknown = {OptionId::Unknown, "", Form::Flag, Use::Any, Pch::Off};

bool matches(const OptionRow& row, std::string_view word) {
  switch (row.form) {
  case Form::Flag:
  case Form::Separate:
    return word == row.spelling;
  case Form::Joined:
  case Form::Either:
  case Form::JoinedAnd:
    return word.starts_with(row.spelling);
  }
  return false;
}

const OptionRow& find_row(std::string_view word) {
  const OptionRow* best = nullptr;
  for (const OptionRow& row : kRows) {
    if (matches(row, word) && (!best || row.spelling.size() > best->spelling.size())) best = &row;
  }
  return best ? *best : kUnknown;
}

void expand_into(const std::vector<std::string>& words, int depth, std::vector<std::string>& out) {
  constexpr int kMaxDepth = 32; // deeper than any build system nests; files that name each other end here
  for (const std::string& word : words) {
    if (word.size() < 2 || word[0] != '@') {
      out.push_back(word);
      continue;
    }
    if (depth == kMaxDepth)
      throw DriverError("response files name each other more than 32 deep, the last is '" + word.substr(1) + "'");
    std::ifstream file(word.substr(1), std::ios::binary);
    if (!file) {
      out.push_back(word);
      continue;
    }
    std::ostringstream text;
    text << file.rdbuf();
    expand_into(split_words(text.str()), depth + 1, out);
  }
}

} // namespace

std::vector<std::string> expand_response_files(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  expand_into(words, 0, out);
  return out;
}

std::vector<Argument> parse_arguments(const std::vector<std::string>& words) {
  std::vector<Argument> arguments;
  bool only_inputs = false; // after "--"
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!only_inputs && word == "--") {
      only_inputs = true;
      continue;
    }
    if (only_inputs || word.size() < 2 || word[0] != '-') {
      arguments.push_back({&kInput, {word}, word});
      continue;
    }
    const OptionRow& row = find_row(word);
    Argument argument{&row, {word}, {}};
    if (row.form != Form::Flag && row.form != Form::Separate) argument.value = word.substr(row.spelling.size());
    bool wants_next = row.form == Form::Separate || row.form == Form::JoinedAnd ||
                      (row.form == Form::Either && argument.value.empty());
    if (wants_next) {
      if (i + 1 == words.size()) throw DriverError("argument to '" + word + "' is missing (expected 1 value)");
      argument.value = words[++i];
      argument.words.push_back(argument.value);
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

} // namespace hip::hipcc
