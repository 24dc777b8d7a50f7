// omnihip/more_functions.h - functions of CUDA's device language and of its host side that HIP does not have.
#ifndef OMNIHIP_CUDA_MORE_FUNCTIONS_H
#define OMNIHIP_CUDA_MORE_FUNCTIONS_H

#include <hip/hip_runtime.h>

#endif
