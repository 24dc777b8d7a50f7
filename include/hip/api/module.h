// hip/api/module.h - code loaded at run time: modules, their functions and variables, libraries, and the linker.
//
// An image is a code object (ELF), an offload bundle, compressed or not, or a fat binary; the best code object for the
// device is used. hipErrorNoBinaryForGpu when there is none, hipErrorInvalidImage when the bytes are something else.
#ifndef HIP_INCLUDE_HIP_API_MODULE_H
#define HIP_INCLUDE_HIP_API_MODULE_H

#include <hip/api/device.h>
#include <hip/api/error.h>
#include <hip/api/handles.h>
#include <hip/linker_types.h>
#include <hip/texture_types.h>

// What the compiler made of a kernel.
typedef struct hipFuncAttributes {
  int binaryVersion;
  int cacheModeCA;
  size_t constSizeBytes;
  size_t localSizeBytes; // private memory of a work-item
  int maxDynamicSharedSizeBytes;
  int maxThreadsPerBlock;
  int numRegs; // vector registers of a work-item
  int preferredShmemCarveout;
  int ptxVersion;
  size_t sharedSizeBytes; // static shared memory of a block
} hipFuncAttributes;

// hipFuncSetAttribute.
typedef enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,
  hipFuncAttributePreferredSharedMemoryCarveout = 9,
  // Clusters of blocks, which AMD GPUs do not have: cannot be set.
  hipFuncAttributeClusterDimMustBeSet = 10,
  hipFuncAttributeRequiredClusterWidth = 11,
  hipFuncAttributeRequiredClusterHeight = 12,
  hipFuncAttributeRequiredClusterDepth = 13,
  hipFuncAttributeNonPortableClusterSizeAllowed = 14,
  hipFuncAttributeClusterSchedulingPolicyPreference = 15,
  hipFuncAttributeMax = 16
} hipFuncAttribute;

// When the code of modules and of the program is loaded: CUmoduleLoadingMode's numbers.
typedef enum hipModuleLoadingMode_t {
  HIP_MODULE_EAGER_LOADING = 0x1,
  HIP_MODULE_LAZY_LOADING = 0x2
} hipModuleLoadingMode_t;

HIP_C_BEGIN

// Loads a module from a file, for the current device. hipErrorFileNotFound.
hipError_t hipModuleLoad(hipModule_t* module, const char* fname);

// Loads a module from memory; the bytes are copied.
hipError_t hipModuleLoadData(hipModule_t* module, const void* image);

// As hipModuleLoadData. Options are for a compiler, which code objects do not need; buffers for its texts get empty
// ones.
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int numOptions, hipJitOption* options,
                               void** optionValues);

// Loads a module from a fat binary in memory.
hipError_t hipModuleLoadFatBinary(hipModule_t* module, const void* fatbin);

// Unloads a module and frees its variables. Its functions are void from then on.
hipError_t hipModuleUnload(hipModule_t module);

// A kernel by its name in the code object. hipErrorNotFound.
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname);

// Number of kernels in a module.
hipError_t hipModuleGetFunctionCount(unsigned int* count, hipModule_t mod);

// The kernels of a module, `numFunctions` of them at most, in the order of its code.
hipError_t hipModuleEnumerateFunctions(hipFunction_t* functions, unsigned int numFunctions, hipModule_t mod);

// What HIP_MODULE_LOADING said when HIP began. EAGER: loading a module looks at all its kernels, and a device loads
// what the program has registered when the program first makes a stream or allocates there. LAZY, which is the default:
// each when it is first used. On branches of HIP only.
hipError_t hipModuleGetLoadingMode(hipModuleLoadingMode_t* mode);

// Address and size of a variable. Either output may be null, not both. hipErrorNotFound.
hipError_t hipModuleGetGlobal(hipDeviceptr_t* dptr, size_t* bytes, hipModule_t hmod, const char* name);

// A texture reference of a module.
hipError_t hipModuleGetTexRef(textureReference** texRef, hipModule_t hmod, const char* name);

// ---- Kernels by the address of their host function ------------------------------------------------------------------

// The function handle of a kernel. hipErrorInvalidDeviceFunction when `symbolPtr` is no kernel.
hipError_t hipGetFuncBySymbol(hipFunction_t* functionPtr, const void* symbolPtr);

// Facts about a kernel on the current device.
hipError_t hipFuncGetAttributes(hipFuncAttributes* attr, const void* func);

// One fact about a function.
hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attrib, hipFunction_t hfunc);

// Sets the dynamic shared memory or the carveout of a function; no other attribute can be set. On branches of HIP only.
hipError_t hipDrvFuncSetAttribute(hipFunction_t hfunc, hipFunction_attribute attrib, int value);

// Sets a limit or a preference of a kernel. `func` may also be a hipFunction_t, as in hipFuncGetAttributes.
hipError_t hipFuncSetAttribute(const void* func, hipFuncAttribute attr, int value);

// Accepted and ignored on AMD targets.
hipError_t hipFuncSetCacheConfig(const void* func, hipFuncCache_t config);

// Accepted and ignored: the bank width of AMD targets is fixed.
hipError_t hipFuncSetSharedMemConfig(const void* func, hipSharedMemConfig config);

// A function's name; null for a null handle. The string lives as long as the module.
const char* hipKernelNameRef(const hipFunction_t f);

// The name of the kernel with that host function; null when there is none.
const char* hipKernelNameRefByPtr(const void* hostFunction, hipStream_t stream);

// ---- Libraries: modules for all devices, loaded on each when first used there ---------------------------------------

// Loads a library from memory.
hipError_t hipLibraryLoadData(hipLibrary_t* library, const void* code, hipJitOption* jitOptions,
                              void** jitOptionsValues, unsigned int numJitOptions, hipLibraryOption* libraryOptions,
                              void** libraryOptionValues, unsigned int numLibraryOptions);

// Loads a library from a file.
hipError_t hipLibraryLoadFromFile(hipLibrary_t* library, const char* fileName, hipJitOption* jitOptions,
                                  void** jitOptionsValues, unsigned int numJitOptions, hipLibraryOption* libraryOptions,
                                  void** libraryOptionValues, unsigned int numLibraryOptions);

// Unloads a library.
hipError_t hipLibraryUnload(hipLibrary_t library);

// A kernel by name.
hipError_t hipLibraryGetKernel(hipKernel_t* pKernel, hipLibrary_t library, const char* name);

// Number of kernels.
hipError_t hipLibraryGetKernelCount(unsigned int* count, hipLibrary_t library);

// Fills `kernels` with at most `numKernels` handles.
hipError_t hipLibraryEnumerateKernels(hipKernel_t* kernels, unsigned int numKernels, hipLibrary_t library);

// The library of a kernel.
hipError_t hipKernelGetLibrary(hipLibrary_t* library, hipKernel_t kernel);

// A kernel's name. The string lives as long as the library.
hipError_t hipKernelGetName(const char** name, hipKernel_t kernel);

// Where a parameter lies among a kernel's arguments, and its size, which may be null. hipErrorInvalidValue behind the
// last parameter.
hipError_t hipKernelGetParamInfo(hipKernel_t kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize);

// As hipFuncGetAttribute, of a kernel on device `dev`.
hipError_t hipKernelGetAttribute(int* pi, hipFunction_attribute attrib, hipKernel_t kernel, hipDevice_t dev);

// Sets the dynamic shared memory or the carveout of a kernel on device `dev`; no other attribute can be set.
hipError_t hipKernelSetAttribute(hipFunction_attribute attrib, int value, hipKernel_t kernel, hipDevice_t dev);

// The function that a kernel is on the current device.
hipError_t hipKernelGetFunction(hipFunction_t* pFunc, hipKernel_t kernel);

// Address and size of a variable on the current device. Either output may be null, not both. hipErrorNotFound.
hipError_t hipLibraryGetGlobal(void** dptr, size_t* bytes, hipLibrary_t library, const char* name);

// Address and size of a __managed__ variable, the same on every device. Either output may be null, not both.
// hipErrorNotFound, also for a variable that is not managed.
hipError_t hipLibraryGetManaged(void** dptr, size_t* bytes, hipLibrary_t library, const char* name);

// ---- Linker ---------------------------------------------------------------------------------------------------------

// Starts a link.
hipError_t hipLinkCreate(unsigned int numOptions, hipJitOption* options, void** optionValues, hipLinkState_t* stateOut);

// Adds an input from memory.
hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void* data, size_t size, const char* name,
                          unsigned int numOptions, hipJitOption* options, void** optionValues);

// Adds an input from a file.
hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char* path, unsigned int numOptions,
                          hipJitOption* options, void** optionValues);

// Links. The result belongs to the link state.
hipError_t hipLinkComplete(hipLinkState_t state, void** hipBinOut, size_t* sizeOut);

// Ends a link and frees its result.
hipError_t hipLinkDestroy(hipLinkState_t state);

HIP_C_END

#endif
