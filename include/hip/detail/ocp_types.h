// hip/detail/ocp_types.h - what AMD's extension for OCP's microscaling formats (hip_ext_ocp.h) stores numbers in:
// formats, packed elements, the scale of a block, and how packs are made and taken apart. The first element lies in the
// lowest bits. Source: HIP 7.2 API. Vectors are clang's.
#ifndef HIP_DETAIL_OCP_TYPES_H
#define HIP_DETAIL_OCP_TYPES_H

#include <hip/detail/qualifiers.h>

// One element. A scale is the exponent of a power of two, without bias (0 means 1); -128 is the NaN of E8M0.
typedef unsigned char __amd_fp8_storage_t;
typedef __bf16 __amd_bf16_storage_t;
typedef _Float16 __amd_fp16_storage_t;
typedef signed char __amd_scale_t;

// Elements of 8, 4 and 6 bits.
typedef unsigned short __amd_fp8x2_storage_t;
typedef unsigned char __amd_fp8x8_storage_t __attribute__((ext_vector_type(8)));
typedef unsigned char __amd_fp4x2_storage_t;
typedef unsigned int __amd_fp4x8_storage_t;
typedef unsigned int __amd_fp6x32_storage_t __attribute__((ext_vector_type(6)));

// Elements of 16 and 32 bits.
typedef short __amd_shortx2_storage_t __attribute__((ext_vector_type(2)));
typedef unsigned int __amd_uintx2_storage_t __attribute__((ext_vector_type(2)));
typedef __bf16 __amd_bf16x2_storage_t __attribute__((ext_vector_type(2)));
typedef __bf16 __amd_bf16x8_storage_t __attribute__((ext_vector_type(8)));
typedef __bf16 __amd_bf16x32_storage_t __attribute__((ext_vector_type(32)));
typedef _Float16 __amd_fp16x2_storage_t __attribute__((ext_vector_type(2)));
typedef _Float16 __amd_fp16x8_storage_t __attribute__((ext_vector_type(8)));
typedef _Float16 __amd_fp16x32_storage_t __attribute__((ext_vector_type(32)));
typedef float __amd_floatx2_storage_t __attribute__((ext_vector_type(2)));
typedef float __amd_floatx8_storage_t __attribute__((ext_vector_type(8)));
typedef float __amd_floatx16_storage_t __attribute__((ext_vector_type(16)));
typedef float __amd_floatx32_storage_t __attribute__((ext_vector_type(32)));

enum __amd_fp8_interpretation_t { __AMD_OCP_E4M3 = 0, __AMD_OCP_E5M2 = 1 };
enum __amd_fp6_interpretation_t { __AMD_OCP_E2M3 = 0, __AMD_OCP_E3M2 = 1 };
enum __amd_fp4_interpretation_t { __AMD_OCP_E2M1 = 0 };

__HIP_HD_INLINE __amd_fp8x2_storage_t __amd_create_fp8x2(const __amd_fp8_storage_t x, const __amd_fp8_storage_t y) {
  return static_cast<__amd_fp8x2_storage_t>(x | y << 8);
}
__HIP_HD_INLINE __amd_fp8x8_storage_t __amd_create_fp8x8(const __amd_fp8x2_storage_t x, const __amd_fp8x2_storage_t y,
                                                         const __amd_fp8x2_storage_t z, const __amd_fp8x2_storage_t w) {
  return __builtin_bit_cast(__amd_fp8x8_storage_t, x | static_cast<unsigned long long>(y) << 16 |
                                                       static_cast<unsigned long long>(z) << 32 |
                                                       static_cast<unsigned long long>(w) << 48);
}
__HIP_HD_INLINE __amd_fp4x2_storage_t __amd_create_fp4x2(const unsigned char x, const unsigned char y) {
  return static_cast<__amd_fp4x2_storage_t>(x | y << 4);
}
__HIP_HD_INLINE __amd_fp4x8_storage_t __amd_create_fp4x8(const __amd_fp4x2_storage_t x, const __amd_fp4x2_storage_t y,
                                                         const __amd_fp4x2_storage_t z, const __amd_fp4x2_storage_t w) {
  return x | static_cast<unsigned int>(y) << 8 | static_cast<unsigned int>(z) << 16 |
         static_cast<unsigned int>(w) << 24;
}

// The element, or pair of elements, of an index.
__HIP_HD_INLINE __amd_fp8_storage_t __amd_extract_fp8(const __amd_fp8x2_storage_t x, const __SIZE_TYPE__ index) {
  return static_cast<__amd_fp8_storage_t>(index == 0 ? x : x >> 8);
}
__HIP_HD_INLINE __amd_fp8x2_storage_t __amd_extract_fp8x2(const __amd_fp8x8_storage_t x, const __SIZE_TYPE__ index) {
  return static_cast<__amd_fp8x2_storage_t>(__builtin_bit_cast(unsigned long long, x) >> 16 * index);
}
__HIP_HD_INLINE unsigned char __amd_extract_fp4(const __amd_fp4x2_storage_t x, const __SIZE_TYPE__ index) {
  return static_cast<unsigned char>(index == 0 ? x & 15 : x >> 4);
}
__HIP_HD_INLINE __amd_fp4x2_storage_t __amd_extract_fp4x2(const __amd_fp4x8_storage_t x, const __SIZE_TYPE__ index) {
  return static_cast<__amd_fp4x2_storage_t>(x >> 8 * index);
}

// The power of two that a scale means, as gfx950's instructions take it: the exponent of a float. That of -127 is 0.
__HIP_HD_INLINE float __amd_scale_to_float(const __amd_scale_t scale) {
  const unsigned int exponent = scale == -128 ? 255u : static_cast<unsigned int>(scale + 127);
  return __builtin_bit_cast(float, exponent << 23);
}

#endif
