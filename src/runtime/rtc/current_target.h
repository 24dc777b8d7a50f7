// runtime/rtc/current_target.h - what hiprtc compiles for when the options do not say.
#pragma once

#include <string>

namespace hip::rtc {

// The target id of the current device.
std::string current_target();

} // namespace hip::rtc
