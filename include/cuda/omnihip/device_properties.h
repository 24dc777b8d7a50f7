// omnihip/device_properties.h - cudaDeviceProp, filled with what HIP knows of a device. On AMD GPUs and the software
// GPU the compute capability is the one that device code was compiled for, and warps have 32 lanes.
#ifndef OMNIHIP_CUDA_DEVICE_PROPERTIES_H
#define OMNIHIP_CUDA_DEVICE_PROPERTIES_H

#include <string.h>

#include <driver_types.h>

struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate; // kHz
  size_t totalConstMem;
  int major;
  int minor;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate; // kHz
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported;
  int sparseCudaArraySupported;
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported;
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
};

// The compute capability of a device that HIP describes.
static inline void __omnihip_compute_capability(const hipDeviceProp_t* hip, int* major, int* minor) {
  const int amd = strncmp(hip->gcnArchName, "gfx", 3) == 0;
  *major = amd ? __OMNIHIP_CUDA_ARCH__ / 100 : hip->major;
  *minor = amd ? __OMNIHIP_CUDA_ARCH__ / 10 % 10 : hip->minor;
}

OMNIHIP_CUDA_FUNCTION cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* prop, int device) {
  if (!prop) return cudaErrorInvalidValue;
  hipDeviceProp_t hip;
  const hipError_t error = hipGetDeviceProperties(&hip, device);
  if (error != hipSuccess) return __cuda_error(error);
  memset(prop, 0, sizeof(*prop));
#define OMNIHIP_CUDA_FIELD(name)                                                                                       \
  OMNIHIP_CUDA_FIELD_SIZE(name);                                                                                       \
  memcpy(&prop->name, &hip.name, sizeof(prop->name));
#ifdef __cplusplus
#define OMNIHIP_CUDA_FIELD_SIZE(name) static_assert(sizeof(prop->name) == sizeof(hip.name), "the same type")
#else
#define OMNIHIP_CUDA_FIELD_SIZE(name) _Static_assert(sizeof(prop->name) == sizeof(hip.name), "the same type")
#endif
  OMNIHIP_CUDA_FIELD(name)
  OMNIHIP_CUDA_FIELD(uuid)
  OMNIHIP_CUDA_FIELD(luid)
  OMNIHIP_CUDA_FIELD(luidDeviceNodeMask)
  OMNIHIP_CUDA_FIELD(totalGlobalMem)
  OMNIHIP_CUDA_FIELD(sharedMemPerBlock)
  OMNIHIP_CUDA_FIELD(regsPerBlock)
  OMNIHIP_CUDA_FIELD(memPitch)
  OMNIHIP_CUDA_FIELD(maxThreadsPerBlock)
  OMNIHIP_CUDA_FIELD(maxThreadsDim)
  OMNIHIP_CUDA_FIELD(maxGridSize)
  OMNIHIP_CUDA_FIELD(clockRate)
  OMNIHIP_CUDA_FIELD(totalConstMem)
  OMNIHIP_CUDA_FIELD(textureAlignment)
  OMNIHIP_CUDA_FIELD(texturePitchAlignment)
  OMNIHIP_CUDA_FIELD(deviceOverlap)
  OMNIHIP_CUDA_FIELD(multiProcessorCount)
  OMNIHIP_CUDA_FIELD(kernelExecTimeoutEnabled)
  OMNIHIP_CUDA_FIELD(integrated)
  OMNIHIP_CUDA_FIELD(canMapHostMemory)
  OMNIHIP_CUDA_FIELD(computeMode)
  OMNIHIP_CUDA_FIELD(maxTexture1D)
  OMNIHIP_CUDA_FIELD(maxTexture1DMipmap)
  OMNIHIP_CUDA_FIELD(maxTexture1DLinear)
  OMNIHIP_CUDA_FIELD(maxTexture2D)
  OMNIHIP_CUDA_FIELD(maxTexture2DMipmap)
  OMNIHIP_CUDA_FIELD(maxTexture2DLinear)
  OMNIHIP_CUDA_FIELD(maxTexture2DGather)
  OMNIHIP_CUDA_FIELD(maxTexture3D)
  OMNIHIP_CUDA_FIELD(maxTexture3DAlt)
  OMNIHIP_CUDA_FIELD(maxTextureCubemap)
  OMNIHIP_CUDA_FIELD(maxTexture1DLayered)
  OMNIHIP_CUDA_FIELD(maxTexture2DLayered)
  OMNIHIP_CUDA_FIELD(maxTextureCubemapLayered)
  OMNIHIP_CUDA_FIELD(maxSurface1D)
  OMNIHIP_CUDA_FIELD(maxSurface2D)
  OMNIHIP_CUDA_FIELD(maxSurface3D)
  OMNIHIP_CUDA_FIELD(maxSurface1DLayered)
  OMNIHIP_CUDA_FIELD(maxSurface2DLayered)
  OMNIHIP_CUDA_FIELD(maxSurfaceCubemap)
  OMNIHIP_CUDA_FIELD(maxSurfaceCubemapLayered)
  OMNIHIP_CUDA_FIELD(surfaceAlignment)
  OMNIHIP_CUDA_FIELD(concurrentKernels)
  OMNIHIP_CUDA_FIELD(ECCEnabled)
  OMNIHIP_CUDA_FIELD(pciBusID)
  OMNIHIP_CUDA_FIELD(pciDeviceID)
  OMNIHIP_CUDA_FIELD(pciDomainID)
  OMNIHIP_CUDA_FIELD(tccDriver)
  OMNIHIP_CUDA_FIELD(asyncEngineCount)
  OMNIHIP_CUDA_FIELD(unifiedAddressing)
  OMNIHIP_CUDA_FIELD(memoryClockRate)
  OMNIHIP_CUDA_FIELD(memoryBusWidth)
  OMNIHIP_CUDA_FIELD(l2CacheSize)
  OMNIHIP_CUDA_FIELD(persistingL2CacheMaxSize)
  OMNIHIP_CUDA_FIELD(maxThreadsPerMultiProcessor)
  OMNIHIP_CUDA_FIELD(streamPrioritiesSupported)
  OMNIHIP_CUDA_FIELD(globalL1CacheSupported)
  OMNIHIP_CUDA_FIELD(localL1CacheSupported)
  OMNIHIP_CUDA_FIELD(sharedMemPerMultiprocessor)
  OMNIHIP_CUDA_FIELD(regsPerMultiprocessor)
  OMNIHIP_CUDA_FIELD(managedMemory)
  OMNIHIP_CUDA_FIELD(isMultiGpuBoard)
  OMNIHIP_CUDA_FIELD(multiGpuBoardGroupID)
  OMNIHIP_CUDA_FIELD(hostNativeAtomicSupported)
  OMNIHIP_CUDA_FIELD(singleToDoublePrecisionPerfRatio)
  OMNIHIP_CUDA_FIELD(pageableMemoryAccess)
  OMNIHIP_CUDA_FIELD(concurrentManagedAccess)
  OMNIHIP_CUDA_FIELD(computePreemptionSupported)
  OMNIHIP_CUDA_FIELD(canUseHostPointerForRegisteredMem)
  OMNIHIP_CUDA_FIELD(cooperativeLaunch)
  OMNIHIP_CUDA_FIELD(cooperativeMultiDeviceLaunch)
  OMNIHIP_CUDA_FIELD(sharedMemPerBlockOptin)
  OMNIHIP_CUDA_FIELD(pageableMemoryAccessUsesHostPageTables)
  OMNIHIP_CUDA_FIELD(directManagedMemAccessFromHost)
  OMNIHIP_CUDA_FIELD(maxBlocksPerMultiProcessor)
  OMNIHIP_CUDA_FIELD(accessPolicyMaxWindowSize)
  OMNIHIP_CUDA_FIELD(reservedSharedMemPerBlock)
  OMNIHIP_CUDA_FIELD(hostRegisterSupported)
  OMNIHIP_CUDA_FIELD(hostRegisterReadOnlySupported)
  OMNIHIP_CUDA_FIELD(timelineSemaphoreInteropSupported)
  OMNIHIP_CUDA_FIELD(memoryPoolsSupported)
  OMNIHIP_CUDA_FIELD(gpuDirectRDMASupported)
  OMNIHIP_CUDA_FIELD(gpuDirectRDMAFlushWritesOptions)
  OMNIHIP_CUDA_FIELD(gpuDirectRDMAWritesOrdering)
  OMNIHIP_CUDA_FIELD(memoryPoolSupportedHandleTypes)
  OMNIHIP_CUDA_FIELD(ipcEventSupported)
  OMNIHIP_CUDA_FIELD(clusterLaunch)
  OMNIHIP_CUDA_FIELD(unifiedFunctionPointers)
#undef OMNIHIP_CUDA_FIELD
#undef OMNIHIP_CUDA_FIELD_SIZE
  prop->sparseCudaArraySupported = hip.sparseHipArraySupported;
  prop->deferredMappingCudaArraySupported = hip.deferredMappingHipArraySupported;
  prop->warpSize = 32;
  __omnihip_compute_capability(&hip, &prop->major, &prop->minor);
  return cudaSuccess;
}
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties

// The device that fits best: of those with the capability asked for, the one with the most multiprocessors.
OMNIHIP_CUDA_FUNCTION cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* wanted) {
  if (!device || !wanted) return cudaErrorInvalidValue;
  int count = 0, best = 0, best_fits = -1, best_processors = -1;
  const hipError_t error = hipGetDeviceCount(&count);
  if (error != hipSuccess) return __cuda_error(error);
  for (int i = 0; i < count; ++i) {
    struct cudaDeviceProp prop;
    if (cudaGetDeviceProperties(&prop, i) != cudaSuccess) continue;
    const int fits = prop.major * 10 + prop.minor >= wanted->major * 10 + wanted->minor &&
                     prop.totalGlobalMem >= wanted->totalGlobalMem &&
                     prop.sharedMemPerBlock >= wanted->sharedMemPerBlock;
    if (fits < best_fits || (fits == best_fits && prop.multiProcessorCount <= best_processors)) continue;
    best = i;
    best_fits = fits;
    best_processors = prop.multiProcessorCount;
  }
  *device = best;
  return cudaSuccess;
}

// An attribute that OMNIHIP_CUDA_ELEMENT makes: a height, a depth or a pitch.
static inline hipError_t __omnihip_attribute_element(int* value, int attribute, int device) {
  const int element = attribute / OMNIHIP_CUDA_ELEMENT(0, 1);
  hipDeviceProp_t hip;
  const hipError_t error = hipGetDeviceProperties(&hip, device);
  if (error != hipSuccess) return error;
  switch (attribute % OMNIHIP_CUDA_ELEMENT(0, 1)) {
#define OMNIHIP_CUDA_ARRAY(attribute, member)                                                                          \
  case attribute:                                                                                                      \
    if (element >= (int)(sizeof(hip.member) / sizeof(hip.member[0]))) return hipErrorInvalidValue;                     \
    *value = hip.member[element];                                                                                      \
    return hipSuccess;
    OMNIHIP_CUDA_ARRAY(hipDeviceAttributeMaxSurface2D, maxSurface2D)
    OMNIHIP_CUDA_ARRAY(hipDeviceAttributeMaxSurface2DLayered, maxSurface2DLayered)
    OMNIHIP_CUDA_ARRAY(hipDeviceAttributeMaxSurface3D, maxSurface3D)
    OMNIHIP_CUDA_ARRAY(hipDeviceAttributeMaxTexture2DGather, maxTexture2DGather)
    OMNIHIP_CUDA_ARRAY(hipDeviceAttributeMaxTexture2DLayered, maxTexture2DLayered)
    OMNIHIP_CUDA_ARRAY(hipDeviceAttributeMaxTexture2DLinear, maxTexture2DLinear)
    OMNIHIP_CUDA_ARRAY(hipDeviceAttributeMaxTexture2DMipmap, maxTexture2DMipmap)
    OMNIHIP_CUDA_ARRAY(hipDeviceAttributeMaxTexture3DAlt, maxTexture3DAlt)
#undef OMNIHIP_CUDA_ARRAY
  default:
    return hipErrorInvalidValue;
  }
}

// One question, with the answers above for the capability and the warp.
static inline hipError_t __omnihip_device_attribute(int* value, int attribute, int device) {
  if (!value) return hipErrorInvalidValue;
  if (attribute == hipDeviceAttributeComputeCapabilityMajor || attribute == hipDeviceAttributeComputeCapabilityMinor) {
    hipDeviceProp_t hip;
    const hipError_t error = hipGetDeviceProperties(&hip, device);
    if (error != hipSuccess) return error;
    int major, minor;
    __omnihip_compute_capability(&hip, &major, &minor);
    *value = attribute == hipDeviceAttributeComputeCapabilityMajor ? major : minor;
    return hipSuccess;
  }
  if (attribute >= OMNIHIP_CUDA_ELEMENT(0, 1) && attribute < OMNIHIP_CUDA_UNKNOWN)
    return __omnihip_attribute_element(value, attribute, device);
  hipError_t error = hipDeviceGetAttribute(value, (hipDeviceAttribute_t)attribute, device);
  // What HIP does not know, no device has. Numbers that are no attribute of CUDA's stay errors.
  const int known =
      attribute >= OMNIHIP_CUDA_UNKNOWN || (attribute >= 0 && attribute < hipDeviceAttributeCudaCompatibleEnd);
  int count = 0;
  if (error == hipErrorInvalidValue && known && hipGetDeviceCount(&count) == hipSuccess && device >= 0 &&
      device < count) {
    (void)hipGetLastError();
    *value = 0;
    return hipSuccess;
  }
  if (error == hipSuccess && attribute == hipDeviceAttributeWarpSize) *value = 32;
  return error;
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device) {
  return __cuda_error(__omnihip_device_attribute(value, (int)attribute, device));
}

#endif
