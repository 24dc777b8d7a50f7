// hip/nvidia_detail/launch.h - launching kernels, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_LAUNCH_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_LAUNCH_H

#include <hip/api/launch_config.h>
#include <hip/nvidia_detail/types.h>

// hipExtLaunchKernel and hipExtModuleLaunchKernel accept hipExtAnyOrderLaunch and launch in order.
#define hipExtAnyOrderLaunch 0x01

HIP_TO_CUDA(hipLaunchKernel, cudaLaunchKernel,
    (const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes __dparm(0),
     hipStream_t stream __dparm(0)), (function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream))
HIP_TO_CUDA(hipLaunchKernelExC, cudaLaunchKernelExC,
    (const hipLaunchConfig_t* config, const void* fPtr, void** args), (config, fPtr, args))
HIP_TO_CUDA(hipLaunchCooperativeKernel, cudaLaunchCooperativeKernel,
    (const void* f, dim3 gridDim, dim3 blockDimX, void** kernelParams, unsigned int sharedMemBytes,
     hipStream_t stream), (f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream))
HIP_TO_CU(hipModuleLaunchCooperativeKernel, cuLaunchCooperativeKernel,
    (hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX,
     unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
     void** kernelParams),
    (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams))
HIP_TO_CU(hipModuleLaunchCooperativeKernelMultiDevice, cuLaunchCooperativeKernelMultiDevice,
    (hipFunctionLaunchParams* launchParamsList, unsigned int numDevices, unsigned int flags),
    ((CUDA_LAUNCH_PARAMS*)launchParamsList, numDevices, flags))
HIP_TO_CU(hipModuleLaunchKernel, cuLaunchKernel,
    (hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX,
     unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
     void** kernelParams, void** extra),
    (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams, extra))
HIP_TO_CUDA(hipLaunchHostFunc, cudaLaunchHostFunc,
    (hipStream_t stream, hipHostFn_t fn, void* userData), (stream, fn, userData))

static inline hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t f, void** params,
                                              void** extra) {
  if (config == NULL) return hipErrorInvalidValue;
  HIP_NV_ZEROED(CUlaunchConfig, launch);
  launch.gridDimX = config->gridDimX;
  launch.gridDimY = config->gridDimY;
  launch.gridDimZ = config->gridDimZ;
  launch.blockDimX = config->blockDimX;
  launch.blockDimY = config->blockDimY;
  launch.blockDimZ = config->blockDimZ;
  launch.sharedMemBytes = config->sharedMemBytes;
  launch.hStream = config->hStream;
  launch.attrs = (CUlaunchAttribute*)config->attrs; // the same structure under two names
  launch.numAttrs = config->numAttrs;
  return hipCUResultTohipError(cuLaunchKernelEx(&launch, f, params, extra));
}

// The events, each if not null, are recorded before and after the kernel.
static inline hipError_t hipExtLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args,
                                            size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                                            hipEvent_t stopEvent, int flags) {
  cudaError_t error = cudaSuccess;
  if ((flags & ~hipExtAnyOrderLaunch) != 0) return hipErrorInvalidValue;
  if (startEvent != NULL) error = cudaEventRecord(startEvent, stream);
  if (error == cudaSuccess)
    error = cudaLaunchKernel(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  if (error == cudaSuccess && stopEvent != NULL) error = cudaEventRecord(stopEvent, stream);
  return hipCUDAErrorTohipError(error);
}

// The grid is counted in work-items. CUDA has no partial blocks: one that the block does not divide is
// hipErrorInvalidConfiguration.
static inline hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                                  uint32_t globalWorkSizeZ, uint32_t localWorkSizeX,
                                                  uint32_t localWorkSizeY, uint32_t localWorkSizeZ,
                                                  size_t sharedMemBytes, hipStream_t hStream, void** kernelParams,
                                                  void** extra, hipEvent_t startEvent __dparm(NULL),
                                                  hipEvent_t stopEvent __dparm(NULL), uint32_t flags __dparm(0)) {
  CUresult result = CUDA_SUCCESS;
  if ((flags & ~(uint32_t)hipExtAnyOrderLaunch) != 0) return hipErrorInvalidValue;
  if (localWorkSizeX == 0 || localWorkSizeY == 0 || localWorkSizeZ == 0 || globalWorkSizeX % localWorkSizeX != 0 ||
      globalWorkSizeY % localWorkSizeY != 0 || globalWorkSizeZ % localWorkSizeZ != 0)
    return hipErrorInvalidConfiguration;
  if (startEvent != NULL) result = cuEventRecord(startEvent, hStream);
  if (result == CUDA_SUCCESS)
    result = cuLaunchKernel(f, globalWorkSizeX / localWorkSizeX, globalWorkSizeY / localWorkSizeY,
                            globalWorkSizeZ / localWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ,
                            (unsigned int)sharedMemBytes, hStream, kernelParams, extra);
  if (result == CUDA_SUCCESS && stopEvent != NULL) result = cuEventRecord(stopEvent, hStream);
  return hipCUResultTohipError(result);
}

#endif
