// hip/api/overloads.h - the C++ side of the host interface: typed pointers instead of void**, variables and kernels by
// name instead of by address, and default arguments that C lacks. Every function forwards to the C function of its
// name.
#ifndef HIP_INCLUDE_HIP_API_OVERLOADS_H
#define HIP_INCLUDE_HIP_API_OVERLOADS_H

#ifdef __cplusplus

// Programs written for HIP rely on these four.
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_runtime_api.h>
#else
#include <hip/api/copy.h>
#include <hip/api/device.h>
#include <hip/api/launch.h>
#include <hip/api/managed.h>
#include <hip/api/memory.h>
#include <hip/api/mempool.h>
#include <hip/api/module.h>
#include <hip/api/occupancy.h>
#endif

// ---- Allocation
// ------------------------------------------------------------------------------------------------------

template<class T> static inline hipError_t hipMalloc(T** devPtr, size_t size) {
  return hipMalloc((void**)devPtr, size);
}

template<class T> static inline hipError_t hipMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
  return hipMallocPitch((void**)devPtr, pitch, width, height);
}

template<class T>
static inline hipError_t hipHostMalloc(T** ptr, size_t size, unsigned int flags = hipHostMallocDefault) {
  return hipHostMalloc((void**)ptr, size, flags);
}

template<class T>
static inline hipError_t hipHostAlloc(T** ptr, size_t size, unsigned int flags = hipHostAllocDefault) {
  return hipHostAlloc((void**)ptr, size, flags);
}

template<class T>
static inline hipError_t hipExtHostAlloc(T** ptr, size_t size, unsigned int flags = hipHostAllocDefault) {
  return hipExtHostAlloc((void**)ptr, size, flags);
}

template<class T>
static inline hipError_t hipMallocManaged(T** devPtr, size_t size, unsigned int flags = hipMemAttachGlobal) {
  return hipMallocManaged((void**)devPtr, size, flags);
}

template<class T> static inline hipError_t hipMallocAsync(T** dev_ptr, size_t size, hipStream_t stream) {
  return hipMallocAsync((void**)dev_ptr, size, stream);
}

template<class T>
static inline hipError_t hipMallocFromPoolAsync(T** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  return hipMallocFromPoolAsync((void**)dev_ptr, size, mem_pool, stream);
}

static inline hipError_t hipMallocAsync(void** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(dev_ptr, size, mem_pool, stream);
}

template<class T>
static inline hipError_t hipMallocAsync(T** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  return hipMallocFromPoolAsync((void**)dev_ptr, size, mem_pool, stream);
}

// ---- Variables
// -------------------------------------------------------------------------------------------------------

template<class T> static inline hipError_t hipGetSymbolAddress(void** devPtr, const T& symbol) {
  return hipGetSymbolAddress(devPtr, (const void*)&symbol);
}

template<class T> static inline hipError_t hipGetSymbolSize(size_t* size, const T& symbol) {
  return hipGetSymbolSize(size, (const void*)&symbol);
}

template<class T> static inline hipError_t hipMemcpyToSymbol(const T& symbol, const void* src, size_t sizeBytes,
                                                             size_t offset = 0,
                                                             hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol((const void*)&symbol, src, sizeBytes, offset, kind);
}

template<class T> static inline hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* src, size_t sizeBytes,
                                                                  size_t offset, hipMemcpyKind kind,
                                                                  hipStream_t stream = 0) {
  return hipMemcpyToSymbolAsync((const void*)&symbol, src, sizeBytes, offset, kind, stream);
}

template<class T> static inline hipError_t hipMemcpyFromSymbol(void* dst, const T& symbol, size_t sizeBytes,
                                                               size_t offset = 0,
                                                               hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(dst, (const void*)&symbol, sizeBytes, offset, kind);
}

template<class T> static inline hipError_t hipMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t sizeBytes,
                                                                    size_t offset, hipMemcpyKind kind,
                                                                    hipStream_t stream = 0) {
  return hipMemcpyFromSymbolAsync(dst, (const void*)&symbol, sizeBytes, offset, kind, stream);
}

// ---- Launches
// --------------------------------------------------------------------------------------------------------

template<class T> static inline hipError_t hipLaunchCooperativeKernel(T f, dim3 gridDim, dim3 blockDim,
                                                                      void** kernelParams, unsigned int sharedMemBytes,
                                                                      hipStream_t stream) {
  return hipLaunchCooperativeKernel(reinterpret_cast<const void*>(f), gridDim, blockDim, kernelParams, sharedMemBytes,
                                    stream);
}

#if !defined(__HIP_PLATFORM_NVIDIA__) // CUDA 13 has no launches on several devices
template<class T> static inline hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launchParamsList,
                                                                                 unsigned int numDevices,
                                                                                 unsigned int flags = 0) {
  return hipLaunchCooperativeKernelMultiDevice(launchParamsList, static_cast<int>(numDevices), flags);
}

template<class T> static inline hipError_t
hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launchParamsList, unsigned int numDevices, unsigned int flags = 0) {
  return hipExtLaunchMultiKernelMultiDevice(launchParamsList, static_cast<int>(numDevices), flags);
}
#endif

// Launches `kernel` with attributes. The arguments are converted to the kernel's parameter types.
template<class... KernelArgs, class... Params> static inline hipError_t
hipLaunchKernelEx(const hipLaunchConfig_t* config, void (*kernel)(KernelArgs...), Params&&... args) {
  return [&](KernelArgs... converted) {
    void* addresses[] = {const_cast<void*>(static_cast<const volatile void*>(&converted))..., nullptr};
    return hipLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), addresses);
  }(static_cast<Params&&>(args)...);
}

// ---- Occupancy
// -------------------------------------------------------------------------------------------------------

template<class T> static inline hipError_t
hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T f, int blockSize, size_t dynSharedMemPerBlk) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, reinterpret_cast<const void*>(f), blockSize,
                                                      dynSharedMemPerBlk);
}

template<class T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T f, int blockSize,
                                                                               size_t dynSharedMemPerBlk,
                                                                               unsigned int flags) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, reinterpret_cast<const void*>(f), blockSize,
                                                               dynSharedMemPerBlk, flags);
}

template<class T> static inline hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, T f,
                                                                             size_t dynSharedMemPerBlk = 0,
                                                                             int blockSizeLimit = 0) {
  return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, reinterpret_cast<const void*>(f), dynSharedMemPerBlk,
                                           blockSizeLimit);
}

template<class F> static inline hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, F kernel,
                                                                             size_t dynSharedMemPerBlk,
                                                                             uint32_t blockSizeLimit) {
  return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, reinterpret_cast<const void*>(kernel),
                                           dynSharedMemPerBlk, static_cast<int>(blockSizeLimit));
}

// `flags` must be hipOccupancyDefault or hipOccupancyDisableCachingOverride; neither changes the result on AMD targets.
template<class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, T f,
                                                                    size_t dynSharedMemPerBlk = 0,
                                                                    int blockSizeLimit = 0, unsigned int flags = 0) {
  if (flags != hipOccupancyDefault && flags != hipOccupancyDisableCachingOverride) return hipErrorInvalidValue;
  return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, reinterpret_cast<const void*>(f), dynSharedMemPerBlk,
                                           blockSizeLimit);
}

template<class T> static inline hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, T f,
                                                                                    int numBlocks, int blockSize) {
  return hipOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, reinterpret_cast<const void*>(f), numBlocks,
                                                  blockSize);
}

// As hipOccupancyMaxPotentialBlockSize for a kernel whose dynamic shared memory depends on the block size:
// block_size_to_dynamic_smem_size(size of a block) gives the bytes. Tries every multiple of the wave size, the largest
// first, and keeps the one with the most work-items on a compute unit.
template<class UnaryFunction, class T> static inline hipError_t
hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* min_grid_size, int* block_size, T func,
                                                       UnaryFunction block_size_to_dynamic_smem_size,
                                                       int block_size_limit = 0, unsigned int flags = 0) {
  if (min_grid_size == nullptr || block_size == nullptr || reinterpret_cast<const void*>(func) == nullptr)
    return hipErrorInvalidValue;
  if (flags != hipOccupancyDefault && flags != hipOccupancyDisableCachingOverride) return hipErrorInvalidValue;
  int device = 0, wave = 0, compute_units = 0;
  hipFuncAttributes kernel;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess) error = hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, device);
  if (error == hipSuccess) error = hipDeviceGetAttribute(&compute_units, hipDeviceAttributeMultiprocessorCount, device);
  if (error == hipSuccess) error = hipFuncGetAttributes(&kernel, reinterpret_cast<const void*>(func));
  if (error != hipSuccess) return error;

  int limit = kernel.maxThreadsPerBlock;
  if (block_size_limit > 0 && block_size_limit < limit) limit = block_size_limit;
  int best_size = 0, best_blocks = 0;
  for (int size = limit; size > 0; size = (size - 1) / wave * wave) {
    int blocks = 0;
    error = hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(func), size,
                                                         block_size_to_dynamic_smem_size(size));
    if (error != hipSuccess) return error;
    if (blocks * size > best_blocks * best_size) {
      best_blocks = blocks;
      best_size = size;
    }
  }
  *min_grid_size = best_blocks * compute_units;
  *block_size = best_size;
  return hipSuccess;
}

template<class UnaryFunction, class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size, T func,
                                                                       UnaryFunction block_size_to_dynamic_smem_size,
                                                                       int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size, func,
                                                                block_size_to_dynamic_smem_size, block_size_limit);
}

#endif

#endif
