// hip/nvidia_detail/external.h - memory and semaphores of other interfaces, graphics resources, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_EXTERNAL_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_EXTERNAL_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipImportExternalMemory, cudaImportExternalMemory,
    (hipExternalMemory_t* extMem_out, const hipExternalMemoryHandleDesc* memHandleDesc), (extMem_out, memHandleDesc))
HIP_TO_CUDA(hipImportExternalSemaphore, cudaImportExternalSemaphore,
    (hipExternalSemaphore_t* extSem_out, const hipExternalSemaphoreHandleDesc* semHandleDesc),
    (extSem_out, semHandleDesc))
HIP_TO_CUDA(hipExternalMemoryGetMappedBuffer, cudaExternalMemoryGetMappedBuffer,
    (void** devPtr, hipExternalMemory_t extMem, const hipExternalMemoryBufferDesc* bufferDesc),
    (devPtr, extMem, bufferDesc))
HIP_TO_CUDA(hipExternalMemoryGetMappedMipmappedArray, cudaExternalMemoryGetMappedMipmappedArray,
    (hipMipmappedArray_t* mipmap, hipExternalMemory_t extMem, const hipExternalMemoryMipmappedArrayDesc* mipmapDesc),
    (mipmap, extMem, mipmapDesc))
HIP_TO_CUDA(hipDestroyExternalMemory, cudaDestroyExternalMemory, (hipExternalMemory_t extMem), (extMem))
HIP_TO_CUDA(hipDestroyExternalSemaphore, cudaDestroyExternalSemaphore, (hipExternalSemaphore_t extSem), (extSem))
HIP_TO_CUDA(hipSignalExternalSemaphoresAsync, cudaSignalExternalSemaphoresAsync,
    (const hipExternalSemaphore_t* extSemArray, const hipExternalSemaphoreSignalParams* paramsArray,
     unsigned int numExtSems, hipStream_t stream), (extSemArray, paramsArray, numExtSems, stream))
HIP_TO_CUDA(hipWaitExternalSemaphoresAsync, cudaWaitExternalSemaphoresAsync,
    (const hipExternalSemaphore_t* extSemArray, const hipExternalSemaphoreWaitParams* paramsArray,
     unsigned int numExtSems, hipStream_t stream), (extSemArray, paramsArray, numExtSems, stream))
HIP_TO_CUDA(hipGraphicsMapResources, cudaGraphicsMapResources,
    (int count, hipGraphicsResource_t* resources, hipStream_t stream __dparm(0)), (count, resources, stream))
HIP_TO_CUDA(hipGraphicsResourceGetMappedPointer, cudaGraphicsResourceGetMappedPointer,
    (void** devPtr, size_t* size, hipGraphicsResource_t resource), (devPtr, size, resource))
HIP_TO_CUDA(hipGraphicsSubResourceGetMappedArray, cudaGraphicsSubResourceGetMappedArray,
    (hipArray_t* array, hipGraphicsResource_t resource, unsigned int arrayIndex, unsigned int mipLevel),
    (array, resource, arrayIndex, mipLevel))
HIP_TO_CUDA(hipGraphicsUnmapResources, cudaGraphicsUnmapResources,
    (int count, hipGraphicsResource_t* resources, hipStream_t stream __dparm(0)), (count, resources, stream))
HIP_TO_CUDA(hipGraphicsUnregisterResource, cudaGraphicsUnregisterResource, (hipGraphicsResource_t resource), (resource))

#endif
