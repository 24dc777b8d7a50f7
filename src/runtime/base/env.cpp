#include "runtime/base/env.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace hip {
namespace {

constexpr EnvRow kRows[] = {
#define RT_ENV(name, default_text, meaning) {#name, default_text, meaning},
#include "runtime/base/env.def"
#undef RT_ENV
};

const EnvRow& row(Env variable) noexcept { return kRows[static_cast<unsigned>(variable)]; }

} // namespace

std::span<const EnvRow> env_rows() noexcept { return kRows; }

bool env_is_set(Env variable) noexcept {
  const char* text = std::getenv(row(variable).name);
  return text && *text;
}

std::string_view env_text(Env variable) noexcept {
  const char* text = std::getenv(row(variable).name);
  return text && *text ? text : row(variable).default_text;
}

bool env_is_off(Env variable) noexcept {
  const std::string_view text = env_text(variable);
  if (text.empty()) return false;
  if (text.find_first_not_of('0') == text.npos) return true;
  // Without the locale, which the program may have changed.
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; };
  constexpr std::string_view kWords[] = {"f", "false", "n", "no", "off"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return std::ranges::equal(text, word, same); });
}

Result<int64_t> env_number(Env variable, int64_t lowest, int64_t highest) {
  const std::string_view text = env_text(variable);
  int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number < lowest || number > highest)
    return error(ErrorCode::InvalidValue, "Environment variable {} is \"{}\"; it takes a number from {} to {}.",
                 row(variable).name, text, lowest, highest);
  return number;
}

} // namespace hip
