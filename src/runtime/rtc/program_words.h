// runtime/rtc/program_words.h - hipcc's command line for a program of hiprtc, but for the names of files.
#pragma once

#include "runtime/base/env.h"

#include <string>
#include <vector>

namespace hip::rtc {

// The header that comes before every program, as it is included.
inline constexpr const char* kNamesHeader = "hip/detail/rtc_names.h";
// The macros that hiprtc and hipcc define by themselves on the command line.
inline constexpr const char* kOwnMacros[] = {"__HIPCC_RTC__", "HIP_VERSION_MAJOR", "HIP_VERSION_MINOR",
                                             "__HIP_PLATFORM_AMD__"};

// The options of a call, and behind them those that an environment variable has.
std::vector<std::string> with_appended(std::vector<std::string> options, Env variable);

enum class ProgramOutput { CodeObject, Bitcode, Ptx };

struct ProgramWords {
  std::vector<std::string> words;
  ProgramOutput output = ProgramOutput::CodeObject;
};

// `options` as the user gave them; without one for the target it is `target`. An NVIDIA target gives PTX (compute_75 is
// sm_75), -fgpu-rdc bitcode.
ProgramWords program_words(const std::vector<std::string>& options, const std::string& target);

} // namespace hip::rtc
