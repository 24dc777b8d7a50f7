// Surface functions of device code: elements of arrays, read and written as they are. `x` counts bytes, the other
// coordinates elements, layers and faces. `boundaryMode` is a hipSurfaceBoundaryMode: outside the array reads give zero
// and writes do nothing, unless it says otherwise. NVIDIA GPUs, and in
// software AMD GPUs where the program asks for it (images.h).
#ifndef HIP_DETAIL_SURFACE_FUNCTIONS_H
#define HIP_DETAIL_SURFACE_FUNCTIONS_H

#include <hip/detail/images.h>
#include <hip/surface_types.h>

#if defined(__AMDGCN__) && defined(__HIP_SOFTWARE_TEXTURES__)
#include <hip/detail/software_textures.h>
#elif defined(__NVPTX__)
namespace __hip_internal {

// The registers that an element of so many bytes is moved through.
template<unsigned bytes> struct surface_word;
template<> struct surface_word<1> { unsigned short v; };
template<> struct surface_word<2> { unsigned short v; };
template<> struct surface_word<4> { unsigned int v; };
template<> struct surface_word<8> { unsigned int v, w; };
template<> struct surface_word<16> { unsigned int v, w, x, y; };

// One pair of functions: `size` is the instruction's type, `shape` its geometry, `at` the operands of the coordinates
// (PTX ISA, "Surface instructions": layers come first, and vectors of three are filled up to four).
#define __HIP_SURFACE_BOTH(bytes, size, shape, at, params, inputs, registers, outputs, values) \
  __HIP_DEVICE_INLINE void surface_read(surface_word<bytes>& s, hipSurfaceObject_t o, __HIP_IMAGE_LIST params, int mode) { \
    if (mode == hipBoundaryModeZero) \
      asm volatile("suld.b." shape size ".zero " registers ", [%[o], " at "];" \
                   : __HIP_IMAGE_LIST outputs : [o] "l"(o), __HIP_IMAGE_LIST inputs : "memory"); \
    else if (mode == hipBoundaryModeClamp) \
      asm volatile("suld.b." shape size ".clamp " registers ", [%[o], " at "];" \
                   : __HIP_IMAGE_LIST outputs : [o] "l"(o), __HIP_IMAGE_LIST inputs : "memory"); \
    else \
      asm volatile("suld.b." shape size ".trap " registers ", [%[o], " at "];" \
                   : __HIP_IMAGE_LIST outputs : [o] "l"(o), __HIP_IMAGE_LIST inputs : "memory"); \
  } \
  __HIP_DEVICE_INLINE void surface_write(const surface_word<bytes>& s, hipSurfaceObject_t o, __HIP_IMAGE_LIST params, \
                                         int mode) { \
    if (mode == hipBoundaryModeZero) \
      asm volatile("sust.b." shape size ".zero [%[o], " at "], " registers ";" \
                   : : __HIP_IMAGE_LIST values, [o] "l"(o), __HIP_IMAGE_LIST inputs : "memory"); \
    else if (mode == hipBoundaryModeClamp) \
      asm volatile("sust.b." shape size ".clamp [%[o], " at "], " registers ";" \
                   : : __HIP_IMAGE_LIST values, [o] "l"(o), __HIP_IMAGE_LIST inputs : "memory"); \
    else \
      asm volatile("sust.b." shape size ".trap [%[o], " at "], " registers ";" \
                   : : __HIP_IMAGE_LIST values, [o] "l"(o), __HIP_IMAGE_LIST inputs : "memory"); \
  }
#define __HIP_SURFACE_SHAPE(shape, at, params, inputs) \
  __HIP_SURFACE_BOTH(1, ".b8", shape, at, params, inputs, "%[v]", ([v] "=h"(s.v)), ([v] "h"(s.v))) \
  __HIP_SURFACE_BOTH(2, ".b16", shape, at, params, inputs, "%[v]", ([v] "=h"(s.v)), ([v] "h"(s.v))) \
  __HIP_SURFACE_BOTH(4, ".b32", shape, at, params, inputs, "%[v]", ([v] "=r"(s.v)), ([v] "r"(s.v))) \
  __HIP_SURFACE_BOTH(8, ".v2.b32", shape, at, params, inputs, "{%[v], %[w]}", ([v] "=r"(s.v), [w] "=r"(s.w)), \
                     ([v] "r"(s.v), [w] "r"(s.w))) \
  __HIP_SURFACE_BOTH(16, ".v4.b32", shape, at, params, inputs, "{%[v], %[w], %[x], %[y]}", \
                     ([v] "=r"(s.v), [w] "=r"(s.w), [x] "=r"(s.x), [y] "=r"(s.y)), \
                     ([v] "r"(s.v), [w] "r"(s.w), [x] "r"(s.x), [y] "r"(s.y)))

// A position: its type chooses the geometry.
struct surface_1d { int x; };
struct surface_2d { int x, y; };
struct surface_3d { int x, y, z; };
struct surface_layered_1d { int layer, x; };
struct surface_layered_2d { int layer, x, y; };
__HIP_SURFACE_SHAPE("1d", "{%[a]}", (surface_1d p), ([a] "r"(p.x)))
__HIP_SURFACE_SHAPE("2d", "{%[a], %[b]}", (surface_2d p), ([a] "r"(p.x), [b] "r"(p.y)))
__HIP_SURFACE_SHAPE("3d", "{%[a], %[b], %[c], %[c]}", (surface_3d p), ([a] "r"(p.x), [b] "r"(p.y), [c] "r"(p.z)))
__HIP_SURFACE_SHAPE("a1d", "{%[a], %[b]}", (surface_layered_1d p), ([a] "r"(p.layer), [b] "r"(p.x)))
__HIP_SURFACE_SHAPE("a2d", "{%[a], %[b], %[c], %[c]}", (surface_layered_2d p),
                    ([a] "r"(p.layer), [b] "r"(p.x), [c] "r"(p.y)))
#undef __HIP_SURFACE_SHAPE
#undef __HIP_SURFACE_BOTH

} // namespace __hip_internal
#endif

#define __HIP_SURFACE_READ(name, params, position) \
  template<class T, class = typename __hip_internal::texel<T>::fetched> \
  __HIP_IMAGE_FUNCTION void name(T* data, hipSurfaceObject_t surfObj, __HIP_IMAGE_LIST params, \
                                 int boundaryMode = __HIP_SURFACE_DEFAULT) \
  __HIP_IMAGE_BODY(__hip_internal::surface_word<sizeof(T)> s; \
                   __hip_internal::surface_read(s, surfObj, __hip_internal::__HIP_IMAGE_LIST position, boundaryMode); \
                   __builtin_memcpy(data, &s, sizeof(T));)
#define __HIP_SURFACE_WRITE(name, params, position) \
  template<class T, class = typename __hip_internal::texel<T>::fetched> \
  __HIP_IMAGE_FUNCTION void name(T data, hipSurfaceObject_t surfObj, __HIP_IMAGE_LIST params, \
                                 int boundaryMode = __HIP_SURFACE_DEFAULT) \
  __HIP_IMAGE_BODY(__hip_internal::surface_word<sizeof(T)> s; \
                   __builtin_memcpy(&s, &data, sizeof(T)); \
                   __hip_internal::surface_write(s, surfObj, __hip_internal::__HIP_IMAGE_LIST position, boundaryMode);)
#define __HIP_SURFACE_FUNCTIONS(name, params, position) \
  __HIP_SURFACE_READ(name##read, params, position) \
  __HIP_SURFACE_WRITE(name##write, params, position)

__HIP_SURFACE_FUNCTIONS(surf1D, (int x), (surface_1d{x}))
__HIP_SURFACE_FUNCTIONS(surf2D, (int x, int y), (surface_2d{x, y}))
__HIP_SURFACE_FUNCTIONS(surf3D, (int x, int y, int z), (surface_3d{x, y, z}))
__HIP_SURFACE_FUNCTIONS(surf1DLayered, (int x, int layer), (surface_layered_1d{layer, x}))
__HIP_SURFACE_FUNCTIONS(surf2DLayered, (int x, int y, int layer), (surface_layered_2d{layer, x, y}))
// The faces of a cube map are layers, in the order +x, -x, +y, -y, +z, -z.
__HIP_SURFACE_FUNCTIONS(surfCubemap, (int x, int y, int face), (surface_layered_2d{face, x, y}))
__HIP_SURFACE_FUNCTIONS(surfCubemapLayered, (int x, int y, int face, int layer),
                        (surface_layered_2d{layer * 6 + face, x, y}))
#undef __HIP_SURFACE_FUNCTIONS
#undef __HIP_SURFACE_WRITE
#undef __HIP_SURFACE_READ

// HIP's own form of this one takes an address.
template<class T, class = typename __hip_internal::texel<T>::fetched>
__HIP_IMAGE_FUNCTION void surfCubemapLayeredwrite(T* data, hipSurfaceObject_t surfObj, int x, int y, int face, int layer)
__HIP_IMAGE_BODY(surfCubemapLayeredwrite(*data, surfObj, x, y, face, layer);)

#endif
