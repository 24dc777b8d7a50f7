// omnihip/simd_functions.h - CUDA's SIMD functions in a word: __vadd4, __vcmpgtu2 and their kin, on four bytes or two
// halves of 32 bits. "s" and "u" are signed and unsigned elements, "ss" and "us" saturate. Written element by element;
// where the processor has such an instruction, the compiler finds it.
#ifndef OMNIHIP_CUDA_SIMD_FUNCTIONS_H
#define OMNIHIP_CUDA_SIMD_FUNCTIONS_H

#include <hip/detail/qualifiers.h>

namespace __hip_internal {

template<unsigned int bits> struct simd {
  static const unsigned int mask = (1u << bits) - 1;
  // Element i, as signed or unsigned.
  static __device__ inline __attribute__((always_inline)) int s(unsigned int word, unsigned int i) {
    return static_cast<int>(word << (32 - bits * (i + 1))) >> (32 - bits);
  }
  static __device__ inline __attribute__((always_inline)) int u(unsigned int word, unsigned int i) {
    return static_cast<int>(word >> (bits * i) & mask);
  }
  static __device__ inline __attribute__((always_inline)) int saturate_s(int x) {
    const int largest = static_cast<int>(mask >> 1);
    return x > largest ? largest : x < -largest - 1 ? -largest - 1 : x;
  }
  static __device__ inline __attribute__((always_inline)) int saturate_u(int x) {
    return x < 0 ? 0 : x > static_cast<int>(mask) ? static_cast<int>(mask) : x;
  }
  static __device__ inline __attribute__((always_inline)) int absolute(int x) { return x < 0 ? -x : x; }
};

} // namespace __hip_internal

// name(a, b): the elements x and y of a and b, read by `read`, become `result`.
#define OMNIHIP_SIMD_BINARY_BITS(name, bits, read, result)                                                             \
  __HIP_DEVICE_INLINE unsigned int name(unsigned int a, unsigned int b) {                                              \
    typedef __hip_internal::simd<bits> simd;                                                                           \
    unsigned int out = 0;                                                                                              \
    for (unsigned int i = 0; i < 32 / bits; ++i) {                                                                     \
      const int x = simd::read(a, i), y = simd::read(b, i);                                                            \
      out |= (static_cast<unsigned int>(result) & simd::mask) << (bits * i);                                           \
    }                                                                                                                  \
    return out;                                                                                                        \
  }
#define OMNIHIP_SIMD_BINARY(name, read, result)                                                                        \
  OMNIHIP_SIMD_BINARY_BITS(__v##name##2, 16, read, result)                                                             \
  OMNIHIP_SIMD_BINARY_BITS(__v##name##4, 8, read, result)
#define OMNIHIP_SIMD_UNARY_BITS(name, bits, result)                                                                    \
  __HIP_DEVICE_INLINE unsigned int name(unsigned int a) {                                                              \
    typedef __hip_internal::simd<bits> simd;                                                                           \
    unsigned int out = 0;                                                                                              \
    for (unsigned int i = 0; i < 32 / bits; ++i) {                                                                     \
      const int x = simd::s(a, i);                                                                                     \
      out |= (static_cast<unsigned int>(result) & simd::mask) << (bits * i);                                           \
    }                                                                                                                  \
    return out;                                                                                                        \
  }
#define OMNIHIP_SIMD_UNARY(name, result)                                                                               \
  OMNIHIP_SIMD_UNARY_BITS(__v##name##2, 16, result)                                                                    \
  OMNIHIP_SIMD_UNARY_BITS(__v##name##4, 8, result)
// name(a, b): the sum over the elements.
#define OMNIHIP_SIMD_SUM_BITS(name, bits, read)                                                                        \
  __HIP_DEVICE_INLINE unsigned int name(unsigned int a, unsigned int b) {                                              \
    typedef __hip_internal::simd<bits> simd;                                                                           \
    unsigned int sum = 0;                                                                                              \
    for (unsigned int i = 0; i < 32 / bits; ++i)                                                                       \
      sum += static_cast<unsigned int>(simd::absolute(simd::read(a, i) - simd::read(b, i)));                           \
    return sum;                                                                                                        \
  }
// Comparisons: all bits of an element for __vcmp, one for __vset.
#define OMNIHIP_SIMD_COMPARE(name, read, op)                                                                           \
  OMNIHIP_SIMD_BINARY(cmp##name, read, x op y ? -1 : 0)                                                                \
  OMNIHIP_SIMD_BINARY(set##name, read, x op y ? 1 : 0)

OMNIHIP_SIMD_BINARY(add, u, x + y)
OMNIHIP_SIMD_BINARY(addss, s, simd::saturate_s(x + y))
OMNIHIP_SIMD_BINARY(addus, u, simd::saturate_u(x + y))
OMNIHIP_SIMD_BINARY(sub, u, x - y)
OMNIHIP_SIMD_BINARY(subss, s, simd::saturate_s(x - y))
OMNIHIP_SIMD_BINARY(subus, u, simd::saturate_u(x - y))
OMNIHIP_SIMD_BINARY(absdiffs, s, simd::absolute(x - y))
OMNIHIP_SIMD_BINARY(absdiffu, u, simd::absolute(x - y))
OMNIHIP_SIMD_BINARY(avgs, s, (x + y + (x + y >= 0)) >> 1)
OMNIHIP_SIMD_BINARY(avgu, u, (x + y + 1) >> 1)
OMNIHIP_SIMD_BINARY(haddu, u, (x + y) >> 1)
OMNIHIP_SIMD_BINARY(maxs, s, x > y ? x : y)
OMNIHIP_SIMD_BINARY(maxu, u, x > y ? x : y)
OMNIHIP_SIMD_BINARY(mins, s, x < y ? x : y)
OMNIHIP_SIMD_BINARY(minu, u, x < y ? x : y)
OMNIHIP_SIMD_COMPARE(eq, u, ==)
OMNIHIP_SIMD_COMPARE(ne, u, !=)
OMNIHIP_SIMD_COMPARE(ges, s, >=)
OMNIHIP_SIMD_COMPARE(geu, u, >=)
OMNIHIP_SIMD_COMPARE(gts, s, >)
OMNIHIP_SIMD_COMPARE(gtu, u, >)
OMNIHIP_SIMD_COMPARE(les, s, <=)
OMNIHIP_SIMD_COMPARE(leu, u, <=)
OMNIHIP_SIMD_COMPARE(lts, s, <)
OMNIHIP_SIMD_COMPARE(ltu, u, <)
OMNIHIP_SIMD_UNARY(abs, simd::absolute(x))
OMNIHIP_SIMD_UNARY(absss, simd::saturate_s(simd::absolute(x)))
OMNIHIP_SIMD_UNARY(neg, -x)
OMNIHIP_SIMD_UNARY(negss, simd::saturate_s(-x))
OMNIHIP_SIMD_SUM_BITS(__vsads2, 16, s)
OMNIHIP_SIMD_SUM_BITS(__vsads4, 8, s)
OMNIHIP_SIMD_SUM_BITS(__vsadu2, 16, u)
OMNIHIP_SIMD_SUM_BITS(__vsadu4, 8, u)
#undef OMNIHIP_SIMD_BINARY_BITS
#undef OMNIHIP_SIMD_BINARY
#undef OMNIHIP_SIMD_UNARY_BITS
#undef OMNIHIP_SIMD_UNARY
#undef OMNIHIP_SIMD_SUM_BITS
#undef OMNIHIP_SIMD_COMPARE

#endif
