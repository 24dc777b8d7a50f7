// omnihip/runtime_special.h - functions of CUDA's runtime whose counterpart in HIP takes other arguments or answers
// otherwise.
#ifndef OMNIHIP_CUDA_RUNTIME_SPECIAL_H
#define OMNIHIP_CUDA_RUNTIME_SPECIAL_H

#include <driver_types.h>

// --- Versions are CUDA's
OMNIHIP_CUDA_FUNCTION cudaError_t cudaRuntimeGetVersion(int* version) {
  if (!version) return cudaErrorInvalidValue;
  *version = CUDART_VERSION;
  return cudaSuccess;
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

// --- Names from before CUDA 4
OMNIHIP_CUDA_FUNCTION cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit) {
  return __cuda_error(hipDeviceGetLimit(value, (hipLimit_t)limit));
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return __cuda_error(hipDeviceSetLimit((hipLimit_t)limit, value));
}

// --- Devices
// Makes the device's context and makes the device current when the flag says so; HIP's contexts make themselves.
OMNIHIP_CUDA_FUNCTION cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  int current = 0;
  hipError_t error = hipGetDevice(&current);
  if (error == hipSuccess) error = hipSetDevice(device);
  if (error == hipSuccess && (flags & 1)) error = hipSetDeviceFlags(deviceFlags); // cudaInitDeviceFlagsAreValid
  if (error == hipSuccess) error = hipSetDevice(current);
  return __cuda_error(error);
}

// --- Profilers: there is none to be told, as for a program that nvprof does not run
OMNIHIP_CUDA_FUNCTION cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
OMNIHIP_CUDA_FUNCTION cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

// --- Memory
OMNIHIP_CUDA_FUNCTION cudaError_t cudaMallocHost(void** ptr, size_t size) {
  return __cuda_error(hipHostMalloc(ptr, size, 0));
}

OMNIHIP_CUDA_FUNCTION cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* ptr) {
  if (!attributes) return cudaErrorInvalidValue;
  hipPointerAttribute_t hip;
  const hipError_t error = hipPointerGetAttributes(&hip, ptr);
  if (error != hipSuccess) return __cuda_error(error);
  attributes->type = hip.isManaged ? cudaMemoryTypeManaged : (enum cudaMemoryType)hip.type;
  attributes->device = hip.device;
  attributes->devicePointer = hip.devicePointer;
  attributes->hostPointer = hip.hostPointer;
  return cudaSuccess;
}

OMNIHIP_CUDA_FUNCTION cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                  enum cudaChannelFormatKind f) {
  cudaChannelFormatDesc desc = {x, y, z, w, f};
  return desc;
}

static inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  cudaExtent extent = {w, h, d};
  return extent;
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  cudaPos pos = {x, y, z};
  return pos;
}
static inline cudaPitchedPtr make_cudaPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz) {
  cudaPitchedPtr pointer = {d, p, xsz, ysz};
  return pointer;
}

// Lines of the cache that persist are there where the device has room for them.
OMNIHIP_CUDA_FUNCTION cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return __cuda_error(hipCtxResetPersistingL2Cache());
}

// --- Graphs
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                       unsigned long long flags __dparm(0)) {
  return __cuda_error(hipGraphInstantiateWithFlags((hipGraphExec_t*)exec, (hipGraph_t)graph, flags));
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                                      cudaGraphExecUpdateResultInfo* info) {
  if (!info) return cudaErrorInvalidValue;
  hipGraphNode_t node = 0;
  hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
  const hipError_t error = hipGraphExecUpdate((hipGraphExec_t)exec, (hipGraph_t)graph, &node, &result);
  info->result = (enum cudaGraphExecUpdateResult)result;
  info->errorNode = (cudaGraphNode_t)node;
  info->errorFromNode = 0;
  return __cuda_error(error);
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                           unsigned long long* id __dparm(0),
                                                           cudaGraph_t* graph __dparm(0),
                                                           const cudaGraphNode_t** dependencies __dparm(0),
                                                           size_t* count __dparm(0)) {
  return __cuda_error(hipStreamGetCaptureInfo_v2(stream, (hipStreamCaptureStatus*)status, id, (hipGraph_t*)graph,
                                                 (const hipGraphNode_t**)dependencies, count));
}

// The lists of edges are HIP's for the call.
OMNIHIP_CUDA_FUNCTION cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                                const cudaGraphNode_t* dependencies,
                                                                const cudaGraphEdgeData* dependencyData,
                                                                size_t numDependencies,
                                                                enum cudaStreamCaptureMode mode) {
  hipGraphEdgeData* const edges = __omnihip_edges_to_hip(dependencyData, numDependencies);
  if (dependencyData && numDependencies && !edges) return cudaErrorMemoryAllocation;
  const hipError_t error =
      hipStreamBeginCaptureToGraph((hipStream_t)stream, (hipGraph_t)graph, (const hipGraphNode_t*)dependencies, edges,
                                   numDependencies, (hipStreamCaptureMode)mode);
  free(edges);
  return __cuda_error(error);
}

// HIP's function reads the parameters and writes them, also when it fails.
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                                 cudaGraphInstantiateParams* params) {
  hipGraphInstantiateParams hip;
  const hipError_t error = hipGraphInstantiateWithParams((hipGraphExec_t*)exec, (hipGraph_t)graph,
                                                         __omnihip_to_hip_cudaGraphInstantiateParams(params, &hip));
  if (params) __omnihip_to_cuda_cudaGraphInstantiateParams(&hip, params);
  return __cuda_error(error);
}

// Nodes of any type. What is not converted lies as in HIP.
static inline hipGraphNodeParams __omnihip_node_to_hip(const cudaGraphNodeParams* from) {
  hipGraphNodeParams to = {hipGraphNodeTypeKernel, {0, 0, 0}, {{0}}, 0};
  if (!from) return to;
  __builtin_memcpy((void*)&to, (const void*)from, sizeof(to));
  if (from->type == cudaGraphNodeTypeKernel) __omnihip_to_hip_cudaKernelNodeParams(&from->kernel, &to.kernel);
  if (from->type == cudaGraphNodeTypeMemset) __omnihip_to_hip_cudaMemsetParams(&from->memset, &to.memset);
  return to;
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                   const cudaGraphNode_t* dependencies, size_t count,
                                                   cudaGraphNodeParams* params) {
  hipGraphNodeParams hip = __omnihip_node_to_hip(params);
  const hipError_t error = hipGraphAddNode((hipGraphNode_t*)node, (hipGraph_t)graph,
                                           (const hipGraphNode_t*)dependencies, count, params ? &hip : NULL);
  if (error == hipSuccess && params->type == cudaGraphNodeTypeMemAlloc) params->alloc.dptr = hip.alloc.dptr;
  return __cuda_error(error);
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
  hipGraphNodeParams hip = __omnihip_node_to_hip(params);
  return __cuda_error(hipGraphNodeSetParams((hipGraphNode_t)node, params ? &hip : NULL));
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                             cudaGraphNodeParams* params) {
  hipGraphNodeParams hip = __omnihip_node_to_hip(params);
  return __cuda_error(hipGraphExecNodeSetParams((hipGraphExec_t)exec, (hipGraphNode_t)node, params ? &hip : NULL));
}

// --- Attributes: of their values, the window lies otherwise in HIP. Launches do not read theirs.
static inline const hipLaunchAttributeValue* __omnihip_attribute_to_hip(cudaLaunchAttributeID id,
                                                                        const cudaLaunchAttributeValue* from,
                                                                        hipLaunchAttributeValue* to) {
  if (!from || id != cudaLaunchAttributeAccessPolicyWindow) return (const hipLaunchAttributeValue*)from;
  __omnihip_to_hip_cudaAccessPolicyWindow(&from->accessPolicyWindow, &to->accessPolicyWindow);
  return to;
}
// What HIP wrote to the value becomes CUDA's, where the call succeeded.
static inline cudaError_t __omnihip_attribute_to_cuda(hipError_t error, cudaLaunchAttributeID id,
                                                      cudaLaunchAttributeValue* value) {
  if (error == hipSuccess && id == cudaLaunchAttributeAccessPolicyWindow) {
    hipAccessPolicyWindow window;
    __builtin_memcpy(&window, value, sizeof(window));
    __omnihip_to_cuda_cudaAccessPolicyWindow(&window, &value->accessPolicyWindow);
  }
  return __cuda_error(error);
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                                         cudaLaunchAttributeValue* value) {
  return __omnihip_attribute_to_cuda(
      hipStreamGetAttribute((hipStream_t)stream, (hipLaunchAttributeID)attr, (hipLaunchAttributeValue*)value), attr,
      value);
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                                         const cudaLaunchAttributeValue* value) {
  hipLaunchAttributeValue hip;
  return __cuda_error(hipStreamSetAttribute((hipStream_t)stream, (hipLaunchAttributeID)attr,
                                            __omnihip_attribute_to_hip(attr, value, &hip)));
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                                                  cudaLaunchAttributeValue* value) {
  return __omnihip_attribute_to_cuda(
      hipGraphKernelNodeGetAttribute((hipGraphNode_t)node, (hipLaunchAttributeID)attr, (hipLaunchAttributeValue*)value),
      attr, value);
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                                                  const cudaLaunchAttributeValue* value) {
  hipLaunchAttributeValue hip;
  return __cuda_error(hipGraphKernelNodeSetAttribute((hipGraphNode_t)node, (hipLaunchAttributeID)attr,
                                                     __omnihip_attribute_to_hip(attr, value, &hip)));
}

// --- Memory pools: HIP's have no uses that they are meant for
OMNIHIP_CUDA_FUNCTION cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* props) {
  if (props && props->usage != 0) return cudaErrorNotSupported;
  return __cuda_error(hipMemPoolCreate((hipMemPool_t*)pool, (const hipMemPoolProps*)props));
}

// --- Textures: HIP optimises no reads of two levels, so that a program need not forbid it, and filters within the
// faces of cubes.
static inline int __omnihip_is_cube(const cudaResourceDesc* resource) {
  unsigned int flags = 0;
  hipArray_t array = NULL;
  if (resource->resType == cudaResourceTypeArray) array = (hipArray_t)resource->res.array.array;
  if (resource->resType == cudaResourceTypeMipmappedArray &&
      hipGetMipmappedArrayLevel(&array, (hipMipmappedArray_t)resource->res.mipmap.mipmap, 0) != hipSuccess)
    return 0;
  return array && hipArrayGetInfo(NULL, NULL, &flags, array) == hipSuccess && (flags & hipArrayCubemap) != 0;
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                                          const cudaTextureDesc* desc,
                                                          const cudaResourceViewDesc* view) {
  if (resource && desc && desc->seamlessCubemap != 0 && __omnihip_is_cube(resource)) return cudaErrorNotSupported;
  return __cuda_error(hipCreateTextureObject((hipTextureObject_t*)object, (const hipResourceDesc*)resource,
                                             (const hipTextureDesc*)(const void*)desc,
                                             (const hipResourceViewDesc*)view));
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* desc, cudaTextureObject_t object) {
  const hipError_t error = hipGetTextureObjectTextureDesc((hipTextureDesc*)(void*)desc, (hipTextureObject_t)object);
  if (error == hipSuccess) {
    desc->disableTrilinearOptimization = 0;
    desc->seamlessCubemap = 0;
  }
  return __cuda_error(error);
}

#endif
