// hip/channel_descriptor.h - in C++, the channel format of a type: hipCreateChannelDesc<float4>() and the like. A type
// that is no 8-, 16- or 32-bit number or vector of them gives the format "none".
#ifndef HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H
#define HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/channel_descriptor.h>
#else
#include <hip/api/array.h>
#include <hip/hip_vector_types.h>

#ifdef __cplusplus

namespace __hip_internal {

// Bits and kind of one number.
template<hipChannelFormatKind format, int size_bits> struct channel_scalar {
  static hipChannelFormatDesc desc(int channels) {
    hipChannelFormatDesc d = {size_bits, channels > 1 ? size_bits : 0, channels > 2 ? size_bits : 0,
                              channels > 3 ? size_bits : 0, format};
    return d;
  }
};
template<class T> struct channel_element : channel_scalar<hipChannelFormatKindNone, 0> {};
template<> struct channel_element<char> : channel_scalar<hipChannelFormatKindSigned, 8> {};
template<> struct channel_element<signed char> : channel_scalar<hipChannelFormatKindSigned, 8> {};
template<> struct channel_element<unsigned char> : channel_scalar<hipChannelFormatKindUnsigned, 8> {};
template<> struct channel_element<short> : channel_scalar<hipChannelFormatKindSigned, 16> {};
template<> struct channel_element<unsigned short> : channel_scalar<hipChannelFormatKindUnsigned, 16> {};
template<> struct channel_element<int> : channel_scalar<hipChannelFormatKindSigned, 32> {};
template<> struct channel_element<unsigned int> : channel_scalar<hipChannelFormatKindUnsigned, 32> {};
template<> struct channel_element<float> : channel_scalar<hipChannelFormatKindFloat, 32> {};

// A number is a vector of one channel.
template<class T> struct channel_type {
  static hipChannelFormatDesc desc() { return channel_element<T>::desc(1); }
};
#if defined(__OMNIHIP_CUDA__) // vectors are plain structures there
#define __HIP_CHANNEL_TYPE(name, T, n) \
  template<> struct channel_type<name##n> { \
    static hipChannelFormatDesc desc() { return channel_element<T>::desc(n); } \
  };
#define __HIP_CHANNEL_TYPES(name, T) \
  __HIP_CHANNEL_TYPE(name, T, 1) __HIP_CHANNEL_TYPE(name, T, 2) __HIP_CHANNEL_TYPE(name, T, 3) __HIP_CHANNEL_TYPE(name, T, 4)
__HIP_CHANNEL_TYPES(char, signed char)
__HIP_CHANNEL_TYPES(uchar, unsigned char)
__HIP_CHANNEL_TYPES(short, short)
__HIP_CHANNEL_TYPES(ushort, unsigned short)
__HIP_CHANNEL_TYPES(int, int)
__HIP_CHANNEL_TYPES(uint, unsigned int)
__HIP_CHANNEL_TYPES(float, float)
#undef __HIP_CHANNEL_TYPES
#undef __HIP_CHANNEL_TYPE
#else
template<class T, unsigned int n> struct channel_type<HIP_vector_type<T, n>> {
  static hipChannelFormatDesc desc() { return channel_element<T>::desc(static_cast<int>(n)); }
};
#endif

} // namespace __hip_internal

template<typename T> static inline hipChannelFormatDesc hipCreateChannelDesc() {
  return __hip_internal::channel_type<T>::desc();
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf() {
  return __hip_internal::channel_scalar<hipChannelFormatKindFloat, 16>::desc(1);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf1() {
  return __hip_internal::channel_scalar<hipChannelFormatKindFloat, 16>::desc(1);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf2() {
  return __hip_internal::channel_scalar<hipChannelFormatKindFloat, 16>::desc(2);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf4() {
  return __hip_internal::channel_scalar<hipChannelFormatKindFloat, 16>::desc(4);
}

#endif

#endif

#endif
