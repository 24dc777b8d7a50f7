// crt/host_defines.h - __host__, __device__ and their kin.
#ifndef OMNIHIP_CUDA_CRT_HOST_DEFINES_H
#define OMNIHIP_CUDA_CRT_HOST_DEFINES_H

#include <omnihip/config.h>

#include <hip/detail/qualifiers.h>

#endif
