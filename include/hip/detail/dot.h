// Mixed-precision dot products: amd_mixed_dot(a, b, c, saturate) is a . b + c with the products summed in 32 bits.
#ifndef HIP_DETAIL_DOT_H
#define HIP_DETAIL_DOT_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

#if !defined(__NVPTX__) && !defined(__HIP_PLATFORM_NVIDIA__)
namespace __hip_internal {
typedef short dot_short2 __attribute__((ext_vector_type(2)));
typedef unsigned short dot_ushort2 __attribute__((ext_vector_type(2)));
typedef char dot_char4 __attribute__((ext_vector_type(4)));
typedef unsigned char dot_uchar4 __attribute__((ext_vector_type(4)));
} // namespace __hip_internal

extern "C" {
__device__ __attribute__((const)) int __ockl_sdot2(__hip_internal::dot_short2, __hip_internal::dot_short2, int, bool);
__device__ __attribute__((const)) unsigned int __ockl_udot2(__hip_internal::dot_ushort2, __hip_internal::dot_ushort2,
                                                            unsigned int, bool);
__device__ __attribute__((const)) int __ockl_sdot4(__hip_internal::dot_char4, __hip_internal::dot_char4, int, bool);
__device__ __attribute__((const)) unsigned int __ockl_udot4(__hip_internal::dot_uchar4, __hip_internal::dot_uchar4,
                                                            unsigned int, bool);
__device__ __attribute__((const)) int __ockl_sdot8(int, int, int, bool);
__device__ __attribute__((const)) unsigned int __ockl_udot8(unsigned int, unsigned int, unsigned int, bool);
}

__HIP_DEVICE_INLINE int amd_mixed_dot(short2 a, short2 b, int c, bool saturate) {
  return __ockl_sdot2(__builtin_bit_cast(__hip_internal::dot_short2, a), __builtin_bit_cast(__hip_internal::dot_short2, b),
                      c, saturate);
}
__HIP_DEVICE_INLINE unsigned int amd_mixed_dot(ushort2 a, ushort2 b, unsigned int c, bool saturate) {
  return __ockl_udot2(__builtin_bit_cast(__hip_internal::dot_ushort2, a),
                      __builtin_bit_cast(__hip_internal::dot_ushort2, b), c, saturate);
}
__HIP_DEVICE_INLINE int amd_mixed_dot(char4 a, char4 b, int c, bool saturate) {
  return __ockl_sdot4(__builtin_bit_cast(__hip_internal::dot_char4, a), __builtin_bit_cast(__hip_internal::dot_char4, b),
                      c, saturate);
}
__HIP_DEVICE_INLINE unsigned int amd_mixed_dot(uchar4 a, uchar4 b, unsigned int c, bool saturate) {
  return __ockl_udot4(__builtin_bit_cast(__hip_internal::dot_uchar4, a),
                      __builtin_bit_cast(__hip_internal::dot_uchar4, b), c, saturate);
}
// Eight signed or unsigned nibbles each.
__HIP_DEVICE_INLINE int amd_mixed_dot(int a, int b, int c, bool saturate) { return __ockl_sdot8(a, b, c, saturate); }
__HIP_DEVICE_INLINE unsigned int amd_mixed_dot(unsigned int a, unsigned int b, unsigned int c, bool saturate) {
  return __ockl_udot8(a, b, c, saturate);
}

#else

namespace __hip_internal {
// The sum, brought back into the 32 bits of T when it is asked to saturate, else cut to them.
template <class T> __HIP_DEVICE_INLINE T dot_result(long long sum, bool saturate) {
  const long long low = static_cast<T>(-1) < static_cast<T>(0) ? -0x80000000ll : 0;
  const long long high = low + 0xffffffffll;
  return static_cast<T>(!saturate ? sum : sum < low ? low : sum > high ? high : sum);
}
// The dot product of the fields of two words, each of `bits` bits and extended as Field.
template <class Field, int bits> __HIP_DEVICE_INLINE long long dot_fields(unsigned int a, unsigned int b) {
  long long sum = 0;
  for (int i = 0; i < 32; i += bits) {
    const Field x = static_cast<Field>(a << (32 - bits - i)) >> (32 - bits);
    const Field y = static_cast<Field>(b << (32 - bits - i)) >> (32 - bits);
    sum += static_cast<long long>(x) * y;
  }
  return sum;
}
} // namespace __hip_internal

#define __HIP_MIXED_DOT(V, T, bits) \
  __HIP_DEVICE_INLINE T amd_mixed_dot(V a, V b, T c, bool saturate) { \
    return __hip_internal::dot_result<T>(__hip_internal::dot_fields<T, bits>(__builtin_bit_cast(unsigned int, a), \
                                                                             __builtin_bit_cast(unsigned int, b)) + c, \
                                         saturate); \
  }
__HIP_MIXED_DOT(short2, int, 16)
__HIP_MIXED_DOT(ushort2, unsigned int, 16)
__HIP_MIXED_DOT(char4, int, 8)
__HIP_MIXED_DOT(uchar4, unsigned int, 8)
__HIP_MIXED_DOT(int, int, 4)
__HIP_MIXED_DOT(unsigned int, unsigned int, 4)
#undef __HIP_MIXED_DOT
#endif

#endif
