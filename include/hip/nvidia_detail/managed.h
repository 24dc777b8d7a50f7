// hip/nvidia_detail/managed.h - managed memory, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_MANAGED_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_MANAGED_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipMallocManaged, cudaMallocManaged,
    (void** dev_ptr, size_t size, unsigned int flags __dparm(hipMemAttachGlobal)), (dev_ptr, size, flags))
HIP_TO_CUDA(hipMemRangeGetAttribute, cudaMemRangeGetAttribute,
    (void* data, size_t data_size, hipMemRangeAttribute attribute, const void* dev_ptr, size_t count),
    (data, data_size, attribute, dev_ptr, count))
HIP_TO_CUDA(hipMemRangeGetAttributes, cudaMemRangeGetAttributes,
    (void** data, size_t* data_sizes, hipMemRangeAttribute* attributes, size_t num_attributes, const void* dev_ptr,
     size_t count), (data, data_sizes, attributes, num_attributes, dev_ptr, count))
HIP_TO_CUDA(hipStreamAttachMemAsync, cudaStreamAttachMemAsync,
    (hipStream_t stream, void* dev_ptr, size_t length __dparm(0), unsigned int flags __dparm(hipMemAttachSingle)),
    (stream, dev_ptr, length, flags))

// A device ordinal as a location of CUDA; hipCpuDeviceId is the host.
static inline struct cudaMemLocation __hip_location(int device) {
  HIP_NV_ZEROED(struct cudaMemLocation, location);
#if CUDART_VERSION >= 12020
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
#else
  location.type = cudaMemLocationTypeDevice;
#endif
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

#if CUDART_VERSION >= 13000
HIP_TO_CUDA(hipMemAdvise, cudaMemAdvise,
    (const void* dev_ptr, size_t count, hipMemoryAdvise advice, int device),
    (dev_ptr, count, advice, __hip_location(device)))
HIP_TO_CUDA(hipMemPrefetchAsync, cudaMemPrefetchAsync,
    (const void* dev_ptr, size_t count, int device, hipStream_t stream __dparm(0)),
    (dev_ptr, count, __hip_location(device), 0, stream))
HIP_TO_CUDA(hipMemAdvise_v2, cudaMemAdvise,
    (const void* dev_ptr, size_t count, hipMemoryAdvise advice, hipMemLocation location),
    (dev_ptr, count, advice, location))
HIP_TO_CUDA(hipMemPrefetchAsync_v2, cudaMemPrefetchAsync,
    (const void* dev_ptr, size_t count, hipMemLocation location, unsigned int flags, hipStream_t stream __dparm(0)),
    (dev_ptr, count, location, flags, stream))
HIP_TO_CUDA(hipMemPrefetchBatchAsync, cudaMemPrefetchBatchAsync,
    (void** dev_ptrs, size_t* sizes, size_t count, hipMemLocation* prefetch_locs, size_t* prefetch_loc_idxs,
     size_t num_prefetch_locs, unsigned long long flags, hipStream_t stream __dparm(0)),
    (dev_ptrs, sizes, count, prefetch_locs, prefetch_loc_idxs, num_prefetch_locs, flags, stream))
#else
HIP_TO_CUDA(hipMemAdvise, cudaMemAdvise,
    (const void* dev_ptr, size_t count, hipMemoryAdvise advice, int device), (dev_ptr, count, advice, device))
HIP_TO_CUDA(hipMemPrefetchAsync, cudaMemPrefetchAsync,
    (const void* dev_ptr, size_t count, int device, hipStream_t stream __dparm(0)), (dev_ptr, count, device, stream))
#if CUDART_VERSION >= 12020
HIP_TO_CUDA(hipMemAdvise_v2, cudaMemAdvise_v2,
    (const void* dev_ptr, size_t count, hipMemoryAdvise advice, hipMemLocation location),
    (dev_ptr, count, advice, location))
HIP_TO_CUDA(hipMemPrefetchAsync_v2, cudaMemPrefetchAsync_v2,
    (const void* dev_ptr, size_t count, hipMemLocation location, unsigned int flags, hipStream_t stream __dparm(0)),
    (dev_ptr, count, location, flags, stream))
#endif
#endif

#endif
