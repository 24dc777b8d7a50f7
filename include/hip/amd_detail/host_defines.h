// hip/amd_detail/host_defines.h - a name that programs include; function and variable qualifiers: see
// hip/detail/qualifiers.h, which defines this header's include guard.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#include <hip/detail/qualifiers.h>
#endif
