// Qualifiers of a program that has words of its own for them: it takes them away, so that HIP's headers define theirs,
// unless the include guard of AMD's header, or of CUDA's, says that these are there. And a macro of AMD's for kernels.
#include <hip/hip_runtime.h>

#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#undef __host__
#undef __device__
#endif

#include <hip/amd_detail/host_defines.h>
#include <hip/hip_runtime_api.h>

__host__ __device__ inline int twice(int n) { return 2 * n; }

// The 4 bits at bit 8 of register 4, as programs ask for a wave's compute unit.
__device__ unsigned int unit() { return __builtin_amdgcn_s_getreg(GETREG_IMMED(3, 8, 4)); }
static_assert(GETREG_IMMED(3, 8, 4) == 0x1a04, "register, offset and width less 1 from bits 0, 6 and 11 on");

int used = twice(1);
