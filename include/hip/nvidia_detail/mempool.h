// hip/nvidia_detail/mempool.h - memory pools and allocation in stream order, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_MEMPOOL_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_MEMPOOL_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipDeviceGetDefaultMemPool, cudaDeviceGetDefaultMemPool,
    (hipMemPool_t* mem_pool, int device), (mem_pool, device))
HIP_TO_CUDA(hipDeviceGetMemPool, cudaDeviceGetMemPool, (hipMemPool_t* mem_pool, int device), (mem_pool, device))
HIP_TO_CUDA(hipDeviceSetMemPool, cudaDeviceSetMemPool, (int device, hipMemPool_t mem_pool), (device, mem_pool))
HIP_TO_CUDA(hipMallocAsync, cudaMallocAsync, (void** dev_ptr, size_t size, hipStream_t stream), (dev_ptr, size, stream))
HIP_TO_CUDA(hipFreeAsync, cudaFreeAsync, (void* dev_ptr, hipStream_t stream), (dev_ptr, stream))
HIP_TO_CUDA(hipMallocFromPoolAsync, cudaMallocFromPoolAsync,
    (void** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream), (dev_ptr, size, mem_pool, stream))
HIP_TO_CUDA(hipMemPoolCreate, cudaMemPoolCreate,
    (hipMemPool_t* mem_pool, const hipMemPoolProps* pool_props), (mem_pool, pool_props))
HIP_TO_CUDA(hipMemPoolDestroy, cudaMemPoolDestroy, (hipMemPool_t mem_pool), (mem_pool))
HIP_TO_CUDA(hipMemPoolGetAccess, cudaMemPoolGetAccess,
    (hipMemAccessFlags* flags, hipMemPool_t mem_pool, hipMemLocation* location), (flags, mem_pool, location))
HIP_TO_CUDA(hipMemPoolGetAttribute, cudaMemPoolGetAttribute,
    (hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value), (mem_pool, attr, value))
HIP_TO_CUDA(hipMemPoolSetAccess, cudaMemPoolSetAccess,
    (hipMemPool_t mem_pool, const hipMemAccessDesc* desc_list, size_t count), (mem_pool, desc_list, count))
HIP_TO_CUDA(hipMemPoolSetAttribute, cudaMemPoolSetAttribute,
    (hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value), (mem_pool, attr, value))
HIP_TO_CUDA(hipMemPoolTrimTo, cudaMemPoolTrimTo,
    (hipMemPool_t mem_pool, size_t min_bytes_to_hold), (mem_pool, min_bytes_to_hold))
HIP_TO_CUDA(hipMemPoolExportPointer, cudaMemPoolExportPointer,
    (hipMemPoolPtrExportData* export_data, void* dev_ptr), (export_data, dev_ptr))
HIP_TO_CUDA(hipMemPoolExportToShareableHandle, cudaMemPoolExportToShareableHandle,
    (void* shared_handle, hipMemPool_t mem_pool, hipMemAllocationHandleType handle_type, unsigned int flags),
    (shared_handle, mem_pool, handle_type, flags))
HIP_TO_CUDA(hipMemPoolImportFromShareableHandle, cudaMemPoolImportFromShareableHandle,
    (hipMemPool_t* mem_pool, void* shared_handle, hipMemAllocationHandleType handle_type, unsigned int flags),
    (mem_pool, shared_handle, handle_type, flags))
HIP_TO_CUDA(hipMemPoolImportPointer, cudaMemPoolImportPointer,
    (void** dev_ptr, hipMemPool_t mem_pool, hipMemPoolPtrExportData* export_data), (dev_ptr, mem_pool, export_data))

#if CUDART_VERSION >= 13000
HIP_TO_CUDA(hipMemSetMemPool, cudaMemSetMemPool,
    (hipMemLocation* location, hipMemAllocationType type, hipMemPool_t pool), (location, type, pool))
HIP_TO_CUDA(hipMemGetMemPool, cudaMemGetMemPool,
    (hipMemPool_t* pool, hipMemLocation* location, hipMemAllocationType type), (pool, location, type))
#endif

#endif
