// cooperative_groups.h - CUDA's cooperative groups: HIP's, whose tiles and coalesced groups lie within a warp of 32.
#ifndef OMNIHIP_CUDA_COOPERATIVE_GROUPS_H
#define OMNIHIP_CUDA_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

#include <hip/hip_cooperative_groups.h>

#endif
