// hip/detail/rtc_names.h - what programs that hiprtc compiles have without an include: the kernel language, cooperative
// groups, half, the older bfloat16, complex numbers and mathematical constants. hiprtc includes it before every program
// and defines __HIPCC_RTC__, with which the headers include no standard header: ptrdiff_t is declared here, size_t by
// clang, and of the integers of fixed width only the forms with the prefix __hip_, because programs declare the others
// themselves. Not bfloat16: with its functions beside half's, __heq(h, 2.5) means two of them.
#ifndef HIP_DETAIL_RTC_NAMES_H
#define HIP_DETAIL_RTC_NAMES_H

#if defined(__HIPCC_RTC__)
// Programs written for Windows ask for the 64-bit type that has this name there.
#if defined(__HIPRTC_PTRDIFF_T_IS_LONG_LONG__) && __HIPRTC_PTRDIFF_T_IS_LONG_LONG__
typedef long long ptrdiff_t;
#else
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif
#endif

#include <hip/hip_runtime.h>
#include <hip/hip_version.h>

typedef __hip_internal::uint8_t __hip_uint8_t;
typedef __hip_internal::uint16_t __hip_uint16_t;
typedef __hip_internal::uint32_t __hip_uint32_t;
typedef __hip_internal::uint64_t __hip_uint64_t;
typedef __hip_internal::int8_t __hip_int8_t;
typedef __hip_internal::int16_t __hip_int16_t;
typedef __hip_internal::int32_t __hip_int32_t;
typedef __hip_internal::int64_t __hip_int64_t;

#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_math_constants.h>

#endif
