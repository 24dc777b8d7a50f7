// runtime/rtc/archive.h - Unix archives: a header has 60 bytes (name 16, time 12, owner 6, group 6, mode 8, size 10,
// end 2), files begin at even offsets.
#pragma once

#include "runtime/base/status.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip::rtc {

// Without the index of symbols and the list of long names. Error: InvalidImage.
Result<std::vector<std::string_view>> files_of_archive(std::string_view bytes);
// The files are named by their numbers.
std::string make_archive(std::span<const std::string> files);

} // namespace hip::rtc
