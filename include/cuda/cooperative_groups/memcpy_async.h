// cooperative_groups/memcpy_async.h - a part of cooperative_groups.h, which has it all.
#ifndef OMNIHIP_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define OMNIHIP_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#endif
