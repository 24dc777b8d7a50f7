// hip/nvidia_detail/nvidia_hip_fp4.h - 4-bit floating point: CUDA's types and conversions under HIP's names, from CUDA 12.8 on.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_FP4_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_FP4_H

#include <cuda_fp4.h>

#include <hip/nvidia_detail/nvidia_hip_runtime.h>
#include <hip/nvidia_detail/round_mode.h>

typedef __nv_fp4_storage_t __hip_fp4_storage_t;
typedef __nv_fp4x2_storage_t __hip_fp4x2_storage_t;
typedef __nv_fp4x4_storage_t __hip_fp4x4_storage_t;
typedef __nv_fp4_interpretation_t __hip_fp4_interpretation_t;
#define __HIP_E2M1 __NV_E2M1

#ifdef __cplusplus
typedef __nv_fp4_e2m1 __hip_fp4_e2m1;
typedef __nv_fp4x2_e2m1 __hip_fp4x2_e2m1;
typedef __nv_fp4x4_e2m1 __hip_fp4x4_e2m1;
#endif

#define __hip_cvt_double_to_fp4 __nv_cvt_double_to_fp4
#define __hip_cvt_double2_to_fp4x2 __nv_cvt_double2_to_fp4x2
#define __hip_cvt_float_to_fp4 __nv_cvt_float_to_fp4
#define __hip_cvt_float2_to_fp4x2 __nv_cvt_float2_to_fp4x2
#define __hip_cvt_halfraw_to_fp4 __nv_cvt_halfraw_to_fp4
#define __hip_cvt_halfraw2_to_fp4x2 __nv_cvt_halfraw2_to_fp4x2
#define __hip_cvt_bfloat16raw_to_fp4 __nv_cvt_bfloat16raw_to_fp4
#define __hip_cvt_bfloat16raw2_to_fp4x2 __nv_cvt_bfloat16raw2_to_fp4x2
#define __hip_cvt_fp4_to_halfraw __nv_cvt_fp4_to_halfraw
#define __hip_cvt_fp4x2_to_halfraw2 __nv_cvt_fp4x2_to_halfraw2

#endif
