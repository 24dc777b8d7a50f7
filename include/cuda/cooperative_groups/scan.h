// cooperative_groups/scan.h - a part of cooperative_groups.h, which has it all.
#ifndef OMNIHIP_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define OMNIHIP_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups.h>

#endif
