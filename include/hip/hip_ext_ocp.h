// hip/hip_ext_ocp.h - AMD's extension for OCP's microscaling formats: conversions of one, two, eight and 32 elements
// with a scale (_scale) and with stochastic rounding by a seed (_sr), for host and device, and types with these
// conversions as constructors. On gfx950 they are instructions; everywhere else they give the same numbers
// (detail/ocp_elements.h). Packs of eight are converted as four pairs, or eight elements, with the same seed. Source:
// HIP 7.2 API; clang only.
#ifndef HIP_HIP_EXT_OCP_H
#define HIP_HIP_EXT_OCP_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#error "hip_ext_ocp.h is for AMD's platform; CUDA has cuda_fp8.h, cuda_fp6.h and cuda_fp4.h."
#endif

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include <hip/detail/ocp_elements.h>

#define __HIP_OCP_FN __HIP_HD_INLINE

// --- one element and two, 8 bits

__HIP_OCP_FN float __amd_cvt_fp8_to_float_scale(const __amd_fp8_storage_t v, const __amd_fp8_interpretation_t type,
                                                const __amd_scale_t scale) {
  return hip_detail::ocp::fp8x2_numbers<hip_detail::ocp::float_elements>(v, type, scale).x;
}
__HIP_OCP_FN __amd_fp16_storage_t __amd_cvt_fp8_to_fp16_scale(const __amd_fp8_storage_t v,
                                                              const __amd_fp8_interpretation_t type,
                                                              const __amd_scale_t scale) {
  return hip_detail::ocp::fp8x2_numbers<hip_detail::ocp::fp16_elements>(v, type, scale).x;
}
__HIP_OCP_FN __amd_bf16_storage_t __amd_cvt_fp8_to_bf16_scale(const __amd_fp8_storage_t v,
                                                              const __amd_fp8_interpretation_t type,
                                                              const __amd_scale_t scale) {
  return hip_detail::ocp::fp8x2_numbers<hip_detail::ocp::bf16_elements>(v, type, scale).x;
}
__HIP_OCP_FN float __amd_cvt_fp8_to_float(const __amd_fp8_storage_t v, const __amd_fp8_interpretation_t type) {
  return __amd_cvt_fp8_to_float_scale(v, type, 0);
}
__HIP_OCP_FN __amd_fp16_storage_t __amd_cvt_fp8_to_fp16(const __amd_fp8_storage_t v,
                                                        const __amd_fp8_interpretation_t type) {
  return __amd_cvt_fp8_to_fp16_scale(v, type, 0);
}

#define __HIP_OCP_TO_FP8_SR(name, One)                                                                                 \
  __HIP_OCP_FN __amd_fp8_storage_t __amd_cvt_##name##_to_fp8_sr_scale(                                                 \
      const One v, const __amd_fp8_interpretation_t type, const unsigned int seed, const __amd_scale_t scale) {        \
    return hip_detail::ocp::fp8_of<hip_detail::ocp::name##_elements>(v, type, seed, scale);                            \
  }
__HIP_OCP_TO_FP8_SR(float, float)
__HIP_OCP_TO_FP8_SR(fp16, __amd_fp16_storage_t)
__HIP_OCP_TO_FP8_SR(bf16, __amd_bf16_storage_t)
#undef __HIP_OCP_TO_FP8_SR
__HIP_OCP_FN __amd_fp8_storage_t __amd_cvt_float_to_fp8_sr(const float v, const __amd_fp8_interpretation_t type,
                                                           const unsigned int seed) {
  return __amd_cvt_float_to_fp8_sr_scale(v, type, seed, 0);
}
// The seed's 16 bits are the upper ones, those that count first.
__HIP_OCP_FN __amd_fp8_storage_t __amd_cvt_fp16_to_fp8_sr(const __amd_fp16_storage_t v,
                                                          const __amd_fp8_interpretation_t type, const short seed) {
  return __amd_cvt_fp16_to_fp8_sr_scale(v, type, static_cast<unsigned int>(static_cast<unsigned short>(seed)) << 16, 0);
}

// --- two and eight elements, of 8 and 4 bits

#define __HIP_OCP_PACKS(name)                                                                                          \
  __HIP_OCP_FN __amd_fp8x2_storage_t __amd_cvt_##name##x2_to_fp8x2_scale(                                              \
      const __amd_##name##x2_storage_t v, const __amd_fp8_interpretation_t type, const __amd_scale_t scale) {          \
    return hip_detail::ocp::fp8x2_of<hip_detail::ocp::name##_elements>(v, type, scale);                                \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_##name##x2_storage_t __amd_cvt_fp8x2_to_##name##x2_scale(                                         \
      const __amd_fp8x2_storage_t v, const __amd_fp8_interpretation_t type, const __amd_scale_t scale) {               \
    return hip_detail::ocp::fp8x2_numbers<hip_detail::ocp::name##_elements>(v, type, scale);                           \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_fp8x8_storage_t __amd_cvt_##name##x8_to_fp8x8_scale(                                              \
      const __amd_##name##x8_storage_t v, const __amd_fp8_interpretation_t type, const __amd_scale_t scale) {          \
    return __amd_create_fp8x8(__amd_cvt_##name##x2_to_fp8x2_scale(v.s01, type, scale),                                 \
                              __amd_cvt_##name##x2_to_fp8x2_scale(v.s23, type, scale),                                 \
                              __amd_cvt_##name##x2_to_fp8x2_scale(v.s45, type, scale),                                 \
                              __amd_cvt_##name##x2_to_fp8x2_scale(v.s67, type, scale));                                \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_fp8x8_storage_t __amd_cvt_##name##x8_to_fp8x8_sr_scale(                                           \
      const __amd_##name##x8_storage_t v, const __amd_fp8_interpretation_t type, const unsigned int seed,              \
      const __amd_scale_t scale) {                                                                                     \
    __amd_fp8x8_storage_t r = {};                                                                                      \
    for (int i = 0; i < 8; ++i) r[i] = __amd_cvt_##name##_to_fp8_sr_scale(v[i], type, seed, scale);                    \
    return r;                                                                                                          \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_##name##x8_storage_t __amd_cvt_fp8x8_to_##name##x8_scale(                                         \
      const __amd_fp8x8_storage_t v, const __amd_fp8_interpretation_t type, const __amd_scale_t scale) {               \
    __amd_##name##x8_storage_t r = {};                                                                                 \
    r.s01 = __amd_cvt_fp8x2_to_##name##x2_scale(__amd_extract_fp8x2(v, 0), type, scale);                               \
    r.s23 = __amd_cvt_fp8x2_to_##name##x2_scale(__amd_extract_fp8x2(v, 1), type, scale);                               \
    r.s45 = __amd_cvt_fp8x2_to_##name##x2_scale(__amd_extract_fp8x2(v, 2), type, scale);                               \
    r.s67 = __amd_cvt_fp8x2_to_##name##x2_scale(__amd_extract_fp8x2(v, 3), type, scale);                               \
    return r;                                                                                                          \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_fp4x2_storage_t __amd_cvt_##name##x2_to_fp4x2_scale(                                              \
      const __amd_##name##x2_storage_t v, const __amd_fp4_interpretation_t, const __amd_scale_t scale) {               \
    return hip_detail::ocp::fp4x2_of<hip_detail::ocp::name##_elements>(v, scale);                                      \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_fp4x2_storage_t __amd_cvt_##name##x2_to_fp4x2_sr_scale(                                           \
      const __amd_##name##x2_storage_t v, const __amd_fp4_interpretation_t, const unsigned int seed,                   \
      const __amd_scale_t scale) {                                                                                     \
    return hip_detail::ocp::fp4x2_of<hip_detail::ocp::name##_elements>(v, seed, scale);                                \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_##name##x2_storage_t __amd_cvt_fp4x2_to_##name##x2_scale(                                         \
      const __amd_fp4x2_storage_t v, const __amd_fp4_interpretation_t, const __amd_scale_t scale) {                    \
    return hip_detail::ocp::fp4x2_numbers<hip_detail::ocp::name##_elements>(v, scale);                                 \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_fp4x8_storage_t __amd_cvt_##name##x8_to_fp4x8_scale(                                              \
      const __amd_##name##x8_storage_t v, const __amd_fp4_interpretation_t type, const __amd_scale_t scale) {          \
    return __amd_create_fp4x8(__amd_cvt_##name##x2_to_fp4x2_scale(v.s01, type, scale),                                 \
                              __amd_cvt_##name##x2_to_fp4x2_scale(v.s23, type, scale),                                 \
                              __amd_cvt_##name##x2_to_fp4x2_scale(v.s45, type, scale),                                 \
                              __amd_cvt_##name##x2_to_fp4x2_scale(v.s67, type, scale));                                \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_fp4x8_storage_t __amd_cvt_##name##x8_to_fp4x8_sr_scale(                                           \
      const __amd_##name##x8_storage_t v, const __amd_fp4_interpretation_t type, const unsigned int seed,              \
      const __amd_scale_t scale) {                                                                                     \
    return __amd_create_fp4x8(__amd_cvt_##name##x2_to_fp4x2_sr_scale(v.s01, type, seed, scale),                        \
                              __amd_cvt_##name##x2_to_fp4x2_sr_scale(v.s23, type, seed, scale),                        \
                              __amd_cvt_##name##x2_to_fp4x2_sr_scale(v.s45, type, seed, scale),                        \
                              __amd_cvt_##name##x2_to_fp4x2_sr_scale(v.s67, type, seed, scale));                       \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_##name##x8_storage_t __amd_cvt_fp4x8_to_##name##x8_scale(                                         \
      const __amd_fp4x8_storage_t v, const __amd_fp4_interpretation_t type, const __amd_scale_t scale) {               \
    __amd_##name##x8_storage_t r = {};                                                                                 \
    r.s01 = __amd_cvt_fp4x2_to_##name##x2_scale(__amd_extract_fp4x2(v, 0), type, scale);                               \
    r.s23 = __amd_cvt_fp4x2_to_##name##x2_scale(__amd_extract_fp4x2(v, 1), type, scale);                               \
    r.s45 = __amd_cvt_fp4x2_to_##name##x2_scale(__amd_extract_fp4x2(v, 2), type, scale);                               \
    r.s67 = __amd_cvt_fp4x2_to_##name##x2_scale(__amd_extract_fp4x2(v, 3), type, scale);                               \
    return r;                                                                                                          \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_fp6x32_storage_t __amd_cvt_##name##x32_to_fp6x32_scale(                                           \
      const __amd_##name##x32_storage_t v, const __amd_fp6_interpretation_t type, const __amd_scale_t scale) {         \
    return hip_detail::ocp::fp6x32_of<hip_detail::ocp::name##_elements>(v, type, scale);                               \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_fp6x32_storage_t __amd_cvt_##name##x32_to_fp6x32_sr_scale(                                        \
      const __amd_##name##x32_storage_t v, const __amd_fp6_interpretation_t type, const unsigned int seed,             \
      const __amd_scale_t scale) {                                                                                     \
    return hip_detail::ocp::fp6x32_of<hip_detail::ocp::name##_elements>(v, type, seed, scale);                         \
  }                                                                                                                    \
  __HIP_OCP_FN __amd_##name##x32_storage_t __amd_cvt_fp6x32_to_##name##x32_scale(                                      \
      const __amd_fp6x32_storage_t v, const __amd_fp6_interpretation_t type, const __amd_scale_t scale) {              \
    return hip_detail::ocp::fp6x32_numbers<hip_detail::ocp::name##_elements>(v, type, scale);                          \
  }
__HIP_OCP_PACKS(float)
__HIP_OCP_PACKS(fp16)
__HIP_OCP_PACKS(bf16)
#undef __HIP_OCP_PACKS

__HIP_OCP_FN __amd_floatx2_storage_t __amd_cvt_fp8x2_to_floatx2(const __amd_fp8x2_storage_t v,
                                                                const __amd_fp8_interpretation_t type) {
  return __amd_cvt_fp8x2_to_floatx2_scale(v, type, 0);
}
__HIP_OCP_FN __amd_fp8x2_storage_t __amd_cvt_floatx2_to_fp8x2(const __amd_floatx2_storage_t v,
                                                              const __amd_fp8_interpretation_t type) {
  return __amd_cvt_floatx2_to_fp8x2_scale(v, type, 0);
}
__HIP_OCP_FN __amd_fp16x2_storage_t __amd_cvt_fp8x2_to_fp16x2(const __amd_fp8x2_storage_t v,
                                                              const __amd_fp8_interpretation_t type) {
  return __amd_cvt_fp8x2_to_fp16x2_scale(v, type, 0);
}
__HIP_OCP_FN __amd_fp8x2_storage_t __amd_cvt_fp16x2_to_fp8x2(const __amd_fp16x2_storage_t v,
                                                             const __amd_fp8_interpretation_t type) {
  return __amd_cvt_fp16x2_to_fp8x2_scale(v, type, 0);
}
// The elements of `low`, then those of `high`.
__HIP_OCP_FN __amd_fp6x32_storage_t __amd_cvt_floatx16_floatx16_to_fp6x32_scale(const __amd_floatx16_storage_t low,
                                                                                const __amd_floatx16_storage_t high,
                                                                                const __amd_fp6_interpretation_t type,
                                                                                const __amd_scale_t scale) {
  __amd_floatx32_storage_t both = {};
  both.lo = low;
  both.hi = high;
  return __amd_cvt_floatx32_to_fp6x32_scale(both, type, scale);
}

// --- 16 bits, stochastically

__HIP_OCP_FN __amd_fp16_storage_t __amd_cvt_float_to_fp16_sr(const float v, const unsigned int seed) {
  return hip_detail::ocp::fp16_of(v, seed);
}
__HIP_OCP_FN __amd_fp16x2_storage_t __amd_cvt_float_float_to_fp16x2_sr(const float x, const float y,
                                                                       const unsigned int seed) {
  const __amd_fp16x2_storage_t r = {hip_detail::ocp::fp16_of(x, seed), hip_detail::ocp::fp16_of(y, seed)};
  return r;
}
__HIP_OCP_FN __amd_bf16_storage_t __amd_cvt_float_to_bf16_sr(const float v, const unsigned int seed) {
  return hip_detail::ocp::bf16_of(v, seed);
}

// --- from and to HIP's own types

__HIP_OCP_FN float2 __amd_cvt_floatx2_to_float2(const __amd_floatx2_storage_t v) { return make_float2(v.x, v.y); }
__HIP_OCP_FN __half __amd_cvt_fp16_to_half(const __amd_fp16_storage_t v) { return __builtin_bit_cast(__half_raw, v); }
__HIP_OCP_FN __half2 __amd_cvt_fp16x2_to_half2(const __amd_fp16x2_storage_t v) {
  return __builtin_bit_cast(__half2_raw, v);
}
__HIP_OCP_FN __amd_fp16_storage_t __amd_cvt_half_to_fp16(const __half v) {
  return __builtin_bit_cast(__amd_fp16_storage_t, v);
}
__HIP_OCP_FN __amd_fp16x2_storage_t __amd_cvt_half2_to_fp16x2(const __half2 v) {
  return __builtin_bit_cast(__amd_fp16x2_storage_t, v);
}
__HIP_OCP_FN __hip_bfloat16 __amd_cvt_bf16_to_hipbf16(const __amd_bf16_storage_t v) {
  return __builtin_bit_cast(__hip_bfloat16_raw, v);
}
__HIP_OCP_FN __hip_bfloat162 __amd_cvt_bf16x2_to_hipbf162(const __amd_bf16x2_storage_t v) {
  return __builtin_bit_cast(__hip_bfloat162_raw, v);
}
__HIP_OCP_FN __amd_bf16_storage_t __amd_cvt_hipbf16_to_bf16(const __hip_bfloat16 v) {
  return __builtin_bit_cast(__amd_bf16_storage_t, __bfloat16_as_ushort(v));
}
__HIP_OCP_FN __amd_bf16x2_storage_t __amd_cvt_hipbf162_to_bf16x2(const __hip_bfloat162 v) {
  return __builtin_bit_cast(__amd_bf16x2_storage_t, static_cast<__hip_bfloat162_raw>(v));
}

#undef __HIP_OCP_FN

#include <hip/detail/ocp_classes.h>

#endif // HIP_HIP_EXT_OCP_H
