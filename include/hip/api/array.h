// hip/api/array.h - arrays: memory in the device's own layout, made for textures and surfaces. Plain, layered, cube
// maps, and mipmapped.
#ifndef HIP_INCLUDE_HIP_API_ARRAY_H
#define HIP_INCLUDE_HIP_API_ARRAY_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

// hipMallocArray, hipMalloc3DArray and HIP_ARRAY3D_DESCRIPTOR.Flags.
#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayCubemap 0x04
#define hipArrayTextureGather 0x08

// hipMipmappedArrayGetMemoryRequirements: bytes.
typedef struct hipArrayMemoryRequirements {
  size_t alignment;
  size_t size;
} hipArrayMemoryRequirements;

HIP_C_BEGIN

// Allocates an array of `width` by `height` elements; height 0 makes it one-dimensional.
hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* desc, size_t width, size_t height __dparm(0),
                          unsigned int flags __dparm(hipArrayDefault));

// Allocates an array of `extent` elements. Depth counts layers when `flags` has hipArrayLayered.
hipError_t hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* desc, hipExtent extent, unsigned int flags);

// Frees an array. Null is allowed.
hipError_t hipFreeArray(hipArray_t array);

// Allocates an array; the driver-style form of hipMallocArray.
hipError_t hipArrayCreate(hipArray_t* pHandle, const HIP_ARRAY_DESCRIPTOR* pAllocateArray);

// Allocates an array; the driver-style form of hipMalloc3DArray.
hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* pAllocateArray);

// Frees an array from hipArrayCreate or hipArray3DCreate.
hipError_t hipArrayDestroy(hipArray_t array);

// Describes a one- or two-dimensional array.
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* pArrayDescriptor, hipArray_t array);

// Describes any array.
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* pArrayDescriptor, hipArray_t array);

// Element format, extent and flags of an array. Each output may be null.
hipError_t hipArrayGetInfo(hipChannelFormatDesc* desc, hipExtent* extent, unsigned int* flags, hipArray_t array);

// Element format of an array.
hipError_t hipGetChannelDesc(hipChannelFormatDesc* desc, hipArray_const_t array);

// A format with `x`, `y`, `z` and `w` bits to the channels.
hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f);

// Allocates an array with `numLevels` levels, each half as large as the one before.
hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* mipmappedArray, const hipChannelFormatDesc* desc,
                                   hipExtent extent, unsigned int numLevels, unsigned int flags __dparm(0));

// Frees a mipmapped array. Null is allowed.
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray);

// One level of a mipmapped array. It lives as long as the whole.
hipError_t hipGetMipmappedArrayLevel(hipArray_t* levelArray, hipMipmappedArray_const_t mipmappedArray,
                                     unsigned int level);

// The driver-style form of hipMallocMipmappedArray.
hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t* pHandle, HIP_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                   unsigned int numMipmapLevels);

// The driver-style form of hipFreeMipmappedArray.
hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray);

// The driver-style form of hipGetMipmappedArrayLevel.
hipError_t hipMipmappedArrayGetLevel(hipArray_t* pLevelArray, hipMipmappedArray_t hMipMappedArray, unsigned int level);

// The memory that all levels together take on the array's device, which `device` has to be, and how it is aligned.
hipError_t hipMipmappedArrayGetMemoryRequirements(hipArrayMemoryRequirements* memoryRequirements,
                                                  hipMipmappedArray_t mipmap, hipDevice_t device);

HIP_C_END

#endif
