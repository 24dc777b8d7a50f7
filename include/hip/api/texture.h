// hip/api/texture.h - texture and surface objects.
#ifndef HIP_INCLUDE_HIP_API_TEXTURE_H
#define HIP_INCLUDE_HIP_API_TEXTURE_H

#include <hip/api/array.h>
#include <hip/api/error.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

HIP_C_BEGIN

// Makes a texture object of a resource. `pResViewDesc` may be null: the resource as it is. hipErrorNotSupported on
// devices without image instructions.
hipError_t hipCreateTextureObject(hipTextureObject_t* pTexObject, const hipResourceDesc* pResDesc,
                                  const hipTextureDesc* pTexDesc, const hipResourceViewDesc* pResViewDesc);

// Destroys a texture object. Null is allowed.
hipError_t hipDestroyTextureObject(hipTextureObject_t textureObject);

// The resource of a texture object.
hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* pResDesc, hipTextureObject_t textureObject);

// The view of a texture object.
hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* pResViewDesc, hipTextureObject_t textureObject);

// How a texture object reads.
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* pTexDesc, hipTextureObject_t textureObject);

// The driver-style form of hipCreateTextureObject.
hipError_t hipTexObjectCreate(hipTextureObject_t* pTexObject, const HIP_RESOURCE_DESC* pResDesc,
                              const HIP_TEXTURE_DESC* pTexDesc, const HIP_RESOURCE_VIEW_DESC* pResViewDesc);

// The driver-style form of hipDestroyTextureObject.
hipError_t hipTexObjectDestroy(hipTextureObject_t texObject);

// The driver-style form of hipGetTextureObjectResourceDesc.
hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC* pResDesc, hipTextureObject_t texObject);

// The driver-style form of hipGetTextureObjectResourceViewDesc.
hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC* pResViewDesc, hipTextureObject_t texObject);

// The driver-style form of hipGetTextureObjectTextureDesc.
hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC* pTexDesc, hipTextureObject_t texObject);

// Makes a surface object of an array made with hipArraySurfaceLoadStore.
hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* pSurfObject, const hipResourceDesc* pResDesc);

// Destroys a surface object.
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surfaceObject);

// The widest one-dimensional texture over linear memory, in elements of that format.
hipError_t hipDeviceGetTexture1DLinearMaxWidth(size_t* max_width, const hipChannelFormatDesc* desc, int device);

HIP_C_END

#endif
