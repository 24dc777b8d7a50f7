// cudaProfiler.h - where profiling begins and ends, in the driver's interface.
#ifndef OMNIHIP_CUDA_CUDAPROFILER_H
#define OMNIHIP_CUDA_CUDAPROFILER_H

#include <cuda.h>

#endif
