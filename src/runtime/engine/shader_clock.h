// runtime/engine/shader_clock.h - what clock64() reads on a software GPU: half of the host's cycle counter. Programs
// compute the rate that they are told in kHz times 1000 in an int; hosts count faster than 2^31 a second, cards do not.
// Thread safety: any thread.
#pragma once

#include <cstdint>

namespace hip::engine {

inline constexpr unsigned kShaderClockShift = 1;

inline uint64_t shader_clock() noexcept { return __builtin_readcyclecounter() >> kShaderClockShift; }

} // namespace hip::engine
