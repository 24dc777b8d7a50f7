// hip/hip_hcc.h - the older name of hip/hip_ext.h.
#ifndef HIP_INCLUDE_HIP_HIP_HCC_H
#define HIP_INCLUDE_HIP_HIP_HCC_H

#include <hip/hip_ext.h>

#endif
