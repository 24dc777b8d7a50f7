// omnihip/arrays.h - arrays, texture objects and surface objects of the runtime. On a device with images they are
// HIP's; elsewhere arrays are linear memory, and objects describe it (texture_memory.h). Mipmapped arrays are HIP's
// everywhere.
#ifndef OMNIHIP_CUDA_ARRAYS_H
#define OMNIHIP_CUDA_ARRAYS_H

#include <stdlib.h>
#include <string.h>

#include <omnihip/texture_memory.h>

// --- Arrays
static inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                                            unsigned int flags __dparm(0)) {
  if (__omnihip_has_images())
    return __cuda_error(hipMalloc3DArray((hipArray_t*)array, (const hipChannelFormatDesc*)desc,
                                         OMNIHIP_CUDA_AS(hipExtent, extent), flags));
  if (!array || !desc || extent.width == 0) return cudaErrorInvalidValue;
  const unsigned int bits = (unsigned int)(desc->x + desc->y + desc->z + desc->w);
  if (bits == 0 || bits % 8 != 0) return cudaErrorInvalidChannelDescriptor;
  __omnihip_array* const made = (__omnihip_array*)calloc(1, sizeof(__omnihip_array));
  if (!made) return cudaErrorMemoryAllocation;
  made->width = (unsigned int)extent.width;
  made->height = (unsigned int)extent.height;
  made->depth = (unsigned int)extent.depth;
  made->element_bytes = bits / 8;
  made->flags = flags;
  made->format = *desc;
  const size_t bytes =
      extent.width * (extent.height ? extent.height : 1) * (extent.depth ? extent.depth : 1) * made->element_bytes;
  const hipError_t error = hipMalloc((void**)&made->data, bytes);
  if (error != hipSuccess) {
    free(made);
    return __cuda_error(error);
  }
  *array = (cudaArray_t)made;
  return cudaSuccess;
}
static inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                                          size_t height __dparm(0), unsigned int flags __dparm(0)) {
  if (__omnihip_has_images())
    return __cuda_error(hipMallocArray((hipArray_t*)array, (const hipChannelFormatDesc*)desc, width, height, flags));
  cudaExtent extent = {width, height, 0};
  return cudaMalloc3DArray(array, desc, extent, flags);
}
static inline cudaError_t cudaFreeArray(cudaArray_t array) {
  if (__omnihip_has_images()) return __cuda_error(hipFreeArray((hipArray_t)array));
  if (!array) return cudaSuccess;
  const hipError_t error = hipFree(((__omnihip_array*)array)->data);
  free((void*)array);
  return __cuda_error(error);
}
static inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                                           cudaArray_t array) {
  if (__omnihip_has_images())
    return __cuda_error(hipArrayGetInfo((hipChannelFormatDesc*)desc, (hipExtent*)extent, flags, (hipArray_t)array));
  if (!array) return cudaErrorInvalidResourceHandle;
  const __omnihip_array* const a = (const __omnihip_array*)array;
  if (desc) *desc = a->format;
  if (extent) {
    extent->width = a->width;
    extent->height = a->height;
    extent->depth = a->depth;
  }
  if (flags) *flags = a->flags;
  return cudaSuccess;
}
static inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  if (__omnihip_has_images())
    return __cuda_error(hipGetChannelDesc((hipChannelFormatDesc*)desc, (hipArray_const_t)array));
  if (!desc || !array) return cudaErrorInvalidValue;
  *desc = ((const __omnihip_array*)array)->format;
  return cudaSuccess;
}

// --- Copies
static inline size_t __omnihip_row_bytes(const __omnihip_array* a) { return (size_t)a->width * a->element_bytes; }
static inline char* __omnihip_array_at(cudaArray_const_t array, size_t x_bytes, size_t row) {
  const __omnihip_array* const a = (const __omnihip_array*)array;
  return a->data + row * __omnihip_row_bytes(a) + x_bytes;
}
// HIP marks these two as deprecated, for programs written for HIP.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t count,
                                            enum cudaMemcpyKind kind) {
  if (__omnihip_has_images())
    return __cuda_error(hipMemcpyToArray((hipArray_t)dst, x, y, src, count, (hipMemcpyKind)kind));
  if (!dst) return cudaErrorInvalidValue;
  return __cuda_error(hipMemcpy(__omnihip_array_at(dst, x, y), src, count, (hipMemcpyKind)kind));
}
static inline cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                              enum cudaMemcpyKind kind) {
  if (__omnihip_has_images())
    return __cuda_error(hipMemcpyFromArray(dst, (hipArray_const_t)src, x, y, count, (hipMemcpyKind)kind));
  if (!src) return cudaErrorInvalidValue;
  return __cuda_error(hipMemcpy(dst, __omnihip_array_at(src, x, y), count, (hipMemcpyKind)kind));
}
#pragma GCC diagnostic pop
static inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t pitch,
                                                   size_t width, size_t height, enum cudaMemcpyKind kind,
                                                   cudaStream_t stream __dparm(0)) {
  if (__omnihip_has_images())
    return __cuda_error(
        hipMemcpy2DToArrayAsync((hipArray_t)dst, x, y, src, pitch, width, height, (hipMemcpyKind)kind, stream));
  if (!dst) return cudaErrorInvalidValue;
  return __cuda_error(hipMemcpy2DAsync(__omnihip_array_at(dst, x, y), __omnihip_row_bytes((__omnihip_array*)dst), src,
                                       pitch, width, height, (hipMemcpyKind)kind, stream));
}
static inline cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t pitch,
                                              size_t width, size_t height, enum cudaMemcpyKind kind) {
  if (__omnihip_has_images())
    return __cuda_error(hipMemcpy2DToArray((hipArray_t)dst, x, y, src, pitch, width, height, (hipMemcpyKind)kind));
  if (!dst) return cudaErrorInvalidValue;
  return __cuda_error(hipMemcpy2D(__omnihip_array_at(dst, x, y), __omnihip_row_bytes((__omnihip_array*)dst), src, pitch,
                                  width, height, (hipMemcpyKind)kind));
}
static inline cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y,
                                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                                     cudaStream_t stream __dparm(0)) {
  if (__omnihip_has_images())
    return __cuda_error(
        hipMemcpy2DFromArrayAsync(dst, pitch, (hipArray_const_t)src, x, y, width, height, (hipMemcpyKind)kind, stream));
  if (!src) return cudaErrorInvalidValue;
  return __cuda_error(hipMemcpy2DAsync(dst, pitch, __omnihip_array_at(src, x, y),
                                       __omnihip_row_bytes((const __omnihip_array*)src), width, height,
                                       (hipMemcpyKind)kind, stream));
}
static inline cudaError_t cudaMemcpy2DFromArray(void* dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y,
                                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  if (__omnihip_has_images())
    return __cuda_error(
        hipMemcpy2DFromArray(dst, pitch, (hipArray_const_t)src, x, y, width, height, (hipMemcpyKind)kind));
  if (!src) return cudaErrorInvalidValue;
  return __cuda_error(hipMemcpy2D(dst, pitch, __omnihip_array_at(src, x, y),
                                  __omnihip_row_bytes((const __omnihip_array*)src), width, height,
                                  (hipMemcpyKind)kind));
}
// One side of a copy in three dimensions, with an array's memory in the place of the array.
static inline void __omnihip_array_side(cudaArray_t* array, cudaPitchedPtr* pointer, cudaPos* pos, cudaExtent* extent,
                                        int* in_bytes) {
  if (!*array) return;
  const __omnihip_array* const a = (const __omnihip_array*)*array;
  pointer->ptr = a->data;
  pointer->pitch = __omnihip_row_bytes(a);
  pointer->xsize = __omnihip_row_bytes(a);
  pointer->ysize = a->height ? a->height : 1;
  pos->x *= a->element_bytes;
  if (!*in_bytes) extent->width *= a->element_bytes;
  *in_bytes = 1;
  *array = 0;
}
static inline hipMemcpy3DParms __omnihip_copy_3d(const cudaMemcpy3DParms* parms) {
  cudaMemcpy3DParms copy = *parms;
  if (!__omnihip_has_images()) {
    int in_bytes = 0;
    __omnihip_array_side(&copy.srcArray, &copy.srcPtr, &copy.srcPos, &copy.extent, &in_bytes);
    __omnihip_array_side(&copy.dstArray, &copy.dstPtr, &copy.dstPos, &copy.extent, &in_bytes);
  }
  return OMNIHIP_CUDA_AS(hipMemcpy3DParms, copy);
}
static inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parms) {
  if (!parms) return cudaErrorInvalidValue;
  const hipMemcpy3DParms copy = __omnihip_copy_3d(parms);
  return __cuda_error(hipMemcpy3D(&copy));
}
static inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parms, cudaStream_t stream __dparm(0)) {
  if (!parms) return cudaErrorInvalidValue;
  const hipMemcpy3DParms copy = __omnihip_copy_3d(parms);
  return __cuda_error(hipMemcpy3DAsync(&copy, stream));
}

// --- Objects
// What a resource is in memory.
static inline cudaError_t __omnihip_describe(__omnihip_texture* t, const cudaResourceDesc* resource) {
  cudaChannelFormatDesc format;
  memset(t, 0, sizeof(*t));
  switch (resource->resType) {
  case cudaResourceTypeArray: {
    const __omnihip_array* const a = (const __omnihip_array*)resource->res.array.array;
    if (!a) return cudaErrorInvalidResourceHandle;
    format = a->format;
    t->data = a->data;
    t->width = a->width;
    t->height = a->height ? a->height : 1;
    t->depth = a->depth ? a->depth : 1;
    t->row_bytes = __omnihip_row_bytes(a);
    break;
  }
  case cudaResourceTypeLinear:
    format = resource->res.linear.desc;
    t->data = (char*)resource->res.linear.devPtr;
    t->width = 0;
    t->height = t->depth = 1;
    break;
  case cudaResourceTypePitch2D:
    format = resource->res.pitch2D.desc;
    t->data = (char*)resource->res.pitch2D.devPtr;
    t->width = (unsigned int)resource->res.pitch2D.width;
    t->height = (unsigned int)resource->res.pitch2D.height;
    t->depth = 1;
    t->row_bytes = resource->res.pitch2D.pitchInBytes;
    break;
  default:
    return cudaErrorNotSupported; // mipmapped arrays
  }
  t->channels = (unsigned int)((format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0));
  t->channel_bits = (unsigned int)format.x;
  t->element_bytes = t->channels * t->channel_bits / 8;
  t->kind = (int)format.f;
  if (!t->data) return cudaErrorInvalidValue;
  if (t->element_bytes == 0) return cudaErrorInvalidChannelDescriptor;
  if (resource->resType == cudaResourceTypeLinear)
    t->width = (unsigned int)(resource->res.linear.sizeInBytes / t->element_bytes);
  t->slice_bytes = t->row_bytes * t->height;
  return cudaSuccess;
}
static inline cudaError_t __omnihip_make_object(void** object, const __omnihip_texture* t) {
  void* memory = 0;
  hipError_t error = hipMalloc(&memory, sizeof(*t));
  if (error != hipSuccess) return __cuda_error(error);
  error = hipMemcpy(memory, t, sizeof(*t), hipMemcpyHostToDevice);
  if (error == hipSuccess)
    *object = memory;
  else
    (void)hipFree(memory);
  return __cuda_error(error);
}
static inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                                  const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  if (__omnihip_has_images())
    return __cuda_error(hipCreateTextureObject((hipTextureObject_t*)object, (const hipResourceDesc*)resource,
                                               (const hipTextureDesc*)texture, (const hipResourceViewDesc*)view));
  if (!object || !resource || !texture) return cudaErrorInvalidValue;
  if (view && view->format != cudaResViewFormatNone) return cudaErrorNotSupported;
  __omnihip_texture t;
  const cudaError_t error = __omnihip_describe(&t, resource);
  if (error != cudaSuccess) return error;
  t.filter = (int)texture->filterMode;
  t.normalized = texture->normalizedCoords;
  t.reads_floats = texture->readMode == cudaReadModeNormalizedFloat && t.kind != cudaChannelFormatKindFloat;
  int i; // C of 1990 has no variables of loops
  for (i = 0; i < 3; ++i) t.address[i] = (int)texture->addressMode[i];
  for (i = 0; i < 4; ++i) t.border[i] = texture->borderColor[i];
  if (t.filter == cudaFilterModeLinear && t.kind != cudaChannelFormatKindFloat && !t.reads_floats)
    return cudaErrorInvalidFilterSetting;
  return __omnihip_make_object((void**)object, &t);
}
static inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  if (__omnihip_has_images()) return __cuda_error(hipDestroyTextureObject((hipTextureObject_t)object));
  return __cuda_error(hipFree((void*)object));
}
static inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  if (__omnihip_has_images())
    return __cuda_error(hipCreateSurfaceObject((hipSurfaceObject_t*)object, (const hipResourceDesc*)resource));
  if (!object || !resource) return cudaErrorInvalidValue;
  if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  __omnihip_texture t;
  const cudaError_t error = __omnihip_describe(&t, resource);
  return error != cudaSuccess ? error : __omnihip_make_object((void**)object, &t);
}
static inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  if (__omnihip_has_images()) return __cuda_error(hipDestroySurfaceObject((hipSurfaceObject_t)object));
  return __cuda_error(hipFree((void*)object));
}

#endif
