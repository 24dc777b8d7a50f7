// hip/nvidia_detail/device_properties.h - hipDeviceProp_t and hipDeviceAttribute_t, which are HIP's own, from what CUDA
// tells. Features that only AMD has are 0.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_DEVICE_PROPERTIES_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_DEVICE_PROPERTIES_H

#include <stdio.h>
#include <string.h>

#include <hip/nvidia_detail/types.h>

// F(name without "hipDeviceAttribute", name without "cudaDevAttr")
#define HIP_NV_ATTRIBUTES(F) \
  F(EccEnabled, EccEnabled) \
  F(AccessPolicyMaxWindowSize, MaxAccessPolicyWindowSize) \
  F(AsyncEngineCount, AsyncEngineCount) \
  F(CanMapHostMemory, CanMapHostMemory) \
  F(CanUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem) \
  F(ClockRate, ClockRate) \
  F(ComputeMode, ComputeMode) \
  F(ComputePreemptionSupported, ComputePreemptionSupported) \
  F(ConcurrentKernels, ConcurrentKernels) \
  F(ConcurrentManagedAccess, ConcurrentManagedAccess) \
  F(CooperativeLaunch, CooperativeLaunch) \
  F(DeviceOverlap, GpuOverlap) \
  F(DirectManagedMemAccessFromHost, DirectManagedMemAccessFromHost) \
  F(GlobalL1CacheSupported, GlobalL1CacheSupported) \
  F(HostNativeAtomicSupported, HostNativeAtomicSupported) \
  F(Integrated, Integrated) \
  F(IsMultiGpuBoard, IsMultiGpuBoard) \
  F(KernelExecTimeout, KernelExecTimeout) \
  F(L2CacheSize, L2CacheSize) \
  F(LocalL1CacheSupported, LocalL1CacheSupported) \
  F(ComputeCapabilityMajor, ComputeCapabilityMajor) \
  F(ManagedMemory, ManagedMemory) \
  F(MaxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor) \
  F(MaxBlockDimX, MaxBlockDimX) \
  F(MaxBlockDimY, MaxBlockDimY) \
  F(MaxBlockDimZ, MaxBlockDimZ) \
  F(MaxGridDimX, MaxGridDimX) \
  F(MaxGridDimY, MaxGridDimY) \
  F(MaxGridDimZ, MaxGridDimZ) \
  F(MaxSurface1D, MaxSurface1DWidth) \
  F(MaxSurface1DLayered, MaxSurface1DLayeredWidth) \
  F(MaxSurface2D, MaxSurface2DWidth) \
  F(MaxSurface2DLayered, MaxSurface2DLayeredWidth) \
  F(MaxSurface3D, MaxSurface3DWidth) \
  F(MaxSurfaceCubemap, MaxSurfaceCubemapWidth) \
  F(MaxSurfaceCubemapLayered, MaxSurfaceCubemapLayeredWidth) \
  F(MaxTexture1DWidth, MaxTexture1DWidth) \
  F(MaxTexture1DLayered, MaxTexture1DLayeredWidth) \
  F(MaxTexture1DLinear, MaxTexture1DLinearWidth) \
  F(MaxTexture1DMipmap, MaxTexture1DMipmappedWidth) \
  F(MaxTexture2DWidth, MaxTexture2DWidth) \
  F(MaxTexture2DHeight, MaxTexture2DHeight) \
  F(MaxTexture2DGather, MaxTexture2DGatherWidth) \
  F(MaxTexture2DLayered, MaxTexture2DLayeredWidth) \
  F(MaxTexture2DLinear, MaxTexture2DLinearWidth) \
  F(MaxTexture2DMipmap, MaxTexture2DMipmappedWidth) \
  F(MaxTexture3DWidth, MaxTexture3DWidth) \
  F(MaxTexture3DHeight, MaxTexture3DHeight) \
  F(MaxTexture3DDepth, MaxTexture3DDepth) \
  F(MaxTexture3DAlt, MaxTexture3DWidthAlt) \
  F(MaxTextureCubemap, MaxTextureCubemapWidth) \
  F(MaxTextureCubemapLayered, MaxTextureCubemapLayeredWidth) \
  F(MaxThreadsDim, MaxBlockDimX) \
  F(MaxThreadsPerBlock, MaxThreadsPerBlock) \
  F(MaxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor) \
  F(MaxPitch, MaxPitch) \
  F(MemoryBusWidth, GlobalMemoryBusWidth) \
  F(MemoryClockRate, MemoryClockRate) \
  F(ComputeCapabilityMinor, ComputeCapabilityMinor) \
  F(MultiGpuBoardGroupID, MultiGpuBoardGroupID) \
  F(MultiprocessorCount, MultiProcessorCount) \
  F(PageableMemoryAccess, PageableMemoryAccess) \
  F(PageableMemoryAccessUsesHostPageTables, PageableMemoryAccessUsesHostPageTables) \
  F(PciBusId, PciBusId) \
  F(PciDeviceId, PciDeviceId) \
  F(PciDomainID, PciDomainId) \
  F(PersistingL2CacheMaxSize, MaxPersistingL2CacheSize) \
  F(MaxRegistersPerBlock, MaxRegistersPerBlock) \
  F(MaxRegistersPerMultiprocessor, MaxRegistersPerMultiprocessor) \
  F(ReservedSharedMemPerBlock, ReservedSharedMemoryPerBlock) \
  F(MaxSharedMemoryPerBlock, MaxSharedMemoryPerBlock) \
  F(SharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin) \
  F(SharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor) \
  F(SingleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio) \
  F(StreamPrioritiesSupported, StreamPrioritiesSupported) \
  F(SurfaceAlignment, SurfaceAlignment) \
  F(TccDriver, TccDriver) \
  F(TextureAlignment, TextureAlignment) \
  F(TexturePitchAlignment, TexturePitchAlignment) \
  F(TotalConstantMemory, TotalConstantMemory) \
  F(UnifiedAddressing, UnifiedAddressing) \
  F(WarpSize, WarpSize) \
  F(MemoryPoolsSupported, MemoryPoolsSupported) \
  F(HostRegisterSupported, HostRegisterSupported) \
  F(MemoryPoolSupportedHandleTypes, MemoryPoolSupportedHandleTypes) \
  F(ClockInstructionRate, ClockRate) \
  F(MaxSharedMemoryPerMultiprocessor, MaxSharedMemoryPerMultiprocessor) \
  F(PhysicalMultiProcessorCount, MultiProcessorCount) \
  F(MaxTexture1DLayeredLayers, MaxTexture1DLayeredLayers) \
  F(MaxTexture2DLayeredLayers, MaxTexture2DLayeredLayers) \
  F(MaxTextureCubemapLayeredLayers, MaxTextureCubemapLayeredLayers) \
  F(MaxSurface1DLayeredLayers, MaxSurface1DLayeredLayers) \
  F(MaxSurface2DLayeredLayers, MaxSurface2DLayeredLayers) \
  F(MaxSurfaceCubemapLayeredLayers, MaxSurfaceCubemapLayeredLayers) \
  F(ClusterLaunch, ClusterLaunch) \
  F(SparseCudaArraySupported, SparseCudaArraySupported) \
  F(DeferredMappingCudaArraySupported, DeferredMappingCudaArraySupported) \
  F(IpcEventSupported, IpcEventSupport) \
  F(GpuDirectRdmaSupported, GPUDirectRDMASupported) \
  F(GpuDirectRdmaFlushWritesOptions, GPUDirectRDMAFlushWritesOptions) \
  F(GpuDirectRdmaWritesOrdering, GPUDirectRDMAWritesOrdering) \
  F(HostRegisterReadOnlySupported, HostRegisterReadOnlySupported) \
  F(TimelineSemaphoreInteropSupported, TimelineSemaphoreInteropSupported)

// An attribute without a row: from the driver where only that has it, else hipErrorInvalidValue.
static inline hipError_t __hip_other_attribute(int* pi, hipDeviceAttribute_t attr, int deviceId) {
  HIP_NV_ZEROED(struct cudaDeviceProp, cuda);
  switch (attr) {
  case hipDeviceAttributeTotalGlobalMem: { // as HIP, INT_MAX when it does not fit
    cudaError_t error = cudaGetDeviceProperties(&cuda, deviceId);
    if (error == cudaSuccess) *pi = cuda.totalGlobalMem > 0x7fffffff ? 0x7fffffff : (int)cuda.totalGlobalMem;
    return hipCUDAErrorTohipError(error);
  }
  case hipDeviceAttributeVirtualMemoryManagementSupported:
    return hipCUResultTohipError(
        cuDeviceGetAttribute(pi, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, deviceId));
  case hipDeviceAttributeUnifiedFunctionPointers:
    return hipCUResultTohipError(cuDeviceGetAttribute(pi, CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, deviceId));
  case hipDeviceAttributeGenericCompressionSupported:
    return hipCUResultTohipError(cuDeviceGetAttribute(pi, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, deviceId));
  case hipDeviceAttributeHostNumaId: // the enumerator is younger than CUDA 12.0
    return hipCUDAErrorTohipError(cudaDeviceGetAttribute(pi, (enum cudaDeviceAttr)134, deviceId));
  case hipDeviceAttributeCanUseStreamWaitValue: // every device has it since CUDA 12
  case hipDeviceAttributeImageSupport:
    *pi = 1;
    return hipSuccess;
  case hipDeviceAttributeWallClockRate: // kHz of wall_clock64, which is the nanosecond timer
    *pi = 1000000;
    return hipSuccess;
  case hipDeviceAttributeCooperativeMultiDeviceLaunch:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem: // CUDA 13 has no such launches
  case hipDeviceAttributeFineGrainSupport:
    *pi = 0;
    return hipSuccess;
  default:
    return hipErrorInvalidValue;
  }
}

static inline hipError_t hipDeviceGetAttribute(int* pi, hipDeviceAttribute_t attr, int deviceId) {
  if (pi == NULL) return hipErrorInvalidValue;
  switch (attr) {
#define HIP_NV_CASE(hip, cuda) \
  case hipDeviceAttribute##hip: \
    return hipCUDAErrorTohipError(cudaDeviceGetAttribute(pi, cudaDevAttr##cuda, deviceId));
    HIP_NV_ATTRIBUTES(HIP_NV_CASE)
#undef HIP_NV_CASE
  default:
    return __hip_other_attribute(pi, attr, deviceId);
  }
}

// F(field): fields that hipDeviceProp_t and every cudaDeviceProp since CUDA 12 have under one name. Arrays follow.
#define HIP_NV_PROPERTIES(F) \
  F(luidDeviceNodeMask) F(totalGlobalMem) F(sharedMemPerBlock) F(regsPerBlock) F(warpSize) F(memPitch) \
  F(maxThreadsPerBlock) F(totalConstMem) F(major) F(minor) F(textureAlignment) F(texturePitchAlignment) \
  F(multiProcessorCount) F(integrated) F(canMapHostMemory) F(maxTexture1D) F(maxTexture1DMipmap) \
  F(maxTextureCubemap) F(maxSurface1D) F(maxSurfaceCubemap) F(surfaceAlignment) F(concurrentKernels) F(ECCEnabled) \
  F(pciBusID) F(pciDeviceID) F(pciDomainID) F(tccDriver) F(asyncEngineCount) F(unifiedAddressing) F(memoryBusWidth) \
  F(l2CacheSize) F(persistingL2CacheMaxSize) F(maxThreadsPerMultiProcessor) F(streamPrioritiesSupported) \
  F(globalL1CacheSupported) F(localL1CacheSupported) F(sharedMemPerMultiprocessor) F(regsPerMultiprocessor) \
  F(managedMemory) F(isMultiGpuBoard) F(multiGpuBoardGroupID) F(hostNativeAtomicSupported) F(pageableMemoryAccess) \
  F(concurrentManagedAccess) F(computePreemptionSupported) F(canUseHostPointerForRegisteredMem) F(cooperativeLaunch) \
  F(sharedMemPerBlockOptin) F(pageableMemoryAccessUsesHostPageTables) F(directManagedMemAccessFromHost) \
  F(maxBlocksPerMultiProcessor) F(accessPolicyMaxWindowSize) F(reservedSharedMemPerBlock) F(hostRegisterSupported) \
  F(hostRegisterReadOnlySupported) F(timelineSemaphoreInteropSupported) F(memoryPoolsSupported) \
  F(gpuDirectRDMASupported) F(gpuDirectRDMAFlushWritesOptions) F(gpuDirectRDMAWritesOrdering) \
  F(memoryPoolSupportedHandleTypes) F(ipcEventSupported) F(clusterLaunch) F(unifiedFunctionPointers)
#define HIP_NV_PROPERTY_ARRAYS(F) \
  F(name) F(luid) F(maxThreadsDim) F(maxGridSize) F(maxTexture2D) F(maxTexture2DMipmap) F(maxTexture2DLinear) \
  F(maxTexture2DGather) F(maxTexture3D) F(maxTexture3DAlt) F(maxTexture1DLayered) F(maxTexture2DLayered) \
  F(maxTextureCubemapLayered) F(maxSurface2D) F(maxSurface3D) F(maxSurface1DLayered) F(maxSurface2DLayered) \
  F(maxSurfaceCubemapLayered)
// F(field, name without "cudaDevAttr"): fields that CUDA 13 took out of cudaDeviceProp.
#define HIP_NV_PROPERTY_ATTRIBUTES(F) \
  F(clockRate, ClockRate) \
  F(deviceOverlap, GpuOverlap) \
  F(kernelExecTimeoutEnabled, KernelExecTimeout) \
  F(computeMode, ComputeMode) \
  F(maxTexture1DLinear, MaxTexture1DLinearWidth) \
  F(memoryClockRate, MemoryClockRate) \
  F(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio)

static inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* prop, int deviceId) {
  if (prop == NULL) return hipErrorInvalidValue;
  HIP_NV_ZEROED(struct cudaDeviceProp, cuda);
  cudaError_t error = cudaGetDeviceProperties(&cuda, deviceId);
  memset(prop, 0, sizeof *prop);
#define HIP_NV_FIELD(field) prop->field = cuda.field;
#define HIP_NV_ARRAY(field) memcpy(prop->field, cuda.field, sizeof prop->field);
#define HIP_NV_ATTRIBUTE(field, attribute) \
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&prop->field, cudaDevAttr##attribute, deviceId);
  HIP_NV_PROPERTY_ATTRIBUTES(HIP_NV_ATTRIBUTE)
  if (error != cudaSuccess) return hipCUDAErrorTohipError(error);
  HIP_NV_PROPERTIES(HIP_NV_FIELD)
  HIP_NV_PROPERTY_ARRAYS(HIP_NV_ARRAY)
#undef HIP_NV_FIELD
#undef HIP_NV_ARRAY
#undef HIP_NV_ATTRIBUTE
  memcpy(&prop->uuid, &cuda.uuid, sizeof prop->uuid);
  prop->sparseHipArraySupported = cuda.sparseCudaArraySupported;
  prop->deferredMappingHipArraySupported = cuda.deferredMappingCudaArraySupported;

  // What only HIP has. The name of the target is NVIDIA's.
  snprintf(prop->gcnArchName, sizeof prop->gcnArchName, "sm_%d%d", cuda.major, cuda.minor);
  prop->maxSharedMemoryPerMultiProcessor = cuda.sharedMemPerMultiprocessor;
  prop->clockInstructionRate = prop->clockRate;
  prop->arch.hasGlobalInt32Atomics = 1;
  prop->arch.hasGlobalFloatAtomicExch = 1;
  prop->arch.hasSharedInt32Atomics = 1;
  prop->arch.hasSharedFloatAtomicExch = 1;
  prop->arch.hasFloatAtomicAdd = 1;
  prop->arch.hasGlobalInt64Atomics = 1;
  prop->arch.hasSharedInt64Atomics = 1;
  prop->arch.hasDoubles = 1;
  prop->arch.hasWarpVote = 1;
  prop->arch.hasWarpBallot = 1;
  prop->arch.hasWarpShuffle = 1;
  prop->arch.hasFunnelShift = 1;
  prop->arch.hasThreadFenceSystem = 1;
  prop->arch.hasSyncThreadsExt = 1;
  prop->arch.hasSurfaceFuncs = 1;
  prop->arch.has3dGrid = 1;
  prop->arch.hasDynamicParallelism = 1;
  return hipSuccess;
}

#endif
