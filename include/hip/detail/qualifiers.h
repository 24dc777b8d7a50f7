// Function and variable qualifiers of the HIP kernel language (__global__, __device__, __launch_bounds__, ...).
// Clang's HIP mode gets attributes; every other compiler (g++, plain clang, C) gets empty words, so that one header can
// declare host and device functions.
#ifndef HIP_DETAIL_QUALIFIERS_H
#define HIP_DETAIL_QUALIFIERS_H

// Programs ask by the include guards of AMD's and CUDA's host_defines.h whether these words are defined, and take their
// own away where they are not.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#endif
#if defined(__OMNIHIP_CUDA__) && !defined(__HOST_DEFINES_H__)
#define __HOST_DEFINES_H__
#endif

#if defined(__clang__) && defined(__HIP__)

#ifndef __host__
#define __host__ __attribute__((host))
#endif
#ifndef __device__
#define __device__ __attribute__((device))
#endif
#ifndef __global__
#define __global__ __attribute__((global))
#endif
#ifndef __shared__
#define __shared__ __attribute__((shared))
#endif
#ifndef __constant__
#define __constant__ __attribute__((constant))
#endif
#ifndef __managed__
#define __managed__ __attribute__((managed))
#endif
// __noinline__ is a keyword of clang's HIP mode.
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif
#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif

// __launch_bounds__(max_threads_per_block[, min_waves_per_execution_unit]). HIP counts the second argument in waves per
// execution unit (SIMD), not in blocks per multiprocessor.
#if defined(__NVPTX__)
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __HIP_LAUNCH_BOUNDS_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define __HIP_LAUNCH_BOUNDS_2(threads, waves) \
  __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define __HIP_LAUNCH_BOUNDS_PICK(a, b, macro, ...) macro
#define __launch_bounds__(...) \
  __HIP_LAUNCH_BOUNDS_PICK(__VA_ARGS__, __HIP_LAUNCH_BOUNDS_2, __HIP_LAUNCH_BOUNDS_1, )(__VA_ARGS__)
#endif

#else // a compiler without the kernel language

#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __shared__
#define __shared__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __managed__
#define __managed__
#endif
#ifndef __forceinline__
#define __forceinline__ inline
#endif
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#if !defined(__align__) && defined(__GNUC__)
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif

#endif

// Wave size of the target that is compiled for. clang defines no such macro; programs written for HIP read it.
// hipcc defines it when it is given -mwavefrontsize64; without hipcc that option needs -D__AMDGCN_WAVEFRONT_SIZE=64 as well,
// for the compiler does not tell.
#if !defined(__AMDGCN_WAVEFRONT_SIZE) && !defined(__NVPTX__)
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define __AMDGCN_WAVEFRONT_SIZE 32
#else
#define __AMDGCN_WAVEFRONT_SIZE 64
#endif
#endif
#if !defined(__AMDGCN_WAVEFRONT_SIZE__) && defined(__AMDGCN_WAVEFRONT_SIZE)
#define __AMDGCN_WAVEFRONT_SIZE__ __AMDGCN_WAVEFRONT_SIZE
#endif

// Internal: a function of the kernel language that is always inlined; never an exported symbol.
#define __HIP_DEVICE_INLINE __device__ static inline __attribute__((always_inline))
#define __HIP_HD_INLINE __host__ __device__ static inline __attribute__((always_inline))
// A member or function that is constexpr from C++14 on (hiprtc accepts C++11 too).
#if defined(__cplusplus) && __cplusplus >= 201402L
#define __HIP_CONSTEXPR14 constexpr
#else
#define __HIP_CONSTEXPR14
#endif

#endif
