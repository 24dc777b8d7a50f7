// runtime/backend/aql/cpu_relax.h - tells the processor that the thread spins.
#pragma once

namespace hip::aql {

inline void cpu_relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace hip::aql
