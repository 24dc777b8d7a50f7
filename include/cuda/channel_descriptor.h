// channel_descriptor.h - a part of cuda_runtime_api.h, which has it all.
#ifndef OMNIHIP_CUDA_CHANNEL_DESCRIPTOR_H
#define OMNIHIP_CUDA_CHANNEL_DESCRIPTOR_H

#include <cuda_runtime_api.h>

#endif
