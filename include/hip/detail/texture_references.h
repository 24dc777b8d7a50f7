// tex2D(reference, x, y) and its kin: the texture functions that take a texture<T, type, mode>, on GPUs whose textures are
// software. The runtime writes the object that is bound into the device's copy of the reference. Internal.
#ifndef HIP_DETAIL_TEXTURE_REFERENCES_H
#define HIP_DETAIL_TEXTURE_REFERENCES_H

#include <hip/detail/texture_functions.h>

namespace __hip_internal {

// What a texture of T returns: floats where it reads integers of 8 and 16 bits as such.
template<class T, bool reads_floats> struct texture_value {
  typedef T type;
};
#define __HIP_TEXTURE_FLOATS(name, floats) \
  template<> struct texture_value<name, true> { \
    typedef floats type; \
  };
#define __HIP_TEXTURE_FLOAT_VECTORS(name) \
  __HIP_TEXTURE_FLOATS(name##1, float1) __HIP_TEXTURE_FLOATS(name##2, float2) __HIP_TEXTURE_FLOATS(name##4, float4)
__HIP_TEXTURE_FLOAT_VECTORS(char)
__HIP_TEXTURE_FLOAT_VECTORS(uchar)
__HIP_TEXTURE_FLOAT_VECTORS(short)
__HIP_TEXTURE_FLOAT_VECTORS(ushort)
__HIP_TEXTURE_FLOATS(char, float)
__HIP_TEXTURE_FLOATS(signed char, float)
__HIP_TEXTURE_FLOATS(unsigned char, float)
__HIP_TEXTURE_FLOATS(short, float)
__HIP_TEXTURE_FLOATS(unsigned short, float)
#undef __HIP_TEXTURE_FLOAT_VECTORS
#undef __HIP_TEXTURE_FLOATS

} // namespace __hip_internal

// `mode_type` is the type of a texture's mode of reading, `floats` the mode that makes numbers floats, and `object` the
// member that holds the object.
#define __HIP_TEXTURE_REFERENCE(name, mode_type, floats, object, params, arguments) \
  template<class T, int type, mode_type mode> \
  __HIP_IMAGE_FUNCTION typename __hip_internal::texture_value<T, mode == floats>::type name( \
      const texture<T, type, mode>& reference, __HIP_IMAGE_LIST params) \
  __HIP_IMAGE_BODY(return name<typename __hip_internal::texture_value<T, mode == floats>::type>( \
      reference.object, __HIP_IMAGE_LIST arguments);)
#define __HIP_TEXTURE_REFERENCES(mode_type, floats, object) \
  __HIP_TEXTURE_REFERENCE(tex1Dfetch, mode_type, floats, object, (int x), (x)) \
  __HIP_TEXTURE_REFERENCE(tex1D, mode_type, floats, object, (float x), (x)) \
  __HIP_TEXTURE_REFERENCE(tex2D, mode_type, floats, object, (float x, float y), (x, y)) \
  __HIP_TEXTURE_REFERENCE(tex3D, mode_type, floats, object, (float x, float y, float z), (x, y, z)) \
  __HIP_TEXTURE_REFERENCE(tex1DLayered, mode_type, floats, object, (float x, int layer), (x, layer)) \
  __HIP_TEXTURE_REFERENCE(tex2DLayered, mode_type, floats, object, (float x, float y, int layer), (x, y, layer)) \
  __HIP_TEXTURE_REFERENCE(texCubemap, mode_type, floats, object, (float x, float y, float z), (x, y, z)) \
  __HIP_TEXTURE_REFERENCE(tex1DLod, mode_type, floats, object, (float x, float level), (x, level)) \
  __HIP_TEXTURE_REFERENCE(tex2DLod, mode_type, floats, object, (float x, float y, float level), (x, y, level)) \
  __HIP_TEXTURE_REFERENCE(tex3DLod, mode_type, floats, object, (float x, float y, float z, float level), \
                          (x, y, z, level))

#if !defined(__OMNIHIP_CUDA__) // CUDA's class is in include/cuda/omnihip/texture_references.h
__HIP_TEXTURE_REFERENCES(enum hipTextureReadMode, hipReadModeNormalizedFloat, textureObject)
#endif

#endif
