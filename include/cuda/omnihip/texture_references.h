// omnihip/texture_references.h - texture<T, type, mode>: the texture references of CUDA 11 and older, on GPUs without
// image instructions. A reference is a variable that host and device have a copy of; binding it makes a texture object
// of what it is bound to and writes that into the device's copy, from which kernels read.
#ifndef OMNIHIP_CUDA_TEXTURE_REFERENCES_H
#define OMNIHIP_CUDA_TEXTURE_REFERENCES_H

#include <cuda_runtime_api.h>

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
  if (__omnihip_has_images()) return cudaErrorNotSupported; // NVIDIA's compiler has no references any more
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

// --- Device: what a reference of T returns, and the functions that take one
namespace __hip_internal {
template<class T, cudaTextureReadMode mode> struct texture_value {
  typedef T type;
};
#define OMNIHIP_CUDA_FLOATS(name, n)                                                                                   \
  template<> struct texture_value<name##n, cudaReadModeNormalizedFloat> {                                              \
    typedef float##n type;                                                                                             \
  };
#define OMNIHIP_CUDA_FLOAT_VECTORS(name)                                                                               \
  OMNIHIP_CUDA_FLOATS(name, 1) OMNIHIP_CUDA_FLOATS(name, 2) OMNIHIP_CUDA_FLOATS(name, 4)
OMNIHIP_CUDA_FLOAT_VECTORS(char)
OMNIHIP_CUDA_FLOAT_VECTORS(uchar)
OMNIHIP_CUDA_FLOAT_VECTORS(short)
OMNIHIP_CUDA_FLOAT_VECTORS(ushort)
#undef OMNIHIP_CUDA_FLOAT_VECTORS
#undef OMNIHIP_CUDA_FLOATS
template<> struct texture_value<char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template<> struct texture_value<signed char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template<> struct texture_value<unsigned char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template<> struct texture_value<short, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template<> struct texture_value<unsigned short, cudaReadModeNormalizedFloat> {
  typedef float type;
};
} // namespace __hip_internal

#define OMNIHIP_CUDA_LIST(...) __VA_ARGS__
#define OMNIHIP_CUDA_REFERENCE(name, params, arguments)                                                                \
  template<class T, int type, cudaTextureReadMode mode>                                                                \
  __HIP_DEVICE_INLINE typename __hip_internal::texture_value<T, mode>::type name(                                      \
      const texture<T, type, mode>& reference, OMNIHIP_CUDA_LIST params) {                                             \
    return name<typename __hip_internal::texture_value<T, mode>::type>(reference.object, OMNIHIP_CUDA_LIST arguments); \
  }
OMNIHIP_CUDA_REFERENCE(tex1Dfetch, (int x), (x))
OMNIHIP_CUDA_REFERENCE(tex1D, (float x), (x))
OMNIHIP_CUDA_REFERENCE(tex2D, (float x, float y), (x, y))
OMNIHIP_CUDA_REFERENCE(tex3D, (float x, float y, float z), (x, y, z))
OMNIHIP_CUDA_REFERENCE(tex1DLayered, (float x, int layer), (x, layer))
OMNIHIP_CUDA_REFERENCE(tex2DLayered, (float x, float y, int layer), (x, y, layer))
OMNIHIP_CUDA_REFERENCE(texCubemap, (float x, float y, float z), (x, y, z))
#undef OMNIHIP_CUDA_REFERENCE
#undef OMNIHIP_CUDA_LIST

#endif
