// hip/hip_bfloat16.h - hip_bfloat16, the older bfloat16 class: 16 bits of storage, arithmetic through float, rounding to
// nearest even (or truncation on request). New code uses __hip_bfloat16 of hip/hip_bf16.h. Source: HIP 7.2 API.
#ifndef HIP_HIP_BFLOAT16_H
#define HIP_HIP_BFLOAT16_H

#if !defined(__cplusplus)

#include <stdint.h>
typedef struct {
  uint16_t data;
} hip_bfloat16;

#else

#if !defined(__HIPCC_RTC__)
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <type_traits>
#endif

#include <hip/detail/qualifiers.h>

typedef struct {
  unsigned short data;
} hip_bfloat16_public;

struct hip_bfloat16 {
  unsigned short data;

  enum truncate_t { truncate };

  __host__ __device__ hip_bfloat16() = default;
  explicit __host__ __device__ hip_bfloat16(float f) : data(nearest_even(f)) {}
  explicit __host__ __device__ hip_bfloat16(float f, truncate_t) : data(toward_zero(f)) {}

  __host__ __device__ operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned int>(data) << 16);
  }
  __host__ __device__ hip_bfloat16& operator=(const float& f) {
    data = nearest_even(f);
    return *this;
  }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float f) { return hip_bfloat16(f); }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float f, truncate_t t) { return hip_bfloat16(f, t); }

private:
  static __host__ __device__ unsigned short nearest_even(float f) {
    unsigned int bits = __builtin_bit_cast(unsigned int, f);
    if ((bits & 0x7fffffff) > 0x7f800000)
      return static_cast<unsigned short>(bits >> 16 | 0x40); // NaN stays NaN, quietened
    return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  static __host__ __device__ unsigned short toward_zero(float f) {
    unsigned int bits = __builtin_bit_cast(unsigned int, f);
    unsigned short high = static_cast<unsigned short>(bits >> 16);
    // A NaN whose payload lies in the lower half alone must not turn into an infinity.
    if ((bits & 0x7fffffff) > 0x7f800000 && (high & 0x7f) == 0) high |= 1;
    return high;
  }
};

static_assert(__is_trivial(hip_bfloat16) && __is_standard_layout(hip_bfloat16) &&
                  sizeof(hip_bfloat16) == sizeof(hip_bfloat16_public) &&
                  __builtin_offsetof(hip_bfloat16, data) == __builtin_offsetof(hip_bfloat16_public, data),
              "hip_bfloat16 has the layout of hip_bfloat16_public, which C code and buffers use");

#if !defined(__HIPCC_RTC__)
inline std::ostream& operator<<(std::ostream& os, const hip_bfloat16& v) { return os << static_cast<float>(v); }
#endif

inline __host__ __device__ hip_bfloat16 operator+(hip_bfloat16 a) { return a; }
inline __host__ __device__ hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}
inline __host__ __device__ hip_bfloat16 operator+(hip_bfloat16 a, hip_bfloat16 b) {
  return hip_bfloat16(static_cast<float>(a) + static_cast<float>(b));
}
inline __host__ __device__ hip_bfloat16 operator-(hip_bfloat16 a, hip_bfloat16 b) {
  return hip_bfloat16(static_cast<float>(a) - static_cast<float>(b));
}
inline __host__ __device__ hip_bfloat16 operator*(hip_bfloat16 a, hip_bfloat16 b) {
  return hip_bfloat16(static_cast<float>(a) * static_cast<float>(b));
}
inline __host__ __device__ hip_bfloat16 operator/(hip_bfloat16 a, hip_bfloat16 b) {
  return hip_bfloat16(static_cast<float>(a) / static_cast<float>(b));
}
inline __host__ __device__ bool operator<(hip_bfloat16 a, hip_bfloat16 b) {
  return static_cast<float>(a) < static_cast<float>(b);
}
inline __host__ __device__ bool operator==(hip_bfloat16 a, hip_bfloat16 b) {
  return static_cast<float>(a) == static_cast<float>(b);
}
inline __host__ __device__ bool operator>(hip_bfloat16 a, hip_bfloat16 b) { return b < a; }
inline __host__ __device__ bool operator<=(hip_bfloat16 a, hip_bfloat16 b) {
  return static_cast<float>(a) <= static_cast<float>(b);
}
inline __host__ __device__ bool operator>=(hip_bfloat16 a, hip_bfloat16 b) { return b <= a; }
inline __host__ __device__ bool operator!=(hip_bfloat16 a, hip_bfloat16 b) { return !(a == b); }
inline __host__ __device__ hip_bfloat16& operator+=(hip_bfloat16& a, hip_bfloat16 b) { return a = a + b; }
inline __host__ __device__ hip_bfloat16& operator-=(hip_bfloat16& a, hip_bfloat16 b) { return a = a - b; }
inline __host__ __device__ hip_bfloat16& operator*=(hip_bfloat16& a, hip_bfloat16 b) { return a = a * b; }
inline __host__ __device__ hip_bfloat16& operator/=(hip_bfloat16& a, hip_bfloat16 b) { return a = a / b; }
inline __host__ __device__ hip_bfloat16& operator++(hip_bfloat16& a) { return a += hip_bfloat16(1.0f); }
inline __host__ __device__ hip_bfloat16& operator--(hip_bfloat16& a) { return a -= hip_bfloat16(1.0f); }
inline __host__ __device__ hip_bfloat16 operator++(hip_bfloat16& a, int) {
  hip_bfloat16 before = a;
  ++a;
  return before;
}
inline __host__ __device__ hip_bfloat16 operator--(hip_bfloat16& a, int) {
  hip_bfloat16 before = a;
  --a;
  return before;
}

namespace std {
inline __host__ __device__ bool isinf(hip_bfloat16 a) { return (a.data & 0x7fff) == 0x7f80; }
inline __host__ __device__ bool isnan(hip_bfloat16 a) { return (a.data & 0x7fff) > 0x7f80; }
inline __host__ __device__ bool iszero(hip_bfloat16 a) { return (a.data & 0x7fff) == 0; }
} // namespace std

#endif // __cplusplus

#endif // HIP_HIP_BFLOAT16_H
