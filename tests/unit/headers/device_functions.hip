// Compiles a use of every row of hip/device/functions.def with the types that the row says, in host and device code as
// it says. Nothing runs: the file is given to -fsyntax-only. A row that does not hold is an error at its line.
#define HIP_ENABLE_EXTRA_WARP_SYNC_TYPES
#include <hip/hip_runtime.h>

#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext_ocp.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp4.h>
#include <hip/hip_fp6.h>
#include <hip/hip_fp8.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <new>

// Some T. Nothing defines it, since nothing runs.
template<class T> __host__ __device__ T&& value() noexcept;

namespace {

using tile_of_block = cooperative_groups::thread_block_tile<32, cooperative_groups::thread_block>;
using tile_of_tile = cooperative_groups::thread_block_tile<4, cooperative_groups::thread_block_tile<32>>;

// What an expression gives, whether as a value or as a temporary that is about to end.
template<class T> struct Result {
  using Type = T;
};
template<class T> struct Result<T&&> {
  using Type = T;
};

} // namespace

#define ROW_OF(line) row_##line
#define ROW(line) ROW_OF(line)
#define IN_Device __device__
#define IN_Both __host__ __device__
#define __private __attribute__((opencl_private))

#define HIP_DEVICE_FUNCTION(area, where, result, name, parameters)                                                     \
  IN_##where void ROW(__LINE__)() { (void)static_cast<result(*) parameters>(&name); }
#define HIP_DEVICE_CALL(area, where, result, ...)                                                                      \
  IN_##where void ROW(__LINE__)() {                                                                                    \
    static_assert(std::is_same_v<typename Result<decltype(__VA_ARGS__)>::Type, result>);                               \
    (void)(__VA_ARGS__);                                                                                               \
  }
// Processors without images declare these functions unavailable; the host's half of the compilation checks them.
#if defined(__HIP_DEVICE_COMPILE__)
#define HIP_DEVICE_IMAGE_CALL(...)
#else
#define HIP_DEVICE_IMAGE_CALL(area, where, result, ...) HIP_DEVICE_CALL(area, where, result, __VA_ARGS__)
#endif
#define HIP_DEVICE_TYPE(area, name, size, alignment) static_assert(sizeof(name) == size && alignof(name) == alignment);
#define HIP_DEVICE_CONSTANT(area, name, number) static_assert(name == number);
#define HIP_DEVICE_REFUSED(area, names, reason)
#include "../../../hip/device/functions.def"
