// Built-in variables of a kernel: threadIdx, blockIdx, blockDim, gridDim and warpSize.
// Each is an empty object whose members are read straight from the hardware register or the hidden kernel argument, so
// nothing is stored and unused parts cost nothing. They convert to dim3 and uint3.
#ifndef HIP_DETAIL_BUILTIN_VARS_H
#define HIP_DETAIL_BUILTIN_VARS_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

struct dim3;

#if defined(__NVPTX__)

__HIP_DEVICE_INLINE unsigned int __hip_get_thread_idx_x() { return __nvvm_read_ptx_sreg_tid_x(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_thread_idx_y() { return __nvvm_read_ptx_sreg_tid_y(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_thread_idx_z() { return __nvvm_read_ptx_sreg_tid_z(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_idx_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_idx_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_idx_z() { return __nvvm_read_ptx_sreg_ctaid_z(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_dim_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_dim_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_dim_z() { return __nvvm_read_ptx_sreg_ntid_z(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_grid_dim_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_grid_dim_y() { return __nvvm_read_ptx_sreg_nctaid_y(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_grid_dim_z() { return __nvvm_read_ptx_sreg_nctaid_z(); }
__HIP_DEVICE_INLINE int __hip_get_warp_size() { return __nvvm_read_ptx_sreg_warpsize(); }

#else

// The block counts are the first three words of the hidden arguments since code object version 5, the oldest one that
// the compilers we support emit for this language.
#define __HIP_HIDDEN_BLOCK_COUNT(i) \
  (((const __attribute__((address_space(4))) unsigned int*)__builtin_amdgcn_implicitarg_ptr())[i])

__HIP_DEVICE_INLINE unsigned int __hip_get_thread_idx_x() { return __builtin_amdgcn_workitem_id_x(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_thread_idx_y() { return __builtin_amdgcn_workitem_id_y(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_thread_idx_z() { return __builtin_amdgcn_workitem_id_z(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_idx_x() { return __builtin_amdgcn_workgroup_id_x(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_idx_y() { return __builtin_amdgcn_workgroup_id_y(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_idx_z() { return __builtin_amdgcn_workgroup_id_z(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_dim_x() { return __builtin_amdgcn_workgroup_size_x(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_dim_y() { return __builtin_amdgcn_workgroup_size_y(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_block_dim_z() { return __builtin_amdgcn_workgroup_size_z(); }
__HIP_DEVICE_INLINE unsigned int __hip_get_grid_dim_x() { return __HIP_HIDDEN_BLOCK_COUNT(0); }
__HIP_DEVICE_INLINE unsigned int __hip_get_grid_dim_y() { return __HIP_HIDDEN_BLOCK_COUNT(1); }
__HIP_DEVICE_INLINE unsigned int __hip_get_grid_dim_z() { return __HIP_HIDDEN_BLOCK_COUNT(2); }
__HIP_DEVICE_INLINE int __hip_get_warp_size() { return static_cast<int>(__builtin_amdgcn_wavefrontsize()); }
#undef __HIP_HIDDEN_BLOCK_COUNT

#endif

#define __HIP_BUILTIN_VARIABLE(name, reader) \
  struct __hip_builtin_##name##_t { \
    __declspec(property(get = __get_x)) unsigned int x; \
    __declspec(property(get = __get_y)) unsigned int y; \
    __declspec(property(get = __get_z)) unsigned int z; \
    __device__ __forceinline__ unsigned int __get_x() const { return reader##_x(); } \
    __device__ __forceinline__ unsigned int __get_y() const { return reader##_y(); } \
    __device__ __forceinline__ unsigned int __get_z() const { return reader##_z(); } \
    template <class T, class = typename __hip_internal::vector_enable<__is_same(T, dim3) || __is_same(T, uint3)>::type> \
    __device__ __forceinline__ operator T() const { \
      return T{__get_x(), __get_y(), __get_z()}; \
    } \
  }; \
  extern const __device__ __attribute__((weak)) __hip_builtin_##name##_t name;

__HIP_BUILTIN_VARIABLE(threadIdx, __hip_get_thread_idx)
__HIP_BUILTIN_VARIABLE(blockIdx, __hip_get_block_idx)
__HIP_BUILTIN_VARIABLE(blockDim, __hip_get_block_dim)
__HIP_BUILTIN_VARIABLE(gridDim, __hip_get_grid_dim)
#undef __HIP_BUILTIN_VARIABLE

#define hipThreadIdx_x (__hip_get_thread_idx_x())
#define hipThreadIdx_y (__hip_get_thread_idx_y())
#define hipThreadIdx_z (__hip_get_thread_idx_z())
#define hipBlockIdx_x (__hip_get_block_idx_x())
#define hipBlockIdx_y (__hip_get_block_idx_y())
#define hipBlockIdx_z (__hip_get_block_idx_z())
#define hipBlockDim_x (__hip_get_block_dim_x())
#define hipBlockDim_y (__hip_get_block_dim_y())
#define hipBlockDim_z (__hip_get_block_dim_z())
#define hipGridDim_x (__hip_get_grid_dim_x())
#define hipGridDim_y (__hip_get_grid_dim_y())
#define hipGridDim_z (__hip_get_grid_dim_z())

#if defined(__OMNIHIP_CUDA__)
// A warp of a CUDA source has 32 lanes: half a wave, where waves have 64.
static constexpr __attribute__((unused)) int warpSize = 32;
#else
#if !defined(__HIPCC_RTC__)
// The wave size of the calling thread's current device; 64 when there is none. Defined in launch.h.
static inline int __hip_host_warp_size();
#endif

// Not a compile-time constant, since one source serves targets of 32 and of 64 lanes. In device code the compiler folds
// it for the target; in host code it is that of the current device.
struct __hip_builtin_warpSize_t {
  __device__ __forceinline__ operator int() const { return __hip_get_warp_size(); }
#if !defined(__HIPCC_RTC__)
  __host__ inline operator int() const { return __hip_host_warp_size(); }
  // For the block size of a launch.
  template <class T, class = typename __hip_internal::vector_enable<__is_same(T, dim3)>::type>
  __host__ inline operator T() const {
    return T(static_cast<unsigned int>(__hip_host_warp_size()));
  }
#endif
};
static constexpr __attribute__((unused)) __hip_builtin_warpSize_t warpSize{};
#endif

#endif
