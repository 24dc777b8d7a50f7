// runtime/rtc/compiler/crashed.h - whether the compiler has crashed in this process; then it is not entered again.
#pragma once

#include <atomic>

namespace hip::rtc {

extern std::atomic<bool> compiler_has_crashed;

} // namespace hip::rtc
