// texture_types.h - a part of cuda_runtime_api.h, which has it all.
#ifndef OMNIHIP_CUDA_TEXTURE_TYPES_H
#define OMNIHIP_CUDA_TEXTURE_TYPES_H

#include <cuda_runtime_api.h>

#endif
