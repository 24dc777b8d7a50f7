// hip/nvidia_detail/kernel_language.h - HIP's kernel language where CUDA's differs: launches by name, names of the built-in
// variables, wave functions without a mask, clocks. Qualifiers, __syncthreads, printf, assert, math, *_sync functions (a
// 64-bit mask converts) and textures are CUDA's own.
//
// __launch_bounds__ is CUDA's: its second argument is the least number of blocks of a multiprocessor, where on AMD GPUs it
// is the least number of waves of an execution unit. It is a hint on both, and is passed on as it is.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_KERNEL_LANGUAGE_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_KERNEL_LANGUAGE_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/detail/bit_fields.h>
#include <hip/detail/dot.h>
#include <hip/detail/launch_macros.h>
#include <hip/nvidia_detail/atomics.h>

// Short names of unsigned types; programs written for HIP use them.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long long ullong;

// --- Built-in variables
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

// warpSize in host code, which HIP allows: nvcc reads a variable of this name then, and defines none.
#if !defined(__CUDA_ARCH__)
extern const int __device_builtin_variable_warpSize;
__attribute__((weak)) const int __device_builtin_variable_warpSize = 32;
#endif

// --- Lanes and votes. Masks have 64 bits as on every HIP target; the upper half is 0.
__device__ static inline unsigned int __lane_id() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
__device__ static inline unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }
__device__ static inline unsigned long long __lanemask_lt() { return (1ull << __lane_id()) - 1; }
__device__ static inline unsigned long long __lanemask_le() { return (2ull << __lane_id()) - 1; }
__device__ static inline unsigned long long __lanemask_ge() { return 0xffffffffull & ~__lanemask_lt(); }
__device__ static inline unsigned long long __lanemask_gt() { return 0xffffffffull & ~__lanemask_le(); }

// The functions without a mask act on the lanes that are active together, as on AMD GPUs. Lanes that took the same branch
// but have not met again count as separate; code that needs more than that says which lanes with the *_sync functions.
// CUDA's headers declare functions of these names, to say that they are gone: hence the macros.
__device__ static inline unsigned long long __ballot64(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
__device__ static inline int __hip_any(int predicate) { return __any_sync(__activemask(), predicate); }
__device__ static inline int __hip_all(int predicate) { return __all_sync(__activemask(), predicate); }
#define __ballot __ballot64
#define __any __hip_any
#define __all __hip_all

// --- Shuffles, of every type that *_sync takes
// A distance beyond the warp gives the caller's own value, as on AMD GPUs; the hardware looks at five bits of it.
template<class T> __device__ static inline T __hip_shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template<class T> __device__ static inline T __hip_shfl_up(T value, unsigned int delta, int width = 32) {
  const T other = __shfl_up_sync(__activemask(), value, delta, width);
  return delta < 32 ? other : value;
}
template<class T> __device__ static inline T __hip_shfl_down(T value, unsigned int delta, int width = 32) {
  const T other = __shfl_down_sync(__activemask(), value, delta, width);
  return delta < 32 ? other : value;
}
template<class T> __device__ static inline T __hip_shfl_xor(T value, int lane_mask, int width = 32) {
  const T other = __shfl_xor_sync(__activemask(), value, lane_mask, width);
  return (lane_mask & ~31) == 0 ? other : value;
}
#define __shfl __hip_shfl
#define __shfl_up __hip_shfl_up
#define __shfl_down __hip_shfl_down
#define __shfl_xor __hip_shfl_xor

// --- abort and memmove: the C library's for the host, and in kernels these. A kernel that aborts ends the context, as a trap.
#if defined(__CUDACC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20040 // declared by the C library for the host alone
extern "C" __host__ __device__ void abort() noexcept;
#if !__USE_FORTIFY_LEVEL // else the C library has a definition in its header, and a call in a kernel is an error
extern "C" __host__ __device__ void* memmove(void* to, const void* from, size_t bytes) noexcept;
#endif
#if defined(__CUDA_ARCH__)
extern "C" __host__ __device__ void abort() noexcept {
  printf("abort() is called by thread (%u, %u, %u) of block (%u, %u, %u).\n", threadIdx.x, threadIdx.y, threadIdx.z,
         blockIdx.x, blockIdx.y, blockIdx.z);
  __trap();
}
#if !__USE_FORTIFY_LEVEL
extern "C" __host__ __device__ void* memmove(void* to, const void* from, size_t bytes) noexcept {
  unsigned char* const out = static_cast<unsigned char*>(to);
  const unsigned char* const in = static_cast<const unsigned char*>(from);
  if (out <= in || out >= in + bytes)
    for (size_t i = 0; i < bytes; ++i) out[i] = in[i];
  else
    for (size_t i = bytes; i-- > 0;) out[i] = in[i];
  return to;
}
#endif
#endif
#pragma nv_diagnostic pop
#endif

// --- Surfaces that are layered cube maps: HIP names a face and a layer, where CUDA has their number in one. Outside the
// array a read gives zero and a write does nothing.
template<class T>
__device__ static inline void surfCubemapLayeredread(T* data, cudaSurfaceObject_t surfObj, int x, int y, int face, int layer) {
  surfCubemapLayeredread(data, surfObj, x, y, layer * 6 + face, cudaBoundaryModeZero);
}
template<class T>
__device__ static inline void surfCubemapLayeredwrite(T data, cudaSurfaceObject_t surfObj, int x, int y, int face, int layer) {
  surfCubemapLayeredwrite(data, surfObj, x, y, layer * 6 + face, cudaBoundaryModeZero);
}
template<class T>
__device__ static inline void surfCubemapLayeredwrite(T* data, cudaSurfaceObject_t surfObj, int x, int y, int face, int layer) {
  surfCubemapLayeredwrite(*data, surfObj, x, y, layer * 6 + face, cudaBoundaryModeZero);
}

// --- Clocks. wall_clock64 counts nanoseconds.
__device__ static inline long long wall_clock64() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return static_cast<long long>(time);
}
__device__ static inline long long __clock64() { return clock64(); }
__device__ static inline long long __clock() { return clock64(); }

#endif
