// The HIP kernel language: everything that __device__ code may name without including more. hip_runtime.h includes it
// after the runtime API. Compilers without the kernel language get the qualifiers and the vector types only.
#ifndef HIP_DETAIL_KERNEL_LANGUAGE_H
#define HIP_DETAIL_KERNEL_LANGUAGE_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

#if defined(__clang__) && defined(__HIP__)
// Short names of unsigned types; programs written for HIP use them.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long long ullong;

#include <hip/detail/builtin_vars.h>
#include <hip/detail/launch.h>

#include <hip/detail/assert.h>
#include <hip/detail/atomics.h>
#include <hip/detail/clock.h>
#include <hip/detail/conversions.h>
#include <hip/detail/device_library.h>
#include <hip/detail/device_printf.h>
#include <hip/detail/dot.h>
#include <hip/detail/integer_intrinsics.h>
#include <hip/detail/memory.h>
#include <hip/detail/rounding.h>
#include <hip/detail/surface_functions.h>
#include <hip/detail/sync.h>
#include <hip/detail/texture_functions.h>
#if defined(__HIP_SOFTWARE_TEXTURES__) && !defined(__NVPTX__) && !defined(__HIPCC_RTC__)
#include <hip/detail/texture_references.h>
#endif
#include <hip/detail/traits.h>
#include <hip/detail/warp.h>
#include <hip/detail/warp_sync.h>
#endif

#endif
