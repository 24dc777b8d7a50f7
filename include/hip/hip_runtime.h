// hip/hip_runtime.h - everything a HIP program needs: the host interface, and in C++ the kernel language.
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H

#if defined(__HIPCC_RTC__)

// hiprtc compiles kernels only.
#include <hip/hip_common.h>

#include <hip/api/dim3.h>
#include <hip/detail/kernel_language.h>

#else

#include <hip/hip_common.h>

// ROCm's header includes it, and with it <chrono>: rocPRIM and others use both without an include of their own.
#ifdef __cplusplus
#include <thread>
#endif

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_runtime.h>
#else
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_version.h>

#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>

#ifdef __cplusplus
#include <hip/detail/kernel_language.h>
#endif

#endif

#endif

#endif
