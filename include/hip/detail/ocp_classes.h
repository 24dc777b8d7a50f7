// hip/detail/ocp_classes.h - the types of hip_ext_ocp.h: a pack in a format of 8, 6 or 4 bits, made from numbers with a
// scale and, given a seed, stochastic rounding; the get_scaled functions multiply by a scale.
#ifndef HIP_DETAIL_OCP_CLASSES_H
#define HIP_DETAIL_OCP_CLASSES_H

#define __HIP_OCP_FP8(name, Format)                                                                                    \
  struct name {                                                                                                        \
    __amd_fp8_storage_t __x;                                                                                           \
    __host__ __device__ explicit name(const float v)                                                                   \
        : __x(static_cast<__amd_fp8_storage_t>(__amd_cvt_floatx2_to_fp8x2(__amd_floatx2_storage_t{v, 0.0f}, Format) &  \
                                               255)) {}                                                                \
    __host__ __device__ explicit name(const float v, const unsigned int seed)                                          \
        : __x(__amd_cvt_float_to_fp8_sr(v, Format, seed)) {}                                                           \
    __host__ __device__ explicit name(const float v, const unsigned int seed, const __amd_scale_t scale)               \
        : __x(__amd_cvt_float_to_fp8_sr_scale(v, Format, seed, scale)) {}                                              \
    __host__ __device__ explicit name(const __amd_fp16_storage_t v, const unsigned int seed,                           \
                                      const __amd_scale_t scale)                                                       \
        : __x(__amd_cvt_fp16_to_fp8_sr_scale(v, Format, seed, scale)) {}                                               \
    __host__ __device__ explicit name(const __amd_bf16_storage_t v, const unsigned int seed,                           \
                                      const __amd_scale_t scale)                                                       \
        : __x(__amd_cvt_bf16_to_fp8_sr_scale(v, Format, seed, scale)) {}                                               \
    __host__ __device__ __amd_fp16_storage_t get_scaled_fp16(const __amd_scale_t scale) const {                        \
      return __amd_cvt_fp8_to_fp16_scale(__x, Format, scale);                                                          \
    }                                                                                                                  \
    __host__ __device__ __amd_bf16_storage_t get_scaled_bf16(const __amd_scale_t scale) const {                        \
      return __amd_cvt_fp8_to_bf16_scale(__x, Format, scale);                                                          \
    }                                                                                                                  \
    __host__ __device__ float get_scaled_float(const __amd_scale_t scale) const {                                      \
      return __amd_cvt_fp8_to_float_scale(__x, Format, scale);                                                         \
    }                                                                                                                  \
    __host__ __device__ operator float() const { return __amd_cvt_fp8_to_float(__x, Format); }                         \
  };
__HIP_OCP_FP8(__hipext_ocp_fp8_e4m3, __AMD_OCP_E4M3)
__HIP_OCP_FP8(__hipext_ocp_fp8_e5m2, __AMD_OCP_E5M2)
#undef __HIP_OCP_FP8

// Constructors and functions that a pack has for each type of elements; `args` ends in the format, `suffix` in x2 or
// x32.
#define __HIP_OCP_FROM_SCALED(name, elements, suffix, pack, Format)                                                    \
  __host__ __device__ explicit name(const __amd_##elements##suffix##_storage_t v, const __amd_scale_t scale)           \
      : __x(__amd_cvt_##elements##suffix##_to_##pack##_scale(v, Format, scale)) {}
#define __HIP_OCP_FROM_SEED(name, elements, suffix, pack, Format)                                                      \
  __host__ __device__ explicit name(const __amd_##elements##suffix##_storage_t v, const unsigned int seed,             \
                                    const __amd_scale_t scale)                                                         \
      : __x(__amd_cvt_##elements##suffix##_to_##pack##_sr_scale(v, Format, seed, scale)) {}
#define __HIP_OCP_GET(elements, suffix, pack, Format)                                                                  \
  __host__ __device__ __amd_##elements##suffix##_storage_t get_scaled_##elements##suffix(const __amd_scale_t scale)    \
      const {                                                                                                          \
    return __amd_cvt_##pack##_to_##elements##suffix##_scale(__x, Format, scale);                                       \
  }
#define __HIP_OCP_GET_ALL(suffix, pack, Format)                                                                        \
  __HIP_OCP_GET(float, suffix, pack, Format)                                                                           \
  __HIP_OCP_GET(fp16, suffix, pack, Format)                                                                            \
  __HIP_OCP_GET(bf16, suffix, pack, Format)

#define __HIP_OCP_FP8X2(name, Format)                                                                                  \
  struct name {                                                                                                        \
    __amd_fp8x2_storage_t __x;                                                                                         \
    __host__ __device__ explicit name(const float x, const float y)                                                    \
        : __x(__amd_cvt_floatx2_to_fp8x2(__amd_floatx2_storage_t{x, y}, Format)) {}                                    \
    __host__ __device__ explicit name(const __amd_floatx2_storage_t v) : __x(__amd_cvt_floatx2_to_fp8x2(v, Format)) {} \
    __HIP_OCP_FROM_SCALED(name, float, x2, fp8x2, Format)                                                              \
    __HIP_OCP_FROM_SCALED(name, fp16, x2, fp8x2, Format)                                                               \
    __HIP_OCP_FROM_SCALED(name, bf16, x2, fp8x2, Format)                                                               \
    __HIP_OCP_GET_ALL(x2, fp8x2, Format)                                                                               \
    __host__ __device__ operator __amd_floatx2_storage_t() const { return __amd_cvt_fp8x2_to_floatx2(__x, Format); }   \
  };
__HIP_OCP_FP8X2(__hipext_ocp_fp8x2_e4m3, __AMD_OCP_E4M3)
__HIP_OCP_FP8X2(__hipext_ocp_fp8x2_e5m2, __AMD_OCP_E5M2)
#undef __HIP_OCP_FP8X2

#define __HIP_OCP_FP6X32(name, Format)                                                                                 \
  struct name {                                                                                                        \
    __amd_fp6x32_storage_t __x;                                                                                        \
    __host__ __device__ explicit name(const __amd_floatx16_storage_t low, const __amd_floatx16_storage_t high,         \
                                      const __amd_scale_t scale)                                                       \
        : __x(__amd_cvt_floatx16_floatx16_to_fp6x32_scale(low, high, Format, scale)) {}                                \
    __HIP_OCP_FROM_SEED(name, float, x32, fp6x32, Format)                                                              \
    __HIP_OCP_FROM_SEED(name, fp16, x32, fp6x32, Format)                                                               \
    __HIP_OCP_FROM_SEED(name, bf16, x32, fp6x32, Format)                                                               \
    __HIP_OCP_FROM_SCALED(name, fp16, x32, fp6x32, Format)                                                             \
    __HIP_OCP_FROM_SCALED(name, bf16, x32, fp6x32, Format)                                                             \
    __HIP_OCP_GET_ALL(x32, fp6x32, Format)                                                                             \
  };
__HIP_OCP_FP6X32(__hipext_ocp_fp6x32_e2m3, __AMD_OCP_E2M3)
__HIP_OCP_FP6X32(__hipext_ocp_fp6x32_e3m2, __AMD_OCP_E3M2)
#undef __HIP_OCP_FP6X32

struct __hipext_ocp_fp4x2_e2m1 {
  __amd_fp4x2_storage_t __x;
  __host__ __device__ explicit __hipext_ocp_fp4x2_e2m1(const float x, const float y, const __amd_scale_t scale)
      : __x(__amd_cvt_floatx2_to_fp4x2_scale(__amd_floatx2_storage_t{x, y}, __AMD_OCP_E2M1, scale)) {}
  __HIP_OCP_FROM_SCALED(__hipext_ocp_fp4x2_e2m1, float, x2, fp4x2, __AMD_OCP_E2M1)
  __HIP_OCP_FROM_SCALED(__hipext_ocp_fp4x2_e2m1, fp16, x2, fp4x2, __AMD_OCP_E2M1)
  __HIP_OCP_FROM_SCALED(__hipext_ocp_fp4x2_e2m1, bf16, x2, fp4x2, __AMD_OCP_E2M1)
  __HIP_OCP_FROM_SEED(__hipext_ocp_fp4x2_e2m1, float, x2, fp4x2, __AMD_OCP_E2M1)
  __HIP_OCP_FROM_SEED(__hipext_ocp_fp4x2_e2m1, fp16, x2, fp4x2, __AMD_OCP_E2M1)
  __HIP_OCP_FROM_SEED(__hipext_ocp_fp4x2_e2m1, bf16, x2, fp4x2, __AMD_OCP_E2M1)
  __HIP_OCP_GET_ALL(x2, fp4x2, __AMD_OCP_E2M1)
};

#undef __HIP_OCP_FROM_SCALED
#undef __HIP_OCP_FROM_SEED
#undef __HIP_OCP_GET
#undef __HIP_OCP_GET_ALL

#endif
