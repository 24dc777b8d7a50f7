// hip/detail/value_limits.h - the least and the greatest value of a type in device code, as the start of a minimum or maximum:
// infinities where the type has them. Types without an order of their own give their default value.
#ifndef HIP_DETAIL_VALUE_LIMITS_H
#define HIP_DETAIL_VALUE_LIMITS_H

#include <hip/detail/qualifiers.h>

namespace __hip_internal {

enum class value_kind { integer, floating, other };
template <class T, value_kind = __is_integral(T)         ? value_kind::integer
                                : __is_floating_point(T) ? value_kind::floating
                                                         : value_kind::other>
struct value_limits {
  __device__ static T least() { return T(); }
  __device__ static T greatest() { return T(); }
};
template <class T> struct value_limits<T, value_kind::integer> {
  __device__ static T least() {
    return static_cast<T>(-1) < static_cast<T>(0) ? static_cast<T>(static_cast<T>(1) << (sizeof(T) * 8 - 1)) : T();
  }
  __device__ static T greatest() { return static_cast<T>(~least()); }
};
template <class T> struct value_limits<T, value_kind::floating> {
  __device__ static T least() { return static_cast<T>(-__builtin_huge_valf()); }
  __device__ static T greatest() { return static_cast<T>(__builtin_huge_valf()); }
};

} // namespace __hip_internal

#endif
