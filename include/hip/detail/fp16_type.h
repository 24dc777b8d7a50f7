// hip/detail/fp16_type.h - the types __half and __half2 and their operators, for the kernel language and for CUDA
// sources; other compilers have those of fp16_host_type.h. A program can do without parts of them (fp16_choices.h); the
// headers themselves use none of what can be taken away.
#ifndef HIP_DETAIL_FP16_TYPE_H
#define HIP_DETAIL_FP16_TYPE_H

#include <hip/detail/fp16_choices.h>
#include <hip/detail/qualifiers.h>
#include <hip/detail/traits.h>

#if !defined(__HIPCC_RTC__)
#include <type_traits>
#endif

typedef _Float16 _Float16_2 __attribute__((ext_vector_type(2)));
namespace hip_detail {
typedef _Float16 float16;
}

// Storage without operators, as it lies in memory.
struct __half_raw {
  union {
    _Float16 data;
    unsigned short x;
  };
};
struct __half2_raw {
  union {
    struct {
      __half_raw x, y;
    };
    _Float16_2 data;
  };
};
static_assert(sizeof(__half_raw) == 2 && sizeof(__half2_raw) == 4, "half storage has its hardware size");

struct __half {
  union {
    _Float16 data;
    unsigned short __x;
  };

  __half() = default;
  __host__ __device__ constexpr __half(const __half_raw& raw) : data(raw.data) {}
#if !defined(__HIP_WITHOUT_HALF_CONVERSIONS)
  __host__ __device__ constexpr __half(_Float16 v) : data(v) {}
  template<class T, typename __hip_internal::enable_if<__hip_internal::is_floating_point<T>::value>::type* = nullptr>
  __host__ __device__ constexpr __half(T v) : data(static_cast<_Float16>(v)) {}
  template<class T, typename __hip_internal::enable_if<__hip_internal::is_integral<T>::value>::type* = nullptr>
  __host__ __device__ constexpr __half(T v) : data(static_cast<_Float16>(v)) {}
#endif

  __host__ __device__ __half& operator=(const __half_raw& raw) {
    data = raw.data;
    return *this;
  }
  __host__ __device__ __half& operator=(__half_raw&& raw) {
    data = raw.data;
    return *this;
  }
  __host__ __device__ volatile __half& operator=(const __half_raw& raw) volatile {
    data = raw.data;
    return *this;
  }
  __host__ __device__ volatile __half& operator=(const volatile __half_raw& raw) volatile {
    data = raw.data;
    return *this;
  }
  __host__ __device__ volatile __half& operator=(__half_raw&& raw) volatile {
    data = raw.data;
    return *this;
  }
  __host__ __device__ volatile __half& operator=(volatile __half_raw&& raw) volatile {
    data = raw.data;
    return *this;
  }
#if !defined(__HIP_WITHOUT_HALF_CONVERSIONS)
  template<class T, typename __hip_internal::enable_if<__hip_internal::is_arithmetic<T>::value>::type* = nullptr>
  __host__ __device__ __half& operator=(T v) {
    data = static_cast<_Float16>(v);
    return *this;
  }
#endif

  __host__ __device__ operator __half_raw() const {
    __half_raw raw;
    raw.data = data;
    return raw;
  }
  __host__ __device__ operator __half_raw() const volatile {
    __half_raw raw;
    raw.data = data;
    return raw;
  }
#if !defined(__HIP_WITHOUT_HALF_CONVERSIONS)
  template<class T, typename __hip_internal::enable_if<__hip_internal::is_floating_point<T>::value>::type* = nullptr>
  __host__ __device__ constexpr operator T() const {
    return static_cast<T>(data);
  }
  template<class T, typename __hip_internal::enable_if<__hip_internal::is_integral<T>::value>::type* = nullptr>
  __host__ __device__ constexpr operator T() const {
    return static_cast<T>(data);
  }
#endif

#if !defined(__HIP_WITHOUT_HALF_OPERATORS)
  __host__ __device__ __half& operator+=(const __half& b) {
    data = static_cast<_Float16>(data + b.data);
    return *this;
  }
  __host__ __device__ __half& operator-=(const __half& b) {
    data = static_cast<_Float16>(data - b.data);
    return *this;
  }
  __host__ __device__ __half& operator*=(const __half& b) {
    data = static_cast<_Float16>(data * b.data);
    return *this;
  }
  __host__ __device__ __half& operator/=(const __half& b) {
    data = static_cast<_Float16>(data / b.data);
    return *this;
  }
  __host__ __device__ __half& operator++() { return *this += __half_raw{{1}}; }
  __host__ __device__ __half& operator--() { return *this -= __half_raw{{1}}; }
  __host__ __device__ __half operator++(int) {
    __half before = *this;
    ++*this;
    return before;
  }
  __host__ __device__ __half operator--(int) {
    __half before = *this;
    --*this;
    return before;
  }
  __host__ __device__ __half operator+() const { return *this; }
  __host__ __device__ __half operator-() const { return __half_raw{{static_cast<_Float16>(-data)}}; }

  friend __host__ __device__ inline __half operator+(__half a, __half b) { return a += b; }
  friend __host__ __device__ inline __half operator-(__half a, __half b) { return a -= b; }
  friend __host__ __device__ inline __half operator*(__half a, __half b) { return a *= b; }
  friend __host__ __device__ inline __half operator/(__half a, __half b) { return a /= b; }
  friend __host__ __device__ inline bool operator==(const __half& a, const __half& b) { return a.data == b.data; }
  friend __host__ __device__ inline bool operator!=(const __half& a, const __half& b) { return a.data != b.data; }
  friend __host__ __device__ inline bool operator<(const __half& a, const __half& b) { return a.data < b.data; }
  friend __host__ __device__ inline bool operator>(const __half& a, const __half& b) { return a.data > b.data; }
  friend __host__ __device__ inline bool operator<=(const __half& a, const __half& b) { return a.data <= b.data; }
  friend __host__ __device__ inline bool operator>=(const __half& a, const __half& b) { return a.data >= b.data; }
#endif
};

struct __half2 {
  union {
    struct {
      __half x, y;
    };
    _Float16_2 data;
  };

  __half2() = default;
  __host__ __device__ __half2(_Float16_2 v) : data(v) {}
  __host__ __device__ __half2(const __half2_raw& raw) : data(raw.data) {}
  // By the vector: LLVM packs two halves that are stored one by one with more instructions.
  __host__ __device__ constexpr __half2(const __half& low, const __half& high) : data{low.data, high.data} {}
  __host__ __device__ __half2& operator=(const __half2_raw& raw) {
    data = raw.data;
    return *this;
  }
  __host__ __device__ operator _Float16_2() const { return data; }
  __host__ __device__ operator __half2_raw() const {
    __half2_raw raw;
    raw.data = data;
    return raw;
  }

#if !defined(__HIP_WITHOUT_HALF2_OPERATORS)
  __host__ __device__ __half2& operator+=(const __half2& b) { return *this = __half2(data + b.data); }
  __host__ __device__ __half2& operator-=(const __half2& b) { return *this = __half2(data - b.data); }
  __host__ __device__ __half2& operator*=(const __half2& b) { return *this = __half2(data * b.data); }
  __host__ __device__ __half2& operator/=(const __half2& b) { return *this = __half2(data / b.data); }
  __host__ __device__ __half2& operator++() { return *this += __half2(_Float16_2{1, 1}); }
  __host__ __device__ __half2& operator--() { return *this -= __half2(_Float16_2{1, 1}); }
  __host__ __device__ __half2 operator++(int) {
    __half2 before = *this;
    ++*this;
    return before;
  }
  __host__ __device__ __half2 operator--(int) {
    __half2 before = *this;
    --*this;
    return before;
  }
  __host__ __device__ __half2 operator+() const { return *this; }
  __host__ __device__ __half2 operator-() const { return __half2(-data); }

  friend __host__ __device__ inline __half2 operator+(__half2 a, __half2 b) { return a += b; }
  friend __host__ __device__ inline __half2 operator-(__half2 a, __half2 b) { return a -= b; }
  friend __host__ __device__ inline __half2 operator*(__half2 a, __half2 b) { return a *= b; }
  friend __host__ __device__ inline __half2 operator/(__half2 a, __half2 b) { return a /= b; }
  // For <, > and == both halves must satisfy the relation; the others are their opposites, as in HIP: of halves one of which
  // is greater and one smaller, each pair is <= and >= the other.
  friend __host__ __device__ inline bool operator==(const __half2& a, const __half2& b) {
    return a.x.data == b.x.data && a.y.data == b.y.data;
  }
  friend __host__ __device__ inline bool operator!=(const __half2& a, const __half2& b) { return !(a == b); }
  friend __host__ __device__ inline bool operator<(const __half2& a, const __half2& b) {
    return a.x.data < b.x.data && a.y.data < b.y.data;
  }
  friend __host__ __device__ inline bool operator>(const __half2& a, const __half2& b) {
    return a.x.data > b.x.data && a.y.data > b.y.data;
  }
  friend __host__ __device__ inline bool operator<=(const __half2& a, const __half2& b) { return !(b < a); }
  friend __host__ __device__ inline bool operator>=(const __half2& a, const __half2& b) { return !(a < b); }
#endif
};
static_assert(sizeof(__half) == 2 && sizeof(__half2) == 4, "half types have their hardware size");

#if !defined(__HIP_WITHOUT_HALF_NAMES)
typedef __half half;
typedef __half2 half2;
#endif

#undef __HIP_WITHOUT_HALF_CONVERSIONS
#undef __HIP_WITHOUT_HALF_OPERATORS
#undef __HIP_WITHOUT_HALF2_OPERATORS
#undef __HIP_WITHOUT_HALF_NAMES

#endif // HIP_DETAIL_FP16_TYPE_H
