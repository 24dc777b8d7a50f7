// vector_types.h - CUDA's short vectors char1 to double4 and dim3: plain structures without constructors and operators, as
// programs define their own. Alignment is CUDA's: that of the whole for 1, 2 and 4 elements, at most 16 bytes.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include <omnihip/config.h>

#define OMNIHIP_CUDA_VECTORS(name, T, align2, align4) \
  typedef struct name##1 { T x; } name##1; \
  typedef struct __attribute__((aligned(align2))) name##2 { T x, y; } name##2; \
  typedef struct name##3 { T x, y, z; } name##3; \
  typedef struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; } name##4;
OMNIHIP_CUDA_VECTORS(char, signed char, 2, 4)
OMNIHIP_CUDA_VECTORS(uchar, unsigned char, 2, 4)
OMNIHIP_CUDA_VECTORS(short, short, 4, 8)
OMNIHIP_CUDA_VECTORS(ushort, unsigned short, 4, 8)
OMNIHIP_CUDA_VECTORS(int, int, 8, 16)
OMNIHIP_CUDA_VECTORS(uint, unsigned int, 8, 16)
OMNIHIP_CUDA_VECTORS(long, long, 16, 16)
OMNIHIP_CUDA_VECTORS(ulong, unsigned long, 16, 16)
OMNIHIP_CUDA_VECTORS(longlong, long long, 16, 16)
OMNIHIP_CUDA_VECTORS(ulonglong, unsigned long long, 16, 16)
OMNIHIP_CUDA_VECTORS(float, float, 8, 16)
OMNIHIP_CUDA_VECTORS(double, double, 16, 16)
#undef OMNIHIP_CUDA_VECTORS

// CUDA 13's names for the two alignments of vectors of 32 bytes.
#define OMNIHIP_CUDA_VECTOR4(name, T, bytes) \
  typedef struct __attribute__((aligned(bytes))) name##4_##bytes##a { T x, y, z, w; } name##4_##bytes##a;
OMNIHIP_CUDA_VECTOR4(long, long, 16)
OMNIHIP_CUDA_VECTOR4(long, long, 32)
OMNIHIP_CUDA_VECTOR4(ulong, unsigned long, 16)
OMNIHIP_CUDA_VECTOR4(ulong, unsigned long, 32)
OMNIHIP_CUDA_VECTOR4(longlong, long long, 16)
OMNIHIP_CUDA_VECTOR4(longlong, long long, 32)
OMNIHIP_CUDA_VECTOR4(ulonglong, unsigned long long, 16)
OMNIHIP_CUDA_VECTOR4(ulonglong, unsigned long long, 32)
OMNIHIP_CUDA_VECTOR4(double, double, 16)
OMNIHIP_CUDA_VECTOR4(double, double, 32)
#undef OMNIHIP_CUDA_VECTOR4

#include <hip/api/dim3.h>

#include <vector_functions.h>

#endif
