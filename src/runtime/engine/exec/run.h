// runtime/engine/exec/run.h - the host's floating-point control word as the wave's MODE register wants it.
#pragma once

#include <cstdint>

namespace hip::engine {

// Sets the calling thread's MXCSR. run_wave does it on entry and restores the old one; s_setreg does it in between.
void apply_float_mode(uint32_t mode) noexcept;
// Ends a stretch of handlers: MXCSR becomes `control`, and the vector registers' upper halves are cleared, which handlers
// leave as they are and code compiled without AVX is slow with.
void restore_host_state(uint32_t control) noexcept;

} // namespace hip::engine
