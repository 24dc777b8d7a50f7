// runtime/engine/wave/run.h - running one wave, and the host's floating-point control word while it runs.
#pragma once

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/wave/turn.h"

#include <cstdint>

namespace hip::engine {

// MXCSR while handlers and translated code run, whatever MODE says (interpret/by_mode.h): all exceptions masked, numbers are
// rounded to nearest, denormals stay. run_wave sets it on entry and restores the old one.
inline constexpr uint32_t kGuestControl = 0x1f80; // host_control(kRoundNearest)
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
    __builtin_ia32_ldmxcsr(kGuestControl);
  }
  ~HostFloatControl() { __builtin_ia32_ldmxcsr(before_); }
  HostFloatControl(const HostFloatControl&) = delete;
  HostFloatControl& operator=(const HostFloatControl&) = delete;

private:
  uint32_t before_ = __builtin_ia32_stmxcsr();
};

// Runs one wave by itself, not as part of a batch, from `next` until it stops.
inline void run_apart(Wave& wave, const Inst* next) noexcept {
  wave.budget = budget_of_turn(wave);
  wave.waits = Waits::No;
  wave.stop = Stop::None;
  wave.batch = 0;
  wave.current = &wave;
  next->run(&wave, next);
  clear_upper_halves();
}

} // namespace hip::engine
