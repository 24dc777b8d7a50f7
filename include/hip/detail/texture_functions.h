// Texture functions of device code: tex1D<T>(object, x) and its kin, where T is the type of an element, or float and its
// vectors where the texture reads normalized floats. Each has a second form that stores: tex1D(&element, object, x).
// NVIDIA GPUs, and in software AMD GPUs where the program asks for it (images.h).
#ifndef HIP_DETAIL_TEXTURE_FUNCTIONS_H
#define HIP_DETAIL_TEXTURE_FUNCTIONS_H

#include <hip/detail/images.h>
#include <hip/texture_types.h>

#if defined(__AMDGCN__) && defined(__HIP_SOFTWARE_TEXTURES__)
#include <hip/detail/software_textures.h>
#elif defined(__NVPTX__)
namespace __hip_internal {

// One instruction for each type that a channel comes as: its name with the type of coordinates behind, the operands from
// the coordinates on, the parameters, and the inputs. PTX ISA, "Texture instructions": layers come first, and vectors of
// three are filled up to four.
#define __HIP_TEX_FETCH(name, instruction, coordinate, operands, params, inputs) \
  __HIP_TEX_FETCH_AS(name, float, "=f", instruction ".v4.f32" coordinate, operands, params, inputs) \
  __HIP_TEX_FETCH_AS(name, int, "=r", instruction ".v4.s32" coordinate, operands, params, inputs) \
  __HIP_TEX_FETCH_AS(name, unsigned int, "=r", instruction ".v4.u32" coordinate, operands, params, inputs)
#define __HIP_TEX_FETCH_AS(name, F, r, instruction, operands, params, inputs) \
  __HIP_DEVICE_INLINE void name(F(&t)[4], hipTextureObject_t o, __HIP_IMAGE_LIST params) { \
    asm(instruction " {%0, %1, %2, %3}, [%4, " operands ";" \
        : r(t[0]), r(t[1]), r(t[2]), r(t[3]) \
        : "l"(o), __HIP_IMAGE_LIST inputs); \
  }
// A shape with its three ways of choosing the level: `at` is the coordinates' list of operands, `level` the number of the
// operand that follows it, `dx` and `dy` the gradients'.
#define __HIP_TEX_SHAPE(name, shape, at, level, dx, dy, params, inputs, gradient_params, gradient_inputs) \
  __HIP_TEX_FETCH(name, "tex." shape, ".f32", at "]", params, inputs) \
  __HIP_TEX_FETCH(name##Lod, "tex.level." shape, ".f32", at "], " level, (__HIP_IMAGE_LIST params, float l), \
                  (__HIP_IMAGE_LIST inputs, "f"(l))) \
  __HIP_TEX_FETCH(name##Grad, "tex.grad." shape, ".f32", at "], " dx ", " dy, \
                  (__HIP_IMAGE_LIST params, __HIP_IMAGE_LIST gradient_params), \
                  (__HIP_IMAGE_LIST inputs, __HIP_IMAGE_LIST gradient_inputs))

__HIP_TEX_FETCH(tex1Dfetch, "tex.1d", ".s32", "{%5}]", (int x), ("r"(x)))
__HIP_TEX_SHAPE(tex1D, "1d", "{%5}", "%6", "{%6}", "{%7}", (float x), ("f"(x)), (float dx, float dy),
                ("f"(dx), "f"(dy)))
__HIP_TEX_SHAPE(tex1DLayered, "a1d", "{%5, %6}", "%7", "{%7}", "{%8}", (float x, int layer), ("r"(layer), "f"(x)),
                (float dx, float dy), ("f"(dx), "f"(dy)))
__HIP_TEX_SHAPE(tex2D, "2d", "{%5, %6}", "%7", "{%7, %8}", "{%9, %10}", (float x, float y), ("f"(x), "f"(y)),
                (float2 dx, float2 dy), ("f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
__HIP_TEX_SHAPE(tex2DLayered, "a2d", "{%5, %6, %7, %7}", "%8", "{%8, %9}", "{%10, %11}", (float x, float y, int layer),
                ("r"(layer), "f"(x), "f"(y)), (float2 dx, float2 dy),
                ("f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
__HIP_TEX_SHAPE(tex3D, "3d", "{%5, %6, %7, %7}", "%8", "{%8, %9, %10, %10}", "{%11, %12, %13, %13}",
                (float x, float y, float z), ("f"(x), "f"(y), "f"(z)), (float4 dx, float4 dy),
                ("f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))
__HIP_TEX_SHAPE(texCubemap, "cube", "{%5, %6, %7, %7}", "%8", "{%8, %9, %10, %10}", "{%11, %12, %13, %13}",
                (float x, float y, float z), ("f"(x), "f"(y), "f"(z)), (float4 dx, float4 dy),
                ("f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))
__HIP_TEX_SHAPE(texCubemapLayered, "acube", "{%5, %6, %7, %8}", "%9", "{%9, %10, %11, %11}", "{%12, %13, %14, %14}",
                (float x, float y, float z, int layer), ("r"(layer), "f"(x), "f"(y), "f"(z)), (float4 dx, float4 dy),
                ("f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))
__HIP_TEX_FETCH(gather_r, "tld4.r.2d", ".f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
__HIP_TEX_FETCH(gather_g, "tld4.g.2d", ".f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
__HIP_TEX_FETCH(gather_b, "tld4.b.2d", ".f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
__HIP_TEX_FETCH(gather_a, "tld4.a.2d", ".f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
#undef __HIP_TEX_SHAPE
#undef __HIP_TEX_FETCH_AS
#undef __HIP_TEX_FETCH

template<class F>
__HIP_DEVICE_INLINE void tex2Dgather(F (&t)[4], hipTextureObject_t o, float x, float y, int channel) {
  switch (channel) {
  case 1: return gather_g(t, o, x, y);
  case 2: return gather_b(t, o, x, y);
  case 3: return gather_a(t, o, x, y);
  default: return gather_r(t, o, x, y);
  }
}

} // namespace __hip_internal
#endif

#define __HIP_TEXTURE_FUNCTION(name, params, args) \
  template<class T, class F = typename __hip_internal::texel<T>::fetched> \
  __HIP_IMAGE_FUNCTION T name(hipTextureObject_t object, __HIP_IMAGE_LIST params) \
  __HIP_IMAGE_BODY(F t[4]; __hip_internal::name(t, object, __HIP_IMAGE_LIST args); \
                   return __hip_internal::texel<T>::make(t);) \
  template<class T, class F = typename __hip_internal::texel<T>::fetched> \
  __HIP_IMAGE_FUNCTION void name(T* element, hipTextureObject_t object, __HIP_IMAGE_LIST params) \
  __HIP_IMAGE_BODY(*element = name<T>(object, __HIP_IMAGE_LIST args);)

// An element of linear memory.
__HIP_TEXTURE_FUNCTION(tex1Dfetch, (int x), (x))

// At coordinates: filtered, and outside the texture as its address modes say.
__HIP_TEXTURE_FUNCTION(tex1D, (float x), (x))
__HIP_TEXTURE_FUNCTION(tex2D, (float x, float y), (x, y))
__HIP_TEXTURE_FUNCTION(tex3D, (float x, float y, float z), (x, y, z))
__HIP_TEXTURE_FUNCTION(tex1DLayered, (float x, int layer), (x, layer))
__HIP_TEXTURE_FUNCTION(tex2DLayered, (float x, float y, int layer), (x, y, layer))
__HIP_TEXTURE_FUNCTION(texCubemap, (float x, float y, float z), (x, y, z))
__HIP_TEXTURE_FUNCTION(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))

// At a level of a mipmapped array.
__HIP_TEXTURE_FUNCTION(tex1DLod, (float x, float level), (x, level))
__HIP_TEXTURE_FUNCTION(tex2DLod, (float x, float y, float level), (x, y, level))
__HIP_TEXTURE_FUNCTION(tex3DLod, (float x, float y, float z, float level), (x, y, z, level))
__HIP_TEXTURE_FUNCTION(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level))
__HIP_TEXTURE_FUNCTION(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level))
__HIP_TEXTURE_FUNCTION(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level))
__HIP_TEXTURE_FUNCTION(texCubemapLayeredLod, (float x, float y, float z, int layer, float level),
                       (x, y, z, layer, level))

// At the level that the derivatives of the coordinates ask for. A fourth component means nothing.
__HIP_TEXTURE_FUNCTION(tex1DGrad, (float x, float dPdx, float dPdy), (x, dPdx, dPdy))
__HIP_TEXTURE_FUNCTION(tex2DGrad, (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx, dPdy))
__HIP_TEXTURE_FUNCTION(tex3DGrad, (float x, float y, float z, float4 dPdx, float4 dPdy), (x, y, z, dPdx, dPdy))
__HIP_TEXTURE_FUNCTION(tex1DLayeredGrad, (float x, int layer, float dPdx, float dPdy), (x, layer, dPdx, dPdy))
__HIP_TEXTURE_FUNCTION(tex2DLayeredGrad, (float x, float y, int layer, float2 dPdx, float2 dPdy),
                       (x, y, layer, dPdx, dPdy))
__HIP_TEXTURE_FUNCTION(texCubemapGrad, (float x, float y, float z, float4 dPdx, float4 dPdy), (x, y, z, dPdx, dPdy))
__HIP_TEXTURE_FUNCTION(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dPdx, float4 dPdy),
                       (x, y, z, layer, dPdx, dPdy))

// One channel, 0 to 3, of the four elements that a filter at these coordinates would use.
__HIP_TEXTURE_FUNCTION(tex2Dgather, (float x, float y, int comp = 0), (x, y, comp))

#undef __HIP_TEXTURE_FUNCTION

#endif
