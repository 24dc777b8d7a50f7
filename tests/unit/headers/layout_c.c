/* The layout as a C compiler sees it. */
#include "layout_asserts.h"

#include <hip/hip_fp16.h>

_Static_assert(sizeof(struct __half_raw) == 2 && _Alignof(struct __half_raw) == 2, "as in C++");
_Static_assert(sizeof(struct __half2_raw) == 4 && _Alignof(struct __half2_raw) == 4, "as in C++");
