// hip/nvidia_detail/pointer_overloads.h - in C++, the calls that take a hipDeviceptr_t also take the pointer that it is on
// AMD GPUs, so that programs written there compile here.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_POINTER_OVERLOADS_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_POINTER_OVERLOADS_H

#include <hip/nvidia_detail/copy.h>
#include <hip/nvidia_detail/memory.h>
#include <hip/nvidia_detail/module.h>

#ifdef __cplusplus

// HIP_NV_POINTER(name, (parameters), (arguments))
#define HIP_NV_POINTER(name, parameters, arguments) \
  static inline hipError_t name parameters { return name arguments; }

HIP_NV_POINTER(hipMemcpyHtoD, (void* dst, const void* src, size_t sizeBytes), ((hipDeviceptr_t)dst, src, sizeBytes))
HIP_NV_POINTER(hipMemcpyHtoDAsync, (void* dst, const void* src, size_t sizeBytes, hipStream_t stream),
    ((hipDeviceptr_t)dst, src, sizeBytes, stream))
HIP_NV_POINTER(hipMemcpyDtoH, (void* dst, const void* src, size_t sizeBytes), (dst, (hipDeviceptr_t)src, sizeBytes))
HIP_NV_POINTER(hipMemcpyDtoHAsync, (void* dst, const void* src, size_t sizeBytes, hipStream_t stream),
    (dst, (hipDeviceptr_t)src, sizeBytes, stream))
HIP_NV_POINTER(hipMemcpyDtoD, (void* dst, const void* src, size_t sizeBytes),
    ((hipDeviceptr_t)dst, (hipDeviceptr_t)src, sizeBytes))
HIP_NV_POINTER(hipMemcpyDtoDAsync, (void* dst, const void* src, size_t sizeBytes, hipStream_t stream),
    ((hipDeviceptr_t)dst, (hipDeviceptr_t)src, sizeBytes, stream))
HIP_NV_POINTER(hipMemcpyDtoA, (hipArray_t dstArray, size_t dstOffset, const void* srcDevice, size_t ByteCount),
    (dstArray, dstOffset, (hipDeviceptr_t)srcDevice, ByteCount))
HIP_NV_POINTER(hipMemcpyAtoD, (void* dstDevice, hipArray_t srcArray, size_t srcOffset, size_t ByteCount),
    ((hipDeviceptr_t)dstDevice, srcArray, srcOffset, ByteCount))
HIP_NV_POINTER(hipMemsetD8, (void* dest, unsigned char value, size_t count), ((hipDeviceptr_t)dest, value, count))
HIP_NV_POINTER(hipMemsetD16, (void* dest, unsigned short value, size_t count), ((hipDeviceptr_t)dest, value, count))
HIP_NV_POINTER(hipMemsetD32, (void* dest, int value, size_t count), ((hipDeviceptr_t)dest, value, count))
HIP_NV_POINTER(hipMemsetD8Async, (void* dest, unsigned char value, size_t count, hipStream_t stream = 0),
    ((hipDeviceptr_t)dest, value, count, stream))
HIP_NV_POINTER(hipMemsetD16Async, (void* dest, unsigned short value, size_t count, hipStream_t stream = 0),
    ((hipDeviceptr_t)dest, value, count, stream))
HIP_NV_POINTER(hipMemsetD32Async, (void* dst, int value, size_t count, hipStream_t stream = 0),
    ((hipDeviceptr_t)dst, value, count, stream))
HIP_NV_POINTER(hipMemGetAddressRange, (void** pbase, size_t* psize, const void* dptr),
    ((hipDeviceptr_t*)pbase, psize, (hipDeviceptr_t)dptr))
HIP_NV_POINTER(hipPointerGetAttribute, (void* data, hipPointer_attribute attribute, const void* ptr),
    (data, attribute, (hipDeviceptr_t)ptr))
HIP_NV_POINTER(hipModuleGetGlobal, (void** dptr, size_t* bytes, hipModule_t hmod, const char* name),
    ((hipDeviceptr_t*)dptr, bytes, hmod, name))

#undef HIP_NV_POINTER

#endif

#endif
