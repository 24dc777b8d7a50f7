// omnihip/surface_values.h - the forms of the surface functions that CUDA has beside HIP's: reads that return the element,
// and layers of cube maps counted with their faces.
#ifndef OMNIHIP_CUDA_SURFACE_VALUES_H
#define OMNIHIP_CUDA_SURFACE_VALUES_H

#include <hip/detail/surface_functions.h>

template<class T, class = typename __hip_internal::texel<T>::fetched>
__HIP_IMAGE_FUNCTION void surfCubemapLayeredread(T* value, cudaSurfaceObject_t object, int x, int y, int layer_face,
                                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
__HIP_IMAGE_BODY(surf2DLayeredread(value, object, x, y, layer_face, mode);)
template<class T, class = typename __hip_internal::texel<T>::fetched>
__HIP_IMAGE_FUNCTION void surfCubemapLayeredwrite(T value, cudaSurfaceObject_t object, int x, int y, int layer_face,
                                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
__HIP_IMAGE_BODY(surf2DLayeredwrite(value, object, x, y, layer_face, mode);)

#define OMNIHIP_CUDA_LIST(...) __VA_ARGS__
#define OMNIHIP_CUDA_SURFACE_VALUE(name, params, position)                                                             \
  template<class T, class = typename __hip_internal::texel<T>::fetched>                                                \
  __HIP_IMAGE_FUNCTION T name(cudaSurfaceObject_t object, OMNIHIP_CUDA_LIST params,                                    \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                     \
  __HIP_IMAGE_BODY(T value; name(&value, object, OMNIHIP_CUDA_LIST position, mode); return value;)
OMNIHIP_CUDA_SURFACE_VALUE(surf1Dread, (int x), (x))
OMNIHIP_CUDA_SURFACE_VALUE(surf2Dread, (int x, int y), (x, y))
OMNIHIP_CUDA_SURFACE_VALUE(surf3Dread, (int x, int y, int z), (x, y, z))
OMNIHIP_CUDA_SURFACE_VALUE(surf1DLayeredread, (int x, int layer), (x, layer))
OMNIHIP_CUDA_SURFACE_VALUE(surf2DLayeredread, (int x, int y, int layer), (x, y, layer))
OMNIHIP_CUDA_SURFACE_VALUE(surfCubemapread, (int x, int y, int face), (x, y, face))
OMNIHIP_CUDA_SURFACE_VALUE(surfCubemapLayeredread, (int x, int y, int layer_face), (x, y, layer_face))
#undef OMNIHIP_CUDA_SURFACE_VALUE
#undef OMNIHIP_CUDA_LIST

#endif
