// runtime/rtc/child_process.h - running a program and reading what it says.
#pragma once

#include "runtime/base/status.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip::rtc {

struct ChildResult {
  // 128 + the signal when it was ended by one. Nothing where this process ignores SIGCHLD or waits for any child by
  // itself, as daemons do: then what the program has written tells whether it has done its work.
  std::optional<int> exit_code;
  std::string output; // standard output and error together
};

// Runs arguments[0], without a shell, and waits for it. It has this process's environment but for the variables named
// in hidden. Error: OperatingSystem when it cannot be started.
Result<ChildResult> run_child(const std::vector<std::string>& arguments, std::span<const std::string_view> hidden = {});

} // namespace hip::rtc
