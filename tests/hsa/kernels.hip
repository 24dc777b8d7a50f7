// Kernels of the HSA tests, self-contained: compiled without headers and without a device library.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

using u32 = unsigned;
using i64 = long;

extern "C" {
__device__ u32 counter = 7;
#ifndef WITHOUT_VARIABLE
extern __device__ __attribute__((visibility("default"))) u32 elsewhere; // defined by the host
#endif

__global__ void add(u32* data, u32 amount) {
  data[__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x()] += amount;
}

__global__ void count() { __atomic_fetch_add(&counter, 1u, __ATOMIC_RELAXED); }

#ifndef WITHOUT_VARIABLE
__global__ void read_elsewhere(u32* out) { *out = elsewhere; }
#endif

// Changes a signal's value as a device library does: by a store alone.
__global__ void store_signal(i64* value, i64 what) { __atomic_store_n(value, what, __ATOMIC_RELEASE); }

__global__ void wait_for(const u32* flag, u32* out) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
  *out = 1;
}

// HW_ID, by work-group.
__global__ void hardware_ids(u32* out) { out[__builtin_amdgcn_workgroup_id_x()] = __builtin_amdgcn_s_getreg(31 << 11 | 4); }

__global__ void set_flag(u32* flag) { __atomic_store_n(flag, 1u, __ATOMIC_RELEASE); }

// As wait_for(); tells that it has begun, and that it has ended.
__global__ void begin_and_wait_for(const u32* flag, u32* out) {
  __atomic_store_n(out, 1u, __ATOMIC_RELEASE);
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
  __atomic_store_n(out, 2u, __ATOMIC_RELEASE);
}
}

// Kernels that use LDS and scratch memory, for what packets say of them.
extern "C" __global__ void with_lds(u32* out) {
  __attribute__((shared)) volatile u32 words[64];
  words[__builtin_amdgcn_workitem_id_x()] = 1;
  *out = words[63];
}
extern "C" __global__ void with_scratch(u32* out, u32 at) {
  volatile u32 words[64];
  for (u32 i = 0; i < 64; ++i) words[i] = i;
  *out = words[at & 63];
}
extern "C" __global__ void three_arguments(u32*, u32*, u32*) {}
