// hip/hip_common.h - which platform a translation unit is compiled for, and the few macros that every HIP header uses.
// The platform is AMD unless __HIP_PLATFORM_NVIDIA__ is defined (programs that nvcc compiles); defining both is an error.
// A program that clang compiles for both vendors' GPUs is host code for AMD's interface, so the platform is AMD there; when
// clang compiles its device code for an NVIDIA GPU, neither macro is defined. Device code tells the two apart by
// __NVPTX__ (or __CUDA_ARCH__) and __AMDGCN__ together with __HIP_DEVICE_COMPILE__.
#ifndef HIP_INCLUDE_HIP_HIP_COMMON_H
#define HIP_INCLUDE_HIP_HIP_COMMON_H

// nvcc compiles for NVIDIA's interface.
#if defined(__NVCC__) && !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)
#define __HIP_PLATFORM_NVIDIA__ 1
#endif
#if defined(__HIP_PLATFORM_AMD__) && defined(__HIP_PLATFORM_NVIDIA__)
#error "Define one of __HIP_PLATFORM_AMD__ and __HIP_PLATFORM_NVIDIA__, not both."
#endif
#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__) && !defined(__NVPTX__)
#define __HIP_PLATFORM_AMD__ 1
#endif

// The older spellings, which programs still test.
#if defined(__HIP_PLATFORM_AMD__)
#ifndef __HIP_PLATFORM_HCC__
#define __HIP_PLATFORM_HCC__ 1
#endif
#elif defined(__HIP_PLATFORM_NVIDIA__)
#ifndef __HIP_PLATFORM_NVCC__
#define __HIP_PLATFORM_NVCC__ 1
#endif
#endif

// clang compiling HIP source (-x hip), in any of its passes.
#if defined(__clang__) && defined(__HIP__)
#ifndef __HIPCC__
#define __HIPCC__ 1
#endif
#define __HIP_CLANG_ONLY__ 1
#else
#define __HIP_CLANG_ONLY__ 0
#endif

// nvcc compiling a program for __HIP_PLATFORM_NVIDIA__, in any of its passes.
#if defined(__HIP_PLATFORM_NVIDIA__) && defined(__CUDACC__)
#ifndef __HIPCC__
#define __HIPCC__ 1
#endif
#if defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#define __HIP_DEVICE_COMPILE__ 1
#endif
#endif

// The device pass of a compilation, whatever the target.
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#define __HIP_ARCH_FEATURE__ 1
#else
#undef __HIP_DEVICE_COMPILE__
#define __HIP_ARCH_FEATURE__ 0
#endif

// What the device can do, asked in kernels: the same for every target that we compile for, and 0 on the host.
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_DOUBLES__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_WARP_VOTE__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_WARP_BALLOT__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ 0
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ 0
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ 0
#define __HIP_ARCH_HAS_3DGRID__ __HIP_ARCH_FEATURE__
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ 0

#if defined(__GNUC__)
#define HIP_PUBLIC_API __attribute__((visibility("default")))
#define HIP_INTERNAL_EXPORTED_API __attribute__((visibility("default")))
#else
#define HIP_PUBLIC_API
#define HIP_INTERNAL_EXPORTED_API
#endif

// A default argument: present in C++, absent in C.
#ifdef __cplusplus
#define __dparm(x) = x
#else
#define __dparm(x)
#endif

// Marks an interface that stays for old programs only.
#if defined(__GNUC__)
#define HIP_DEPRECATED(msg) __attribute__((deprecated(msg)))
#else
#define HIP_DEPRECATED(msg)
#endif
#define HIP_DEPRECATED_MSG "This function is kept for old programs; new code should not use it."

// Opens and closes a block of C declarations.
#ifdef __cplusplus
#define HIP_C_BEGIN extern "C" {
#define HIP_C_END }
#else
#define HIP_C_BEGIN
#define HIP_C_END
#endif

#endif
