// omnihip/more_functions.h - functions of CUDA's device language and of its host side that HIP does not have: atomics
// of vectors, names from the first versions, min and max of two types.
#ifndef OMNIHIP_CUDA_MORE_FUNCTIONS_H
#define OMNIHIP_CUDA_MORE_FUNCTIONS_H

#include <hip/hip_runtime.h>

// --- Atomics
// Each element by itself.
__HIP_DEVICE_INLINE float2 atomicAdd(float2* address, float2 value) {
  return make_float2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
__HIP_DEVICE_INLINE float4 atomicAdd(float4* address, float4 value) {
  return make_float4(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), atomicAdd(&address->z, value.z),
                     atomicAdd(&address->w, value.w));
}

// --- Names from the first versions
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
__HIP_DEVICE_INLINE float saturate(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }
__HIP_DEVICE_INLINE int float_as_int(float x) { return __float_as_int(x); }
__HIP_DEVICE_INLINE unsigned int float_as_uint(float x) { return __float_as_uint(x); }
__HIP_DEVICE_INLINE float int_as_float(int x) { return __int_as_float(x); }
__HIP_DEVICE_INLINE float uint_as_float(unsigned int x) { return __uint_as_float(x); }
__HIP_DEVICE_INLINE int float2int(float x, cudaRoundMode mode = cudaRoundZero) {
  return mode == cudaRoundNearest  ? __float2int_rn(x)
         : mode == cudaRoundPosInf ? __float2int_ru(x)
         : mode == cudaRoundMinInf ? __float2int_rd(x)
                                   : __float2int_rz(x);
}

// --- Minimum and maximum by type
#define OMNIHIP_CUDA_MIN_MAX(prefix, T)                                                                                \
  __HIP_HD_INLINE T prefix##min(T a, T b) { return b < a ? b : a; }                                                    \
  __HIP_HD_INLINE T prefix##max(T a, T b) { return a < b ? b : a; }
OMNIHIP_CUDA_MIN_MAX(u, unsigned int)
OMNIHIP_CUDA_MIN_MAX(ll, long long)
OMNIHIP_CUDA_MIN_MAX(ull, unsigned long long)
#undef OMNIHIP_CUDA_MIN_MAX

// --- min and max of two types in device code; clang's headers have them for host code (hipcc asks for them)
#define OMNIHIP_CUDA_MIXED(result, A, B)                                                                               \
  __HIP_DEVICE_INLINE result min(A a, B b) {                                                                           \
    return static_cast<result>(b) < static_cast<result>(a) ? static_cast<result>(b) : static_cast<result>(a);          \
  }                                                                                                                    \
  __HIP_DEVICE_INLINE result max(A a, B b) {                                                                           \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(b) : static_cast<result>(a);          \
  }
OMNIHIP_CUDA_MIXED(unsigned int, unsigned int, int)
OMNIHIP_CUDA_MIXED(unsigned int, int, unsigned int)
OMNIHIP_CUDA_MIXED(unsigned long, unsigned long, long)
OMNIHIP_CUDA_MIXED(unsigned long, long, unsigned long)
OMNIHIP_CUDA_MIXED(unsigned long long, unsigned long long, long long)
OMNIHIP_CUDA_MIXED(unsigned long long, long long, unsigned long long)
#undef OMNIHIP_CUDA_MIXED
__HIP_DEVICE_INLINE double min(float a, double b) { return __builtin_fmin(a, b); }
__HIP_DEVICE_INLINE double min(double a, float b) { return __builtin_fmin(a, b); }
__HIP_DEVICE_INLINE double max(float a, double b) { return __builtin_fmax(a, b); }
__HIP_DEVICE_INLINE double max(double a, float b) { return __builtin_fmax(a, b); }

// A breakpoint for a profiler: there is none to listen.
#define __prof_trigger(counter) ((void)(counter))

#include <omnihip/host_math.h>
#include <omnihip/simd_functions.h>

#endif
