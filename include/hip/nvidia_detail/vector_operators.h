// hip/nvidia_detail/vector_operators.h - arithmetic on CUDA's vector types, element by element, as HIP has it for its own.
// The operators are templates, so that a program's own operators on these types win over them.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_VECTOR_OPERATORS_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_VECTOR_OPERATORS_H

#include <vector_functions.h>
#include <vector_types.h>

#ifdef __cplusplus

// CUDA 13 deprecates its vectors of four 64-bit numbers in favour of others of the same layout; HIP has the deprecated
// ones only.
#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1444, 1215
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

#define HIP_NV_VECTOR_FN template<int = 0> __host__ __device__ inline

// EACH(n, step) writes step(element) for the elements of a vector of n.
#define HIP_NV_EACH_1(step) step(x)
#define HIP_NV_EACH_2(step) step(x) step(y)
#define HIP_NV_EACH_3(step) step(x) step(y) step(z)
#define HIP_NV_EACH_4(step) step(x) step(y) step(z) step(w)

// a op= b, a op b, and both with a scalar on either side. The steps are named after the operator's word.
#define HIP_NV_VECTOR_BINARY(V, T, n, op, word) \
  HIP_NV_VECTOR_FN V& operator op##=(V& a, const V& b) { \
    HIP_NV_EACH_##n(HIP_NV_STEP_##word) \
    return a; \
  } \
  HIP_NV_VECTOR_FN V& operator op##=(V& a, T scalar) { \
    HIP_NV_EACH_##n(HIP_NV_STEP_SCALAR_##word) \
    return a; \
  } \
  HIP_NV_VECTOR_FN V operator op(V a, const V& b) { return a op##= b; } \
  HIP_NV_VECTOR_FN V operator op(V a, T scalar) { return a op##= scalar; } \
  HIP_NV_VECTOR_FN V operator op(T scalar, const V& b) { \
    V a = b; \
    HIP_NV_EACH_##n(HIP_NV_STEP_SET) \
    return a op##= b; \
  }
#define HIP_NV_STEP_SET(e) a.e = scalar;
#define HIP_NV_STEP_ADD(e) a.e += b.e;
#define HIP_NV_STEP_SUB(e) a.e -= b.e;
#define HIP_NV_STEP_MUL(e) a.e *= b.e;
#define HIP_NV_STEP_DIV(e) a.e /= b.e;
#define HIP_NV_STEP_REM(e) a.e %= b.e;
#define HIP_NV_STEP_AND(e) a.e &= b.e;
#define HIP_NV_STEP_OR(e) a.e |= b.e;
#define HIP_NV_STEP_XOR(e) a.e ^= b.e;
#define HIP_NV_STEP_SHL(e) a.e <<= b.e;
#define HIP_NV_STEP_SHR(e) a.e >>= b.e;
#define HIP_NV_STEP_SCALAR_ADD(e) a.e += scalar;
#define HIP_NV_STEP_SCALAR_SUB(e) a.e -= scalar;
#define HIP_NV_STEP_SCALAR_MUL(e) a.e *= scalar;
#define HIP_NV_STEP_SCALAR_DIV(e) a.e /= scalar;
#define HIP_NV_STEP_SCALAR_REM(e) a.e %= scalar;
#define HIP_NV_STEP_SCALAR_AND(e) a.e &= scalar;
#define HIP_NV_STEP_SCALAR_OR(e) a.e |= scalar;
#define HIP_NV_STEP_SCALAR_XOR(e) a.e ^= scalar;
#define HIP_NV_STEP_SCALAR_SHL(e) a.e <<= scalar;
#define HIP_NV_STEP_SCALAR_SHR(e) a.e >>= scalar;
#define HIP_NV_STEP_NEGATE(e) a.e = -a.e;
#define HIP_NV_STEP_INVERT(e) a.e = ~a.e;
#define HIP_NV_STEP_INCREMENT(e) ++a.e;
#define HIP_NV_STEP_DECREMENT(e) --a.e;
#define HIP_NV_STEP_EQUAL(e) &&a.e == b.e

#define HIP_NV_VECTOR_ARITHMETIC(V, T, n) \
  HIP_NV_VECTOR_BINARY(V, T, n, +, ADD) \
  HIP_NV_VECTOR_BINARY(V, T, n, -, SUB) \
  HIP_NV_VECTOR_BINARY(V, T, n, *, MUL) \
  HIP_NV_VECTOR_BINARY(V, T, n, /, DIV) \
  HIP_NV_VECTOR_FN V operator-(V a) { \
    HIP_NV_EACH_##n(HIP_NV_STEP_NEGATE) \
    return a; \
  } \
  HIP_NV_VECTOR_FN V& operator++(V& a) { \
    HIP_NV_EACH_##n(HIP_NV_STEP_INCREMENT) \
    return a; \
  } \
  HIP_NV_VECTOR_FN V& operator--(V& a) { \
    HIP_NV_EACH_##n(HIP_NV_STEP_DECREMENT) \
    return a; \
  } \
  HIP_NV_VECTOR_FN bool operator==(const V& a, const V& b) { return true HIP_NV_EACH_##n(HIP_NV_STEP_EQUAL); } \
  HIP_NV_VECTOR_FN bool operator!=(const V& a, const V& b) { return !(a == b); }
#define HIP_NV_VECTOR_BITS(V, T, n) \
  HIP_NV_VECTOR_BINARY(V, T, n, %, REM) \
  HIP_NV_VECTOR_BINARY(V, T, n, &, AND) \
  HIP_NV_VECTOR_BINARY(V, T, n, |, OR) \
  HIP_NV_VECTOR_BINARY(V, T, n, ^, XOR) \
  HIP_NV_VECTOR_BINARY(V, T, n, <<, SHL) \
  HIP_NV_VECTOR_BINARY(V, T, n, >>, SHR) \
  HIP_NV_VECTOR_FN V operator~(V a) { \
    HIP_NV_EACH_##n(HIP_NV_STEP_INVERT) \
    return a; \
  }

#define HIP_NV_VECTOR_SIZES(F, name, T) F(name##1, T, 1) F(name##2, T, 2) F(name##3, T, 3) F(name##4, T, 4)
#define HIP_NV_VECTOR_INTEGER(name, T) \
  HIP_NV_VECTOR_SIZES(HIP_NV_VECTOR_ARITHMETIC, name, T) HIP_NV_VECTOR_SIZES(HIP_NV_VECTOR_BITS, name, T)

HIP_NV_VECTOR_SIZES(HIP_NV_VECTOR_ARITHMETIC, float, float)
HIP_NV_VECTOR_INTEGER(char, signed char)
HIP_NV_VECTOR_INTEGER(uchar, unsigned char)
HIP_NV_VECTOR_INTEGER(short, short)
HIP_NV_VECTOR_INTEGER(ushort, unsigned short)
HIP_NV_VECTOR_INTEGER(int, int)
HIP_NV_VECTOR_INTEGER(uint, unsigned int)
HIP_NV_VECTOR_INTEGER(long, long)
HIP_NV_VECTOR_INTEGER(ulong, unsigned long)
HIP_NV_VECTOR_INTEGER(longlong, long long)
HIP_NV_VECTOR_INTEGER(ulonglong, unsigned long long)
HIP_NV_VECTOR_SIZES(HIP_NV_VECTOR_ARITHMETIC, double, double)

#undef HIP_NV_VECTOR_INTEGER
#undef HIP_NV_VECTOR_SIZES
#undef HIP_NV_VECTOR_BITS
#undef HIP_NV_VECTOR_ARITHMETIC
#undef HIP_NV_VECTOR_BINARY

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif

#endif

#endif
