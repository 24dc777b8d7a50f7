/* Every row of layout.def and values.def as a static assertion, in C and in C++. */
#include <stddef.h>

#include <hip/amd_detail/hip_profiler_ext.h>
#include <hip/hip_gl_interop.h>
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <hip/library_types.h>

#ifdef __cplusplus
#define HEADER_TEST_ASSERT static_assert
#define HEADER_TEST_ALIGN alignof
#else
#define HEADER_TEST_ASSERT _Static_assert
#define HEADER_TEST_ALIGN _Alignof
#endif

#define LAYOUT_SIZE(type, size, alignment)                                                                             \
  HEADER_TEST_ASSERT(sizeof(type) == size, "size of " #type);                                                          \
  HEADER_TEST_ASSERT(alignment == 0 || HEADER_TEST_ALIGN(type) == alignment, "alignment of " #type);
#define LAYOUT_FIELD(type, field, offset, size)                                                                        \
  HEADER_TEST_ASSERT(offsetof(type, field) == offset, "offset of " #type "." #field);                                  \
  HEADER_TEST_ASSERT(sizeof(((type*)0)->field) == size, "size of " #type "." #field);
#include "layout.def"
#undef LAYOUT_SIZE
#undef LAYOUT_FIELD

#define VALUE(name, value) HEADER_TEST_ASSERT((long long)(name) == value, "value of " #name);
#define POINTER_VALUE(name, value)
#include "values.def"
#undef VALUE
#undef POINTER_VALUE
