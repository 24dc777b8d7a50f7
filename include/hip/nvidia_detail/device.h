// hip/nvidia_detail/device.h - choosing devices, what they are, their limits, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_DEVICE_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_DEVICE_H

#include <hip/nvidia_detail/device_properties.h>
#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipGetDeviceCount, cudaGetDeviceCount, (int* count), (count))
HIP_TO_CUDA(hipGetDevice, cudaGetDevice, (int* deviceId), (deviceId))
HIP_TO_CUDA(hipSetDevice, cudaSetDevice, (int deviceId), (deviceId))
HIP_TO_CUDA(hipSetValidDevices, cudaSetValidDevices, (int* device_arr, int len), (device_arr, len))
HIP_TO_CUDA(hipGetDeviceFlags, cudaGetDeviceFlags, (unsigned int* flags), (flags))
HIP_TO_CUDA(hipSetDeviceFlags, cudaSetDeviceFlags, (unsigned int flags), (flags))
HIP_TO_CUDA(hipInitDevice, cudaInitDevice, (int device, unsigned int deviceFlags, unsigned int flags),
            (device, deviceFlags, flags))
HIP_TO_CUDA(hipDeviceFlushGPUDirectRDMAWrites, cudaDeviceFlushGPUDirectRDMAWrites,
            (hipFlushGPUDirectRDMAWritesTarget target, hipFlushGPUDirectRDMAWritesScope scope), (target, scope))
HIP_TO_CUDA(hipDeviceGetCacheConfig, cudaDeviceGetCacheConfig, (hipFuncCache_t* cacheConfig), (cacheConfig))
HIP_TO_CUDA(hipDeviceGetLimit, cudaDeviceGetLimit, (size_t* pValue, hipLimit_t limit), (pValue, limit))
HIP_TO_CUDA(hipDeviceGetSharedMemConfig, cudaDeviceGetSharedMemConfig, (hipSharedMemConfig* pConfig), (pConfig))
HIP_TO_CUDA(hipDeviceReset, cudaDeviceReset, (void), ())
HIP_TO_CUDA(hipDeviceSetCacheConfig, cudaDeviceSetCacheConfig, (hipFuncCache_t cacheConfig), (cacheConfig))
HIP_TO_CUDA(hipDeviceSetLimit, cudaDeviceSetLimit, (hipLimit_t limit, size_t value), (limit, value))
HIP_TO_CUDA(hipDeviceSetSharedMemConfig, cudaDeviceSetSharedMemConfig, (hipSharedMemConfig config), (config))
HIP_TO_CUDA(hipDeviceSynchronize, cudaDeviceSynchronize, (void), ())
HIP_TO_CU(hipDeviceComputeCapability, cuDeviceComputeCapability,
    (int* major, int* minor, hipDevice_t device), (major, minor, device))
HIP_TO_CU(hipDeviceGet, cuDeviceGet, (hipDevice_t* device, int ordinal), (device, ordinal))
HIP_TO_CUDA(hipDeviceGetByPCIBusId, cudaDeviceGetByPCIBusId, (int* device, const char* pciBusId), (device, pciBusId))
HIP_TO_CU(hipDeviceGetName, cuDeviceGetName, (char* name, int len, hipDevice_t device), (name, len, device))
HIP_TO_CUDA(hipDeviceGetPCIBusId, cudaDeviceGetPCIBusId, (char* pciBusId, int len, int device), (pciBusId, len, device))
HIP_TO_CU(hipDeviceGetUuid, cuDeviceGetUuid, (hipUUID* uuid, hipDevice_t device), ((CUuuid*)uuid, device))
HIP_TO_CU(hipDeviceTotalMem, cuDeviceTotalMem, (size_t* bytes, hipDevice_t device), (bytes, device))

// An addition of this SDK (hip/detail/persisting_lines.h).
static inline hipError_t hipCtxResetPersistingL2Cache(void) {
  return hipCUDAErrorTohipError(cudaCtxResetPersistingL2Cache());
}

// Finds the device that fits best, by the fields that CUDA compares: compute capability, processors and memory.
static inline hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* prop) {
  if (device == NULL || prop == NULL) return hipErrorInvalidValue;
  HIP_NV_ZEROED(struct cudaDeviceProp, wanted);
  wanted.major = prop->major;
  wanted.minor = prop->minor;
  wanted.totalGlobalMem = prop->totalGlobalMem;
  wanted.sharedMemPerBlock = prop->sharedMemPerBlock;
  wanted.maxThreadsPerBlock = prop->maxThreadsPerBlock;
  wanted.totalConstMem = prop->totalConstMem;
  wanted.multiProcessorCount = prop->multiProcessorCount;
  return hipCUDAErrorTohipError(cudaChooseDevice(device, &wanted));
}

#endif
