// runtime/base/env.h - the runtime's environment variables, all of them rows of env.def. Every call reads the
// environment; a caller that needs a value often keeps it.
#pragma once

#include "runtime/base/status.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hip {

enum class Env : unsigned {
#define RT_ENV(name, default_text, meaning) name,
#include "runtime/base/env.def"
#undef RT_ENV
};

struct EnvRow {
  const char* name;
  const char* default_text;
  const char* meaning;
};
std::span<const EnvRow> env_rows() noexcept;

// The variable is set and not empty.
bool env_is_set(Env variable) noexcept;
// Its text, or the row's default. Points into the environment: copy what must last.
std::string_view env_text(Env variable) noexcept;
// Its text, or the row's default, is one of ROCm's words for "no": 0 in any number of digits, f, false, n, no or off,
// in letters of either case.
bool env_is_off(Env variable) noexcept;
// Its text as a decimal number in [lowest, highest]; hipErrorInvalidValue names the variable, its text and the range.
Result<int64_t> env_number(Env variable, int64_t lowest, int64_t highest);

} // namespace hip
