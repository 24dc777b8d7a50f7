// hip/detail/bf16_type.h - the types __hip_bfloat16 and __hip_bfloat162 and their operators. Clang's own __bf16, and
// pairs of it, convert from and to them by their bits. CUDA sources can do without parts of them:
// __CUDA_NO_BFLOAT16_CONVERSIONS__ takes away the conversions between __hip_bfloat16 and numbers,
// __CUDA_NO_BFLOAT16_OPERATORS__ and __CUDA_NO_BFLOAT162_OPERATORS__ the operators of one type. The headers themselves
// use none of what can be taken away.
#ifndef HIP_DETAIL_BF16_TYPE_H
#define HIP_DETAIL_BF16_TYPE_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

// Host compilers without a usable __bf16 have the types as well, without its conversions; their layout is the same.
#if defined(__clang__) && (defined(__HIP__) || __clang_major__ >= 17)
#define __HIP_BF16_OF_COMPILER 1
#endif

#if defined(__OMNIHIP_CUDA__) && defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define __HIP_WITHOUT_BF16_CONVERSIONS 1
#endif
#if defined(__OMNIHIP_CUDA__) && defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define __HIP_WITHOUT_BF16_OPERATORS 1
#endif
#if defined(__OMNIHIP_CUDA__) && defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define __HIP_WITHOUT_BF162_OPERATORS 1
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
#if !defined(__HIP_WITHOUT_BF16_CONVERSIONS)
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
#endif

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
#if !defined(__HIP_WITHOUT_BF16_CONVERSIONS)
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
#endif
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
  __host__ __device__ operator float2() const {
    return make_float2(hip_detail::bf16_to_float(x.__x), hip_detail::bf16_to_float(y.__x));
  }
};
static_assert(sizeof(__hip_bfloat16) == 2 && sizeof(__hip_bfloat162) == 4, "bfloat16 types have their hardware size");

#define __HIP_BF16_FN __host__ __device__ static inline

// The conversions and the arithmetic that operators and functions share, by names of their own.
namespace hip_detail {

__HIP_BF16_FN float bf16_number(const __hip_bfloat16& v) { return bf16_to_float(v.__x); }
__HIP_BF16_FN __hip_bfloat16 bf16_nearest(float v) { return __hip_bfloat16_raw{bf16_from_float(v)}; }
__HIP_BF16_FN __hip_bfloat16 bf16_nearest(double v) { return __hip_bfloat16_raw{bf16_from_double(v)}; }

#define __HIP_BF16_ARITHMETIC(name, op) \
  __HIP_BF16_FN __hip_bfloat16 bf16_##name(const __hip_bfloat16& a, const __hip_bfloat16& b) { \
    return bf16_nearest(bf16_number(a) op bf16_number(b)); \
  } \
  __HIP_BF16_FN __hip_bfloat162 bf16_##name(const __hip_bfloat162& a, const __hip_bfloat162& b) { \
    return __hip_bfloat162(bf16_##name(a.x, b.x), bf16_##name(a.y, b.y)); \
  }
__HIP_BF16_ARITHMETIC(add, +)
__HIP_BF16_ARITHMETIC(subtract, -)
__HIP_BF16_ARITHMETIC(multiply, *)
__HIP_BF16_ARITHMETIC(divide, /)
#undef __HIP_BF16_ARITHMETIC

// Of a pair, both elements must satisfy the relation.
#define __HIP_BF16_RELATION(name, op) \
  __HIP_BF16_FN bool bf16_##name(const __hip_bfloat16& a, const __hip_bfloat16& b) { \
    return bf16_number(a) op bf16_number(b); \
  } \
  __HIP_BF16_FN bool bf16_##name(const __hip_bfloat162& a, const __hip_bfloat162& b) { \
    return bf16_##name(a.x, b.x) && bf16_##name(a.y, b.y); \
  }
__HIP_BF16_RELATION(equal, ==)
__HIP_BF16_RELATION(less, <)
__HIP_BF16_RELATION(greater, >)
__HIP_BF16_RELATION(at_most, <=)
__HIP_BF16_RELATION(at_least, >=)
#undef __HIP_BF16_RELATION

__HIP_BF16_FN __hip_bfloat16 bf16_negative(const __hip_bfloat16& v) {
  return __hip_bfloat16_raw{static_cast<unsigned short>(v.__x ^ 0x8000)};
}
__HIP_BF16_FN __hip_bfloat162 bf16_negative(const __hip_bfloat162& v) {
  return __hip_bfloat162(bf16_negative(v.x), bf16_negative(v.y));
}

} // namespace hip_detail

// The operators of one type; `one` is what ++ and -- add and subtract.
#define __HIP_BF16_OPERATOR(T, name, op) \
  __HIP_BF16_FN T operator op(const T& a, const T& b) { return hip_detail::bf16_##name(a, b); } \
  __HIP_BF16_FN T& operator op##=(T& a, const T& b) { return a = hip_detail::bf16_##name(a, b); }
#define __HIP_BF16_COMPARISON(T, name, op) \
  __HIP_BF16_FN bool operator op(const T& a, const T& b) { return hip_detail::bf16_##name(a, b); }
#define __HIP_BF16_STEP(T, name, op, one) \
  __HIP_BF16_FN T& operator op(T& v) { return v = hip_detail::bf16_##name(v, one); } \
  __HIP_BF16_FN T operator op(T& v, const int) { \
    T before = v; \
    v = hip_detail::bf16_##name(v, one); \
    return before; \
  }
#define __HIP_BF16_OPERATORS(T, one) \
  __HIP_BF16_OPERATOR(T, add, +) \
  __HIP_BF16_OPERATOR(T, subtract, -) \
  __HIP_BF16_OPERATOR(T, multiply, *) \
  __HIP_BF16_OPERATOR(T, divide, /) \
  __HIP_BF16_COMPARISON(T, equal, ==) \
  __HIP_BF16_COMPARISON(T, less, <) \
  __HIP_BF16_COMPARISON(T, greater, >) \
  __HIP_BF16_COMPARISON(T, at_most, <=) \
  __HIP_BF16_COMPARISON(T, at_least, >=) \
  __HIP_BF16_FN bool operator!=(const T& a, const T& b) { return !hip_detail::bf16_equal(a, b); } \
  __HIP_BF16_FN T operator+(const T& v) { return v; } \
  __HIP_BF16_FN T operator-(const T& v) { return hip_detail::bf16_negative(v); } \
  __HIP_BF16_STEP(T, add, ++, one) \
  __HIP_BF16_STEP(T, subtract, --, one)

#if !defined(__HIP_WITHOUT_BF16_OPERATORS)
__HIP_BF16_OPERATORS(__hip_bfloat16, hip_detail::bf16_nearest(1.0f))
#endif
#if !defined(__HIP_WITHOUT_BF162_OPERATORS)
__HIP_BF16_OPERATORS(__hip_bfloat162, __hip_bfloat162(hip_detail::bf16_nearest(1.0f), hip_detail::bf16_nearest(1.0f)))
#endif
#undef __HIP_BF16_OPERATORS
#undef __HIP_BF16_STEP
#undef __HIP_BF16_COMPARISON
#undef __HIP_BF16_OPERATOR

#undef __HIP_WITHOUT_BF16_CONVERSIONS
#undef __HIP_WITHOUT_BF16_OPERATORS
#undef __HIP_WITHOUT_BF162_OPERATORS

#endif // HIP_DETAIL_BF16_TYPE_H
