// hip/detail/rtc_names.h - what programs have without an include that hiprtc compiles: the kernel language, half, the older
// bfloat16, complex numbers and mathematical constants. hiprtc includes it before every program.
#ifndef HIP_DETAIL_RTC_NAMES_H
#define HIP_DETAIL_RTC_NAMES_H

#include <hip/hip_runtime.h>

#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_math_constants.h>
#if __cplusplus >= 201402L // half's header needs it
#include <hip/hip_fp16.h>
#endif

#endif
