// omnihip/texture_references.h - texture<T, type, mode>: the texture references of CUDA 11 and older, on GPUs whose
// textures are software. A reference is a variable that host and device have a copy of; binding it makes a texture object
// of what it is bound to and writes that into the device's copy, from which kernels read.
#ifndef OMNIHIP_CUDA_TEXTURE_REFERENCES_H
#define OMNIHIP_CUDA_TEXTURE_REFERENCES_H

#include <cuda_runtime_api.h>
#include <hip/detail/texture_references.h>

#include <limits.h>

// Members are named as programs name them. The object comes first, for the device's copy.
template<class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {
  mutable cudaTextureObject_t object;
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;

  texture(int coordinates = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(coordinates, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int coordinates, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc desc)
      : object(nullptr), normalized(coordinates), filterMode(filter), addressMode{address, address, address},
        channelDesc(desc) {}
};

// --- Host: binding
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t __omnihip_bind(const texture<T, type, mode>& reference, const cudaResourceDesc& resource) {
  cudaTextureDesc desc = {};
  for (int i = 0; i < 3; ++i) desc.addressMode[i] = reference.addressMode[i];
  desc.filterMode = reference.filterMode;
  desc.readMode = mode;
  desc.normalizedCoords = reference.normalized;
  cudaTextureObject_t object = nullptr;
  cudaError_t error = cudaCreateTextureObject(&object, &resource, &desc, nullptr);
  if (error != cudaSuccess) return error;
  error = cudaMemcpyToSymbol((const void*)&reference, &object, sizeof(object), 0, cudaMemcpyHostToDevice);
  if (error == cudaSuccess && reference.object) error = cudaDestroyTextureObject(reference.object);
  reference.object = object;
  return error;
}
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference, const void* memory,
                                          const cudaChannelFormatDesc& desc, size_t size = UINT_MAX) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = desc;
  resource.res.linear.sizeInBytes = size;
  if (offset) *offset = 0;
  return __omnihip_bind(reference, resource);
}
template<class T, int type, cudaTextureReadMode mode> static inline cudaError_t
cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference, const void* memory, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, reference, memory, reference.channelDesc, size);
}
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference, const void* memory,
                                            const cudaChannelFormatDesc& desc, size_t width, size_t height,
                                            size_t pitch) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void*>(memory);
  resource.res.pitch2D.desc = desc;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  if (offset) *offset = 0;
  return __omnihip_bind(reference, resource);
}
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference, const void* memory,
                                            size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, memory, reference.channelDesc, width, height, pitch);
}
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference, cudaArray_const_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return __omnihip_bind(reference, resource);
}
template<class T, int type, cudaTextureReadMode mode> static inline cudaError_t
cudaBindTextureToArray(const texture<T, type, mode>& reference, cudaArray_const_t array, const cudaChannelFormatDesc&) {
  return cudaBindTextureToArray(reference, array); // the array knows its format
}
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  const cudaTextureObject_t object = reference.object;
  reference.object = nullptr;
  return object ? cudaDestroyTextureObject(object) : cudaSuccess;
}

// The functions of C, which take addresses of references.
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>* reference, const void* memory,
                                          const cudaChannelFormatDesc* desc, size_t size = UINT_MAX) {
  if (!reference || !desc) return cudaErrorInvalidValue;
  return cudaBindTexture(offset, *reference, memory, *desc, size);
}
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>* reference, const void* memory,
                                            const cudaChannelFormatDesc* desc, size_t width, size_t height,
                                            size_t pitch) {
  if (!reference || !desc) return cudaErrorInvalidValue;
  return cudaBindTexture2D(offset, *reference, memory, *desc, width, height, pitch);
}
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>* reference, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc* desc) {
  if (!reference || !desc) return cudaErrorInvalidValue;
  return cudaBindTextureToArray(*reference, array, *desc);
}
template<class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>* reference) {
  return reference ? cudaUnbindTexture(*reference) : cudaErrorInvalidValue;
}

// --- Device
__HIP_TEXTURE_REFERENCES(cudaTextureReadMode, cudaReadModeNormalizedFloat, object)

#endif
