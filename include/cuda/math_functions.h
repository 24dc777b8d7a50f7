// math_functions.h - a part of cuda_runtime.h, which has it all.
#ifndef OMNIHIP_CUDA_MATH_FUNCTIONS_H
#define OMNIHIP_CUDA_MATH_FUNCTIONS_H

#include <cuda_runtime.h>

#endif
