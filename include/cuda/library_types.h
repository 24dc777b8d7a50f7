// library_types.h - types of elements that CUDA's libraries name.
#ifndef OMNIHIP_CUDA_LIBRARY_TYPES_H
#define OMNIHIP_CUDA_LIBRARY_TYPES_H

#include <driver_types.h>
#include <hip/library_types.h>

#endif
