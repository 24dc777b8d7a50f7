// hip/detail/bf16_type.h - the types __hip_bfloat16 and __hip_bfloat162 and their operators. Clang's own __bf16, and
// pairs of it, convert from and to them by their bits.
#ifndef HIP_DETAIL_BF16_TYPE_H
#define HIP_DETAIL_BF16_TYPE_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

// Host compilers without a usable __bf16 have the types as well, without its conversions; their layout is the same.
#if defined(__clang__) && (defined(__HIP__) || __clang_major__ >= 17)
#define __HIP_BF16_OF_COMPILER 1
#endif

#if defined(__HIP_BF16_OF_COMPILER) && !defined(__HIP_DEVICE_COMPILE__) && defined(__x86_64__) &&                      \
    !defined(__AVX512BF16__)
// LLVM moves values of __bf16, and elements of vectors of it, by way of float for hosts that lack the type, and calls
// this function of its run-time library, which programs that are linked with libgcc before 13 have not.
extern "C" __attribute__((weak, visibility("hidden"))) __bf16 __truncsfbf2(float v) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, v);
  const unsigned int rounded = v != v ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1u);
  return __builtin_bit_cast(__bf16, static_cast<unsigned short>(rounded >> 16));
}
#endif

struct __hip_bfloat16_raw {
  unsigned short x;
};
struct alignas(4) __hip_bfloat162_raw {
  unsigned short x, y;
};

namespace hip_detail {

__host__ __device__ constexpr unsigned short bf16_from_bits(unsigned int bits) {
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>(bits >> 16 | 0x40); // quiet NaN
  return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
__host__ __device__ inline unsigned short bf16_from_float(float v) {
  return bf16_from_bits(__builtin_bit_cast(unsigned int, v));
}
__host__ __device__ inline float bf16_to_float(unsigned short v) {
  return __builtin_bit_cast(float, static_cast<unsigned int>(v) << 16);
}
// Rounds a double once: float by truncation with a sticky last bit, then to bfloat16.
__host__ __device__ inline unsigned short bf16_from_double(double v) {
  float f = static_cast<float>(v);
  unsigned int bits = __builtin_bit_cast(unsigned int, f);
  double back = static_cast<double>(f);
  if (back == v || v != v || (bits & 0x7fffffffu) >= 0x7f800000u) return bf16_from_bits(bits);
  if ((back > v) == (v > 0)) --bits; // toward zero
  return bf16_from_bits(bits | 1u);
}

} // namespace hip_detail

struct __hip_bfloat16 {
  unsigned short __x;

  __hip_bfloat16() = default;
  __host__ __device__ constexpr __hip_bfloat16(const __hip_bfloat16_raw& raw) : __x(raw.x) {}
#if defined(__HIP_BF16_OF_COMPILER)
  __host__ __device__ __hip_bfloat16(const __bf16 v) : __x(__builtin_bit_cast(unsigned short, v)) {}
#endif
  __host__ __device__ __hip_bfloat16(float v) : __x(hip_detail::bf16_from_float(v)) {}
  __host__ __device__ __hip_bfloat16(double v) : __x(hip_detail::bf16_from_double(v)) {}
  __host__ __device__ __hip_bfloat16(short v) : __x(hip_detail::bf16_from_float(static_cast<float>(v))) {}
  __host__ __device__ __hip_bfloat16(unsigned short v) : __x(hip_detail::bf16_from_float(static_cast<float>(v))) {}
  __host__ __device__ __hip_bfloat16(int v) : __x(hip_detail::bf16_from_double(v)) {}
  __host__ __device__ __hip_bfloat16(unsigned int v) : __x(hip_detail::bf16_from_double(v)) {}
  __host__ __device__ __hip_bfloat16(long v) : __x(hip_detail::bf16_from_double(static_cast<double>(v))) {}
  __host__ __device__ __hip_bfloat16(unsigned long v) : __x(hip_detail::bf16_from_double(static_cast<double>(v))) {}
  __host__ __device__ __hip_bfloat16(long long v) : __x(hip_detail::bf16_from_double(static_cast<double>(v))) {}
  __host__ __device__ __hip_bfloat16(unsigned long long v)
      : __x(hip_detail::bf16_from_double(static_cast<double>(v))) {}

  __host__ __device__ __hip_bfloat16& operator=(const __hip_bfloat16_raw& raw) {
    __x = raw.x;
    return *this;
  }
  __host__ __device__ volatile __hip_bfloat16& operator=(const __hip_bfloat16_raw& raw) volatile {
    __x = raw.x;
    return *this;
  }
  __host__ __device__ volatile __hip_bfloat16& operator=(const volatile __hip_bfloat16_raw& raw) volatile {
    __x = raw.x;
    return *this;
  }
  __host__ __device__ operator __hip_bfloat16_raw() const { return __hip_bfloat16_raw{__x}; }
  __host__ __device__ operator __hip_bfloat16_raw() const volatile { return __hip_bfloat16_raw{__x}; }
#if defined(__HIP_BF16_OF_COMPILER)
  __host__ __device__ operator __bf16() const { return __builtin_bit_cast(__bf16, __x); }
#endif
  __host__ __device__ operator float() const { return hip_detail::bf16_to_float(__x); }
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
#define __HIP_BF16_TO(T) \
  __host__ __device__ operator T() const { return static_cast<T>(hip_detail::bf16_to_float(__x)); }
  __HIP_BF16_TO(char)
  __HIP_BF16_TO(signed char)
  __HIP_BF16_TO(unsigned char)
  __HIP_BF16_TO(short)
  __HIP_BF16_TO(unsigned short)
  __HIP_BF16_TO(int)
  __HIP_BF16_TO(unsigned int)
  __HIP_BF16_TO(long)
  __HIP_BF16_TO(unsigned long)
  __HIP_BF16_TO(long long)
  __HIP_BF16_TO(unsigned long long)
#undef __HIP_BF16_TO
};

#if defined(__HIP_BF16_OF_COMPILER)
typedef __bf16 __bf16_2 __attribute__((ext_vector_type(2)));
#endif

struct alignas(4) __hip_bfloat162 {
#if defined(__HIP_BF16_OF_COMPILER)
  union {
    struct {
      __hip_bfloat16 x, y;
    };
    __bf16_2 __xy_bf162;
  };
#else
  __hip_bfloat16 x, y;
#endif

  __hip_bfloat162() = default;
  __host__ __device__ __hip_bfloat162(const __hip_bfloat162_raw& raw)
      : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
  __host__ __device__ constexpr __hip_bfloat162(const __hip_bfloat16& low, const __hip_bfloat16& high)
      : x(low), y(high) {}
#if defined(__HIP_BF16_OF_COMPILER)
  __host__ __device__ __hip_bfloat162(const __bf16_2 v) : __xy_bf162(v) {}
  __host__ __device__ __hip_bfloat162& operator=(const __bf16_2 v) {
    __xy_bf162 = v;
    return *this;
  }
  __host__ __device__ operator __bf16_2() const { return __xy_bf162; }
#endif
  __host__ __device__ __hip_bfloat162& operator=(const __hip_bfloat162_raw& raw) {
    return *this = __hip_bfloat162(raw);
  }
  __host__ __device__ operator __hip_bfloat162_raw() const { return __hip_bfloat162_raw{x.__x, y.__x}; }
  __host__ __device__ operator float2() const { return make_float2(static_cast<float>(x), static_cast<float>(y)); }
};
static_assert(sizeof(__hip_bfloat16) == 2 && sizeof(__hip_bfloat162) == 4, "bfloat16 types have their hardware size");

#define __HIP_BF16_FN __host__ __device__ static inline

#define __HIP_BF16_OPERATOR(op) \
  __HIP_BF16_FN __hip_bfloat16 operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) { \
    return __hip_bfloat16(static_cast<float>(a) op static_cast<float>(b)); \
  } \
  __HIP_BF16_FN __hip_bfloat16& operator op##=(__hip_bfloat16& a, const __hip_bfloat16& b) { return a = a op b; } \
  __HIP_BF16_FN __hip_bfloat162 operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) { \
    return __hip_bfloat162(a.x op b.x, a.y op b.y); \
  } \
  __HIP_BF16_FN __hip_bfloat162& operator op##=(__hip_bfloat162& a, const __hip_bfloat162& b) { return a = a op b; }
__HIP_BF16_OPERATOR(+)
__HIP_BF16_OPERATOR(-)
__HIP_BF16_OPERATOR(*)
__HIP_BF16_OPERATOR(/)
#undef __HIP_BF16_OPERATOR

// Of a pair, both elements must satisfy the relation.
#define __HIP_BF16_RELATION(op) \
  __HIP_BF16_FN bool operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) { \
    return static_cast<float>(a) op static_cast<float>(b); \
  } \
  __HIP_BF16_FN bool operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) { return a.x op b.x && a.y op b.y; }
__HIP_BF16_RELATION(==)
__HIP_BF16_RELATION(<)
__HIP_BF16_RELATION(>)
__HIP_BF16_RELATION(<=)
__HIP_BF16_RELATION(>=)
#undef __HIP_BF16_RELATION
__HIP_BF16_FN bool operator!=(const __hip_bfloat16& a, const __hip_bfloat16& b) { return !(a == b); }
__HIP_BF16_FN bool operator!=(const __hip_bfloat162& a, const __hip_bfloat162& b) { return !(a == b); }

__HIP_BF16_FN __hip_bfloat16 operator+(const __hip_bfloat16& v) { return v; }
__HIP_BF16_FN __hip_bfloat162 operator+(const __hip_bfloat162& v) { return v; }
__HIP_BF16_FN __hip_bfloat16 operator-(const __hip_bfloat16& v) {
  return __hip_bfloat16_raw{static_cast<unsigned short>(v.__x ^ 0x8000)};
}
__HIP_BF16_FN __hip_bfloat162 operator-(const __hip_bfloat162& v) { return __hip_bfloat162(-v.x, -v.y); }

#define __HIP_BF16_STEP(op, T, one) \
  __HIP_BF16_FN T& operator op##op(T& v) { return v = v op one; } \
  __HIP_BF16_FN T operator op##op(T& v, const int) { \
    T before = v; \
    op##op v; \
    return before; \
  }
__HIP_BF16_STEP(+, __hip_bfloat16, __hip_bfloat16(1.0f))
__HIP_BF16_STEP(-, __hip_bfloat16, __hip_bfloat16(1.0f))
__HIP_BF16_STEP(+, __hip_bfloat162, __hip_bfloat162(__hip_bfloat16(1.0f), __hip_bfloat16(1.0f)))
__HIP_BF16_STEP(-, __hip_bfloat162, __hip_bfloat162(__hip_bfloat16(1.0f), __hip_bfloat16(1.0f)))
#undef __HIP_BF16_STEP

#endif // HIP_DETAIL_BF16_TYPE_H
