// runtime/rtc/child_process.h - running a program and reading what it says.
#pragma once

#include "runtime/base/status.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip::rtc {

struct ChildResult {
  int exit_code = 0;  // 128 + the signal when it was ended by one
  std::string output; // standard output and error together
};

// Runs arguments[0], without a shell, and waits for it. It has this process's environment but for the variables named
// in hidden. Error: OperatingSystem when it cannot be started.
Result<ChildResult> run_child(const std::vector<std::string>& arguments, std::span<const std::string_view> hidden = {});

} // namespace hip::rtc
