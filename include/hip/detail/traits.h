// Type traits that HIP's headers have in namespace __hip_internal, for code that cannot rely on <type_traits>: programs that
// hiprtc compiles.
#ifndef HIP_DETAIL_TRAITS_H
#define HIP_DETAIL_TRAITS_H

#if !defined(__clang__)
#include <type_traits>
#endif

namespace __hip_internal {

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef signed char int8_t;
typedef signed short int16_t;
typedef signed int int32_t;
typedef signed long long int64_t;

template <class T, T v> struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  typedef integral_constant type;
  constexpr operator value_type() const { return value; }
  constexpr value_type operator()() const { return value; }
};
template <bool b> using bool_constant = integral_constant<bool, b>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

template <bool b, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool b, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };

// By the words of clang, which need no header; other compilers lack some of them and have the standard library.
#if defined(__clang__)
#define __HIP_TRAIT(name, ...) bool_constant<__##name(__VA_ARGS__)>
#else
#define __HIP_TRAIT(name, ...) bool_constant<std::name<__VA_ARGS__>::value>
#endif
template<class T, class U> struct is_same : __HIP_TRAIT(is_same, T, U) {};
template<class T> struct is_integral : __HIP_TRAIT(is_integral, T) {};
template<class T> struct is_floating_point : __HIP_TRAIT(is_floating_point, T) {};
template<class T> struct is_arithmetic : __HIP_TRAIT(is_arithmetic, T) {};
template<class T> struct is_signed : __HIP_TRAIT(is_signed, T) {};
template<class T> struct is_standard_layout : __HIP_TRAIT(is_standard_layout, T) {};
template<class T> struct is_trivially_copyable : __HIP_TRAIT(is_trivially_copyable, T) {};
template<class From, class To> struct is_convertible : __HIP_TRAIT(is_convertible, From, To) {};
#undef __HIP_TRAIT

} // namespace __hip_internal

#endif
