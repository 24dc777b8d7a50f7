// sm_20_intrinsics.h - a part of cuda_runtime.h, which has it all.
#ifndef OMNIHIP_CUDA_SM_20_INTRINSICS_H
#define OMNIHIP_CUDA_SM_20_INTRINSICS_H

#include <cuda_runtime.h>

#endif
