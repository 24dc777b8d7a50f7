// hip/nvidia_detail/memory.h - allocating device and host memory, and asking what an address is, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_MEMORY_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_MEMORY_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipMalloc, cudaMalloc, (void** ptr, size_t size), (ptr, size))
HIP_TO_CUDA(hipMalloc3D, cudaMalloc3D, (hipPitchedPtr* pitchedDevPtr, hipExtent extent), (pitchedDevPtr, extent))
HIP_TO_CUDA(hipMallocPitch, cudaMallocPitch,
    (void** ptr, size_t* pitch, size_t width, size_t height), (ptr, pitch, width, height))
HIP_TO_CUDA(hipMallocHost, cudaMallocHost, (void** ptr, size_t size), (ptr, size))
HIP_TO_CU(hipMemAllocPitch, cuMemAllocPitch,
    (hipDeviceptr_t* dptr, size_t* pitch, size_t widthInBytes, size_t height, unsigned int elementSizeBytes),
    (dptr, pitch, widthInBytes, height, elementSizeBytes))
HIP_TO_CUDA(hipFree, cudaFree, (void* ptr), (ptr))
HIP_TO_CUDA(hipHostFree, cudaFreeHost, (void* ptr), (ptr))
HIP_TO_CUDA(hipHostGetDevicePointer, cudaHostGetDevicePointer,
    (void** devPtr, void* hstPtr, unsigned int flags), (devPtr, hstPtr, flags))
HIP_TO_CUDA(hipHostGetFlags, cudaHostGetFlags, (unsigned int* flagsPtr, void* hostPtr), (flagsPtr, hostPtr))
HIP_TO_CUDA(hipHostUnregister, cudaHostUnregister, (void* hostPtr), (hostPtr))
HIP_TO_CUDA(hipFreeHost, cudaFreeHost, (void* ptr), (ptr))
HIP_TO_CUDA(hipMemGetInfo, cudaMemGetInfo, (size_t* free, size_t* total), (free, total))
HIP_TO_CU(hipMemGetAddressRange, cuMemGetAddressRange,
    (hipDeviceptr_t* pbase, size_t* psize, hipDeviceptr_t dptr), (pbase, psize, dptr))
HIP_TO_CU(hipDrvPointerGetAttributes, cuPointerGetAttributes,
    (unsigned int numAttributes, hipPointer_attribute* attributes, void** data, hipDeviceptr_t ptr),
    (numAttributes, attributes, data, ptr))
HIP_TO_CU(hipPointerSetAttribute, cuPointerSetAttribute,
    (const void* value, hipPointer_attribute attribute, hipDeviceptr_t ptr), (value, attribute, ptr))

HIP_TO_CUDA(hipHostMalloc, cudaHostAlloc, (void** ptr, size_t size, unsigned int flags __dparm(hipHostMallocDefault)),
    (ptr, size, flags))
HIP_TO_CUDA(hipHostAlloc, cudaHostAlloc, (void** ptr, size_t size, unsigned int flags), (ptr, size, flags))
HIP_TO_CUDA(hipExtHostAlloc, cudaHostAlloc, (void** ptr, size_t size, unsigned int flags), (ptr, size, flags))
HIP_TO_CUDA(hipHostRegister, cudaHostRegister, (void* hostPtr, size_t sizeBytes, unsigned int flags),
    (hostPtr, sizeBytes, flags))
HIP_TO_CUDA(hipMemAllocHost, cudaMallocHost, (void** ptr, size_t size), (ptr, size))
HIP_TO_CU(hipMemPtrGetInfo, cuMemGetAddressRange, (void* ptr, size_t* size), (NULL, size, (CUdeviceptr)ptr))

// allocationFlags is 0: CUDA does not tell them.

static inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr) {
  if (attributes == NULL) return hipErrorInvalidValue;
  HIP_NV_ZEROED(struct cudaPointerAttributes, found);
  cudaError_t error = cudaPointerGetAttributes(&found, ptr);
  if (error != cudaSuccess) return hipCUDAErrorTohipError(error);
  attributes->type = (hipMemoryType)found.type; // the numbers that both have are the same
  attributes->device = found.device;
  attributes->devicePointer = found.devicePointer;
  attributes->hostPointer = found.hostPointer;
  attributes->isManaged = found.type == cudaMemoryTypeManaged;
  attributes->allocationFlags = 0;
  return hipSuccess;
}

// HIP_POINTER_ATTRIBUTE_MEMORY_TYPE gives a hipMemoryType, whose numbers for arrays and unified memory are not CUDA's.
static inline hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  hipError_t error = hipCUResultTohipError(cuPointerGetAttribute(data, attribute, ptr));
  if (error == hipSuccess && attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) {
    unsigned int* type = (unsigned int*)data;
    if (*type == CU_MEMORYTYPE_ARRAY) *type = hipMemoryTypeArray;
    if (*type == CU_MEMORYTYPE_UNIFIED) *type = hipMemoryTypeUnified;
  }
  return error;
}

#endif
