// Short vectors char1 .. double4 with make_* functions; in C++ also element-wise operators. Plain structs with members
// x, y, z, w for C, C++ on the host and device code; size and alignment are those of the HIP ABI (alignment = size for
// 1, 2 and 4 elements, that of the element for 3).
#ifndef HIP_HIP_VECTOR_TYPES_H
#define HIP_HIP_VECTOR_TYPES_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/vector_operators.h>
#else
#include <hip/detail/qualifiers.h>

#ifdef __cplusplus
namespace __hip_internal {

template <bool, class T = void> struct vector_enable {};
template <class T> struct vector_enable<true, T> { typedef T type; };
template <class T> T&& vector_declval() noexcept;
// Integral element: halves do not survive the conversion. Signed element: minus one stays below zero. A class is
// neither.
template<class T, bool = __is_class(T)> struct vector_is_integer {
  static const bool value = static_cast<T>(0.5) == static_cast<T>(0);
};
template<class T> struct vector_is_integer<T, true> {
  static const bool value = false;
};
template<class T, bool = __is_class(T)> struct vector_is_signed {
  static const bool value = static_cast<T>(-1) < static_cast<T>(0);
};
template<class T> struct vector_is_signed<T, true> {
  static const bool value = false;
};
// Names T when a U converts to a T; operands that are vectors themselves drop out here.
template <class T, class U, class = decltype(static_cast<T>(vector_declval<U>()))> struct vector_scalar { typedef T type; };
// The compiler's own vector of n elements; an array where it has none, or where its own takes more room.
#if defined(__clang__)
template <class T, unsigned int n, bool = __is_arithmetic(T) && n != 3> struct vector_native { typedef T type[n]; };
template <class T, unsigned int n> struct vector_native<T, n, true> {
  typedef T type __attribute__((ext_vector_type(n)));
};
#else
template <class T, unsigned int n> struct vector_native { typedef T type[n]; };
#endif

} // namespace __hip_internal
#endif

#if defined(__OMNIHIP_CUDA__)
// A CUDA source has CUDA's: without constructors and operators, which programs define themselves.
#include <vector_types.h>
#else

#ifdef __cplusplus

#define __HIP_VECTOR_FN __host__ __device__ __HIP_CONSTEXPR14

// HIP_vector_base<T, rank>: storage, and the compound assignments that need the list of members. `data` is all elements, as in ROCm's,
// whose libraries take data[i].
template <class T, unsigned int rank> struct HIP_vector_base;
template <class T, unsigned int rank> struct HIP_vector_type;

namespace __hip_internal {
// One tag per compound assignment; apply() is its meaning on one element.
#define __HIP_VECTOR_TAG(name, op) \
  struct vector_##name { template <class T> __HIP_VECTOR_FN static void apply(T& a, const T& b) { a = static_cast<T>(a op b); } };
__HIP_VECTOR_TAG(add, +)
__HIP_VECTOR_TAG(sub, -)
__HIP_VECTOR_TAG(mul, *)
__HIP_VECTOR_TAG(div, /)
__HIP_VECTOR_TAG(rem, %)
__HIP_VECTOR_TAG(and_, &)
__HIP_VECTOR_TAG(or_, |)
__HIP_VECTOR_TAG(xor_, ^)
__HIP_VECTOR_TAG(shl, <<)
__HIP_VECTOR_TAG(shr, >>)
#undef __HIP_VECTOR_TAG

// What operators ask of a base. Libraries bring bases of their own, for classes as elements and for more than four
// (rocWMMA does), and these have no more than `data`, which has operators itself.
template<class T, unsigned int rank, class = void> struct vector_of {
  typedef HIP_vector_base<T, rank> base;
  template<class Op> __HIP_VECTOR_FN static void apply(base& a, const base& b) { Op::apply(a.data, b.data); }
  __HIP_VECTOR_FN static bool equal(const base& a, const base& b) {
    for (unsigned int i = 0; i < rank; ++i)
      if (!(a.data[i] == b.data[i])) return false;
    return true;
  }
  __HIP_VECTOR_FN static base splat(T a) {
    base all{};
    for (unsigned int i = 0; i < rank; ++i) all.data[i] = a;
    return all;
  }
};
template<class T, unsigned int rank> struct vector_of<T, rank, typename HIP_vector_base<T, rank>::__has_functions> {
  typedef HIP_vector_base<T, rank> base;
  template<class Op> __HIP_VECTOR_FN static void apply(base& a, const base& b) { a.template __apply<Op>(b); }
  __host__ __device__ static constexpr bool equal(const base& a, const base& b) { return a.__equal(b); }
  __host__ __device__ static constexpr base splat(T a) { return base::__splat(a); }
};
} // namespace __hip_internal

template <class T> struct HIP_vector_base<T, 1> {
  typedef T value_type;
  typedef void __has_functions; // __apply, __equal and __splat
  typedef typename __hip_internal::vector_native<T, 1>::type Native_vec_;
  union {
    Native_vec_ data;
    __extension__ struct {
      T x;
    };
  };
  HIP_vector_base() = default;
  __host__ __device__ constexpr explicit HIP_vector_base(T a) : x(a) {}
  template <class Op> __HIP_VECTOR_FN void __apply(const HIP_vector_base& v) { Op::apply(x, v.x); }
  __host__ __device__ constexpr bool __equal(const HIP_vector_base& v) const { return x == v.x; }
  __host__ __device__ static constexpr HIP_vector_base __splat(T a) { return HIP_vector_base(a); }
};

template <class T> struct alignas(2 * sizeof(T)) HIP_vector_base<T, 2> {
  typedef T value_type;
  typedef void __has_functions; // __apply, __equal and __splat
  typedef typename __hip_internal::vector_native<T, 2>::type Native_vec_;
  union {
    Native_vec_ data;
    __extension__ struct {
      T x, y;
    };
  };
  HIP_vector_base() = default;
  __host__ __device__ constexpr explicit HIP_vector_base(T a, T b = T()) : x(a), y(b) {}
  template <class Op> __HIP_VECTOR_FN void __apply(const HIP_vector_base& v) {
    Op::apply(x, v.x);
    Op::apply(y, v.y);
  }
  __host__ __device__ constexpr bool __equal(const HIP_vector_base& v) const { return x == v.x && y == v.y; }
  __host__ __device__ static constexpr HIP_vector_base __splat(T a) { return HIP_vector_base(a, a); }
};

template <class T> struct HIP_vector_base<T, 3> {
  typedef T value_type;
  typedef void __has_functions; // __apply, __equal and __splat
  typedef typename __hip_internal::vector_native<T, 3>::type Native_vec_;
  union {
    Native_vec_ data;
    __extension__ struct {
      T x, y, z;
    };
  };
  HIP_vector_base() = default;
  __host__ __device__ constexpr explicit HIP_vector_base(T a, T b = T(), T c = T()) : x(a), y(b), z(c) {}
  template <class Op> __HIP_VECTOR_FN void __apply(const HIP_vector_base& v) {
    Op::apply(x, v.x);
    Op::apply(y, v.y);
    Op::apply(z, v.z);
  }
  __host__ __device__ constexpr bool __equal(const HIP_vector_base& v) const {
    return x == v.x && y == v.y && z == v.z;
  }
  __host__ __device__ static constexpr HIP_vector_base __splat(T a) { return HIP_vector_base(a, a, a); }
};

template <class T> struct alignas(4 * sizeof(T)) HIP_vector_base<T, 4> {
  typedef T value_type;
  typedef void __has_functions; // __apply, __equal and __splat
  typedef typename __hip_internal::vector_native<T, 4>::type Native_vec_;
  union {
    Native_vec_ data;
    __extension__ struct {
      T x, y, z, w;
    };
  };
  HIP_vector_base() = default;
  __host__ __device__ constexpr explicit HIP_vector_base(T a, T b = T(), T c = T(), T d = T())
      : x(a), y(b), z(c), w(d) {}
  template <class Op> __HIP_VECTOR_FN void __apply(const HIP_vector_base& v) {
    Op::apply(x, v.x);
    Op::apply(y, v.y);
    Op::apply(z, v.z);
    Op::apply(w, v.w);
  }
  __host__ __device__ constexpr bool __equal(const HIP_vector_base& v) const {
    return x == v.x && y == v.y && z == v.z && w == v.w;
  }
  __host__ __device__ static constexpr HIP_vector_base __splat(T a) { return HIP_vector_base(a, a, a, a); }
};

// One initialiser sets x and zeroes the rest and has to be asked for (float4 v(1.0f)); `rank` initialisers set every
// element. v[i] is element i.
// A scalar operand of an operator stands for a vector with that value in every element.
template <class T, unsigned int rank> struct HIP_vector_type : HIP_vector_base<T, rank> {
  typedef HIP_vector_base<T, rank> __base;
  typedef __hip_internal::vector_of<T, rank> __of;

  typedef typename __base::Native_vec_ Native_vec_;
  using __base::data;

  HIP_vector_type() = default;
  template <class U, class = typename __hip_internal::vector_scalar<T, U>::type>
  __host__ __device__ constexpr explicit HIP_vector_type(U a) : __base(static_cast<T>(a)) {}
  template <class U, class... Us, typename __hip_internal::vector_enable<(rank > 1) && sizeof...(Us) + 1 == rank, int>::type = 0>
  __host__ __device__ constexpr HIP_vector_type(U a, Us... b) : __base(static_cast<T>(a), static_cast<T>(b)...) {}
  __host__ __device__ constexpr explicit HIP_vector_type(const __base& b) : __base(b) {}

  __host__ __device__ T& operator[](__SIZE_TYPE__ i) { return reinterpret_cast<T*>(this)[i]; }
  __host__ __device__ const T& operator[](__SIZE_TYPE__ i) const { return reinterpret_cast<const T*>(this)[i]; }

  template <class Op> __HIP_VECTOR_FN HIP_vector_type& __with(const __base& v) {
    __of::template apply<Op>(*this, v);
    return *this;
  }
  // Not constexpr, as in ROCm: rocWMMA specialises the first two.
  __host__ __device__ HIP_vector_type& operator++() noexcept {
    return __with<__hip_internal::vector_add>(__of::splat(T(1)));
  }
  __host__ __device__ HIP_vector_type& operator--() noexcept {
    return __with<__hip_internal::vector_sub>(__of::splat(T(1)));
  }
  __host__ __device__ HIP_vector_type operator++(int) noexcept {
    HIP_vector_type old(*this);
    ++*this;
    return old;
  }
  __host__ __device__ HIP_vector_type operator--(int) noexcept {
    HIP_vector_type old(*this);
    --*this;
    return old;
  }
  template <class U = T, typename __hip_internal::vector_enable<__hip_internal::vector_is_signed<U>::value, int>::type = 0>
  __HIP_VECTOR_FN HIP_vector_type operator-() const {
    HIP_vector_type r(*this);
    return r.template __with<__hip_internal::vector_mul>(__of::splat(T(-1)));
  }
  template <class U = T, typename __hip_internal::vector_enable<__hip_internal::vector_is_integer<U>::value, int>::type = 0>
  __HIP_VECTOR_FN HIP_vector_type operator~() const {
    HIP_vector_type r(*this);
    return r.template __with<__hip_internal::vector_xor_>(__of::splat(static_cast<T>(~T(0))));
  }
};

// Operators are templates outside of the class, so that a program's own for float3 and its kin, which CUDA does not have,
// are preferred to them. The right side of an assignment may be what converts to the vector.
#define __HIP_VECTOR_BINARY(op, tag, only_integer)                                                                     \
  template<class T, unsigned int n,                                                                                    \
           typename __hip_internal::vector_enable<!only_integer || __hip_internal::vector_is_integer<T>::value,        \
                                                  int>::type = 0>                                                      \
  __HIP_VECTOR_FN inline HIP_vector_type<T, n>& operator op## =                                                        \
      (HIP_vector_type<T, n> & a,                                                                                      \
       const typename __hip_internal::vector_enable<true, HIP_vector_type<T, n>>::type& b) {                           \
    return a.template __with<__hip_internal::vector_##tag>(b);                                                         \
  }                                                                                                                    \
  template<class T, unsigned int n, class U, class = typename __hip_internal::vector_scalar<T, U>::type,               \
           typename __hip_internal::vector_enable<!only_integer || __hip_internal::vector_is_integer<T>::value,        \
                                                  int>::type = 0>                                                      \
  __HIP_VECTOR_FN inline HIP_vector_type<T, n>& operator op## = (HIP_vector_type<T, n> & a, U b) {                     \
    return a.template __with<__hip_internal::vector_##tag>(__hip_internal::vector_of<T, n>::splat(static_cast<T>(b))); \
  }                                                                                                                    \
  template<class T, unsigned int n,                                                                                    \
           typename __hip_internal::vector_enable<!only_integer || __hip_internal::vector_is_integer<T>::value,        \
                                                  int>::type = 0>                                                      \
  __HIP_VECTOR_FN inline HIP_vector_type<T, n> operator op(HIP_vector_type<T, n> a, const HIP_vector_type<T, n>& b) {  \
    return a.template __with<__hip_internal::vector_##tag>(b);                                                         \
  }                                                                                                                    \
  template<class T, unsigned int n, class U, class = typename __hip_internal::vector_scalar<T, U>::type,               \
           typename __hip_internal::vector_enable<!only_integer || __hip_internal::vector_is_integer<T>::value,        \
                                                  int>::type = 0>                                                      \
  __HIP_VECTOR_FN inline HIP_vector_type<T, n> operator op(HIP_vector_type<T, n> a, U b) {                             \
    return a.template __with<__hip_internal::vector_##tag>(__hip_internal::vector_of<T, n>::splat(static_cast<T>(b))); \
  }                                                                                                                    \
  template<class T, unsigned int n, class U, class = typename __hip_internal::vector_scalar<T, U>::type,               \
           typename __hip_internal::vector_enable<!only_integer || __hip_internal::vector_is_integer<T>::value,        \
                                                  int>::type = 0>                                                      \
  __HIP_VECTOR_FN inline HIP_vector_type<T, n> operator op(U a, const HIP_vector_type<T, n>& b) {                      \
    HIP_vector_type<T, n> r(__hip_internal::vector_of<T, n>::splat(static_cast<T>(a)));                                \
    return r.template __with<__hip_internal::vector_##tag>(b);                                                         \
  }
__HIP_VECTOR_BINARY(+, add, false)
__HIP_VECTOR_BINARY(-, sub, false)
__HIP_VECTOR_BINARY(*, mul, false)
__HIP_VECTOR_BINARY(/, div, false)
__HIP_VECTOR_BINARY(%, rem, true)
__HIP_VECTOR_BINARY(&, and_, true)
__HIP_VECTOR_BINARY(|, or_, true)
__HIP_VECTOR_BINARY(^, xor_, true)
__HIP_VECTOR_BINARY(<<, shl, true)
__HIP_VECTOR_BINARY(>>, shr, true)
#undef __HIP_VECTOR_BINARY

#define __HIP_VECTOR_COMPARE(op, negate)                                                                               \
  template<class T, unsigned int n> __host__ __device__ constexpr inline bool operator op(                             \
      const HIP_vector_type<T, n>& a, const HIP_vector_type<T, n>& b) {                                                \
    return negate __hip_internal::vector_of<T, n>::equal(a, b);                                                        \
  }                                                                                                                    \
  template<class T, unsigned int n, class U, class = typename __hip_internal::vector_scalar<T, U>::type>               \
  __host__ __device__ constexpr inline bool operator op(const HIP_vector_type<T, n>& a, U b) {                         \
    return negate __hip_internal::vector_of<T, n>::equal(a,                                                            \
                                                         __hip_internal::vector_of<T, n>::splat(static_cast<T>(b)));   \
  }                                                                                                                    \
  template<class T, unsigned int n, class U, class = typename __hip_internal::vector_scalar<T, U>::type>               \
  __host__ __device__ constexpr inline bool operator op(U a, const HIP_vector_type<T, n>& b) {                         \
    return negate __hip_internal::vector_of<T, n>::equal(b,                                                            \
                                                         __hip_internal::vector_of<T, n>::splat(static_cast<T>(a)));   \
  }
__HIP_VECTOR_COMPARE(==, )
__HIP_VECTOR_COMPARE(!=, !)
#undef __HIP_VECTOR_COMPARE

#if defined(__clang__)
// The same memory as the compiler's own vector; those of three elements have another size.
template <class T, unsigned int n>
__host__ __device__ inline typename HIP_vector_type<T, n>::Native_vec_& get_native_vector(HIP_vector_type<T, n>& v) {
  static_assert(sizeof(v) == sizeof(typename HIP_vector_type<T, n>::Native_vec_), "Both have one layout.");
  return *reinterpret_cast<typename HIP_vector_type<T, n>::Native_vec_*>(&v);
}
template <class T, unsigned int n>
__host__ __device__ inline const typename HIP_vector_type<T, n>::Native_vec_&
get_native_vector(const HIP_vector_type<T, n>& v) {
  static_assert(sizeof(v) == sizeof(typename HIP_vector_type<T, n>::Native_vec_), "Both have one layout.");
  return *reinterpret_cast<const typename HIP_vector_type<T, n>::Native_vec_*>(&v);
}
#endif

#define __HIP_VECTOR_DECLARE(name, T) \
  typedef HIP_vector_type<T, 1> name##1; \
  typedef HIP_vector_type<T, 2> name##2; \
  typedef HIP_vector_type<T, 3> name##3; \
  typedef HIP_vector_type<T, 4> name##4;
#define __HIP_VECTOR_MAKE __host__ __device__ static inline constexpr
#define __HIP_VECTOR_RETURN(type, ...) return type(__VA_ARGS__)

#else // C

#define __HIP_VECTOR_DECLARE(name, T) \
  typedef struct { T x; } name##1; \
  typedef struct { T x, y; } __attribute__((aligned(2 * sizeof(T)))) name##2; \
  typedef struct { T x, y, z; } name##3; \
  typedef struct { T x, y, z, w; } __attribute__((aligned(4 * sizeof(T)))) name##4;
#define __HIP_VECTOR_MAKE static inline
#define __HIP_VECTOR_RETURN(type, ...) \
  do { \
    type hip_vector_result = {__VA_ARGS__}; \
    return hip_vector_result; \
  } while (0)

#endif

__HIP_VECTOR_DECLARE(char, char)
__HIP_VECTOR_DECLARE(uchar, unsigned char)
__HIP_VECTOR_DECLARE(short, short)
__HIP_VECTOR_DECLARE(ushort, unsigned short)
__HIP_VECTOR_DECLARE(int, int)
__HIP_VECTOR_DECLARE(uint, unsigned int)
__HIP_VECTOR_DECLARE(long, long)
__HIP_VECTOR_DECLARE(ulong, unsigned long)
__HIP_VECTOR_DECLARE(longlong, long long)
__HIP_VECTOR_DECLARE(ulonglong, unsigned long long)
__HIP_VECTOR_DECLARE(float, float)
__HIP_VECTOR_DECLARE(double, double)
#undef __HIP_VECTOR_DECLARE

// make_char4(x, y, z, w) and so on. P is the parameter's type (char vectors are made from signed char).
#define __HIP_VECTOR_MAKERS(name, P) \
  __HIP_VECTOR_MAKE name##1 make_##name##1(P x) { __HIP_VECTOR_RETURN(name##1, x); } \
  __HIP_VECTOR_MAKE name##2 make_##name##2(P x, P y) { __HIP_VECTOR_RETURN(name##2, x, y); } \
  __HIP_VECTOR_MAKE name##3 make_##name##3(P x, P y, P z) { __HIP_VECTOR_RETURN(name##3, x, y, z); } \
  __HIP_VECTOR_MAKE name##4 make_##name##4(P x, P y, P z, P w) { __HIP_VECTOR_RETURN(name##4, x, y, z, w); }
__HIP_VECTOR_MAKERS(char, signed char)
__HIP_VECTOR_MAKERS(uchar, unsigned char)
__HIP_VECTOR_MAKERS(short, short)
__HIP_VECTOR_MAKERS(ushort, unsigned short)
__HIP_VECTOR_MAKERS(int, int)
__HIP_VECTOR_MAKERS(uint, unsigned int)
__HIP_VECTOR_MAKERS(long, long)
__HIP_VECTOR_MAKERS(ulong, unsigned long)
__HIP_VECTOR_MAKERS(longlong, long long)
__HIP_VECTOR_MAKERS(ulonglong, unsigned long long)
__HIP_VECTOR_MAKERS(float, float)
__HIP_VECTOR_MAKERS(double, double)
#undef __HIP_VECTOR_MAKERS
#undef __HIP_VECTOR_MAKE
#undef __HIP_VECTOR_RETURN
#ifdef __cplusplus
#undef __HIP_VECTOR_FN
#endif

#endif // __OMNIHIP_CUDA__

#endif

#endif
