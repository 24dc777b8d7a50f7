// cuda_device_runtime_api.h - what kernels call of the runtime. HIP's kernels launch no kernels.
#ifndef OMNIHIP_CUDA_CUDA_DEVICE_RUNTIME_API_H
#define OMNIHIP_CUDA_CUDA_DEVICE_RUNTIME_API_H

#include <cuda_runtime_api.h>

#endif
