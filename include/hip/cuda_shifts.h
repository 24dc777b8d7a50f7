// hip/cuda_shifts.h - a source that includes this file has shifts as CUDA's GPUs do them, in all of its device code: by
// the width of what is shifted, or more, everything is shifted out, and a signed number to the right becomes its sign.
// C++ leaves these undefined; AMD GPUs take the low bits of the amount. hipcc -fcuda-shifts includes it, --cuda and
// omnicc do by themselves. hipify writes the line into files whose kernels shift by amounts that it cannot tell.
#ifndef HIP_INCLUDE_HIP_CUDA_SHIFTS_H
#define HIP_INCLUDE_HIP_CUDA_SHIFTS_H

#if defined(__HIP_DEVICE_COMPILE__) && (defined(__AMDGCN__) || defined(__NVPTX__)) && !defined(__HIP_NO_CUDA_SHIFTS__)
// The mark that hipcc's compiler passes look for, and take out again.
__attribute__((device, used)) static const char __hip_cuda_shifts __asm__("__hip_cuda_shifts") = 1;
#endif

#endif
