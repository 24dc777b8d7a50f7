// runtime/rtc/program_words.h - hipcc's command line for a program of hiprtc, but for the names of files.
#pragma once

#include <string>
#include <vector>

namespace hip::rtc {

// The header that comes before every program, as it is included.
inline constexpr const char* kNamesHeader = "hip/detail/rtc_names.h";
// The macros that hiprtc and hipcc define by themselves on the command line.
inline constexpr const char* kOwnMacros[] = {"__HIPCC_RTC__", "HIP_VERSION_MAJOR", "HIP_VERSION_MINOR",
                                             "__HIP_PLATFORM_AMD__"};

// `options` as the user gave them; without one for the target it is `target`.
std::vector<std::string> program_words(const std::vector<std::string>& options, const std::string& target);

} // namespace hip::rtc
