// What texture and surface functions share: which types are elements, and what becomes of a call where the target has
// no images. Internal.
#ifndef HIP_DETAIL_IMAGES_H
#define HIP_DETAIL_IMAGES_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

// Clang defines the macro for AMD processors without image instructions. On the other AMD processors the functions do
// not exist yet. With -fsoftware-textures, and in CUDA sources, all of them have textures in software.
#if defined(__HIP_DEVICE_COMPILE__) && defined(__AMDGCN__)
#if defined(__HIP_SOFTWARE_TEXTURES__)
#undef __HIP_NO_IMAGE_SUPPORT
#elif !defined(__HIP_NO_IMAGE_SUPPORT)
#define __HIP_NO_IMAGE_SUPPORT 1
#endif
#endif

// What a surface function does outside of the surface.
#if defined(__OMNIHIP_CUDA__)
#define __HIP_SURFACE_DEFAULT hipBoundaryModeTrap
#else
#define __HIP_SURFACE_DEFAULT hipBoundaryModeZero
#endif

// The head of each function. Only code for NVIDIA GPUs and code with textures in software has bodies: host code does not
// call them, and a call in other code for AMD GPUs is an error of the compiler.
#if defined(__NVPTX__) || (defined(__AMDGCN__) && defined(__HIP_SOFTWARE_TEXTURES__))
#define __HIP_IMAGE_FUNCTION __HIP_DEVICE_INLINE
#define __HIP_IMAGE_BODY(...) { __VA_ARGS__ }
#elif defined(__HIP_DEVICE_COMPILE__)
#define __HIP_IMAGE_FUNCTION \
  __attribute__((device, unavailable("textures and surfaces do not exist on this GPU; test __HIP_NO_IMAGE_SUPPORT, or compile with -fsoftware-textures")))
#define __HIP_IMAGE_BODY(...) ;
#else
#define __HIP_IMAGE_FUNCTION __device__
#define __HIP_IMAGE_BODY(...) ;
#endif

// (a, b) without the parentheses.
#define __HIP_IMAGE_LIST(...) __VA_ARGS__

namespace __hip_internal {

// The type in which a texture returns a channel of an element; types without a row are no channels.
template<class T> struct texel_channel {};
template<> struct texel_channel<char> { typedef int fetched; };
template<> struct texel_channel<signed char> { typedef int fetched; };
template<> struct texel_channel<unsigned char> { typedef unsigned int fetched; };
template<> struct texel_channel<short> { typedef int fetched; };
template<> struct texel_channel<unsigned short> { typedef unsigned int fetched; };
template<> struct texel_channel<int> { typedef int fetched; };
template<> struct texel_channel<unsigned int> { typedef unsigned int fetched; };
template<> struct texel_channel<float> { typedef float fetched; };

// An element: a number, or a vector of 1, 2 or 4 of them.
template<class T> struct texel : texel_channel<T> {
  template<class F> __HIP_DEVICE_INLINE T make(const F (&t)[4]) { return static_cast<T>(t[0]); }
};
#if defined(__OMNIHIP_CUDA__) // vectors are plain structures there
#define __HIP_TEXELS(name, T) \
  template<> struct texel<name##1> : texel_channel<T> { \
    template<class F> __HIP_DEVICE_INLINE name##1 make(const F (&t)[4]) { return {static_cast<T>(t[0])}; } \
  }; \
  template<> struct texel<name##2> : texel_channel<T> { \
    template<class F> __HIP_DEVICE_INLINE name##2 make(const F (&t)[4]) { \
      return {static_cast<T>(t[0]), static_cast<T>(t[1])}; \
    } \
  }; \
  template<> struct texel<name##4> : texel_channel<T> { \
    template<class F> __HIP_DEVICE_INLINE name##4 make(const F (&t)[4]) { \
      return {static_cast<T>(t[0]), static_cast<T>(t[1]), static_cast<T>(t[2]), static_cast<T>(t[3])}; \
    } \
  }; \
  template<> struct texel<name##3> {};
__HIP_TEXELS(char, signed char)
__HIP_TEXELS(uchar, unsigned char)
__HIP_TEXELS(short, short)
__HIP_TEXELS(ushort, unsigned short)
__HIP_TEXELS(int, int)
__HIP_TEXELS(uint, unsigned int)
__HIP_TEXELS(float, float)
#undef __HIP_TEXELS
#else
template<class T> struct texel<HIP_vector_type<T, 1>> : texel_channel<T> {
  template<class F> __HIP_DEVICE_INLINE HIP_vector_type<T, 1> make(const F (&t)[4]) {
    return HIP_vector_type<T, 1>(static_cast<T>(t[0]));
  }
};
template<class T> struct texel<HIP_vector_type<T, 2>> : texel_channel<T> {
  template<class F> __HIP_DEVICE_INLINE HIP_vector_type<T, 2> make(const F (&t)[4]) {
    return HIP_vector_type<T, 2>(static_cast<T>(t[0]), static_cast<T>(t[1]));
  }
};
template<class T> struct texel<HIP_vector_type<T, 4>> : texel_channel<T> {
  template<class F> __HIP_DEVICE_INLINE HIP_vector_type<T, 4> make(const F (&t)[4]) {
    return HIP_vector_type<T, 4>(static_cast<T>(t[0]), static_cast<T>(t[1]), static_cast<T>(t[2]),
                                 static_cast<T>(t[3]));
  }
};
template<class T> struct texel<HIP_vector_type<T, 3>> {}; // no elements
#endif

} // namespace __hip_internal

#endif
