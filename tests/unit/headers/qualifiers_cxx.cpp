// Qualifiers of a program that has words of its own for them: it takes them away, so that HIP's headers define theirs,
// unless the include guard of AMD's header, or of CUDA's, says that these are there.
#include <hip/hip_runtime.h>

#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#undef __host__
#undef __device__
#endif

#include <hip/amd_detail/host_defines.h>
#include <hip/hip_runtime_api.h>

__host__ __device__ inline int twice(int n) { return 2 * n; }

int used = twice(1);
