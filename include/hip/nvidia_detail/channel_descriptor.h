// hip/nvidia_detail/channel_descriptor.h - in C++, the channel format of a type: CUDA's, under HIP's names.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_CHANNEL_DESCRIPTOR_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_CHANNEL_DESCRIPTOR_H

#include <hip/nvidia_detail/nvidia_hip_runtime_api.h>

#ifdef __cplusplus

#include <channel_descriptor.h>

template<typename T> static inline hipChannelFormatDesc hipCreateChannelDesc() { return cudaCreateChannelDesc<T>(); }
static inline hipChannelFormatDesc hipCreateChannelDescHalf() { return cudaCreateChannelDescHalf(); }
static inline hipChannelFormatDesc hipCreateChannelDescHalf1() { return cudaCreateChannelDescHalf1(); }
static inline hipChannelFormatDesc hipCreateChannelDescHalf2() { return cudaCreateChannelDescHalf2(); }
static inline hipChannelFormatDesc hipCreateChannelDescHalf4() { return cudaCreateChannelDescHalf4(); }

#endif

#endif
