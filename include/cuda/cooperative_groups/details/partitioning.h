// cooperative_groups/details/partitioning.h - a part of cooperative_groups.h, which has it all.
#ifndef OMNIHIP_CUDA_COOPERATIVE_GROUPS_DETAILS_PARTITIONING_H
#define OMNIHIP_CUDA_COOPERATIVE_GROUPS_DETAILS_PARTITIONING_H

#include <cooperative_groups.h>

#endif
