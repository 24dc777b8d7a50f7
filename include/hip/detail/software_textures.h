// The reads behind the texture and surface functions on GPUs without image instructions, for programs compiled with
// -fsoftware-textures and for CUDA sources: elements are loaded from linear memory as the object's description says
// (software_texture.h) and filtered here, with weights of 8 bits, as CUDA's documentation has it. Internal.
#ifndef HIP_DETAIL_SOFTWARE_TEXTURES_H
#define HIP_DETAIL_SOFTWARE_TEXTURES_H

#include <hip/detail/images.h>
#include <hip/detail/software_texture.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

namespace __hip_internal {

typedef __hip_software_texture texture_data;

__HIP_DEVICE_INLINE const texture_data& texture_of(const void* object) {
  return *static_cast<const texture_data*>(object);
}

// One level of a texture.
struct texture_level {
  const char* data;
  unsigned long long row_bytes, slice_bytes;
  unsigned int width, height, depth;
};
__HIP_DEVICE_INLINE texture_level first_level(const texture_data& t) {
  return {t.data + t.first_layer * t.slice_bytes, t.row_bytes, t.slice_bytes, t.width, t.height, t.depth};
}
// Levels lie one behind the other, each half as wide, high and, without layers, deep as the one before.
__HIP_DEVICE_INLINE texture_level level_at(const texture_data& t, unsigned int level) {
  texture_level l{t.data, t.row_bytes, t.slice_bytes, t.width, t.height, t.depth};
  for (unsigned int i = 0; i < level; ++i) {
    l.data += l.slice_bytes * l.depth;
    if (l.width > 1) l.width /= 2;
    if (l.height > 1) l.height /= 2;
    if (!t.layered && l.depth > 1) l.depth /= 2;
    l.row_bytes = static_cast<unsigned long long>(l.width) * t.element_bytes;
    l.slice_bytes = l.row_bytes * l.height;
  }
  l.data += t.first_layer * l.slice_bytes;
  return l;
}

// ---- elements ------------------------------------------------------------------------------------------------------

__HIP_DEVICE_INLINE float from_srgb(float c) {
  return c <= 0.04045f ? c / 12.92f : __builtin_exp2f(2.4f * __builtin_log2f((c + 0.055f) / 1.055f));
}

// Channel c as a float; absent ones are 0.
__HIP_DEVICE_INLINE void texture_channel(float& value, const texture_data& t, const char* element, unsigned int c) {
  value = 0.0f;
  if (c >= t.channels) return;
  const char* at = element + c * (t.channel_bits / 8);
  const bool is_signed = t.kind == hipChannelFormatKindSigned;
  switch (t.channel_bits) {
  case 8:
    if (is_signed)
      value = __builtin_fmaxf(static_cast<float>(*reinterpret_cast<const signed char*>(at)) / 127.0f, -1.0f);
    else
      value = static_cast<float>(*reinterpret_cast<const unsigned char*>(at)) / 255.0f;
    if (t.srgb && c < 3) value = from_srgb(value);
    break;
  case 16:
    if (t.kind == hipChannelFormatKindFloat)
      value = static_cast<float>(*reinterpret_cast<const _Float16*>(at));
    else if (is_signed)
      value = __builtin_fmaxf(static_cast<float>(*reinterpret_cast<const short*>(at)) / 32767.0f, -1.0f);
    else
      value = static_cast<float>(*reinterpret_cast<const unsigned short*>(at)) / 65535.0f;
    break;
  default:
    value = *reinterpret_cast<const float*>(at); // integers of 32 bits are not converted
  }
}
// Channel c as an integer of its sign, in the low bits of an int.
template<class I>
__HIP_DEVICE_INLINE void texture_channel(I& value, const texture_data& t, const char* element, unsigned int c) {
  value = 0;
  if (c >= t.channels) return;
  const char* at = element + c * (t.channel_bits / 8);
  const bool is_signed = t.kind == hipChannelFormatKindSigned;
  if (t.channel_bits == 8)
    value = static_cast<I>(is_signed ? *reinterpret_cast<const signed char*>(at)
                                     : *reinterpret_cast<const unsigned char*>(at));
  else if (t.channel_bits == 16)
    value =
        static_cast<I>(is_signed ? *reinterpret_cast<const short*>(at) : *reinterpret_cast<const unsigned short*>(at));
  else
    value = *reinterpret_cast<const I*>(at);
}
__HIP_DEVICE_INLINE const char* texture_element(const texture_data& t, const texture_level& l, int x, int y, int z) {
  return l.data + static_cast<unsigned long long>(x) * t.element_bytes + y * l.row_bytes + z * l.slice_bytes;
}

// ---- places --------------------------------------------------------------------------------------------------------

// The index of element i of n in the way of an address mode; -1 where the border is.
__HIP_DEVICE_INLINE int texture_index(int i, unsigned int extent, int mode, bool normalized) {
  if (static_cast<unsigned int>(i) < extent) return i;
  const int n = static_cast<int>(extent);
  if (mode == hipAddressModeBorder) return -1;
  if (normalized && mode == hipAddressModeWrap) {
    const int r = i % n;
    return r < 0 ? r + n : r;
  }
  if (normalized && mode == hipAddressModeMirror) {
    int r = i % (2 * n);
    if (r < 0) r += 2 * n;
    return r < n ? r : 2 * n - 1 - r;
  }
  return i < 0 ? 0 : n - 1;
}

// How an object's coordinates are read: its own way, or a cube's.
struct texture_modes {
  int filter, address[3];
  bool normalized;
};
__HIP_DEVICE_INLINE texture_modes modes_of(const texture_data& t) {
  return {t.filter, {t.address[0], t.address[1], t.address[2]}, t.normalized != 0};
}

// One coordinate: the element before it and, for a filter, the weight of the one behind.
struct texture_place {
  int index;
  float weight;
};
__HIP_DEVICE_INLINE texture_place texture_position(const texture_modes& m, float x, unsigned int n) {
  if (m.normalized) x *= static_cast<float>(n);
  if (m.filter == hipFilterModePoint) return {static_cast<int>(__builtin_floorf(x)), 0.0f};
  x -= 0.5f;
  const float whole = __builtin_floorf(x);
  return {static_cast<int>(whole), __builtin_rintf((x - whole) * 256.0f) / 256.0f};
}

// The element, or the border for an index of -1.
template<class F>
__HIP_DEVICE_INLINE void texture_load(F (&to)[4], const texture_data& t, const texture_level& l, int x, int y, int z) {
  if (x < 0 || y < 0 || z < 0) {
    for (unsigned int c = 0; c < 4; ++c) to[c] = static_cast<F>(t.border[c]);
    return;
  }
  const char* const element = texture_element(t, l, x, y, z);
  for (unsigned int c = 0; c < 4; ++c) texture_channel(to[c], t, element, c);
}

// `dims` dimensions are filtered; `layer` is the slice where they are fewer than three.
template<int dims, class F>
__HIP_DEVICE_INLINE void texture_sample(F (&to)[4], const texture_data& t, const texture_level& l,
                                        const texture_modes& m, float x, float y, float z, int layer) {
  const texture_place px = texture_position(m, x, l.width);
  const texture_place py = dims > 1 ? texture_position(m, y, l.height) : texture_place{0, 0.0f};
  const texture_place pz = dims > 2 ? texture_position(m, z, l.depth) : texture_place{layer, 0.0f};
  if (m.filter == hipFilterModePoint) { // most textures; elements that are not numbers of F's type stay as they are
    const int ix = texture_index(px.index, l.width, m.address[0], m.normalized);
    const int iy = dims > 1 ? texture_index(py.index, l.height, m.address[1], m.normalized) : 0;
    const int iz = dims > 2 ? texture_index(pz.index, l.depth, m.address[2], m.normalized) : layer;
    texture_load(to, t, l, ix, iy, iz);
    return;
  }
  float sum[4] = {0, 0, 0, 0};
#pragma clang loop unroll(disable) // the body is long
  for (int corner = 0; corner < 1 << dims; ++corner) {
    const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    float weight = dx ? px.weight : 1.0f - px.weight;
    if (dims > 1) weight *= dy ? py.weight : 1.0f - py.weight;
    if (dims > 2) weight *= dz ? pz.weight : 1.0f - pz.weight;
    if (weight == 0.0f) continue;
    const int ix = texture_index(px.index + dx, l.width, m.address[0], m.normalized);
    const int iy = dims > 1 ? texture_index(py.index + dy, l.height, m.address[1], m.normalized) : 0;
    const int iz = dims > 2 ? texture_index(pz.index + dz, l.depth, m.address[2], m.normalized) : layer;
    F element[4];
    texture_load(element, t, l, ix, iy, iz);
    for (int c = 0; c < 4; ++c) sum[c] += weight * static_cast<float>(element[c]);
  }
  for (int c = 0; c < 4; ++c) to[c] = static_cast<F>(sum[c]);
}

template<class F> struct texture_channels {
  F c[4];
};
// At a level, which may be between two. A function of its own, as few textures have levels and every read would have the
// code twice.
template<int dims, class F>
__device__ __attribute__((noinline)) texture_channels<F>
texture_sample_level(const texture_data& t, texture_modes m, float x, float y, float z, int layer, float level) {
  level = __builtin_fmaxf(__builtin_fminf(level + t.level_bias, t.greatest_level), t.least_level);
  level = __builtin_fmaxf(__builtin_fminf(level, static_cast<float>(t.levels - 1)), 0.0f);
  const float whole = __builtin_floorf(t.level_filter == hipFilterModePoint ? level + 0.5f : level);
  const float weight =
      t.level_filter == hipFilterModePoint ? 0.0f : __builtin_rintf((level - whole) * 256.0f) / 256.0f;
  const unsigned int lower = static_cast<unsigned int>(whole);
  texture_channels<F> result;
  texture_sample<dims>(result.c, t, level_at(t, lower), m, x, y, z, layer);
  if (weight == 0.0f) return result;
  F upper[4];
  texture_sample<dims>(upper, t, level_at(t, lower + 1), m, x, y, z, layer);
  for (int c = 0; c < 4; ++c)
    result.c[c] =
        static_cast<F>((1.0f - weight) * static_cast<float>(result.c[c]) + weight * static_cast<float>(upper[c]));
  return result;
}
template<int dims, class F>
__HIP_DEVICE_INLINE void texture_sample_any(F (&to)[4], const texture_data& t, const texture_modes& m, float x, float y,
                                            float z, int layer, float level) {
  if (t.levels <= 1) {
    texture_sample<dims>(to, t, first_level(t), m, x, y, z, layer);
    return;
  }
  const texture_channels<F> result = texture_sample_level<dims, F>(t, m, x, y, z, layer, level);
  for (int c = 0; c < 4; ++c) to[c] = result.c[c];
}

__HIP_DEVICE_INLINE int texture_layer(const texture_data& t, int layer) {
  const int last = static_cast<int>(t.depth - t.first_layer) - 1;
  return layer < 0 ? 0 : layer > last ? last : layer;
}

// The level at which the longer of two steps, in elements, is one element long.
__HIP_DEVICE_INLINE float level_of_steps(float square_x, float square_y) {
  return 0.5f * __builtin_log2f(__builtin_fmaxf(__builtin_fmaxf(square_x, square_y), 1e-30f));
}
__HIP_DEVICE_INLINE float step_square(const texture_data& t, float dx, float dy, float dz) {
  const float x = t.normalized ? dx * static_cast<float>(t.width) : dx;
  const float y = t.normalized ? dy * static_cast<float>(t.height) : dy;
  const float z = t.normalized ? dz * static_cast<float>(t.depth) : dz;
  return x * x + y * y + z * z;
}

// ---- cubes ---------------------------------------------------------------------------------------------------------

// The face of a cube that a direction points to, where in it, and the length of the direction's greatest component
// (CUDA C++ Programming Guide, "Cubemap Textures").
struct texture_cube_place {
  int face;
  float s, t, m;
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
  return {face, (s / m + 1.0f) / 2.0f, (t / m + 1.0f) / 2.0f, m};
}
template<class F>
__HIP_DEVICE_INLINE void texture_cube_sample(F (&to)[4], const texture_data& t, const texture_cube_place& p, int layer,
                                             float level) {
  // A direction has no other coordinates, and each face ends at its edges.
  const texture_modes m{t.filter, {hipAddressModeClamp, hipAddressModeClamp, hipAddressModeClamp}, true};
  texture_sample_any<2>(to, t, m, p.s, p.t, 0, layer * 6 + p.face, level);
}
// A step of the direction, on the face that it points to.
__HIP_DEVICE_INLINE float cube_step_square(const texture_data& t, const texture_cube_place& p, const float4& d) {
  const float scale = 0.5f * static_cast<float>(t.width) / p.m;
  return (d.x * d.x + d.y * d.y + d.z * d.z) * scale * scale;
}

// ---- the functions -------------------------------------------------------------------------------------------------

// An element of linear memory; outside of it, zero.
template<class F> __HIP_DEVICE_INLINE void tex1Dfetch(F (&to)[4], hipTextureObject_t o, int x) {
  const texture_data& t = texture_of(o);
  if (static_cast<unsigned int>(x) < t.width)
    texture_load(to, t, first_level(t), x, 0, 0);
  else
    for (int c = 0; c < 4; ++c) to[c] = 0;
}

// A shape with its three ways of choosing the level.
#define __HIP_SOFTWARE_TEXTURE(name, dims, params, place, gradient_params, square_x, square_y) \
  template<class F> __HIP_DEVICE_INLINE void name##Lod(F (&to)[4], hipTextureObject_t o, __HIP_IMAGE_LIST params, \
                                                       float level) { \
    const texture_data& t = texture_of(o); \
    texture_sample_any<dims>(to, t, modes_of(t), __HIP_IMAGE_LIST place, level); \
  } \
  template<class F> __HIP_DEVICE_INLINE void name(F (&to)[4], hipTextureObject_t o, __HIP_IMAGE_LIST params) { \
    const texture_data& t = texture_of(o); \
    texture_sample_any<dims>(to, t, modes_of(t), __HIP_IMAGE_LIST place, 0.0f); \
  } \
  template<class F> __HIP_DEVICE_INLINE void name##Grad(F (&to)[4], hipTextureObject_t o, __HIP_IMAGE_LIST params, \
                                                        __HIP_IMAGE_LIST gradient_params) { \
    const texture_data& t = texture_of(o); \
    texture_sample_any<dims>(to, t, modes_of(t), __HIP_IMAGE_LIST place, level_of_steps(square_x, square_y)); \
  }
__HIP_SOFTWARE_TEXTURE(tex1D, 1, (float x), (x, 0, 0, 0), (float dx, float dy), step_square(t, dx, 0, 0),
                       step_square(t, dy, 0, 0))
__HIP_SOFTWARE_TEXTURE(tex2D, 2, (float x, float y), (x, y, 0, 0), (float2 dx, float2 dy),
                       step_square(t, dx.x, dx.y, 0), step_square(t, dy.x, dy.y, 0))
__HIP_SOFTWARE_TEXTURE(tex3D, 3, (float x, float y, float z), (x, y, z, 0), (float4 dx, float4 dy),
                       step_square(t, dx.x, dx.y, dx.z), step_square(t, dy.x, dy.y, dy.z))
__HIP_SOFTWARE_TEXTURE(tex1DLayered, 1, (float x, int layer), (x, 0, 0, texture_layer(t, layer)), (float dx, float dy),
                       step_square(t, dx, 0, 0), step_square(t, dy, 0, 0))
__HIP_SOFTWARE_TEXTURE(tex2DLayered, 2, (float x, float y, int layer), (x, y, 0, texture_layer(t, layer)),
                       (float2 dx, float2 dy), step_square(t, dx.x, dx.y, 0), step_square(t, dy.x, dy.y, 0))
#undef __HIP_SOFTWARE_TEXTURE

#define __HIP_SOFTWARE_CUBE(name, params, layer) \
  template<class F> __HIP_DEVICE_INLINE void name##Lod(F (&to)[4], hipTextureObject_t o, __HIP_IMAGE_LIST params, \
                                                       float level) { \
    texture_cube_sample(to, texture_of(o), texture_cube(x, y, z), layer, level); \
  } \
  template<class F> __HIP_DEVICE_INLINE void name(F (&to)[4], hipTextureObject_t o, __HIP_IMAGE_LIST params) { \
    texture_cube_sample(to, texture_of(o), texture_cube(x, y, z), layer, 0.0f); \
  } \
  template<class F> __HIP_DEVICE_INLINE void name##Grad(F (&to)[4], hipTextureObject_t o, __HIP_IMAGE_LIST params, \
                                                        float4 dx, float4 dy) { \
    const texture_data& t = texture_of(o); \
    const texture_cube_place p = texture_cube(x, y, z); \
    texture_cube_sample(to, t, p, layer, level_of_steps(cube_step_square(t, p, dx), cube_step_square(t, p, dy))); \
  }
__HIP_SOFTWARE_CUBE(texCubemap, (float x, float y, float z), 0)
__HIP_SOFTWARE_CUBE(texCubemapLayered, (float x, float y, float z, int layer), layer)
#undef __HIP_SOFTWARE_CUBE

// The four elements that a filter would use, counter-clockwise from the lower left.
template<class F>
__HIP_DEVICE_INLINE void tex2Dgather(F (&to)[4], hipTextureObject_t o, float x, float y, int channel) {
  const texture_data& t = texture_of(o);
  const texture_level l = first_level(t);
  texture_modes m = modes_of(t);
  m.filter = hipFilterModeLinear;
  const int left = texture_position(m, x, l.width).index, top = texture_position(m, y, l.height).index;
  const int columns[4] = {left, left + 1, left + 1, left}, rows[4] = {top + 1, top + 1, top, top};
  for (int i = 0; i < 4; ++i) {
    F element[4];
    texture_load(element, t, l, texture_index(columns[i], l.width, m.address[0], m.normalized),
                 texture_index(rows[i], l.height, m.address[1], m.normalized), 0);
    to[i] = element[channel & 3];
  }
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

template<unsigned bytes> struct surface_word {
  unsigned char v[bytes];
};
// A position; x counts bytes.
struct surface_1d { int x, y, z; };
struct surface_2d { int x, y, z; };
struct surface_3d { int x, y, z; };
struct surface_layered_1d { int z, x, y; };
struct surface_layered_2d { int z, x, y; };

// The element's address; null outside of the surface.
__HIP_DEVICE_INLINE char* surface_at(hipSurfaceObject_t o, int x_bytes, int y, int z, int mode) {
  const texture_data& t = texture_of(o);
  const int w = static_cast<int>(t.width), h = static_cast<int>(t.height), d = static_cast<int>(t.depth);
  int x = x_bytes < 0 ? -1 : x_bytes / static_cast<int>(t.element_bytes);
  if (mode == hipBoundaryModeClamp) {
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    z = z < 0 ? 0 : z >= d ? d - 1 : z;
  } else if (x < 0 || x >= w || y < 0 || y >= h || z < 0 || z >= d) {
    if (mode == hipBoundaryModeTrap) __builtin_trap();
    return nullptr;
  }
  return t.data + static_cast<unsigned long long>(x) * t.element_bytes + y * t.row_bytes + z * t.slice_bytes;
}
template<unsigned bytes, class Position>
__HIP_DEVICE_INLINE void surface_read(surface_word<bytes>& s, hipSurfaceObject_t o, const Position& p, int mode) {
  if (const char* const at = surface_at(o, p.x, p.y, p.z, mode))
    __builtin_memcpy(&s, at, bytes);
  else
    __builtin_memset(&s, 0, bytes);
}
template<unsigned bytes, class Position>
__HIP_DEVICE_INLINE void surface_write(const surface_word<bytes>& s, hipSurfaceObject_t o, const Position& p,
                                       int mode) {
  if (char* const at = surface_at(o, p.x, p.y, p.z, mode)) __builtin_memcpy(at, &s, bytes);
}

} // namespace __hip_internal

#endif
