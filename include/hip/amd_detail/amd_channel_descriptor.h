// hip/amd_detail/amd_channel_descriptor.h - a name that programs include; channel formats of types: see hip/channel_descriptor.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_CHANNEL_DESCRIPTOR_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_CHANNEL_DESCRIPTOR_H

#include <hip/channel_descriptor.h>

#endif
