// hip/api/dim3.h - dim3: the extent of a grid or a block. A plain C struct of three 32-bit numbers; in C++ it has a
// constructor, so that 1, dim3(16, 16) and {x, y, z} all make one and missing extents are 1.
#ifndef HIP_INCLUDE_HIP_API_DIM3_H
#define HIP_INCLUDE_HIP_API_DIM3_H

#if !defined(__HIPCC_RTC__)
#include <stdint.h>
#endif

#if defined(__HIP__) || defined(__CUDA__)
#define HIP_DIM3_QUALIFIERS __attribute__((host)) __attribute__((device))
#else
#define HIP_DIM3_QUALIFIERS
#endif

#if defined(__OMNIHIP_CUDA__)
#include <vector_types.h>
#endif

typedef struct dim3 {
  unsigned int x;
  unsigned int y;
  unsigned int z;
#ifdef __cplusplus
  HIP_DIM3_QUALIFIERS constexpr dim3(unsigned int _x = 1, unsigned int _y = 1, unsigned int _z = 1)
      : x(_x), y(_y), z(_z) {}
#if defined(__OMNIHIP_CUDA__)
  // Of uint3 alone: what converts to dim3 itself, as blockIdx does, is not to go through it.
  template <class T, bool is_uint3 = __is_same(T, uint3), int (*)[is_uint3 ? 1 : -1] = nullptr>
  HIP_DIM3_QUALIFIERS constexpr dim3(T v) : x(v.x), y(v.y), z(v.z) {}
  HIP_DIM3_QUALIFIERS constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
#endif
} dim3;

#endif
