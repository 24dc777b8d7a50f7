// omnihip/device_language.h - CUDA's device language where HIP's is not the same: macros that tell the compiler and the target,
// launch bounds, warps of 32 lanes, loads and stores with cache hints, and functions that HIP does not have.
#ifndef OMNIHIP_CUDA_DEVICE_LANGUAGE_H
#define OMNIHIP_CUDA_DEVICE_LANGUAGE_H

#include <omnihip/config.h>

#include <hip/hip_runtime.h>

#if defined(__clang__) && defined(__HIP__)

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#if defined(__CLANG_RDC__)
#define __CUDACC_RDC__ 1
#endif
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__CUDA_ARCH__)
#define __CUDA_ARCH__ __OMNIHIP_CUDA_ARCH__
#endif
#define __CUDA_ARCH_LIST__ __OMNIHIP_CUDA_ARCH__

// The second argument is of blocks on a multiprocessor, which AMD's compiler cannot be told.
#if !defined(__NVPTX__)
#undef __launch_bounds__
#define OMNIHIP_CUDA_LAUNCH_BOUNDS(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define __launch_bounds__(...) OMNIHIP_CUDA_LAUNCH_BOUNDS(__VA_ARGS__, )
#endif
#define __maxnreg__(registers)
#define __cluster_dims__(...)
#define __block_size__(...)

#include <omnihip/warp.h>

#include <omnihip/memory_hints.h>
#include <omnihip/more_functions.h>
#include <omnihip/surface_values.h>
#if !defined(__NVPTX__) // NVIDIA's compiler knows no references any more
#include <omnihip/texture_references.h>
#endif

#endif

#endif
