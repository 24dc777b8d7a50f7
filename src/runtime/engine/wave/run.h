// runtime/engine/wave/run.h - running one wave, and the host's floating-point control word as its MODE register wants it.
#pragma once

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/wave/turn.h"

#include <cstdint>

namespace hip::engine {

// Sets the calling thread's MXCSR. run_wave does it on entry and restores the old one; s_setreg does it in between.
void apply_float_mode(uint32_t mode) noexcept;
// Clears the vector registers' upper halves, which handlers and translated code leave dirty. Intel's processors take some 100 ns
// for the next instruction of code compiled without AVX while they are dirty, and as much for the first AVX instruction after it.
inline void clear_upper_halves() noexcept {
  if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
}
// Ends a stretch of handlers: upper halves are cleared, and MXCSR becomes `control`.
void restore_host_state(uint32_t control) noexcept;

// While it lives, the calling thread computes as the host's functions expect it: the default MXCSR, upper halves cleared. For
// functions that handlers call and that take longer.
class HostFloatControl {
public:
  HostFloatControl() noexcept {
    clear_upper_halves();
    __builtin_ia32_ldmxcsr(0x1f80);
  }
  ~HostFloatControl() { __builtin_ia32_ldmxcsr(before_); }
  HostFloatControl(const HostFloatControl&) = delete;
  HostFloatControl& operator=(const HostFloatControl&) = delete;

private:
  uint32_t before_ = __builtin_ia32_stmxcsr();
};

// Runs one wave by itself, not as part of a batch, from `next` until it stops. The calling thread's MXCSR is that of `mode`
// before and afterwards.
inline void run_apart(Wave& wave, const Inst* next, uint32_t mode) noexcept {
  wave.budget = budget_of_turn(wave);
  wave.waits = Waits::No;
  wave.stop = Stop::None;
  wave.batch = 0;
  wave.current = &wave;
  if (wave.mode != mode) [[unlikely]] apply_float_mode(wave.mode);
  next->run(&wave, next);
  clear_upper_halves();
  if (wave.mode != mode) [[unlikely]] apply_float_mode(mode);
}

} // namespace hip::engine
