// cuda_profiler_api.h - where profiling begins and ends.
#ifndef OMNIHIP_CUDA_CUDA_PROFILER_API_H
#define OMNIHIP_CUDA_CUDA_PROFILER_API_H

#include <cuda_runtime_api.h>

#endif
