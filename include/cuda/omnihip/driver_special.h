// omnihip/driver_special.h - types of CUDA's driver interface, and those of its functions whose counterpart in HIP
// takes other arguments.
#ifndef OMNIHIP_CUDA_DRIVER_SPECIAL_H
#define OMNIHIP_CUDA_DRIVER_SPECIAL_H

#include <omnihip/device_properties.h>

typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUarray_st* CUarray;
typedef struct CUmipmappedArray_st CUmipmappedArray_st;
typedef CUmipmappedArray_st* CUmipmappedArray;
typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphNode_st* CUgraphNode;
typedef struct CUgraphExec_st* CUgraphExec;
typedef int CUdevice;
typedef CUdevice CUdevice_v1;

#include <omnihip/driver_types.h>

#include <omnihip/driver_nodes.h>

// Memory that the device compresses; where none does, allocations come back without it.
typedef enum CUmemAllocationCompType_enum {
  CU_MEM_ALLOCATION_COMP_NONE = 0,
  CU_MEM_ALLOCATION_COMP_GENERIC = 1
} CUmemAllocationCompType;

#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_DEVICE_CPU ((CUdevice) - 1)
#define CU_DEVICE_INVALID ((CUdevice) - 2)
#define CU_LAUNCH_PARAM_END HIP_LAUNCH_PARAM_END
#define CU_LAUNCH_PARAM_BUFFER_POINTER HIP_LAUNCH_PARAM_BUFFER_POINTER
#define CU_LAUNCH_PARAM_BUFFER_SIZE HIP_LAUNCH_PARAM_BUFFER_SIZE

OMNIHIP_CUDA_FUNCTION CUresult cuDriverGetVersion(int* version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
OMNIHIP_CUDA_FUNCTION CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return __cu_result(__omnihip_device_attribute(value, (int)attribute, device));
}
OMNIHIP_CUDA_FUNCTION CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  hipError_t error = __omnihip_device_attribute(major, hipDeviceAttributeComputeCapabilityMajor, device);
  if (error == hipSuccess) error = __omnihip_device_attribute(minor, hipDeviceAttributeComputeCapabilityMinor, device);
  return __cu_result(error);
}

OMNIHIP_CUDA_FUNCTION CUresult cuCtxResetPersistingL2Cache(void) {
  return __cu_result(hipCtxResetPersistingL2Cache());
}

OMNIHIP_CUDA_FUNCTION CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
OMNIHIP_CUDA_FUNCTION CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }

// --- Contexts: CUDA 13 has parameters for affinity and graphics, which no device here takes
typedef struct CUctxCreateParams_st {
  void* execAffinityParams;
  int numExecAffinityParams;
  void* cigParams;
} CUctxCreateParams;
OMNIHIP_CUDA_FUNCTION CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* params, unsigned int flags,
                                              CUdevice device) {
  if (params && (params->numExecAffinityParams || params->cigParams)) return CUDA_ERROR_NOT_SUPPORTED;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return __cu_result(hipCtxCreate((hipCtx_t*)context, flags, device));
#pragma GCC diagnostic pop
}

// --- Memory: what the direction of a copy is follows from the addresses
OMNIHIP_CUDA_FUNCTION CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t count) {
  return __cu_result(hipMemcpy((void*)dst, (const void*)src, count, hipMemcpyDefault));
}
OMNIHIP_CUDA_FUNCTION CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t count, CUstream stream) {
  return __cu_result(hipMemcpyAsync((void*)dst, (const void*)src, count, hipMemcpyDefault, stream));
}

// --- Streams that wait for a value: HIP's functions also take a mask of the bits to compare
OMNIHIP_CUDA_FUNCTION CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, uint32_t value,
                                                   unsigned int flags) {
  return __cu_result(hipStreamWaitValue32(stream, (void*)addr, value, flags, 0xffffffffu));
}
OMNIHIP_CUDA_FUNCTION CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, uint32_t value,
                                                      unsigned int flags) {
  return cuStreamWaitValue32(stream, addr, value, flags);
}
OMNIHIP_CUDA_FUNCTION CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, uint64_t value,
                                                   unsigned int flags) {
  return __cu_result(hipStreamWaitValue64(stream, (void*)addr, value, flags, 0xffffffffffffffffull));
}
OMNIHIP_CUDA_FUNCTION CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, uint64_t value,
                                                      unsigned int flags) {
  return cuStreamWaitValue64(stream, addr, value, flags);
}

// --- Kernels
// AMD GPUs have no choice between cache and shared memory: the preference is a hint, as CUDA's documentation has it.
OMNIHIP_CUDA_FUNCTION CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  (void)config;
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
OMNIHIP_CUDA_FUNCTION CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int size,
                                                                           size_t shared) {
  return __cu_result(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (hipFunction_t)function, size, shared));
}
OMNIHIP_CUDA_FUNCTION CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                                                    int size, size_t shared,
                                                                                    unsigned int flags) {
  return __cu_result(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (hipFunction_t)function, size,
                                                                                 shared, flags));
}

// The block size with the most threads on a multiprocessor; `bytes_of`, where it is not null, tells the shared memory
// that a block of a size wants.
typedef size_t(CUDA_CB* CUoccupancyB2DSize)(int size);
OMNIHIP_CUDA_FUNCTION CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                                                CUoccupancyB2DSize bytes_of, size_t shared, int limit) {
  if (!grid || !block) return CUDA_ERROR_INVALID_VALUE;
  if (!bytes_of)
    return __cu_result(hipModuleOccupancyMaxPotentialBlockSize(grid, block, (hipFunction_t)function, shared, limit));
  int device = 0, processors = 0, largest = 0, best = 0;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess) error = hipDeviceGetAttribute(&processors, hipDeviceAttributeMultiprocessorCount, device);
  if (error == hipSuccess)
    error = hipFuncGetAttribute(&largest, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, (hipFunction_t)function);
  if (error != hipSuccess) return __cu_result(error);
  if (limit > 0 && limit < largest) largest = limit;
  for (int size = largest; size > 0; size = (size - 1) / 32 * 32) {
    int blocks = 0;
    error = hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (hipFunction_t)function, size, bytes_of(size));
    if (error != hipSuccess) return __cu_result(error);
    if (blocks * size <= best) continue;
    best = blocks * size;
    *block = size;
    *grid = blocks * processors;
  }
  return best > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#endif
