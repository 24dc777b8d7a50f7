// hip/math_functions.h - the math functions of the kernel language. clang declares them in every HIP source, so this is
// hip_runtime.h under a name that programs include.
#ifndef HIP_INCLUDE_HIP_MATH_FUNCTIONS_H
#define HIP_INCLUDE_HIP_MATH_FUNCTIONS_H

#include <hip/hip_runtime.h>

#endif
