// omnihip/config.h - what every header of CUDA's names includes first: that the source is CUDA, for HIP's headers, and the small
// tools of the headers that the build makes.
#ifndef OMNIHIP_CUDA_CONFIG_H
#define OMNIHIP_CUDA_CONFIG_H

// HIP's headers leave out what CUDA has otherwise: vector types with operators, warps of 64 lanes.
#if defined(HIP_INCLUDE_HIP_HIP_COMMON_H) && !defined(__OMNIHIP_CUDA__)
#error "A file that includes a CUDA header includes it before HIP's, or is compiled with hipcc --cuda."
#endif
#ifndef __OMNIHIP_CUDA__
#define __OMNIHIP_CUDA__ 1
#endif

// GPUs without image instructions have textures and surfaces in software.
#ifndef __HIP_SOFTWARE_TEXTURES__
#define __HIP_SOFTWARE_TEXTURES__ 1
#endif

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#error "These headers map CUDA to HIP; with HIP_PLATFORM=nvidia use those of the CUDA toolkit."
#endif

// The interface that the headers declare: CUDA 12.9, with what older and newer versions have beside it.
#define CUDA_VERSION 12090
#define CUDART_VERSION 12090
#define CUDA_API_PER_THREAD_DEFAULT_STREAM_HEADERS 1
#if (defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)) && \
    !defined(HIP_API_PER_THREAD_DEFAULT_STREAM)
#define HIP_API_PER_THREAD_DEFAULT_STREAM 1
#endif

// The compute capability that code for AMD GPUs answers with, in __CUDA_ARCH__ and in the properties of devices: that of -arch,
// else nvcc's default.
#ifndef __OMNIHIP_CUDA_ARCH__
#define __OMNIHIP_CUDA_ARCH__ 750
#endif

// Attributes and limits of CUDA's that HIP does not know are numbered from here.
#define OMNIHIP_CUDA_UNKNOWN 0x40000000
// An attribute of CUDA's that is one number of several behind an attribute of HIP's: which element of the array that
// hipDeviceProp_t has of them. HIP's attribute itself is element 0.
#define OMNIHIP_CUDA_ELEMENT(attribute, element) ((attribute) + 0x10000 * (element))

// What a function of the C interface is declared as: the libraries for programs without our declarations export them.
#ifndef OMNIHIP_CUDA_FUNCTION
#define OMNIHIP_CUDA_FUNCTION static inline
#endif

// On functions that take any number as an error, a newer driver's as well: UndefinedBehaviorSanitizer has nothing to
// say there.
#define OMNIHIP_CUDA_ANY_NUMBER __attribute__((no_sanitize("enum")))

#define CUDARTAPI
#define CUDAAPI
#define CUDA_CB
#define CUDART_CB

// A value as HIP's type of the same layout. OMNIHIP_CUDA_SAME_SIZE checks that, for each structure.
#define OMNIHIP_CUDA_AS(type, value) \
  __extension__({ \
    type omnihip_cuda_as; \
    __builtin_memcpy(&omnihip_cuda_as, &(value), sizeof(omnihip_cuda_as)); \
    omnihip_cuda_as; \
  })
#ifdef __cplusplus
#define OMNIHIP_CUDA_SAME_SIZE(cuda, hip) static_assert(sizeof(cuda) == sizeof(hip), #cuda " has the layout of " #hip);
#else
#define OMNIHIP_CUDA_SAME_SIZE(cuda, hip) _Static_assert(sizeof(cuda) == sizeof(hip), #cuda " has the layout of " #hip);
#endif

// The conversions of a structure that CUDA lays out otherwise than HIP. `members` is a macro that applies its argument to
// CUDA's and HIP's name of each member that both have; others become 0. A null pointer to CUDA's structure stays one.
// cuda/make_headers.cpp lets the functions that it makes convert every structure that has conversions of these names.
#define OMNIHIP_CUDA_CONVERSIONS(cuda_type, hip_type, members) \
  static inline hip_type* __omnihip_to_hip_##cuda_type(const cuda_type* from, hip_type* to) { \
    if (!from) return NULL; \
    __builtin_memset((void*)to, 0, sizeof(*to)); \
    members(OMNIHIP_CUDA_TO_HIP) \
    return to; \
  } \
  static inline void __omnihip_to_cuda_##cuda_type(const hip_type* from, cuda_type* to) { \
    __builtin_memset((void*)to, 0, sizeof(*to)); \
    members(OMNIHIP_CUDA_TO_CUDA) \
  }
#define OMNIHIP_CUDA_TO_HIP(cuda, hip) OMNIHIP_CUDA_COPY(to->hip, from->cuda)
#define OMNIHIP_CUDA_TO_CUDA(cuda, hip) OMNIHIP_CUDA_COPY(to->cuda, from->hip)
#define OMNIHIP_CUDA_COPY(to, from) \
  OMNIHIP_CUDA_SAME_SIZE(to, from) \
  __builtin_memcpy((void*)&(to), (const void*)&(from), sizeof(to));

#endif
