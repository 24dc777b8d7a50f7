// Kernels of the back-end conformance suite, self-contained: compiled without headers and without a device library.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))

using u32 = unsigned;
using u64 = unsigned long;

static __device__ u32 implicit_u16(u32 offset) {
  return *(const __attribute__((address_space(4))) unsigned short*)((const __attribute__((address_space(4))) char*)__builtin_amdgcn_implicitarg_ptr() + offset);
}
static __device__ u32 global_id() {
  return __builtin_amdgcn_workgroup_id_x() * implicit_u16(12) + __builtin_amdgcn_workitem_id_x();
}

struct Block {
  u32 words[750];
};

extern "C" {
__device__ u32 counter = 7;
__constant__ u32 table[4] = {10, 20, 30, 40};
__managed__ u32 shared_value = 5;

__global__ void vector_add(const float* a, const float* b, float* c, u32 n) {
  const u32 i = global_id();
  if (i < n) c[i] = a[i] + b[i];
}

// Per work-group: x, y, z and what the hidden arguments say.
__global__ void describe_launch(u32* out) {
  const auto* hidden = (const __attribute__((address_space(4))) u32*)__builtin_amdgcn_implicitarg_ptr();
  const u32 group = (__builtin_amdgcn_workgroup_id_z() * hidden[1] + __builtin_amdgcn_workgroup_id_y()) * hidden[0] +
                    __builtin_amdgcn_workgroup_id_x();
  u32* mine = out + group * 8;
  if (__builtin_amdgcn_workitem_id_x() + __builtin_amdgcn_workitem_id_y() + __builtin_amdgcn_workitem_id_z() != 0) return;
  mine[0] = hidden[0];
  mine[1] = hidden[1];
  mine[2] = hidden[2];
  mine[3] = implicit_u16(12);
  mine[4] = implicit_u16(14);
  mine[5] = implicit_u16(16);
  mine[6] = implicit_u16(64);
  mine[7] = group;
}

__global__ void add_one(u32* data, u32 n) {
  for (u32 i = global_id(); i < n; i += 256 * 16) ++data[i];
}

__global__ void count_items(u32* total) { __atomic_fetch_add(total, 1u, __ATOMIC_RELAXED); }

__global__ void reverse_in_lds(u32* data) {
  __shared__ u32 local[256];
  const u32 i = __builtin_amdgcn_workitem_id_x();
  local[i] = data[i];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  data[i] = local[255 - i];
}

// Each work-item fills an array of its own, and reads it in another order.
#define PRIVATE_ARRAY(words)                                                                                           \
  __global__ void private_##words(u32* out, u32 step) {                                                                \
    volatile u32 own[words];                                                                                           \
    const u32 i = global_id();                                                                                         \
    for (u32 k = 0; k < words; ++k) own[k] = i * 7 + k * step;                                                         \
    u32 sum = 0;                                                                                                       \
    for (u32 k = 0; k < words; ++k) sum = sum * 3 + own[(k * step + i) % words];                                       \
    out[i] = sum;                                                                                                      \
  }
PRIVATE_ARRAY(16)
PRIVATE_ARRAY(512)
PRIVATE_ARRAY(8192)
PRIVATE_ARRAY(30000)

extern __shared__ u32 dynamic[];
__global__ void rotate_in_dynamic_lds(u32* data, u32 n) {
  const u32 i = __builtin_amdgcn_workitem_id_x();
  dynamic[i] = data[i];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  data[i] = dynamic[(i + 1) % n];
}

__global__ void read_variables(u32* out) {
  out[0] = counter;
  out[1] = table[2];
  out[2] = shared_value;
  counter += 1;
  shared_value += 1;
}

__global__ void sum_block(u32* out, Block block) {
  u32 sum = 0;
  for (u32 i = 0; i < 750; ++i) sum += block.words[i];
  *out = sum;
}

__global__ void wait_for(volatile u32* flag, u32* out) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
  *out = 1;
}

__global__ void write_to(u32* address) { *address = 1; }
__global__ void read_from(const u32* address, u32* out) { *out = *address; }
__global__ void stop() { __builtin_trap(); }
__global__ void __attribute__((amdgpu_flat_work_group_size(1, 128))) small_groups(u32* out) { *out = 1; }
}
