// vector_functions.h - make_char1 to make_double4.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include <vector_types.h>

#include <hip/detail/qualifiers.h>

#define OMNIHIP_CUDA_MAKE __host__ __device__ static inline
#define OMNIHIP_CUDA_MAKERS(name, T) \
  OMNIHIP_CUDA_MAKE name##1 make_##name##1(T x) { name##1 v = {x}; return v; } \
  OMNIHIP_CUDA_MAKE name##2 make_##name##2(T x, T y) { name##2 v = {x, y}; return v; } \
  OMNIHIP_CUDA_MAKE name##3 make_##name##3(T x, T y, T z) { name##3 v = {x, y, z}; return v; } \
  OMNIHIP_CUDA_MAKE name##4 make_##name##4(T x, T y, T z, T w) { name##4 v = {x, y, z, w}; return v; }
OMNIHIP_CUDA_MAKERS(char, signed char)
OMNIHIP_CUDA_MAKERS(uchar, unsigned char)
OMNIHIP_CUDA_MAKERS(short, short)
OMNIHIP_CUDA_MAKERS(ushort, unsigned short)
OMNIHIP_CUDA_MAKERS(int, int)
OMNIHIP_CUDA_MAKERS(uint, unsigned int)
OMNIHIP_CUDA_MAKERS(long, long)
OMNIHIP_CUDA_MAKERS(ulong, unsigned long)
OMNIHIP_CUDA_MAKERS(longlong, long long)
OMNIHIP_CUDA_MAKERS(ulonglong, unsigned long long)
OMNIHIP_CUDA_MAKERS(float, float)
OMNIHIP_CUDA_MAKERS(double, double)
#undef OMNIHIP_CUDA_MAKERS
#undef OMNIHIP_CUDA_MAKE

#endif
