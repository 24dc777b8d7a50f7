#include "runtime/base/env.h"

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
