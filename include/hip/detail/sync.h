// Work-group barriers and memory fences.
// Memory ordering: a barrier releases before and acquires after, at work-group scope; the fences are sequentially
// consistent at work-group, agent and system scope.
#ifndef HIP_DETAIL_SYNC_H
#define HIP_DETAIL_SYNC_H

#include <hip/detail/builtin_vars.h>

#if defined(__NVPTX__)

// __syncthreads is a builtin function of this target.
__device__ static inline __attribute__((convergent)) int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__device__ static inline __attribute__((convergent)) int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
__device__ static inline __attribute__((convergent)) int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
__HIP_DEVICE_INLINE void __threadfence_block() { __nvvm_membar_cta(); }
__HIP_DEVICE_INLINE void __threadfence() { __nvvm_membar_gl(); }
__HIP_DEVICE_INLINE void __threadfence_system() { __nvvm_membar_sys(); }

#else

enum { __CLK_LOCAL_MEM_FENCE = 0x01, __CLK_GLOBAL_MEM_FENCE = 0x02 };
typedef unsigned int __cl_mem_fence_flags;

__device__ static inline __attribute__((always_inline, convergent)) void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
// A barrier that orders only the named memories; nothing is cheaper than the full fence within one work-group today.
__device__ static inline __attribute__((always_inline, convergent)) void __work_group_barrier(__cl_mem_fence_flags) {
  __syncthreads();
}
__device__ static inline __attribute__((always_inline, convergent)) void __barrier(int flags) {
  __work_group_barrier(static_cast<__cl_mem_fence_flags>(flags));
}
__device__ static inline __attribute__((always_inline, convergent)) void __named_sync() { __builtin_amdgcn_s_barrier(); }

// Work-group reductions of the device library; every work-item of the group must arrive.
extern "C" __device__ __attribute__((convergent)) int __ockl_wgred_add_i32(int value);
extern "C" __device__ __attribute__((convergent)) int __ockl_wgred_and_i32(int value);
extern "C" __device__ __attribute__((convergent)) int __ockl_wgred_or_i32(int value);

__device__ static inline __attribute__((convergent)) int __syncthreads_count(int predicate) {
  return __ockl_wgred_add_i32(predicate != 0);
}
__device__ static inline __attribute__((convergent)) int __syncthreads_and(int predicate) {
  return __ockl_wgred_and_i32(predicate != 0);
}
__device__ static inline __attribute__((convergent)) int __syncthreads_or(int predicate) {
  return __ockl_wgred_or_i32(predicate != 0);
}

__HIP_DEVICE_INLINE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
__HIP_DEVICE_INLINE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__HIP_DEVICE_INLINE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

#endif

#endif
