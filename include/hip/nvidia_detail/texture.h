// hip/nvidia_detail/texture.h - texture and surface objects, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_TEXTURE_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_TEXTURE_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipCreateTextureObject, cudaCreateTextureObject,
    (hipTextureObject_t* pTexObject, const hipResourceDesc* pResDesc, const hipTextureDesc* pTexDesc,
     const hipResourceViewDesc* pResViewDesc), (pTexObject, pResDesc, pTexDesc, pResViewDesc))
HIP_TO_CUDA(hipDestroyTextureObject, cudaDestroyTextureObject, (hipTextureObject_t textureObject), (textureObject))
HIP_TO_CUDA(hipGetTextureObjectResourceDesc, cudaGetTextureObjectResourceDesc,
    (hipResourceDesc* pResDesc, hipTextureObject_t textureObject), (pResDesc, textureObject))
HIP_TO_CUDA(hipGetTextureObjectResourceViewDesc, cudaGetTextureObjectResourceViewDesc,
    (hipResourceViewDesc* pResViewDesc, hipTextureObject_t textureObject), (pResViewDesc, textureObject))
HIP_TO_CUDA(hipGetTextureObjectTextureDesc, cudaGetTextureObjectTextureDesc,
    (hipTextureDesc* pTexDesc, hipTextureObject_t textureObject), (pTexDesc, textureObject))
HIP_TO_CU(hipTexObjectCreate, cuTexObjectCreate,
    (hipTextureObject_t* pTexObject, const HIP_RESOURCE_DESC* pResDesc, const HIP_TEXTURE_DESC* pTexDesc,
     const HIP_RESOURCE_VIEW_DESC* pResViewDesc), (pTexObject, pResDesc, pTexDesc, pResViewDesc))
HIP_TO_CU(hipTexObjectDestroy, cuTexObjectDestroy, (hipTextureObject_t texObject), (texObject))
HIP_TO_CU(hipTexObjectGetResourceDesc, cuTexObjectGetResourceDesc,
    (HIP_RESOURCE_DESC* pResDesc, hipTextureObject_t texObject), (pResDesc, texObject))
HIP_TO_CU(hipTexObjectGetResourceViewDesc, cuTexObjectGetResourceViewDesc,
    (HIP_RESOURCE_VIEW_DESC* pResViewDesc, hipTextureObject_t texObject), (pResViewDesc, texObject))
HIP_TO_CU(hipTexObjectGetTextureDesc, cuTexObjectGetTextureDesc,
    (HIP_TEXTURE_DESC* pTexDesc, hipTextureObject_t texObject), (pTexDesc, texObject))
HIP_TO_CUDA(hipCreateSurfaceObject, cudaCreateSurfaceObject,
    (hipSurfaceObject_t* pSurfObject, const hipResourceDesc* pResDesc), (pSurfObject, pResDesc))
HIP_TO_CUDA(hipDestroySurfaceObject, cudaDestroySurfaceObject, (hipSurfaceObject_t surfaceObject), (surfaceObject))
HIP_TO_CUDA(hipDeviceGetTexture1DLinearMaxWidth, cudaDeviceGetTexture1DLinearMaxWidth,
    (size_t* max_width, const hipChannelFormatDesc* desc, int device), (max_width, desc, device))

#endif
