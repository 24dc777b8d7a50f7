// hip/detail/launch_macros.h - launches and shared memory in the classic HIP spelling, for clang and for nvcc:
// hipLaunchKernelGGL, HIP_KERNEL_NAME, HIP_DYNAMIC_SHARED.
#ifndef HIP_DETAIL_LAUNCH_MACROS_H
#define HIP_DETAIL_LAUNCH_MACROS_H

// Keeps the commas of a template argument list together in a macro argument.
#define HIP_KERNEL_NAME(...) __VA_ARGS__

#define hipLaunchKernelGGLInternal(kernel, grid, block, shared_bytes, stream, ...) \
  do { \
    kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__); \
  } while (0)
#define hipLaunchKernelGGL(kernel, ...) hipLaunchKernelGGLInternal((kernel), __VA_ARGS__)

#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#endif
