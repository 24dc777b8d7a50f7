// hip/detail/ocp_elements.h - conversions between float, fp16 and bf16 and OCP's formats of 8, 6 and 4 bits with a
// scale, by one, two or 32 elements: gfx950's instructions, and on every other target and the host what these
// instructions compute (src/runtime/engine/isa/ERRATA.md 48 and 49). To a small format numbers are divided by the scale
// and then rounded once, to nearest even or stochastically; too large ones become a NaN (E4M3), an infinity (E5M2) or
// the largest number (6 and 4 bits). From a small format they are multiplied by the scale.
#ifndef HIP_DETAIL_OCP_ELEMENTS_H
#define HIP_DETAIL_OCP_ELEMENTS_H

#include <hip/detail/bf16_type.h>
#include <hip/detail/ocp_types.h>
#include <hip/detail/small_float.h>

#define __HIP_OCP_FN __host__ __device__ static inline

namespace hip_detail {
namespace ocp {

// Types of elements, and conversions of one from and to float. Elements of bf16 are taken out of vectors, and put into
// them, as bits: for a host without the type, LLVM may do that by way of float and a function that its run-time library
// lacks.
struct float_elements {
  typedef float one;
  typedef __amd_floatx2_storage_t two;
  typedef __amd_floatx8_storage_t eight;
  typedef __amd_floatx32_storage_t block;
  typedef two two_bits;
  typedef block block_bits;
  template<class V> __HIP_OCP_FN V bits_of(V v) { return v; }
  template<class V> __HIP_OCP_FN V of_bits(V v) { return v; }
  __HIP_OCP_FN float get(one v) { return v; }
  __HIP_OCP_FN one make(float v) { return v; }
};
struct fp16_elements {
  typedef __amd_fp16_storage_t one;
  typedef __amd_fp16x2_storage_t two;
  typedef __amd_fp16x8_storage_t eight;
  typedef __amd_fp16x32_storage_t block;
  typedef two two_bits;
  typedef block block_bits;
  template<class V> __HIP_OCP_FN V bits_of(V v) { return v; }
  template<class V> __HIP_OCP_FN V of_bits(V v) { return v; }
  __HIP_OCP_FN float get(one v) { return static_cast<float>(v); }
  __HIP_OCP_FN one make(float v) { return static_cast<one>(v); }
};
struct bf16_elements {
  typedef __amd_bf16_storage_t one;
  typedef __amd_bf16x2_storage_t two;
  typedef __amd_bf16x8_storage_t eight;
  typedef __amd_bf16x32_storage_t block;
  typedef unsigned short two_bits __attribute__((ext_vector_type(2)));
  typedef unsigned short block_bits __attribute__((ext_vector_type(32)));
  __HIP_OCP_FN unsigned short bits_of(one v) { return __builtin_bit_cast(unsigned short, v); }
  __HIP_OCP_FN two_bits bits_of(two v) { return __builtin_bit_cast(two_bits, v); }
  __HIP_OCP_FN block_bits bits_of(block v) { return __builtin_bit_cast(block_bits, v); }
  __HIP_OCP_FN two of_bits(two_bits v) { return __builtin_bit_cast(two, v); }
  __HIP_OCP_FN block of_bits(block_bits v) { return __builtin_bit_cast(block, v); }
  __HIP_OCP_FN float get(unsigned short v) { return __builtin_bit_cast(float, static_cast<unsigned int>(v) << 16); }
  __HIP_OCP_FN unsigned short make(float v) { // to nearest even
    const unsigned int bits = __builtin_bit_cast(unsigned int, v);
    return static_cast<unsigned short>((v != v ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  }
};

// 2^exponent of -128 to 128, all of them normal numbers.
__HIP_OCP_FN double power(int exponent) {
  return __builtin_bit_cast(double, static_cast<unsigned long long>(exponent + 1023) << 52);
}
__HIP_OCP_FN double by_scale(float v, __amd_scale_t scale) {
  return scale == -128 ? static_cast<double>(__builtin_nanf("")) : v * power(-scale);
}
template<class Format> __HIP_OCP_FN unsigned int nearest(float v, __amd_scale_t scale) {
  return Format::from(by_scale(v, scale), false);
}
template<class Format> __HIP_OCP_FN unsigned int stochastic(float v, unsigned int seed, __amd_scale_t scale) {
  return Format::from_stochastic(static_cast<float>(by_scale(v, scale)), seed);
}
template<class Format> __HIP_OCP_FN float number(unsigned int code, __amd_scale_t scale) {
  return scale == -128 ? __builtin_nanf("")
                       : static_cast<float>(Format::to_float(static_cast<unsigned char>(code)) * power(scale));
}
// The seed of the next element of a pair or a block, as v_prng_b32 steps it.
__HIP_OCP_FN unsigned int next_seed(unsigned int seed) { return seed << 1 ^ (seed >> 31 ? 197u : 0u); }

// --- 8 bits

#if defined(__gfx950__)
#define __HIP_OCP_FP8(elements, type)                                                                                  \
  __device__ static inline unsigned int to_fp8x2(elements, elements::two v, bool e4m3, float scale) {                  \
    const __amd_shortx2_storage_t none = {0, 0};                                                                       \
    return static_cast<unsigned short>(                                                                                \
        (e4m3 ? __HIP_OCP_PAIR(pk_fp8_##type, none, v, scale) : __HIP_OCP_PAIR(pk_bf8_##type, none, v, scale))[0]);    \
  }                                                                                                                    \
  __device__ static inline unsigned int to_fp8(elements, elements::one v, bool e4m3, unsigned int seed, float scale) { \
    return static_cast<unsigned int>(e4m3 ? __builtin_amdgcn_cvt_scalef32_sr_fp8_##type(0, v, seed, scale, 0)          \
                                          : __builtin_amdgcn_cvt_scalef32_sr_bf8_##type(0, v, seed, scale, 0));        \
  }                                                                                                                    \
  __device__ static inline elements::two from_fp8x2(elements, unsigned int v, bool e4m3, float scale) {                \
    return e4m3 ? __builtin_amdgcn_cvt_scalef32_pk_##type##_fp8(v, scale, false)                                       \
                : __builtin_amdgcn_cvt_scalef32_pk_##type##_bf8(v, scale, false);                                      \
  }
#define __HIP_OCP_PAIR(name, old, v, scale) __builtin_amdgcn_cvt_scalef32_##name(old, v, scale, false)
__HIP_OCP_FP8(fp16_elements, f16)
__HIP_OCP_FP8(bf16_elements, bf16)
#undef __HIP_OCP_PAIR
#define __HIP_OCP_PAIR(name, old, v, scale) __builtin_amdgcn_cvt_scalef32_##name(old, v.x, v.y, scale, false)
__HIP_OCP_FP8(float_elements, f32)
#undef __HIP_OCP_PAIR
#undef __HIP_OCP_FP8
#endif

template<class E>
__HIP_OCP_FN __amd_fp8x2_storage_t fp8x2_of(typename E::two v, __amd_fp8_interpretation_t type, __amd_scale_t scale) {
  const bool e4m3 = type == __AMD_OCP_E4M3;
#if defined(__gfx950__)
  return static_cast<__amd_fp8x2_storage_t>(to_fp8x2(E(), v, e4m3, __amd_scale_to_float(scale)));
#else
  const auto bits = E::bits_of(v);
  const float x = E::get(bits[0]), y = E::get(bits[1]);
  return static_cast<__amd_fp8x2_storage_t>(
      e4m3 ? nearest<fp8_e4m3_format>(x, scale) | nearest<fp8_e4m3_format>(y, scale) << 8
           : nearest<fp8_e5m2_format>(x, scale) | nearest<fp8_e5m2_format>(y, scale) << 8);
#endif
}
template<class E> __HIP_OCP_FN __amd_fp8_storage_t fp8_of(typename E::one v, __amd_fp8_interpretation_t type,
                                                          unsigned int seed, __amd_scale_t scale) {
  const bool e4m3 = type == __AMD_OCP_E4M3;
#if defined(__gfx950__)
  return static_cast<__amd_fp8_storage_t>(to_fp8(E(), v, e4m3, seed, __amd_scale_to_float(scale)));
#else
  return static_cast<__amd_fp8_storage_t>(e4m3 ? stochastic<fp8_e4m3_format>(E::get(E::bits_of(v)), seed, scale)
                                               : stochastic<fp8_e5m2_format>(E::get(E::bits_of(v)), seed, scale));
#endif
}
template<class E>
__HIP_OCP_FN typename E::two fp8x2_numbers(unsigned int v, __amd_fp8_interpretation_t type, __amd_scale_t scale) {
  const bool e4m3 = type == __AMD_OCP_E4M3;
#if defined(__gfx950__)
  return from_fp8x2(E(), v, e4m3, __amd_scale_to_float(scale));
#else
  typename E::two_bits r = {};
  r.x = E::make(e4m3 ? number<fp8_e4m3_format>(v & 255, scale) : number<fp8_e5m2_format>(v & 255, scale));
  r.y = E::make(e4m3 ? number<fp8_e4m3_format>(v >> 8 & 255, scale) : number<fp8_e5m2_format>(v >> 8 & 255, scale));
  return E::of_bits(r);
#endif
}

// --- 4 bits; the second element of a pair is rounded with the next seed

#if defined(__gfx950__)
#define __HIP_OCP_FP4(elements, type)                                                                                  \
  __device__ static inline unsigned int to_fp4x2(elements, elements::two v, float scale) {                             \
    return __HIP_OCP_PAIR(pk_fp4_##type, v, scale);                                                                    \
  }                                                                                                                    \
  __device__ static inline unsigned int to_fp4x2(elements, elements::two v, unsigned int seed, float scale) {          \
    return __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_##type(0, v, seed, scale, 0);                                       \
  }                                                                                                                    \
  __device__ static inline elements::two from_fp4x2(elements, unsigned int v, float scale) {                           \
    return __builtin_amdgcn_cvt_scalef32_pk_##type##_fp4(v, scale, 0);                                                 \
  }
#define __HIP_OCP_PAIR(name, v, scale) __builtin_amdgcn_cvt_scalef32_##name(0, v, scale, 0)
__HIP_OCP_FP4(fp16_elements, f16)
__HIP_OCP_FP4(bf16_elements, bf16)
#undef __HIP_OCP_PAIR
#define __HIP_OCP_PAIR(name, v, scale) __builtin_amdgcn_cvt_scalef32_##name(0, v.x, v.y, scale, 0)
__HIP_OCP_FP4(float_elements, f32)
#undef __HIP_OCP_PAIR
#undef __HIP_OCP_FP4
#endif

template<class E> __HIP_OCP_FN __amd_fp4x2_storage_t fp4x2_of(typename E::two v, __amd_scale_t scale) {
#if defined(__gfx950__)
  return static_cast<__amd_fp4x2_storage_t>(to_fp4x2(E(), v, __amd_scale_to_float(scale)));
#else
  const auto bits = E::bits_of(v);
  return static_cast<__amd_fp4x2_storage_t>(nearest<fp4_e2m1_format>(E::get(bits[0]), scale) |
                                            nearest<fp4_e2m1_format>(E::get(bits[1]), scale) << 4);
#endif
}
template<class E>
__HIP_OCP_FN __amd_fp4x2_storage_t fp4x2_of(typename E::two v, unsigned int seed, __amd_scale_t scale) {
#if defined(__gfx950__)
  return static_cast<__amd_fp4x2_storage_t>(to_fp4x2(E(), v, seed, __amd_scale_to_float(scale)));
#else
  const auto bits = E::bits_of(v);
  return static_cast<__amd_fp4x2_storage_t>(stochastic<fp4_e2m1_format>(E::get(bits[0]), seed, scale) |
                                            stochastic<fp4_e2m1_format>(E::get(bits[1]), next_seed(seed), scale) << 4);
#endif
}
template<class E> __HIP_OCP_FN typename E::two fp4x2_numbers(__amd_fp4x2_storage_t v, __amd_scale_t scale) {
#if defined(__gfx950__)
  return from_fp4x2(E(), v, __amd_scale_to_float(scale));
#else
  typename E::two_bits r = {};
  r.x = E::make(number<fp4_e2m1_format>(v & 15u, scale));
  r.y = E::make(number<fp4_e2m1_format>(v >> 4, scale));
  return E::of_bits(r);
#endif
}

// --- 6 bits, 32 elements in 192 bits; each element is rounded with the next seed

#if defined(__gfx950__)
#define __HIP_OCP_FP6(elements, type)                                                                                  \
  __device__ static inline __amd_fp6x32_storage_t to_fp6(elements, elements::block v, bool e2m3, unsigned int seed,    \
                                                         float scale) {                                                \
    return e2m3 ? __builtin_amdgcn_cvt_scalef32_sr_pk32_fp6_##type(v, seed, scale)                                     \
                : __builtin_amdgcn_cvt_scalef32_sr_pk32_bf6_##type(v, seed, scale);                                    \
  }                                                                                                                    \
  __device__ static inline elements::block from_fp6(elements, __amd_fp6x32_storage_t v, bool e2m3, float scale) {      \
    return e2m3 ? __builtin_amdgcn_cvt_scalef32_pk32_##type##_fp6(v, scale)                                            \
                : __builtin_amdgcn_cvt_scalef32_pk32_##type##_bf6(v, scale);                                           \
  }
__HIP_OCP_FP6(float_elements, f32)
__HIP_OCP_FP6(fp16_elements, f16)
__HIP_OCP_FP6(bf16_elements, bf16)
#undef __HIP_OCP_FP6
__device__ static inline __amd_fp6x32_storage_t to_fp6(fp16_elements, __amd_fp16x32_storage_t v, bool e2m3,
                                                       float scale) {
  return e2m3 ? __builtin_amdgcn_cvt_scalef32_pk32_fp6_f16(v, scale)
              : __builtin_amdgcn_cvt_scalef32_pk32_bf6_f16(v, scale);
}
__device__ static inline __amd_fp6x32_storage_t to_fp6(bf16_elements, __amd_bf16x32_storage_t v, bool e2m3,
                                                       float scale) {
  return e2m3 ? __builtin_amdgcn_cvt_scalef32_pk32_fp6_bf16(v, scale)
              : __builtin_amdgcn_cvt_scalef32_pk32_bf6_bf16(v, scale);
}
// The instruction takes the elements of its two operands by turns.
__device__ static inline __amd_fp6x32_storage_t to_fp6(float_elements, __amd_floatx32_storage_t v, bool e2m3,
                                                       float scale) {
  const __amd_floatx16_storage_t even = v.even, odd = v.odd;
  return e2m3 ? __builtin_amdgcn_cvt_scalef32_2xpk16_fp6_f32(even, odd, scale)
              : __builtin_amdgcn_cvt_scalef32_2xpk16_bf6_f32(even, odd, scale);
}
#else
__HIP_OCP_FN void put_fp6(__amd_fp6x32_storage_t& pack, int i, unsigned int code) {
  const int word = 6 * i / 32, shift = 6 * i % 32;
  pack[word] |= code << shift;
  if (shift > 26) pack[word + 1] |= code >> (32 - shift);
}
__HIP_OCP_FN unsigned int get_fp6(const __amd_fp6x32_storage_t& pack, int i) {
  const int word = 6 * i / 32, shift = 6 * i % 32;
  const unsigned int low = pack[word] >> shift;
  return (shift > 26 ? low | pack[word + 1] << (32 - shift) : low) & 63;
}
#endif

template<class E> __HIP_OCP_FN __amd_fp6x32_storage_t fp6x32_of(typename E::block v, __amd_fp6_interpretation_t type,
                                                                __amd_scale_t scale) {
  const bool e2m3 = type == __AMD_OCP_E2M3;
#if defined(__gfx950__)
  return to_fp6(E(), v, e2m3, __amd_scale_to_float(scale));
#else
  const auto bits = E::bits_of(v);
  __amd_fp6x32_storage_t r = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 32; ++i)
    put_fp6(r, i,
            e2m3 ? nearest<fp6_e2m3_format>(E::get(bits[i]), scale) : nearest<fp6_e3m2_format>(E::get(bits[i]), scale));
  return r;
#endif
}
template<class E> __HIP_OCP_FN __amd_fp6x32_storage_t fp6x32_of(typename E::block v, __amd_fp6_interpretation_t type,
                                                                unsigned int seed, __amd_scale_t scale) {
  const bool e2m3 = type == __AMD_OCP_E2M3;
#if defined(__gfx950__)
  return to_fp6(E(), v, e2m3, seed, __amd_scale_to_float(scale));
#else
  const auto bits = E::bits_of(v);
  __amd_fp6x32_storage_t r = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 32; ++i, seed = next_seed(seed))
    put_fp6(r, i,
            e2m3 ? stochastic<fp6_e2m3_format>(E::get(bits[i]), seed, scale)
                 : stochastic<fp6_e3m2_format>(E::get(bits[i]), seed, scale));
  return r;
#endif
}
template<class E> __HIP_OCP_FN typename E::block fp6x32_numbers(__amd_fp6x32_storage_t v,
                                                                __amd_fp6_interpretation_t type, __amd_scale_t scale) {
  const bool e2m3 = type == __AMD_OCP_E2M3;
#if defined(__gfx950__)
  return from_fp6(E(), v, e2m3, __amd_scale_to_float(scale));
#else
  typename E::block_bits r = {};
  for (int i = 0; i < 32; ++i)
    r[i] =
        E::make(e2m3 ? number<fp6_e2m3_format>(get_fp6(v, i), scale) : number<fp6_e3m2_format>(get_fp6(v, i), scale));
  return E::of_bits(r);
#endif
}

// --- 16 bits, stochastically

__HIP_OCP_FN __amd_fp16_storage_t fp16_of(float v, unsigned int seed) {
#if defined(__gfx950__)
  const __amd_fp16x2_storage_t none = {0, 0};
  return __builtin_amdgcn_cvt_sr_f16_f32(none, v, seed, false)[0];
#else
  typedef small_float<5, 10, special_codes::ieee> format;
  return __builtin_bit_cast(__amd_fp16_storage_t, static_cast<unsigned short>(format::from_stochastic(v, seed)));
#endif
}
__HIP_OCP_FN __amd_bf16_storage_t bf16_of(float v, unsigned int seed) {
#if defined(__gfx950__)
  const __amd_bf16x2_storage_t none = {0, 0};
  return __builtin_amdgcn_cvt_sr_bf16_f32(none, v, seed, false)[0];
#else
  const unsigned int bits = __builtin_bit_cast(unsigned int, v), magnitude = bits & 0x7fffffffu;
  const unsigned int rounded = magnitude > 0x7f800000u    ? bits | 0x400000u
                               : magnitude == 0x7f800000u ? bits
                                                          : bits + (seed >> 16);
  return __builtin_bit_cast(__amd_bf16_storage_t, static_cast<unsigned short>(rounded >> 16));
#endif
}

} // namespace ocp
} // namespace hip_detail

#undef __HIP_OCP_FN

#endif
