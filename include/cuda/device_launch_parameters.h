// device_launch_parameters.h - threadIdx, blockIdx, blockDim, gridDim and warpSize.
#ifndef OMNIHIP_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define OMNIHIP_CUDA_DEVICE_LAUNCH_PARAMETERS_H

#include <cuda_runtime.h>

#endif
