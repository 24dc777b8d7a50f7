// Functions of the AMD device library that HIP's headers declare, for code that calls them by name. Those that the kernel
// language itself calls are declared where it does (sync.h, conversions.h, dot.h, cooperative_groups.h).
#ifndef HIP_DETAIL_DEVICE_LIBRARY_H
#define HIP_DETAIL_DEVICE_LIBRARY_H

#include <hip/detail/qualifiers.h>

#if !defined(__NVPTX__)
extern "C" {
// The launch, per dimension.
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_group_id(unsigned int dimension);
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_local_id(unsigned int dimension);
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_local_size(unsigned int dimension);
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_num_groups(unsigned int dimension);

// The lane's number, among all lanes and among the active ones, and votes.
__device__ __attribute__((const)) unsigned int __ockl_lane_u32(void);
__device__ __attribute__((convergent)) unsigned int __ockl_activelane_u32(void);
__device__ __attribute__((convergent)) bool __ockl_wfany_i32(int predicate);
__device__ __attribute__((convergent)) bool __ockl_wfall_i32(int predicate);

// Integers.
__device__ __attribute__((const)) unsigned char __ockl_clz_u8(unsigned char x);
__device__ __attribute__((const)) unsigned short __ockl_clz_u16(unsigned short x);
__device__ __attribute__((const)) unsigned int __ockl_clz_u32(unsigned int x);
__device__ __attribute__((const)) __UINT64_TYPE__ __ockl_clz_u64(__UINT64_TYPE__ x);
__device__ __attribute__((const)) int __ockl_mul24_i32(int x, int y);
__device__ __attribute__((const)) unsigned int __ockl_mul24_u32(unsigned int x, unsigned int y);
__device__ __attribute__((const)) int __ockl_mul_hi_i32(int x, int y);
__device__ __attribute__((const)) unsigned int __ockl_mul_hi_u32(unsigned int x, unsigned int y);
__device__ __attribute__((const)) unsigned int __ockl_sadd_u32(unsigned int x, unsigned int y, unsigned int z);

// The constant-rate timer.
__device__ unsigned long long __ockl_steadyctr_u64(void);

// Messages to the host's standard error.
__device__ __UINT64_TYPE__ __ockl_fprintf_stderr_begin(void);
__device__ __UINT64_TYPE__ __ockl_fprintf_append_args(__UINT64_TYPE__ message, __UINT32_TYPE__ count, __UINT64_TYPE__ a0,
                                                      __UINT64_TYPE__ a1, __UINT64_TYPE__ a2, __UINT64_TYPE__ a3,
                                                      __UINT64_TYPE__ a4, __UINT64_TYPE__ a5, __UINT64_TYPE__ a6,
                                                      __UINT32_TYPE__ is_last);
__device__ __UINT64_TYPE__ __ockl_fprintf_append_string_n(__UINT64_TYPE__ message, const char* text,
                                                          __UINT64_TYPE__ length_bytes, __UINT32_TYPE__ is_last);
}
#endif

#endif
