// omnihip/runtime_overloads.h - what C++ programs have of CUDA's runtime beside its C functions: allocations of typed
// pointers, symbols and kernels by their names, and signatures of other CUDA versions.
#ifndef OMNIHIP_CUDA_RUNTIME_OVERLOADS_H
#define OMNIHIP_CUDA_RUNTIME_OVERLOADS_H

#include <cuda_runtime_api.h>

// --- Memory
template<class T> static inline cudaError_t cudaMalloc(T** ptr, size_t size) {
  return cudaMalloc((void**)(void*)ptr, size);
}
template<class T> static inline cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
  return __cuda_error(hipHostMalloc((void**)(void*)ptr, size, flags));
}
static inline cudaError_t cudaMallocHost(void** ptr, size_t size, unsigned int flags) {
  return __cuda_error(hipHostMalloc(ptr, size, flags));
}
template<class T> static inline cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
  return cudaHostAlloc((void**)(void*)ptr, size, flags);
}
template<class T> static inline cudaError_t cudaHostGetDevicePointer(T** ptr, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)(void*)ptr, host, flags);
}
template<class T>
static inline cudaError_t cudaMallocManaged(T** ptr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)(void*)ptr, size, flags);
}
template<class T> static inline cudaError_t cudaMallocPitch(T** ptr, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)(void*)ptr, pitch, width, height);
}
template<class T> static inline cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaStream_t stream) {
  return cudaMallocAsync((void**)(void*)ptr, size, stream);
}
template<class T>
static inline cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)ptr, size, pool, stream);
}
template<class T>
static inline cudaError_t cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)ptr, size, pool, stream);
}
template<class T> static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* ptr, size_t length = 0,
                                                                     unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void*)ptr, length, flags);
}
static inline cudaError_t cudaMemAdvise(const void* ptr, size_t count, cudaMemoryAdvise advice,
                                        cudaMemLocation location) {
  return cudaMemAdvise(ptr, count, advice, location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId);
}
static inline cudaError_t cudaMemPrefetchAsync(const void* ptr, size_t count, cudaMemLocation location,
                                               unsigned int flags, cudaStream_t stream = 0) {
  if (flags != 0) return cudaErrorInvalidValue;
  return cudaMemPrefetchAsync(ptr, count, location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId,
                              stream);
}

// --- Symbols
template<class T> static inline cudaError_t cudaGetSymbolAddress(void** ptr, const T& symbol) {
  return cudaGetSymbolAddress(ptr, (const void*)&symbol);
}
template<class T> static inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return cudaGetSymbolSize(size, (const void*)&symbol);
}
template<class T> static inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count,
                                                               size_t offset = 0,
                                                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void*)&symbol, src, count, offset, kind);
}
template<class T> static inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count,
                                                                    size_t offset = 0,
                                                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                                    cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void*)&symbol, src, count, offset, kind, stream);
}
template<class T> static inline cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count,
                                                                 size_t offset = 0,
                                                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(dst, (const void*)&symbol, count, offset, kind);
}
template<class T> static inline cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count,
                                                                      size_t offset = 0,
                                                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                                      cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(dst, (const void*)&symbol, count, offset, kind, stream);
}

// --- Kernels
template<class T> static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template<class T> static inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template<class T> static inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void*)kernel, config);
}
template<class T> static inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void*)kernel, config);
}
template<class T> static inline cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                             size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
template<class T> static inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block,
                                                                        void** arguments, size_t shared = 0,
                                                                        cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, static_cast<unsigned int>(shared),
                                     stream);
}
// The arguments are converted to the kernel's parameter types.
template<class... Parameters, class... Arguments> static inline cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  return [&](Parameters... converted) {
    void* addresses[] = {const_cast<void*>(static_cast<const volatile void*>(&converted))..., nullptr};
    return cudaLaunchKernelExC(config, (const void*)kernel, addresses);
  }(static_cast<Arguments&&>(arguments)...);
}
template<class T> static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                                          int size, size_t shared) {
  return __cuda_error(hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, size, shared));
}
template<class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int size,
                                                                                 size_t shared, unsigned int flags) {
  return __cuda_error(
      hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, size, shared, flags));
}
template<class T> static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T kernel,
                                                                               size_t shared = 0, int limit = 0) {
  return __cuda_error(hipOccupancyMaxPotentialBlockSize(grid, block, (const void*)kernel, shared, limit));
}
template<class T> static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, T kernel,
                                                                                        size_t shared = 0,
                                                                                        int limit = 0,
                                                                                        unsigned int flags = 0) {
  return __cuda_error(
      hipOccupancyMaxPotentialBlockSizeWithFlags(grid, block, (const void*)kernel, shared, limit, flags));
}
template<class Bytes, class T> static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, T kernel, Bytes bytes, int limit = 0) {
  return __cuda_error(hipOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, bytes, limit));
}
template<class Bytes, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid, int* block, T kernel,
                                                                                  Bytes bytes, int limit = 0,
                                                                                  unsigned int flags = 0) {
  return __cuda_error(hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, kernel, bytes, limit, flags));
}
template<class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel, int blocks, int size) {
  return __cuda_error(hipOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)kernel, blocks, size));
}

// --- Events, graphs
static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
// CUDA 11's forms.
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* node,
                                               char* log, size_t size) {
  return __cuda_error(hipGraphInstantiate((hipGraphExec_t*)exec, (hipGraph_t)graph, (hipGraphNode_t*)node, log, size));
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node,
                                              cudaGraphExecUpdateResult* result) {
  return __cuda_error(hipGraphExecUpdate((hipGraphExec_t)exec, (hipGraph_t)graph, (hipGraphNode_t*)node,
                                         (hipGraphExecUpdateResult*)result));
}

// --- Formats of elements
template<class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  const hipChannelFormatDesc hip = hipCreateChannelDesc<T>();
  return cudaCreateChannelDesc(hip.x, hip.y, hip.z, hip.w, static_cast<cudaChannelFormatKind>(hip.f));
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#endif
