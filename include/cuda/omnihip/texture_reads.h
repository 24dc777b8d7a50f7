// omnihip/texture_reads.h - tex1Dfetch to texCubemap and the surface functions in code for AMD GPUs, which read and
// write the memory that texture_memory.h describes. Filters weigh with 8 bits of fraction, as CUDA's documentation has
// it. Levels of detail are ignored: there are no mipmapped arrays.
#ifndef OMNIHIP_CUDA_TEXTURE_READS_H
#define OMNIHIP_CUDA_TEXTURE_READS_H

#include <omnihip/texture_memory.h>

#include <hip/detail/images.h>

namespace __hip_internal {

// The index of element i of n in the way of an address mode; -1 where the border is.
__HIP_DEVICE_INLINE int texture_index(int i, int n, int mode, bool normalized) {
  if (static_cast<unsigned int>(i) < static_cast<unsigned int>(n)) return i;
  if (mode == cudaAddressModeBorder) return -1;
  if (normalized && mode == cudaAddressModeWrap) {
    const int r = i % n;
    return r < 0 ? r + n : r;
  }
  if (normalized && mode == cudaAddressModeMirror) {
    int r = i % (2 * n);
    if (r < 0) r += 2 * n;
    return r < n ? r : 2 * n - 1 - r;
  }
  return i < 0 ? 0 : n - 1;
}

// Channel c of an element in memory, as the texture returns it in floats.
__HIP_DEVICE_INLINE float texture_float(const __omnihip_texture& t, const char* element, unsigned int c) {
  if (c >= t.channels) return 0.0f; // what CUDA says of absent channels
  const char* at = element + c * (t.channel_bits / 8);
  const bool is_signed = t.kind == cudaChannelFormatKindSigned;
  switch (t.channel_bits) {
  case 8:
    if (is_signed)
      return __builtin_fmaxf(static_cast<float>(*reinterpret_cast<const signed char*>(at)) / 127.0f, -1.0f);
    return static_cast<float>(*reinterpret_cast<const unsigned char*>(at)) / 255.0f;
  case 16:
    if (t.kind == cudaChannelFormatKindFloat) return static_cast<float>(*reinterpret_cast<const _Float16*>(at));
    if (is_signed) return __builtin_fmaxf(static_cast<float>(*reinterpret_cast<const short*>(at)) / 32767.0f, -1.0f);
    return static_cast<float>(*reinterpret_cast<const unsigned short*>(at)) / 65535.0f;
  default:
    return *reinterpret_cast<const float*>(at);
  }
}
// The same of integers that stay integers.
__HIP_DEVICE_INLINE int texture_integer(const __omnihip_texture& t, const char* element, unsigned int c) {
  if (c >= t.channels) return 0;
  const char* at = element + c * (t.channel_bits / 8);
  const bool is_signed = t.kind == cudaChannelFormatKindSigned;
  switch (t.channel_bits) {
  case 8:
    return is_signed ? *reinterpret_cast<const signed char*>(at) : *reinterpret_cast<const unsigned char*>(at);
  case 16:
    return is_signed ? *reinterpret_cast<const short*>(at) : *reinterpret_cast<const unsigned short*>(at);
  default:
    return *reinterpret_cast<const int*>(at);
  }
}

__HIP_DEVICE_INLINE const __omnihip_texture& texture_of(const void* object) {
  return *static_cast<const __omnihip_texture*>(object);
}
__HIP_DEVICE_INLINE const char* texture_element(const __omnihip_texture& t, int x, int y, int z) {
  return t.data + static_cast<unsigned long long>(x) * t.element_bytes + y * t.row_bytes + z * t.slice_bytes;
}

template<class T> __HIP_DEVICE_INLINE T texture_load(const __omnihip_texture& t, const char* element) {
  if (t.kind == cudaChannelFormatKindFloat || t.reads_floats) {
    const float channels[4] = {texture_float(t, element, 0), texture_float(t, element, 1), texture_float(t, element, 2),
                               texture_float(t, element, 3)};
    return texel<T>::make(channels);
  }
  const int channels[4] = {texture_integer(t, element, 0), texture_integer(t, element, 1),
                           texture_integer(t, element, 2), texture_integer(t, element, 3)};
  return texel<T>::make(channels);
}
template<class T> __HIP_DEVICE_INLINE T texture_border(const __omnihip_texture& t) {
  const float channels[4] = {t.border[0], t.border[1], t.border[2], t.border[3]};
  return texel<T>::make(channels);
}

// One coordinate: the element before it and, for a filter, the weight of the one behind.
struct texture_place {
  int index;
  float weight;
};
__HIP_DEVICE_INLINE texture_place texture_position(const __omnihip_texture& t, float x, unsigned int n) {
  if (t.normalized) x *= static_cast<float>(n);
  if (t.filter == cudaFilterModePoint) return {static_cast<int>(__builtin_floorf(x)), 0.0f};
  x -= 0.5f;
  const float whole = __builtin_floorf(x);
  return {static_cast<int>(whole), __builtin_rintf((x - whole) * 256.0f) / 256.0f};
}

// A texture of `dims` dimensions that are filtered; layer is the slice where fewer than three are.
template<class T, int dims>
__HIP_DEVICE_INLINE T texture_sample(const __omnihip_texture& t, float x, float y, float z, int layer) {
  const texture_place px = texture_position(t, x, t.width);
  const texture_place py = dims > 1 ? texture_position(t, y, t.height) : texture_place{0, 0.0f};
  const texture_place pz = dims > 2 ? texture_position(t, z, t.depth) : texture_place{layer, 0.0f};
  const bool normalized = t.normalized != 0;
  if (t.filter == cudaFilterModePoint) {
    const int ix = texture_index(px.index, static_cast<int>(t.width), t.address[0], normalized);
    const int iy = dims > 1 ? texture_index(py.index, static_cast<int>(t.height), t.address[1], normalized) : 0;
    const int iz = dims > 2 ? texture_index(pz.index, static_cast<int>(t.depth), t.address[2], normalized) : layer;
    if (ix < 0 || iy < 0 || iz < 0) return texture_border<T>(t);
    return texture_load<T>(t, texture_element(t, ix, iy, iz));
  }
  float sum[4] = {0, 0, 0, 0};
  for (int corner = 0; corner < 1 << dims; ++corner) {
    const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    float weight = dx ? px.weight : 1.0f - px.weight;
    if (dims > 1) weight *= dy ? py.weight : 1.0f - py.weight;
    if (dims > 2) weight *= dz ? pz.weight : 1.0f - pz.weight;
    if (weight == 0.0f) continue;
    const int ix = texture_index(px.index + dx, static_cast<int>(t.width), t.address[0], normalized);
    const int iy = dims > 1 ? texture_index(py.index + dy, static_cast<int>(t.height), t.address[1], normalized) : 0;
    const int iz = dims > 2 ? texture_index(pz.index + dz, static_cast<int>(t.depth), t.address[2], normalized) : layer;
    const bool border = ix < 0 || iy < 0 || iz < 0;
    const char* const element = border ? nullptr : texture_element(t, ix, iy, iz);
    for (unsigned int c = 0; c < 4; ++c) sum[c] += weight * (border ? t.border[c] : texture_float(t, element, c));
  }
  return texel<T>::make(sum);
}
__HIP_DEVICE_INLINE int texture_layer(const __omnihip_texture& t, int layer) {
  return layer < 0 ? 0 : layer >= static_cast<int>(t.depth) ? static_cast<int>(t.depth) - 1 : layer;
}
// The face of a cube that a direction points to, and where in it (CUDA C++ Programming Guide, "Cubemap Textures").
struct texture_cube_place {
  int face;
  float s, t;
};
__HIP_DEVICE_INLINE texture_cube_place texture_cube(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  float m, s, t;
  int face;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    m = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    m = ay;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    m = az;
    s = z >= 0 ? x : -x;
    t = -y;
  }
  return {face, (s / m + 1.0f) / 2.0f, (t / m + 1.0f) / 2.0f};
}

// A surface's element; null outside of it.
__HIP_DEVICE_INLINE char* surface_at(const void* object, int x_bytes, int y, int z, int mode) {
  const __omnihip_texture& t = texture_of(object);
  int x = x_bytes / static_cast<int>(t.element_bytes);
  const int w = static_cast<int>(t.width), h = static_cast<int>(t.height), d = static_cast<int>(t.depth);
  if (mode == cudaBoundaryModeClamp) {
    x = x_bytes < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    z = z < 0 ? 0 : z >= d ? d - 1 : z;
  }
  if (x_bytes < 0 || x >= w || y < 0 || y >= h || z < 0 || z >= d) {
    if (mode == cudaBoundaryModeTrap) __builtin_trap();
    return nullptr;
  }
  return const_cast<char*>(texture_element(t, x, y, z)); // a write is to the object's memory, which is not const
}

} // namespace __hip_internal

// name(object, params): the value, and the form with a pointer to it.
#define OMNIHIP_CUDA_TEXTURE(name, params, ...)                                                                        \
  template<class T, class = typename __hip_internal::texel<T>::fetched>                                                \
  __HIP_DEVICE_INLINE T name(cudaTextureObject_t object, OMNIHIP_CUDA_LIST params) {                                   \
    const __omnihip_texture& t = __hip_internal::texture_of(object);                                                   \
    return __VA_ARGS__;                                                                                                \
  }                                                                                                                    \
  template<class T, class = typename __hip_internal::texel<T>::fetched>                                                \
  __HIP_DEVICE_INLINE void name(T* value, cudaTextureObject_t object, OMNIHIP_CUDA_LIST params) {                      \
    const __omnihip_texture& t = __hip_internal::texture_of(object);                                                   \
    *value = __VA_ARGS__;                                                                                              \
  }
#define OMNIHIP_CUDA_LIST(...) __VA_ARGS__
// The first elements of a linear texture; outside of it, zero.
namespace __hip_internal {
template<class T> __HIP_DEVICE_INLINE T texture_fetch(const __omnihip_texture& t, int x) {
  if (static_cast<unsigned int>(x) < t.width) return texture_load<T>(t, texture_element(t, x, 0, 0));
  const float none[4] = {0, 0, 0, 0};
  return texel<T>::make(none);
}
} // namespace __hip_internal
OMNIHIP_CUDA_TEXTURE(tex1Dfetch, (int x), __hip_internal::texture_fetch<T>(t, x))
OMNIHIP_CUDA_TEXTURE(tex1D, (float x), __hip_internal::texture_sample<T, 1>(t, x, 0, 0, 0))
OMNIHIP_CUDA_TEXTURE(tex2D, (float x, float y), __hip_internal::texture_sample<T, 2>(t, x, y, 0, 0))
OMNIHIP_CUDA_TEXTURE(tex3D, (float x, float y, float z), __hip_internal::texture_sample<T, 3>(t, x, y, z, 0))
OMNIHIP_CUDA_TEXTURE(tex1DLayered, (float x, int layer),
                     __hip_internal::texture_sample<T, 1>(t, x, 0, 0, __hip_internal::texture_layer(t, layer)))
OMNIHIP_CUDA_TEXTURE(tex2DLayered, (float x, float y, int layer),
                     __hip_internal::texture_sample<T, 2>(t, x, y, 0, __hip_internal::texture_layer(t, layer)))
OMNIHIP_CUDA_TEXTURE(tex1DLod, (float x, float), __hip_internal::texture_sample<T, 1>(t, x, 0, 0, 0))
OMNIHIP_CUDA_TEXTURE(tex2DLod, (float x, float y, float), __hip_internal::texture_sample<T, 2>(t, x, y, 0, 0))
OMNIHIP_CUDA_TEXTURE(tex3DLod, (float x, float y, float z, float), __hip_internal::texture_sample<T, 3>(t, x, y, z, 0))
namespace __hip_internal {
template<class T>
__HIP_DEVICE_INLINE T texture_cube_sample(const __omnihip_texture& t, float x, float y, float z, int layer) {
  const texture_cube_place place = texture_cube(x, y, z);
  __omnihip_texture face = t;
  face.normalized = 1; // a direction has no other coordinates
  face.address[0] = face.address[1] = cudaAddressModeClamp;
  return texture_sample<T, 2>(face, place.s, place.t, 0, layer * 6 + place.face);
}
} // namespace __hip_internal
OMNIHIP_CUDA_TEXTURE(texCubemap, (float x, float y, float z), __hip_internal::texture_cube_sample<T>(t, x, y, z, 0))
OMNIHIP_CUDA_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer),
                     __hip_internal::texture_cube_sample<T>(t, x, y, z, layer))
#undef OMNIHIP_CUDA_TEXTURE

// Surfaces: x counts bytes. Outside of one the default is a trap, as CUDA has it.
#define OMNIHIP_CUDA_SURFACE(name, params, x, y, z)                                                                    \
  template<class T> __HIP_DEVICE_INLINE T name##read(cudaSurfaceObject_t object, OMNIHIP_CUDA_LIST params,             \
                                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    T value{};                                                                                                         \
    if (const char* const at = __hip_internal::surface_at(object, x, y, z, mode))                                      \
      __builtin_memcpy(&value, at, sizeof(T));                                                                         \
    return value;                                                                                                      \
  }                                                                                                                    \
  template<class T> __HIP_DEVICE_INLINE void name##read(T* value, cudaSurfaceObject_t object,                          \
                                                        OMNIHIP_CUDA_LIST params,                                      \
                                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    const char* const at = __hip_internal::surface_at(object, x, y, z, mode);                                          \
    *value = T{};                                                                                                      \
    if (at) __builtin_memcpy(value, at, sizeof(T));                                                                    \
  }                                                                                                                    \
  template<class T> __HIP_DEVICE_INLINE void name##write(T value, cudaSurfaceObject_t object,                          \
                                                         OMNIHIP_CUDA_LIST params,                                     \
                                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    if (char* const at = __hip_internal::surface_at(object, x, y, z, mode)) __builtin_memcpy(at, &value, sizeof(T));   \
  }
OMNIHIP_CUDA_SURFACE(surf1D, (int x), x, 0, 0)
OMNIHIP_CUDA_SURFACE(surf2D, (int x, int y), x, y, 0)
OMNIHIP_CUDA_SURFACE(surf3D, (int x, int y, int z), x, y, z)
OMNIHIP_CUDA_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
OMNIHIP_CUDA_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)
OMNIHIP_CUDA_SURFACE(surfCubemap, (int x, int y, int face), x, y, face)
OMNIHIP_CUDA_SURFACE(surfCubemapLayered, (int x, int y, int layer_face), x, y, layer_face)
#undef OMNIHIP_CUDA_SURFACE
#undef OMNIHIP_CUDA_LIST

#endif
