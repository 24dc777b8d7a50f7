// hip/nvidia_detail/nvidia_hip_fp6.h - 6-bit floating point: CUDA's types and conversions under HIP's names, from CUDA 12.8 on.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_FP6_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_FP6_H

#include <cuda_fp6.h>

#include <hip/nvidia_detail/nvidia_hip_runtime.h>
#include <hip/nvidia_detail/round_mode.h>

typedef __nv_fp6_storage_t __hip_fp6_storage_t;
typedef __nv_fp6x2_storage_t __hip_fp6x2_storage_t;
typedef __nv_fp6x4_storage_t __hip_fp6x4_storage_t;
typedef __nv_fp6_interpretation_t __hip_fp6_interpretation_t;
#define __HIP_E2M3 __NV_E2M3
#define __HIP_E3M2 __NV_E3M2

#ifdef __cplusplus
typedef __nv_fp6_e2m3 __hip_fp6_e2m3;
typedef __nv_fp6x2_e2m3 __hip_fp6x2_e2m3;
typedef __nv_fp6x4_e2m3 __hip_fp6x4_e2m3;
typedef __nv_fp6_e3m2 __hip_fp6_e3m2;
typedef __nv_fp6x2_e3m2 __hip_fp6x2_e3m2;
typedef __nv_fp6x4_e3m2 __hip_fp6x4_e3m2;
#endif

#define __hip_cvt_double_to_fp6 __nv_cvt_double_to_fp6
#define __hip_cvt_double2_to_fp6x2 __nv_cvt_double2_to_fp6x2
#define __hip_cvt_float_to_fp6 __nv_cvt_float_to_fp6
#define __hip_cvt_float2_to_fp6x2 __nv_cvt_float2_to_fp6x2
#define __hip_cvt_halfraw_to_fp6 __nv_cvt_halfraw_to_fp6
#define __hip_cvt_halfraw2_to_fp6x2 __nv_cvt_halfraw2_to_fp6x2
#define __hip_cvt_bfloat16raw_to_fp6 __nv_cvt_bfloat16raw_to_fp6
#define __hip_cvt_bfloat16raw2_to_fp6x2 __nv_cvt_bfloat16raw2_to_fp6x2
#define __hip_cvt_fp6_to_halfraw __nv_cvt_fp6_to_halfraw
#define __hip_cvt_fp6x2_to_halfraw2 __nv_cvt_fp6x2_to_halfraw2

#endif
