// hip/hip_texture_types.h - in C++, texture<T, texType, readMode>: a texture reference with its element type, and the
// calls that bind one. Kept for old programs; new code uses texture objects.
#ifndef HIP_INCLUDE_HIP_HIP_TEXTURE_TYPES_H
#define HIP_INCLUDE_HIP_HIP_TEXTURE_TYPES_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_runtime_api.h>
#elif defined(__HIPCC_RTC__)
#include <hip/texture_types.h>
#else
#include <hip/api/texture_ref.h>
#include <hip/channel_descriptor.h>
#include <hip/texture_types.h>

#ifdef __cplusplus

template<class T, int texType = hipTextureType1D, enum hipTextureReadMode mode = hipReadModeElementType>
struct __HIP_TEXTURE_ATTRIB texture : public textureReference {
  texture(int norm = 0, enum hipTextureFilterMode filter = hipFilterModePoint,
          enum hipTextureAddressMode address = hipAddressModeClamp)
      : texture(norm, filter, address, hipCreateChannelDesc<T>()) {}
  texture(int norm, enum hipTextureFilterMode filter, enum hipTextureAddressMode address,
          struct hipChannelFormatDesc desc)
      : textureReference() {
    normalized = norm;
    readMode = mode;
    filterMode = filter;
    addressMode[0] = address;
    addressMode[1] = address;
    addressMode[2] = address;
    channelDesc = desc;
  }
};

#define HIP_TEXTURE_TEMPLATE template<class T, int dim, enum hipTextureReadMode readMode>
#define HIP_TEXTURE_FUNCTION HIP_TEXTURE_TEMPLATE HIP_DEPRECATED(HIP_DEPRECATED_MSG) static inline hipError_t
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

HIP_TEXTURE_FUNCTION hipBindTexture(size_t* offset, const struct texture<T, dim, readMode>& tex, const void* devPtr,
                                    size_t size = UINT_MAX) {
  return hipBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}
HIP_TEXTURE_FUNCTION hipBindTexture(size_t* offset, const struct texture<T, dim, readMode>& tex, const void* devPtr,
                                    const struct hipChannelFormatDesc& desc, size_t size = UINT_MAX) {
  return hipBindTexture(offset, &tex, devPtr, &desc, size);
}
HIP_TEXTURE_FUNCTION hipBindTexture2D(size_t* offset, const struct texture<T, dim, readMode>& tex, const void* devPtr,
                                      size_t width, size_t height, size_t pitch) {
  return hipBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width, height, pitch);
}
HIP_TEXTURE_FUNCTION hipBindTexture2D(size_t* offset, const struct texture<T, dim, readMode>& tex, const void* devPtr,
                                      const struct hipChannelFormatDesc& desc, size_t width, size_t height,
                                      size_t pitch) {
  return hipBindTexture2D(offset, &tex, devPtr, &desc, width, height, pitch);
}
HIP_TEXTURE_FUNCTION hipBindTextureToArray(const struct texture<T, dim, readMode>& tex, hipArray_const_t array) {
  hipChannelFormatDesc desc;
  hipError_t error = hipGetChannelDesc(&desc, array);
  return error == hipSuccess ? hipBindTextureToArray(&tex, array, &desc) : error;
}
HIP_TEXTURE_FUNCTION hipBindTextureToArray(const struct texture<T, dim, readMode>& tex, hipArray_const_t array,
                                           const struct hipChannelFormatDesc& desc) {
  return hipBindTextureToArray(&tex, array, &desc);
}
HIP_TEXTURE_FUNCTION hipBindTextureToMipmappedArray(const struct texture<T, dim, readMode>& tex,
                                                    hipMipmappedArray_const_t mipmappedArray) {
  hipArray_t level;
  hipChannelFormatDesc desc;
  hipError_t error = hipGetMipmappedArrayLevel(&level, mipmappedArray, 0);
  if (error == hipSuccess) error = hipGetChannelDesc(&desc, level);
  return error == hipSuccess ? hipBindTextureToMipmappedArray(&tex, mipmappedArray, &desc) : error;
}
HIP_TEXTURE_FUNCTION hipBindTextureToMipmappedArray(const struct texture<T, dim, readMode>& tex,
                                                    hipMipmappedArray_const_t mipmappedArray,
                                                    const struct hipChannelFormatDesc& desc) {
  return hipBindTextureToMipmappedArray(&tex, mipmappedArray, &desc);
}
HIP_TEXTURE_FUNCTION hipUnbindTexture(const struct texture<T, dim, readMode>& tex) { return hipUnbindTexture(&tex); }

#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#undef HIP_TEXTURE_FUNCTION
#undef HIP_TEXTURE_TEMPLATE

#endif

#endif

#endif
