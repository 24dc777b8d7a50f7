// hip/detail/fp16_host_type.h - the types __half and __half2 for compilers without the kernel language: g++, and
// clang++ that compiles plain C++. They have storage, conversions and assignments, rounded to nearest even by integer
// arithmetic, as not every such compiler has _Float16. A half becomes a float in arithmetic, comparisons and output, as
// in AMD's headers for these compilers, so it has no binary operators: they would make h + 1.0f ambiguous. The layout
// is that of fp16_type.h, and so are the bits that conversions give. A program can do without parts of them
// (fp16_choices.h); of the conversions those from numbers go, and the one to float stays.
#ifndef HIP_DETAIL_FP16_HOST_TYPE_H
#define HIP_DETAIL_FP16_HOST_TYPE_H

#include <hip/detail/float_layout.h>
#include <hip/detail/fp16_choices.h>

#include <type_traits>

#define __HIP_HALF_BY_BITS 1

struct __half_raw {
  unsigned short x;
};
struct alignas(4) __half2_raw {
  unsigned short x, y;
};

namespace hip_detail {

// The half nearest to a float or double, of two the even one. A NaN keeps its sign and the upper bits of its payload,
// and is quiet.
template<class T> inline unsigned short half_bits(T value) {
  using S = float_layout<T>;
  using B = typename S::bits;
  static_assert(sizeof(B) == sizeof(T), "the bits are those of the number");
  constexpr int kCut = S::mantissa - 10, kBias = (1 << (S::exponent - 1)) - 1;
  constexpr B kInfinity = ((B(1) << S::exponent) - 1) << S::mantissa;
  B raw;
  __builtin_memcpy(&raw, &value, sizeof(raw));
  const unsigned int sign = static_cast<unsigned int>(raw >> (S::mantissa + S::exponent)) << 15;
  const B magnitude = raw & ~(B(1) << (S::mantissa + S::exponent));
  if (magnitude > kInfinity)
    return static_cast<unsigned short>(sign | 0x7e00u | (static_cast<unsigned int>(magnitude >> kCut) & 0x3ffu));
  const int exponent = static_cast<int>(magnitude >> S::mantissa) - kBias + 15;
  if (exponent >= 31) return static_cast<unsigned short>(sign | 0x7c00u);
  // Below the smallest normal half the step stays the same, so more bits are cut off.
  const int cut = exponent >= 1 ? kCut : kCut + 1 - exponent;
  if (cut > S::mantissa + 1) return static_cast<unsigned short>(sign);
  const B significand = (magnitude & ((B(1) << S::mantissa) - 1)) | (B(1) << S::mantissa);
  const B rest = significand & ((B(1) << cut) - 1), middle = B(1) << (cut - 1);
  unsigned int kept = static_cast<unsigned int>(significand >> cut);
  if (rest > middle || (rest == middle && (kept & 1u))) ++kept;
  // A normal number's first bit is added to the exponent, as is what rounding carries over, up to infinity.
  return static_cast<unsigned short>(sign |
                                     ((exponent >= 1 ? static_cast<unsigned int>(exponent - 1) << 10 : 0u) + kept));
}

inline float half_value(unsigned short code) {
  const unsigned int sign = (code & 0x8000u) << 16, magnitude = code & 0x7fffu;
  unsigned int bits;
  if (magnitude >= 0x7c00u) { // infinity, or a NaN, which becomes quiet
    bits = 0x7f800000u | (magnitude > 0x7c00u ? 0x400000u : 0u) | (magnitude & 0x3ffu) << 13;
  } else if (magnitude >= 0x400u) {
    bits = (magnitude << 13) + (112u << 23);
  } else { // steps of 2^-24, which are normal floats
    const float value = static_cast<float>(magnitude) * 5.9604644775390625e-8f;
    __builtin_memcpy(&bits, &value, sizeof(bits));
  }
  bits |= sign;
  float result;
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}

// What is _Float16 in fp16_type.h: a number in 16 bits that becomes a float in arithmetic.
struct float16 {
  unsigned short bits;

  float16() = default;
  explicit float16(float v) : bits(half_bits(v)) {}
  explicit float16(double v) : bits(half_bits(v)) {}
  // Integers that a double does not hold are beyond the largest half.
  template<class T, typename std::enable_if<std::is_integral<T>::value>::type* = nullptr> explicit float16(T v)
      : bits(half_bits(static_cast<double>(v))) {}
  operator float() const { return half_value(bits); }
};

} // namespace hip_detail

struct __half {
  union {
    hip_detail::float16 data;
    unsigned short __x;
  };

  __half() = default;
  constexpr __half(const __half_raw& raw) : __x(raw.x) {}
#if !defined(__HIP_WITHOUT_HALF_CONVERSIONS)
  __half(float v) : data(v) {}
  __half(double v) : data(v) {}
  template<class T, typename std::enable_if<std::is_integral<T>::value>::type* = nullptr> __half(T v) : data(v) {}
#endif

  __half& operator=(const __half_raw& raw) {
    __x = raw.x;
    return *this;
  }
#if !defined(__HIP_WITHOUT_HALF_CONVERSIONS)
  __half& operator=(float v) { return *this = __half(v); }
  __half& operator=(double v) { return *this = __half(v); }
  template<class T, typename std::enable_if<std::is_integral<T>::value>::type* = nullptr> __half& operator=(T v) {
    return *this = __half(v);
  }
#endif

  operator float() const { return data; }
  operator __half_raw() const { return __half_raw{__x}; }
  operator __half_raw() const volatile { return __half_raw{__x}; }

#if !defined(__HIP_WITHOUT_HALF_OPERATORS)
  __half& operator+=(const __half& b) { return store(data + b.data); }
  __half& operator-=(const __half& b) { return store(data - b.data); }
  __half& operator*=(const __half& b) { return store(data * b.data); }
  __half& operator/=(const __half& b) { return store(data / b.data); }
  __half& operator++() { return store(data + 1.0f); }
  __half& operator--() { return store(data - 1.0f); }
  __half operator++(int) {
    const __half before = *this;
    ++*this;
    return before;
  }
  __half operator--(int) {
    const __half before = *this;
    --*this;
    return before;
  }

private:
  __half& store(float v) {
    data = hip_detail::float16(v);
    return *this;
  }
#endif
};

struct alignas(4) __half2 {
  __half x, y;

  __half2() = default;
  __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __half2(const __half& low, const __half& high) : x(low), y(high) {}
  __half2& operator=(const __half2_raw& raw) { return *this = __half2(raw); }
  operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }

  // Pairs have no conversion to float, so their operators make no expression ambiguous.
#if !defined(__HIP_WITHOUT_HALF2_OPERATORS)
  __half2& operator+=(const __half2& b) { return store(x.data + b.x.data, y.data + b.y.data); }
  __half2& operator-=(const __half2& b) { return store(x.data - b.x.data, y.data - b.y.data); }
  __half2& operator*=(const __half2& b) { return store(x.data * b.x.data, y.data * b.y.data); }
  __half2& operator/=(const __half2& b) { return store(x.data / b.x.data, y.data / b.y.data); }
  __half2& operator++() { return store(x.data + 1.0f, y.data + 1.0f); }
  __half2& operator--() { return store(x.data - 1.0f, y.data - 1.0f); }
  __half2 operator++(int) {
    const __half2 before = *this;
    ++*this;
    return before;
  }
  __half2 operator--(int) {
    const __half2 before = *this;
    --*this;
    return before;
  }
  __half2 operator+() const { return *this; }
  __half2 operator-() const {
    return __half2(__half_raw{static_cast<unsigned short>(x.__x ^ 0x8000u)},
                   __half_raw{static_cast<unsigned short>(y.__x ^ 0x8000u)});
  }

  friend inline __half2 operator+(__half2 a, const __half2& b) { return a += b; }
  friend inline __half2 operator-(__half2 a, const __half2& b) { return a -= b; }
  friend inline __half2 operator*(__half2 a, const __half2& b) { return a *= b; }
  friend inline __half2 operator/(__half2 a, const __half2& b) { return a /= b; }
  // As those of fp16_type.h: <= and >= are the opposites of > and <.
  friend inline bool operator==(const __half2& a, const __half2& b) {
    return a.x.data == b.x.data && a.y.data == b.y.data;
  }
  friend inline bool operator!=(const __half2& a, const __half2& b) { return !(a == b); }
  friend inline bool operator<(const __half2& a, const __half2& b) {
    return a.x.data < b.x.data && a.y.data < b.y.data;
  }
  friend inline bool operator>(const __half2& a, const __half2& b) { return b < a; }
  friend inline bool operator<=(const __half2& a, const __half2& b) { return !(b < a); }
  friend inline bool operator>=(const __half2& a, const __half2& b) { return !(a < b); }

private:
  __half2& store(float low, float high) {
    x.data = hip_detail::float16(low);
    y.data = hip_detail::float16(high);
    return *this;
  }
#endif
};
static_assert(sizeof(__half) == 2 && alignof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4 &&
                  sizeof(__half2_raw) == 4 && alignof(__half2_raw) == 4,
              "half types have the size and alignment that kernels see");

#if !defined(__HIP_WITHOUT_HALF_NAMES)
typedef __half half;
typedef __half2 half2;
#endif

#undef __HIP_WITHOUT_HALF_CONVERSIONS
#undef __HIP_WITHOUT_HALF_OPERATORS
#undef __HIP_WITHOUT_HALF2_OPERATORS
#undef __HIP_WITHOUT_HALF_NAMES

#endif // HIP_DETAIL_FP16_HOST_TYPE_H
