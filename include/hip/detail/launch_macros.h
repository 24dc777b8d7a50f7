// hip/detail/launch_macros.h - launches and shared memory in the classic HIP spelling, for clang and for nvcc:
// hipLaunchKernelGGL, HIP_KERNEL_NAME, HIP_DYNAMIC_SHARED.
#ifndef HIP_DETAIL_LAUNCH_MACROS_H
#define HIP_DETAIL_LAUNCH_MACROS_H

// Keeps the commas of a template argument list together in a macro argument.
#define HIP_KERNEL_NAME(...) __VA_ARGS__

// With HIP_TEMPLATE_KERNEL_LAUNCH defined hipLaunchKernelGGL is a function: the name of a kernel may have commas then, as in
// kernel<64, float>.
#if defined(HIP_TEMPLATE_KERNEL_LAUNCH)
template<class Kernel, class... Arguments> inline void hipLaunchKernelGGL(Kernel kernel, const dim3& grid,
                                                                          const dim3& block, unsigned int shared_bytes,
                                                                          hipStream_t stream, Arguments... arguments) {
  kernel<<<grid, block, shared_bytes, stream>>>(arguments...);
}
#else
#define hipLaunchKernelGGLInternal(kernel, grid, block, shared_bytes, stream, ...) \
  do { \
    kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__); \
  } while (0)
#define hipLaunchKernelGGL(kernel, ...) hipLaunchKernelGGLInternal((kernel), __VA_ARGS__)
#endif

#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#endif
