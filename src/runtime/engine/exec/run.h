// runtime/engine/exec/run.h - the host's floating-point control word as the wave's MODE register wants it.
#pragma once

#include <cstdint>

namespace hip::engine {

// Sets the calling thread's MXCSR. run_wave does it on entry and restores the old one; s_setreg does it in between.
void apply_float_mode(uint32_t mode) noexcept;

} // namespace hip::engine
