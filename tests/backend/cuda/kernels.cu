// The conformance suite's kernels in what clang compiles for NVIDIA GPUs without a toolkit: the names and arguments of
// ../kernels.hip, with NVPTX's builtins.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

using u32 = unsigned;
using u64 = unsigned long;

static __device__ u32 item() { return (u32)__nvvm_read_ptx_sreg_tid_x(); }
static __device__ u32 global_id() { return (u32)(__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x()) + item(); }

struct Block {
  u32 words[750];
};

extern "C" {
__device__ u32 counter = 7;
__constant__ u32 table[4] = {10, 20, 30, 40};

__global__ void vector_add(const float* a, const float* b, float* c, u32 n) {
  const u32 i = global_id();
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void describe_launch(u32* out) {
  const u32 groups[3] = {(u32)__nvvm_read_ptx_sreg_nctaid_x(), (u32)__nvvm_read_ptx_sreg_nctaid_y(),
                         (u32)__nvvm_read_ptx_sreg_nctaid_z()};
  const u32 group = (__nvvm_read_ptx_sreg_ctaid_z() * groups[1] + __nvvm_read_ptx_sreg_ctaid_y()) * groups[0] +
                    __nvvm_read_ptx_sreg_ctaid_x();
  u32* mine = out + group * 8;
  if (item() + __nvvm_read_ptx_sreg_tid_y() + __nvvm_read_ptx_sreg_tid_z() != 0) return;
  mine[0] = groups[0];
  mine[1] = groups[1];
  mine[2] = groups[2];
  mine[3] = __nvvm_read_ptx_sreg_ntid_x();
  mine[4] = __nvvm_read_ptx_sreg_ntid_y();
  mine[5] = __nvvm_read_ptx_sreg_ntid_z();
  mine[6] = (mine[0] > 1) + (mine[1] > 1) + (mine[2] > 1);
  mine[7] = group;
}

__global__ void add_one(u32* data, u32 n) {
  for (u32 i = global_id(); i < n; i += 256 * 16) ++data[i];
}

__global__ void count_items(u32* total) { __nvvm_atom_add_gen_i((int*)total, 1); }

__global__ void reverse_in_lds(u32* data) {
  __shared__ u32 local[256];
  const u32 i = item();
  local[i] = data[i];
  __syncthreads();
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
  const u32 i = item();
  dynamic[i] = data[i];
  __syncthreads();
  data[i] = dynamic[(i + 1) % n];
}

__global__ void read_variables(u32* out) {
  out[0] = counter;
  out[1] = table[2];
  counter += 1;
}

__global__ void sum_block(u32* out, Block block) {
  u32 sum = 0;
  for (u32 i = 0; i < 750; ++i) sum += block.words[i];
  *out = sum;
}

__global__ void wait_for(volatile u32* flag, u32* out) {
  while (*flag == 0) {
  }
  __nvvm_membar_sys();
  *out = 1;
}

__global__ void write_to(u32* address) { *address = 1; }
__global__ void read_from(const u32* address, u32* out) { *out = *address; }
__global__ void stop() { __builtin_trap(); }
__global__ void __attribute__((launch_bounds(128))) small_groups(u32* out) { *out = 1; }
}
