// mma.h - matrices that the lanes of a warp hold together and multiply: nvcuda::wmma.
#ifndef OMNIHIP_CUDA_MMA_H
#define OMNIHIP_CUDA_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <hip/hip_wmma.h>

#endif
