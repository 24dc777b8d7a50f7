// hip/nvidia_detail/array.h - arrays and mipmapped arrays, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_ARRAY_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_ARRAY_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipMallocArray, cudaMallocArray,
    (hipArray_t* array, const hipChannelFormatDesc* desc, size_t width, size_t height __dparm(0),
     unsigned int flags __dparm(hipArrayDefault)), (array, desc, width, height, flags))
HIP_TO_CUDA(hipMalloc3DArray, cudaMalloc3DArray,
    (hipArray_t* array, const hipChannelFormatDesc* desc, hipExtent extent, unsigned int flags),
    (array, desc, extent, flags))
HIP_TO_CUDA(hipFreeArray, cudaFreeArray, (hipArray_t array), (array))
HIP_TO_CU(hipArray3DCreate, cuArray3DCreate,
    (hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* pAllocateArray), ((CUarray*)array, pAllocateArray))
HIP_TO_CU(hipArray3DGetDescriptor, cuArray3DGetDescriptor,
    (HIP_ARRAY3D_DESCRIPTOR* pArrayDescriptor, hipArray_t array), (pArrayDescriptor, (CUarray)array))
HIP_TO_CU(hipArrayCreate, cuArrayCreate,
    (hipArray_t* pHandle, const HIP_ARRAY_DESCRIPTOR* pAllocateArray), ((CUarray*)pHandle, pAllocateArray))
HIP_TO_CU(hipArrayDestroy, cuArrayDestroy, (hipArray_t array), ((CUarray)array))
HIP_TO_CU(hipArrayGetDescriptor, cuArrayGetDescriptor,
    (HIP_ARRAY_DESCRIPTOR* pArrayDescriptor, hipArray_t array), (pArrayDescriptor, (CUarray)array))
HIP_TO_CUDA(hipArrayGetInfo, cudaArrayGetInfo,
    (hipChannelFormatDesc* desc, hipExtent* extent, unsigned int* flags, hipArray_t array),
    (desc, extent, flags, array))
HIP_TO_CUDA(hipGetChannelDesc, cudaGetChannelDesc, (hipChannelFormatDesc* desc, hipArray_const_t array), (desc, array))
HIP_TO_CUDA(hipMallocMipmappedArray, cudaMallocMipmappedArray,
    (hipMipmappedArray_t* mipmappedArray, const hipChannelFormatDesc* desc, hipExtent extent, unsigned int numLevels,
     unsigned int flags __dparm(0)), (mipmappedArray, desc, extent, numLevels, flags))
HIP_TO_CUDA(hipFreeMipmappedArray, cudaFreeMipmappedArray, (hipMipmappedArray_t mipmappedArray), (mipmappedArray))
HIP_TO_CUDA(hipGetMipmappedArrayLevel, cudaGetMipmappedArrayLevel,
    (hipArray_t* levelArray, hipMipmappedArray_const_t mipmappedArray, unsigned int level),
    (levelArray, mipmappedArray, level))
HIP_TO_CU(hipMipmappedArrayCreate, cuMipmappedArrayCreate,
    (hipMipmappedArray_t* pHandle, HIP_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc, unsigned int numMipmapLevels),
    ((CUmipmappedArray*)pHandle, pMipmappedArrayDesc, numMipmapLevels))
HIP_TO_CU(hipMipmappedArrayDestroy, cuMipmappedArrayDestroy,
    (hipMipmappedArray_t hMipmappedArray), ((CUmipmappedArray)hMipmappedArray))
HIP_TO_CU(hipMipmappedArrayGetLevel, cuMipmappedArrayGetLevel,
    (hipArray_t* pLevelArray, hipMipmappedArray_t hMipMappedArray, unsigned int level),
    ((CUarray*)pLevelArray, (CUmipmappedArray)hMipMappedArray, level))

// HIP's structure has its members in another order. CUDA tells it of arrays that are mapped later.
typedef struct hipArrayMemoryRequirements {
  size_t alignment;
  size_t size;
} hipArrayMemoryRequirements;
static inline hipError_t hipMipmappedArrayGetMemoryRequirements(hipArrayMemoryRequirements* memoryRequirements,
                                                                hipMipmappedArray_t mipmap, hipDevice_t device) {
  HIP_NV_ZEROED(struct cudaArrayMemoryRequirements, memory);
  cudaError_t error = cudaErrorInvalidValue;
  if (memoryRequirements) error = cudaMipmappedArrayGetMemoryRequirements(&memory, mipmap, device);
  if (error != cudaSuccess) return hipCUDAErrorTohipError(error);
  memoryRequirements->alignment = memory.alignment;
  memoryRequirements->size = memory.size;
  return hipSuccess;
}

static inline hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
  return cudaCreateChannelDesc(x, y, z, w, f);
}

#endif
