// Ends of a kernel: assert, abort, __trap. A failed assertion prints its place, block and thread on the host's stderr.
#ifndef HIP_DETAIL_ASSERT_H
#define HIP_DETAIL_ASSERT_H

#include <hip/detail/qualifiers.h>

extern "C" {
// Device library: prints the message and traps.
__device__ __attribute__((noinline, cold)) void __ockl_assert_fail(const char* expression, const char* file,
                                                                     unsigned int line, const char* function);

// The calls that the C library's <assert.h> makes.
#if !defined(_WIN32)
__device__ inline __attribute__((weak, noinline, cold)) void __assert_fail(const char* expression, const char* file,
                                                                           unsigned int line, const char* function) {
  __ockl_assert_fail(expression, file, line, function);
}
#endif
__device__ inline __attribute__((weak, noinline, cold)) void __assertfail() { __builtin_trap(); }
__device__ inline __attribute__((weak)) void abort() { __builtin_trap(); }
}

__HIP_DEVICE_INLINE void __trap() { __builtin_trap(); }
__HIP_DEVICE_INLINE void __brkpt() { __builtin_debugtrap(); }

#if defined(__HIPCC_RTC__)
#if defined(NDEBUG)
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  (__builtin_expect(!(condition), 0) ? __ockl_assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__) : (void)0)
#endif
#endif

#endif
