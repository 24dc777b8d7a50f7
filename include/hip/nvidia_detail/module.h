// hip/nvidia_detail/module.h - modules, functions, the linker, libraries, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_MODULE_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_MODULE_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CU(hipModuleGetGlobal, cuModuleGetGlobal,
    (hipDeviceptr_t* dptr, size_t* bytes, hipModule_t hmod, const char* name), (dptr, bytes, hmod, name))
HIP_TO_CU(hipModuleGetFunction, cuModuleGetFunction,
    (hipFunction_t* function, hipModule_t module, const char* kname), (function, module, kname))
HIP_TO_CU(hipModuleLoad, cuModuleLoad, (hipModule_t* module, const char* fname), (module, fname))
HIP_TO_CU(hipModuleLoadData, cuModuleLoadData, (hipModule_t* module, const void* image), (module, image))
HIP_TO_CU(hipModuleLoadDataEx, cuModuleLoadDataEx,
    (hipModule_t* module, const void* image, unsigned int numOptions, hipJitOption* options, void** optionValues),
    (module, image, numOptions, options, optionValues))
HIP_TO_CU(hipModuleUnload, cuModuleUnload, (hipModule_t module), (module))
HIP_TO_CU(hipModuleLoadFatBinary, cuModuleLoadFatBinary, (hipModule_t* module, const void* fatbin), (module, fatbin))
HIP_TO_CUDA(hipFuncSetAttribute, cudaFuncSetAttribute,
    (const void* func, hipFuncAttribute attr, int value), (func, attr, value))
HIP_TO_CUDA(hipFuncSetCacheConfig, cudaFuncSetCacheConfig, (const void* func, hipFuncCache_t config), (func, config))
HIP_TO_CUDA(hipFuncSetSharedMemConfig, cudaFuncSetSharedMemConfig,
    (const void* func, hipSharedMemConfig config), (func, config))
HIP_TO_CU(hipFuncGetAttribute, cuFuncGetAttribute,
    (int* value, hipFunction_attribute attrib, hipFunction_t hfunc), (value, attrib, hfunc))
HIP_TO_CUDA(hipFuncGetAttributes, cudaFuncGetAttributes, (hipFuncAttributes* attr, const void* func), (attr, func))
HIP_TO_CUDA(hipGetFuncBySymbol, cudaGetFuncBySymbol,
    (hipFunction_t* functionPtr, const void* symbolPtr), (functionPtr, symbolPtr))
HIP_TO_CU(hipLinkCreate, cuLinkCreate,
    (unsigned int numOptions, hipJitOption* options, void** optionValues, hipLinkState_t* stateOut),
    (numOptions, options, optionValues, stateOut))
HIP_TO_CU(hipLinkAddData, cuLinkAddData,
    (hipLinkState_t state, hipJitInputType type, void* data, size_t size, const char* name, unsigned int numOptions,
     hipJitOption* options, void** optionValues), (state, type, data, size, name, numOptions, options, optionValues))
HIP_TO_CU(hipLinkAddFile, cuLinkAddFile,
    (hipLinkState_t state, hipJitInputType type, const char* path, unsigned int numOptions, hipJitOption* options,
     void** optionValues), (state, type, path, numOptions, options, optionValues))
HIP_TO_CU(hipLinkComplete, cuLinkComplete,
    (hipLinkState_t state, void** hipBinOut, size_t* sizeOut), (state, hipBinOut, sizeOut))
HIP_TO_CU(hipLinkDestroy, cuLinkDestroy, (hipLinkState_t state), (state))
HIP_TO_CU(hipLibraryLoadData, cuLibraryLoadData,
    (hipLibrary_t* library, const void* code, hipJitOption* jitOptions, void** jitOptionsValues,
     unsigned int numJitOptions, hipLibraryOption* libraryOptions, void** libraryOptionValues,
     unsigned int numLibraryOptions),
    (library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
     numLibraryOptions))
HIP_TO_CU(hipLibraryLoadFromFile, cuLibraryLoadFromFile,
    (hipLibrary_t* library, const char* fileName, hipJitOption* jitOptions, void** jitOptionsValues,
     unsigned int numJitOptions, hipLibraryOption* libraryOptions, void** libraryOptionValues,
     unsigned int numLibraryOptions),
    (library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
     numLibraryOptions))
HIP_TO_CU(hipLibraryUnload, cuLibraryUnload, (hipLibrary_t library), (library))
HIP_TO_CU(hipLibraryGetKernel, cuLibraryGetKernel, (hipKernel_t* pKernel, hipLibrary_t library, const char* name),
          (pKernel, library, name))
HIP_TO_CU(hipLibraryGetGlobal, cuLibraryGetGlobal, (void** dptr, size_t* bytes, hipLibrary_t library, const char* name),
          ((CUdeviceptr*)dptr, bytes, library, name))
HIP_TO_CU(hipLibraryGetManaged, cuLibraryGetManaged,
          (void** dptr, size_t* bytes, hipLibrary_t library, const char* name),
          ((CUdeviceptr*)dptr, bytes, library, name))
HIP_TO_CU(hipKernelGetAttribute, cuKernelGetAttribute,
          (int* pi, hipFunction_attribute attrib, hipKernel_t kernel, hipDevice_t dev), (pi, attrib, kernel, dev))
HIP_TO_CU(hipKernelSetAttribute, cuKernelSetAttribute,
          (hipFunction_attribute attrib, int value, hipKernel_t kernel, hipDevice_t dev), (attrib, value, kernel, dev))
HIP_TO_CU(hipModuleGetLoadingMode, cuModuleGetLoadingMode, (hipModuleLoadingMode_t* mode), (mode))
HIP_TO_CU(hipDrvFuncSetAttribute, cuFuncSetAttribute, (hipFunction_t hfunc, hipFunction_attribute attrib, int value),
          (hfunc, attrib, value))
HIP_TO_CU(hipKernelGetFunction, cuKernelGetFunction, (hipFunction_t* pFunc, hipKernel_t kernel), (pFunc, kernel))

#if CUDA_VERSION >= 12040
HIP_TO_CU(hipKernelGetParamInfo, cuKernelGetParamInfo,
          (hipKernel_t kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize),
          (kernel, paramIndex, paramOffset, paramSize))
HIP_TO_CU(hipModuleEnumerateFunctions, cuModuleEnumerateFunctions,
          (hipFunction_t* functions, unsigned int numFunctions, hipModule_t mod), (functions, numFunctions, mod))
HIP_TO_CU(hipModuleGetFunctionCount, cuModuleGetFunctionCount, (unsigned int* count, hipModule_t mod), (count, mod))
HIP_TO_CU(hipLibraryGetKernelCount, cuLibraryGetKernelCount, (unsigned int* count, hipLibrary_t library),
    (count, library))
HIP_TO_CU(hipLibraryEnumerateKernels, cuLibraryEnumerateKernels,
    (hipKernel_t* kernels, unsigned int numKernels, hipLibrary_t library), (kernels, numKernels, library))
HIP_TO_CU(hipKernelGetName, cuKernelGetName, (const char** name, hipKernel_t kernel), (name, kernel))
#endif
#if CUDA_VERSION >= 12050
HIP_TO_CU(hipKernelGetLibrary, cuKernelGetLibrary, (hipLibrary_t* library, hipKernel_t kernel), (library, kernel))
#endif

#endif
