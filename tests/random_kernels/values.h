// values.h - what generated programs compute with: operations on integers and floating-point numbers that have one
// exact result on every machine. Signed arithmetic is done in unsigned types, shift counts and divisors are guarded,
// conversions to integers stay in range, and NaN has one representation wherever its bits can be seen.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#define RK_INLINE __host__ __device__ __attribute__((always_inline)) inline
#define RK_CALLED __host__ __device__ __attribute__((noinline))
#ifdef RK_OPERATIONS_CALLED // an operation is a call where nothing is optimised
#define RK_OPERATION __host__ __device__ inline
#else
#define RK_OPERATION RK_INLINE
#endif

using i8 = int8_t;
using u8 = uint8_t;
using i16 = int16_t;
using u16 = uint16_t;
using i32 = int32_t;
using u32 = uint32_t;
using i64 = int64_t;
using u64 = uint64_t;
using i128 = __int128;
using u128 = unsigned __int128;
using f32 = float;
using f64 = double;
using u16x2 = u16 __attribute__((ext_vector_type(2)));
using i16x2 = i16 __attribute__((ext_vector_type(2)));

template<class T> constexpr bool is_float = std::is_same_v<T, f32> || std::is_same_v<T, f64>;
template<class T> constexpr bool is_signed = T(-1) < T(0);
template<class T> constexpr u32 bits_in = sizeof(T) * 8;

/// The unsigned type in which arithmetic on T wraps: never narrower than int, which narrower types are promoted to.
template<class T> using Wrapping =
    std::conditional_t<(sizeof(T) <= 4), u32, std::conditional_t<(sizeof(T) == 8), u64, u128>>;
template<class T> using Unsigned = std::conditional_t<
    sizeof(T) == 1, u8,
    std::conditional_t<sizeof(T) == 2, u16,
                       std::conditional_t<sizeof(T) == 4, u32, std::conditional_t<sizeof(T) == 8, u64, u128>>>>;
template<class T> constexpr T smallest = is_signed<T> ? T(Unsigned<T>(1) << (bits_in<T> - 1)) : T(0);

template<class T> RK_OPERATION T add(T a, T b) {
  if constexpr (is_float<T>)
    return a + b;
  else
    return T(Wrapping<T>(a) + Wrapping<T>(b));
}
template<class T> RK_OPERATION T sub(T a, T b) {
  if constexpr (is_float<T>)
    return a - b;
  else
    return T(Wrapping<T>(a) - Wrapping<T>(b));
}
template<class T> RK_OPERATION T mul(T a, T b) {
#if defined(RK_WRONG_DEVICE) && defined(__HIP_DEVICE_COMPILE__) // shows that differences are noticed
  b = b + T(1);
#endif
  if constexpr (is_float<T>)
    return a * b;
  else
    return T(Wrapping<T>(a) * Wrapping<T>(b));
}
template<class T> RK_OPERATION T neg(T a) {
  if constexpr (is_float<T>)
    return -a;
  else
    return T(Wrapping<T>(0) - Wrapping<T>(a));
}
template<class T> RK_OPERATION T div(T a, T b) {
  if constexpr (is_float<T>) {
    return a / b;
  } else {
    if (b == 0) return a;
    if (is_signed<T> && b == T(-1)) return neg<T>(a);
    return T(a / b);
  }
}
template<class T> RK_OPERATION T rem(T a, T b) {
  if (b == 0) return a;
  if (is_signed<T> && b == T(-1)) return 0;
  return T(a % b);
}
template<class T> RK_OPERATION T bit_and(T a, T b) { return T(a & b); }
template<class T> RK_OPERATION T bit_or(T a, T b) { return T(a | b); }
template<class T> RK_OPERATION T bit_xor(T a, T b) { return T(a ^ b); }
template<class T> RK_OPERATION T bit_not(T a) { return T(~a); }
template<class T> RK_OPERATION T shl(T a, u32 n) { return T(Wrapping<T>(a) << (n & (bits_in<T> - 1))); }
template<class T> RK_OPERATION T shr(T a, u32 n) { return T(a >> (n & (bits_in<T> - 1))); }
template<class T> RK_OPERATION T rotate(T a, u32 n) {
  const Unsigned<T> u = Unsigned<T>(a);
  n &= bits_in<T> - 1;
  return T(n ? Unsigned<T>(Unsigned<T>(u << n) | Unsigned<T>(u >> (bits_in<T> - n))) : u);
}
template<class T> RK_OPERATION T add_saturated(T a, T b) { return __builtin_elementwise_add_sat(a, b); }
template<class T> RK_OPERATION T sub_saturated(T a, T b) { return __builtin_elementwise_sub_sat(a, b); }
template<class T> RK_OPERATION T mul_high(T a, T b) {
  using Twice = std::conditional_t<sizeof(T) == 8, std::conditional_t<is_signed<T>, i128, u128>,
                                   std::conditional_t<is_signed<T>, i64, u64>>;
  return T((Twice(a) * Twice(b)) >> bits_in<T>);
}
template<class T> RK_OPERATION T abs_difference(T a, T b) { return a < b ? sub<T>(b, a) : sub<T>(a, b); }
template<class T> RK_OPERATION T population(T a) {
  if constexpr (sizeof(T) == 16)
    return T(__builtin_popcountll(u64(u128(a))) + __builtin_popcountll(u64(u128(a) >> 64)));
  else
    return T(__builtin_popcountll(Unsigned<T>(a)));
}
template<class T> RK_OPERATION T leading_zeros(T a) {
  const u64 u = u64(Unsigned<T>(a));
  return T(u ? __builtin_clzll(u) : 64);
}
template<class T> RK_OPERATION T trailing_zeros(T a) {
  const u64 u = u64(Unsigned<T>(a));
  return T(u ? __builtin_ctzll(u) : 64);
}
template<class T> RK_OPERATION T reverse_bits(T a) {
  if constexpr (sizeof(T) == 8)
    return T(__builtin_bitreverse64(u64(a)));
  else
    return T(__builtin_bitreverse32(u32(a)));
}
template<class T> RK_OPERATION T reverse_bytes(T a) {
  if constexpr (sizeof(T) == 8)
    return T(__builtin_bswap64(u64(a)));
  else
    return T(__builtin_bswap32(u32(a)));
}
/// A field of 1 to 8 bits at bit `at`, sign-extended for signed types.
template<class T> RK_OPERATION T field(T a, u32 at, u32 width) {
  const T shifted = shr<T>(a, at);
  const u32 rest = bits_in<T> - (width & 7) - 1;
  return shr<T>(shl<T>(shifted, rest), rest);
}

// The sign of a zero that fmin and fmax return is not defined; adding +0 makes every zero positive.
template<class T> RK_OPERATION T minimum(T a, T b) {
  if constexpr (std::is_same_v<T, f32>)
    return __builtin_fminf(a, b) + 0.0f;
  else if constexpr (std::is_same_v<T, f64>)
    return __builtin_fmin(a, b) + 0.0;
  else
    return b < a ? b : a;
}
template<class T> RK_OPERATION T maximum(T a, T b) {
  if constexpr (std::is_same_v<T, f32>)
    return __builtin_fmaxf(a, b) + 0.0f;
  else if constexpr (std::is_same_v<T, f64>)
    return __builtin_fmax(a, b) + 0.0;
  else
    return a < b ? b : a;
}
RK_OPERATION f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
RK_OPERATION f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
RK_OPERATION f32 root(f32 a) { return __builtin_sqrtf(a); }
RK_OPERATION f64 root(f64 a) { return __builtin_sqrt(a); }
RK_OPERATION f32 magnitude(f32 a) { return __builtin_fabsf(a); }
RK_OPERATION f64 magnitude(f64 a) { return __builtin_fabs(a); }
RK_OPERATION f32 round_down(f32 a) { return __builtin_floorf(a); }
RK_OPERATION f64 round_down(f64 a) { return __builtin_floor(a); }
RK_OPERATION f32 round_up(f32 a) { return __builtin_ceilf(a); }
RK_OPERATION f64 round_up(f64 a) { return __builtin_ceil(a); }
RK_OPERATION f32 round_to_zero(f32 a) { return __builtin_truncf(a); }
RK_OPERATION f64 round_to_zero(f64 a) { return __builtin_trunc(a); }
RK_OPERATION f32 round_to_even(f32 a) { return __builtin_rintf(a); }
RK_OPERATION f64 round_to_even(f64 a) { return __builtin_rint(a); }

/// The bits of a value as they are compared and as integers see them; every NaN becomes one.
template<class T> RK_OPERATION u64 bits(T a) {
  if constexpr (std::is_same_v<T, f32>) {
    u32 word;
    __builtin_memcpy(&word, &a, 4);
    return a != a ? 0x7fc00000u : word;
  } else if constexpr (std::is_same_v<T, f64>) {
    u64 word;
    __builtin_memcpy(&word, &a, 8);
    return a != a ? 0x7ff8000000000000ull : word;
  } else {
    return u64(a);
  }
}
/// The value whose bits these are; a NaN becomes the quiet one that bits() knows.
template<class T> RK_OPERATION T value_of(u64 word) {
  if constexpr (std::is_same_v<T, f32>) {
    u32 low = u32(word);
    if ((low & 0x7fffffffu) > 0x7f800000u) low = 0x7fc00000u;
    f32 a;
    __builtin_memcpy(&a, &low, 4);
    return a;
  } else if constexpr (std::is_same_v<T, f64>) {
    if ((word & 0x7fffffffffffffffull) > 0x7ff0000000000000ull) word = 0x7ff8000000000000ull;
    f64 a;
    __builtin_memcpy(&a, &word, 8);
    return a;
  } else {
    return T(word);
  }
}
/// Conversion between any two types, 128-bit integers to and from floating point left out. Numbers that an integer type
/// does not hold become its number of bits.
template<class T, class U> RK_OPERATION T convert(U a) {
  if constexpr (is_float<U> && !is_float<T>) {
    const U low = U(smallest<T>);
    const U high = U(T(1) << (bits_in<T> - 2)) * (is_signed<T> ? U(2) : U(4));
    return a >= low && a < high ? T(a) : T(bits_in<T>);
  } else {
    return T(a);
  }
}
template<class T> RK_OPERATION T wide(u64 high, u64 low) { return T(u128(high) << 64 | low); }

/// T from `sizeof(T)` bytes at any offset that keeps inside `size_bytes`.
template<class T> RK_OPERATION T load_bytes(const void* base, u32 size_bytes, u32 offset) {
  T value;
  __builtin_memcpy(&value, static_cast<const char*>(base) + offset % (size_bytes - u32(sizeof(T)) + 1), sizeof(T));
  return value;
}
template<class T> RK_OPERATION void store_bytes(void* base, u32 size_bytes, u32 offset, T value) {
  __builtin_memcpy(static_cast<char*>(base) + offset % (size_bytes - u32(sizeof(T)) + 1), &value, sizeof(T));
}
template<class T> RK_OPERATION T mixed(T a) {
  return bit_xor<T>(mul<T>(a, T(0x9e3779b97f4a7c15ull)), shr<T>(a, bits_in<T> / 2 + 1));
}
