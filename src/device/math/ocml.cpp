// The exported __ocml_* functions: one per row and type of ocml.def, each forwarding to its source.
#include "operations.h"

// libclc's overloads, by their mangled names; own.h declares those that our own functions use too.
#define OCML_DECLARE_Clc(name, parameters_f, parameters_d) \
  float name parameters_f; \
  double name parameters_d;
#define OCML_DECLARE_Own(name, parameters_f, parameters_d)
#define OCML_DECLARE_Op(name, parameters_f, parameters_d)
#define OCML_UNARY(name, source, types) OCML_DECLARE_##source(name, (float), (double))
#define OCML_BINARY(name, source, types) OCML_DECLARE_##source(name, (float, float), (double, double))
#define OCML_INTEGER(name, source, types) OCML_DECLARE_##source(name, (float, int), (double, int))
#if defined(__NVPTX__) // what clang's headers declare: generic pointers there, private ones on AMD GPUs
#define OCML_PRIVATE
#else
#define OCML_PRIVATE __attribute__((address_space(5)))
#endif
#define OCML_POINTER(name, source, P) OCML_DECLARE_##source(name, (float, OCML_PRIVATE float*), (double, OCML_PRIVATE double*))
#define OCML_NATIVE(name, source) OCML_DECLARE_##source(name, (float), (double))
#include "ocml.def"

namespace {

using hip::device::half;
using hip::device::Rounding;
typedef half half2 __attribute__((ext_vector_type(2)));
typedef short short2 __attribute__((ext_vector_type(2)));

} // namespace

#define OCML_CALL_Clc(name) ::name
#define OCML_CALL_Own(name) ::hip::device::name
#define OCML_CALL_Op(name) ::hip::device::operation::name

// The half forms of a unary or binary function round its single-precision result, which is the right one for the exact
// operations and the square root. A fused multiply-add acts on the halves themselves.
#define OCML_UNARY_Full(name, source)
#define OCML_UNARY_Half(name, source) \
  half __ocml_##name##_f16(half x) { return static_cast<half>(OCML_CALL_##source(name)(static_cast<float>(x))); } \
  half2 __ocml_##name##_2f16(half2 x) { return half2{__ocml_##name##_f16(x.x), __ocml_##name##_f16(x.y)}; }
#define OCML_BINARY_Full(name, source)
#define OCML_BINARY_Half(name, source) \
  half __ocml_##name##_f16(half x, half y) { \
    return static_cast<half>(OCML_CALL_##source(name)(static_cast<float>(x), static_cast<float>(y))); \
  } \
  half2 __ocml_##name##_2f16(half2 x, half2 y) { \
    return half2{__ocml_##name##_f16(x.x, y.x), __ocml_##name##_f16(x.y, y.y)}; \
  }
#define OCML_TERNARY_Full(name, source)
#define OCML_TERNARY_Half(name, source) \
  half __ocml_##name##_f16(half x, half y, half z) { return OCML_CALL_##source(name)(x, y, z); } \
  half2 __ocml_##name##_2f16(half2 x, half2 y, half2 z) { return OCML_CALL_##source(name)(x, y, z); }
#define OCML_INTEGER_Full(name, source)
#define OCML_INTEGER_Half(name, source) \
  half __ocml_##name##_f16(half x, int n) { \
    return static_cast<half>(OCML_CALL_##source(name)(static_cast<float>(x), n)); \
  } \
  half2 __ocml_##name##_2f16(half2 x, short2 n) { \
    return half2{__ocml_##name##_f16(x.x, n.x), __ocml_##name##_f16(x.y, n.y)}; \
  }
// A test on two halves answers with all bits of each element.
#define OCML_TO_INT_Full(name, source)
#define OCML_TO_INT_Half(name, source) \
  int __ocml_##name##_f16(half x) { return OCML_CALL_##source(name)(x); } \
  short2 __ocml_##name##_2f16(half2 x) { \
    return short2{static_cast<short>(-__ocml_##name##_f16(x.x)), static_cast<short>(-__ocml_##name##_f16(x.y))}; \
  }

// Functions with a second result in private memory: libclc takes such a pointer, our own take a generic one.
#define OCML_POINTER_CALL_Clc(name, T, P) return ::name(x, p)
#define OCML_POINTER_CALL_Own(name, T, P) \
  P second; \
  T first = ::hip::device::name(x, &second); \
  *p = second; \
  return first

extern "C" {

#define OCML_UNARY(name, source, types) \
  float __ocml_##name##_f32(float x) { return OCML_CALL_##source(name)(x); } \
  double __ocml_##name##_f64(double x) { return OCML_CALL_##source(name)(x); } \
  OCML_UNARY_##types(name, source)
#define OCML_BINARY(name, source, types) \
  float __ocml_##name##_f32(float x, float y) { return OCML_CALL_##source(name)(x, y); } \
  double __ocml_##name##_f64(double x, double y) { return OCML_CALL_##source(name)(x, y); } \
  OCML_BINARY_##types(name, source)
#define OCML_TERNARY(name, source, types) \
  float __ocml_##name##_f32(float x, float y, float z) { return OCML_CALL_##source(name)(x, y, z); } \
  double __ocml_##name##_f64(double x, double y, double z) { return OCML_CALL_##source(name)(x, y, z); } \
  OCML_TERNARY_##types(name, source)
#define OCML_QUATERNARY(name, source) \
  float __ocml_##name##_f32(float x, float y, float z, float w) { return OCML_CALL_##source(name)(x, y, z, w); } \
  double __ocml_##name##_f64(double x, double y, double z, double w) { return OCML_CALL_##source(name)(x, y, z, w); }
#define OCML_INTEGER(name, source, types) \
  float __ocml_##name##_f32(float x, int n) { return OCML_CALL_##source(name)(x, n); } \
  double __ocml_##name##_f64(double x, int n) { return OCML_CALL_##source(name)(x, n); } \
  OCML_INTEGER_##types(name, source)
#define OCML_TO_INT(name, source, types) \
  int __ocml_##name##_f32(float x) { return OCML_CALL_##source(name)(x); } \
  int __ocml_##name##_f64(double x) { return OCML_CALL_##source(name)(x); } \
  OCML_TO_INT_##types(name, source)
#define OCML_POINTEE_T(T) T
#define OCML_POINTEE_int(T) int
#define OCML_POINTER(name, source, P) \
  float __ocml_##name##_f32(float x, OCML_PRIVATE OCML_POINTEE_##P(float) * p) { \
    OCML_POINTER_CALL_##source(name, float, OCML_POINTEE_##P(float)); \
  } \
  double __ocml_##name##_f64(double x, OCML_PRIVATE OCML_POINTEE_##P(double) * p) { \
    OCML_POINTER_CALL_##source(name, double, OCML_POINTEE_##P(double)); \
  }
#define OCML_BINARY_POINTER(name, source) \
  float __ocml_##name##_f32(float x, float y, OCML_PRIVATE int* p) { \
    int second; \
    const float first = OCML_CALL_##source(name)(x, y, &second); \
    *p = second; \
    return first; \
  } \
  double __ocml_##name##_f64(double x, double y, OCML_PRIVATE int* p) { \
    int second; \
    const double first = OCML_CALL_##source(name)(x, y, &second); \
    *p = second; \
    return first; \
  }
#define OCML_PARAMETERS_1(T) T x
#define OCML_PARAMETERS_2(T) T x, T y
#define OCML_PARAMETERS_3(T) T x, T y, T z
#define OCML_ARGUMENTS_1 x
#define OCML_ARGUMENTS_2 x, y
#define OCML_ARGUMENTS_3 x, y, z
#define OCML_ROUNDED_MODE(name, arity, mode, direction) \
  float __ocml_##name##_##mode##_f32(OCML_PARAMETERS_##arity(float)) { \
    return hip::device::name(OCML_ARGUMENTS_##arity, Rounding::direction); \
  } \
  double __ocml_##name##_##mode##_f64(OCML_PARAMETERS_##arity(double)) { \
    return hip::device::name(OCML_ARGUMENTS_##arity, Rounding::direction); \
  }
#define OCML_ROUNDED(name, arity) \
  OCML_ROUNDED_MODE(name, arity, rte, Rte) \
  OCML_ROUNDED_MODE(name, arity, rtn, Rtn) \
  OCML_ROUNDED_MODE(name, arity, rtp, Rtp) \
  OCML_ROUNDED_MODE(name, arity, rtz, Rtz)
#define OCML_CONVERT(to, T, from, S) \
  T __ocml_cvtrte_##to##_##from(S x) { return hip::device::convert<T>(x, Rounding::Rte); } \
  T __ocml_cvtrtn_##to##_##from(S x) { return hip::device::convert<T>(x, Rounding::Rtn); } \
  T __ocml_cvtrtp_##to##_##from(S x) { return hip::device::convert<T>(x, Rounding::Rtp); } \
  T __ocml_cvtrtz_##to##_##from(S x) { return hip::device::convert<T>(x, Rounding::Rtz); }
#define OCML_NATIVE(name, source) \
  float __ocml_##name##_f32(float x) { return OCML_CALL_##source(name)(x); }
#include "ocml.def"

} // extern "C"
