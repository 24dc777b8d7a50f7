// printf in device code. clang lowers calls of this declaration itself, to the hostcall or the buffered protocol.
#ifndef HIP_DETAIL_DEVICE_PRINTF_H
#define HIP_DETAIL_DEVICE_PRINTF_H

#include <hip/detail/qualifiers.h>

extern "C" __device__ int printf(const char* format, ...);

#endif
