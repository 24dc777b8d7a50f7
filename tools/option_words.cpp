#include "option_words.h"

namespace hip::tools {

namespace {

void add_letters(std::string_view letters, std::string_view with_value, std::vector<OptionWord>& words) {
  while (!letters.empty()) {
    OptionWord& word = words.emplace_back(OptionWord{std::string("-") + letters[0], std::nullopt});
    const bool takes_value = with_value.find(letters[0]) != with_value.npos;
    letters.remove_prefix(1);
    if (letters.empty() || (letters[0] != '=' && !takes_value)) continue;
    if (letters[0] == '=') letters.remove_prefix(1);
    word.value = std::string(letters);
    return;
  }
}

} // namespace

std::vector<OptionWord> option_words(Arguments arguments, std::string_view with_value) {
  std::vector<OptionWord> words;
  for (const std::string_view argument : arguments) {
    const size_t sign = argument.find('=');
    if (argument.starts_with("--") && sign != argument.npos)
      words.push_back({std::string(argument.substr(0, sign)), std::string(argument.substr(sign + 1))});
    else if (argument.starts_with("-") && !argument.starts_with("--") && argument.size() > 1)
      add_letters(argument.substr(1), with_value, words);
    else
      words.push_back({std::string(argument), std::nullopt});
  }
  return words;
}

std::vector<std::string> take_values(const std::vector<OptionWord>& words, size_t& at) {
  if (words[at].value) return {*words[at].value};
  std::vector<std::string> values;
  for (; at + 1 < words.size() && !words[at + 1].is_option(); ++at) values.push_back(words[at + 1].text);
  return values;
}

} // namespace hip::tools
