// hip/api/launch.h - starting kernels and host functions. Grids are in blocks, blocks in work-items, except where
// noted.
//
// An argument array holds one pointer per kernel parameter; the values are copied before the call returns. All launches
// return hipErrorInvalidConfiguration when a block is too large or an extent is 0 (hipModuleLaunchKernel,
// hipModuleLaunchCooperativeKernel and hipLaunchByPtr: hipErrorInvalidValue), hipErrorInvalidValue when shared memory
// is too large, and hipErrorContextIsDestroyed for a stream that does not exist.
#ifndef HIP_INCLUDE_HIP_API_LAUNCH_H
#define HIP_INCLUDE_HIP_API_LAUNCH_H

#include <hip/api/error.h>
#include <hip/api/handles.h>
#include <hip/api/launch_types.h>

HIP_C_BEGIN

// Launches a kernel by the address of its host function: what `<<<>>>` calls.
hipError_t hipLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args,
                           size_t sharedMemBytes __dparm(0), hipStream_t stream __dparm(0));

// As hipLaunchKernel, with all arguments in one block of `argsSize` bytes, laid out as the kernel's parameters are in a
// struct. `hostFunction` may also be a hipFunction_t. On branches of HIP only.
hipError_t hipLaunchKernelBundledArgs(const void* hostFunction, dim3 gridDim, dim3 blockDim, void* args,
                                      size_t argsSize, size_t sharedMemBytes, hipStream_t stream);

// Launches a kernel with attributes.
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* fPtr, void** args);

// As hipLaunchKernel; records `startEvent` before and `stopEvent` after the kernel, each if not null.
hipError_t hipExtLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args,
                              size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent,
                              int flags);

// Launches a function of a module, its arguments by `kernelParams` or packed by `extra`, not both.
hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream, void** kernelParams, void** extra);

// Launches a function of a module with attributes.
hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t f, void** params, void** extra);

// As hipModuleLaunchKernel, but the grid is in work-items and need not be a multiple of the block; with events as
// hipExtLaunchKernel.
hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                    uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                    void** kernelParams, void** extra, hipEvent_t startEvent __dparm(0),
                                    hipEvent_t stopEvent __dparm(0), uint32_t flags __dparm(0));

// The older name of hipExtModuleLaunchKernel.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                    uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                    void** kernelParams, void** extra, hipEvent_t startEvent __dparm(0),
                                    hipEvent_t stopEvent __dparm(0));

// Launches a kernel whose blocks may wait for each other. hipErrorCooperativeLaunchTooLarge when they do not all fit
// on the device.
hipError_t hipLaunchCooperativeKernel(const void* f, dim3 gridDim, dim3 blockDimX, void** kernelParams,
                                      unsigned int sharedMemBytes, hipStream_t stream);

// As hipLaunchCooperativeKernel for a function of a module.
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                            unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                            unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
                                            void** kernelParams);

// Launches one kernel on several devices whose blocks may all wait for each other.
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launchParamsList, int numDevices, unsigned int flags);

// As hipLaunchCooperativeKernelMultiDevice for functions of modules.
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* launchParamsList,
                                                       unsigned int numDevices, unsigned int flags);

// Launches kernels on several devices in one call.
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launchParamsList, int numDevices, unsigned int flags);

// Queues a host function; later work of the stream waits until it has returned.
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData);

// ---- Configuration in steps: what older compilers emitted and what clang's launch stubs call ------------------------

// Puts a launch configuration on the calling thread's stack.
hipError_t hipConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem __dparm(0), hipStream_t stream __dparm(0));

// Sets the bytes at `offset` of the next launch's arguments.
hipError_t hipSetupArgument(const void* arg, size_t size, size_t offset);

// Launches with the configuration and arguments set before.
hipError_t hipLaunchByPtr(const void* func);

// Puts a launch configuration on the calling thread's stack.
hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem __dparm(0),
                                      hipStream_t stream __dparm(0));

// Takes the last configuration from the calling thread's stack.
hipError_t __hipPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem, hipStream_t* stream);

HIP_C_END

#endif
