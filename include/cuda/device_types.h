// device_types.h - a part of cuda_runtime.h, which has it all.
#ifndef OMNIHIP_CUDA_DEVICE_TYPES_H
#define OMNIHIP_CUDA_DEVICE_TYPES_H

#include <cuda_runtime.h>

#endif
