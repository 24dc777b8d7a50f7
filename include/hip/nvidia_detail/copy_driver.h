// hip/nvidia_detail/copy_driver.h - the driver-style copies of rows and boxes, whose structures are HIP's own: a kind of
// memory has HIP's number, and an array is the handle that the rest of the interface uses.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_COPY_DRIVER_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_COPY_DRIVER_H

#include <hip/nvidia_detail/types.h>

static inline CUmemorytype __hip_to_cu_memory_type(hipMemoryType type) {
  switch (type) {
  case hipMemoryTypeHost:
    return CU_MEMORYTYPE_HOST;
  case hipMemoryTypeDevice:
    return CU_MEMORYTYPE_DEVICE;
  case hipMemoryTypeArray:
    return CU_MEMORYTYPE_ARRAY;
  default: // managed and unified memory: the driver looks at the address
    return CU_MEMORYTYPE_UNIFIED;
  }
}

// In one place for both structures: the fields of one side but the third dimension's.
#define HIP_NV_COPY_SIDE(to, from, side) \
  to.side##XInBytes = from->side##XInBytes; \
  to.side##Y = from->side##Y; \
  to.side##MemoryType = __hip_to_cu_memory_type(from->side##MemoryType); \
  to.side##Host = from->side##Host; \
  to.side##Device = from->side##Device; \
  to.side##Array = (CUarray)from->side##Array; \
  to.side##Pitch = from->side##Pitch;

static inline CUDA_MEMCPY2D __hip_to_cu_copy2d(const hip_Memcpy2D* copy) {
  HIP_NV_ZEROED(CUDA_MEMCPY2D, result);
  HIP_NV_COPY_SIDE(result, copy, src)
  HIP_NV_COPY_SIDE(result, copy, dst)
  result.WidthInBytes = copy->WidthInBytes;
  result.Height = copy->Height;
  return result;
}

static inline CUDA_MEMCPY3D __hip_to_cu_copy3d(const HIP_MEMCPY3D* copy) {
  HIP_NV_ZEROED(CUDA_MEMCPY3D, result);
  HIP_NV_COPY_SIDE(result, copy, src)
  HIP_NV_COPY_SIDE(result, copy, dst)
  result.srcZ = copy->srcZ;
  result.srcLOD = copy->srcLOD;
  result.srcHeight = copy->srcHeight;
  result.dstZ = copy->dstZ;
  result.dstLOD = copy->dstLOD;
  result.dstHeight = copy->dstHeight;
  result.WidthInBytes = copy->WidthInBytes;
  result.Height = copy->Height;
  result.Depth = copy->Depth;
  return result;
}
#undef HIP_NV_COPY_SIDE

static inline hipError_t hipMemcpyParam2D(const hip_Memcpy2D* pCopy) {
  if (pCopy == NULL) return hipErrorInvalidValue;
  const CUDA_MEMCPY2D copy = __hip_to_cu_copy2d(pCopy);
  return hipCUResultTohipError(cuMemcpy2D(&copy));
}
static inline hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* pCopy, hipStream_t stream __dparm(0)) {
  if (pCopy == NULL) return hipErrorInvalidValue;
  const CUDA_MEMCPY2D copy = __hip_to_cu_copy2d(pCopy);
  return hipCUResultTohipError(cuMemcpy2DAsync(&copy, stream));
}
static inline hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* pCopy) {
  if (pCopy == NULL) return hipErrorInvalidValue;
  const CUDA_MEMCPY2D copy = __hip_to_cu_copy2d(pCopy);
  return hipCUResultTohipError(cuMemcpy2DUnaligned(&copy));
}
static inline hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* pCopy) {
  if (pCopy == NULL) return hipErrorInvalidValue;
  const CUDA_MEMCPY3D copy = __hip_to_cu_copy3d(pCopy);
  return hipCUResultTohipError(cuMemcpy3D(&copy));
}
static inline hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* pCopy, hipStream_t stream) {
  if (pCopy == NULL) return hipErrorInvalidValue;
  const CUDA_MEMCPY3D copy = __hip_to_cu_copy3d(pCopy);
  return hipCUResultTohipError(cuMemcpy3DAsync(&copy, stream));
}

#endif
