// runtime/engine/exec/run.h - running one wave, and the host's floating-point control word as its MODE register wants it.
#pragma once

#include "runtime/engine/exec/inst.h"

#include <cstdint>

namespace hip::engine {

inline constexpr int32_t kTimeSliceBranches = 1 << 16; // taken branches before a wave lets others run

// Sets the calling thread's MXCSR. run_wave does it on entry and restores the old one; s_setreg does it in between.
void apply_float_mode(uint32_t mode) noexcept;
// Ends a stretch of handlers: MXCSR becomes `control`, and the vector registers' upper halves are cleared, which handlers
// leave as they are and code compiled without AVX is slow with.
void restore_host_state(uint32_t control) noexcept;

// Runs one wave, and no other of its group, from `next` until it stops. The calling thread's MXCSR is that of `mode` before
// and afterwards.
inline void run_apart(Wave& wave, const Inst* next, uint32_t mode) noexcept {
  wave.budget = kTimeSliceBranches;
  wave.stop = Stop::None;
  wave.batch = 0;
  wave.current = &wave;
  if (wave.mode != mode) [[unlikely]] apply_float_mode(wave.mode);
  next->run(&wave, next);
  if (wave.mode != mode) [[unlikely]] apply_float_mode(mode);
}

} // namespace hip::engine
