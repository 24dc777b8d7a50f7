// hip/hip_fp16.h - half precision: __half and __half2 with conversions, arithmetic, comparisons and math, the same on
// host and device. Arithmetic rounds to nearest even; math functions compute in float and round once. With compilers
// without the kernel language (g++, clang++ for plain C++) both types convert from and to numbers, a half is a float in
// expressions, and the functions are there, to the same bits. C has the storage types alone. Source: HIP 7.2 API.
#ifndef HIP_HIP_FP16_H
#define HIP_HIP_FP16_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_fp16.h>
#else
#include <hip/hip_runtime.h>

#if defined(__cplusplus)

#include <hip/detail/fp16_functions.h>

#include <hip/detail/fp16_constants.h>

#else

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
} __attribute__((aligned(4))); // as in C++

#endif

#endif

#endif // HIP_HIP_FP16_H
