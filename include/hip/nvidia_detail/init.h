// hip/nvidia_detail/init.h - start, versions, profiler control, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_INIT_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_INIT_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CU(hipInit, cuInit, (unsigned int flags), (flags))
HIP_TO_CUDA(hipDriverGetVersion, cudaDriverGetVersion, (int* driverVersion), (driverVersion))
HIP_TO_CUDA(hipRuntimeGetVersion, cudaRuntimeGetVersion, (int* runtimeVersion), (runtimeVersion))
HIP_TO_CUDA(hipProfilerStart, cudaProfilerStart, (void), ())
HIP_TO_CUDA(hipProfilerStop, cudaProfilerStop, (void), ())

#endif
