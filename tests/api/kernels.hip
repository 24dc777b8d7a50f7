// Kernels for the API tests, compiled without any header: they use nothing but the compiler.
#define KERNEL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define CONSTANT __attribute__((constant))

#if defined(__NVPTX__)
static inline DEVICE unsigned item() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
                               __nvvm_read_ptx_sreg_tid_x());
}
static inline DEVICE void pause() {}
#define BOUND_64 __attribute__((launch_bounds(64)))
#else
static inline DEVICE unsigned item() {
  return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
}
static inline DEVICE void pause() { __builtin_amdgcn_s_sleep(8); }
#define BOUND_64 __attribute__((amdgpu_flat_work_group_size(1, 64)))
#endif

extern "C" DEVICE int counter = 41;
extern "C" CONSTANT int factors[4] = {1, 2, 3, 4};

#if !defined(__NVPTX__) // PTX takes no '.' in "shared_total.managed"; hipcc renames it
__attribute__((managed)) int shared_total = 5;
KERNEL void add_to_shared(int by) {
  if (item() == 0) shared_total += by;
}
#endif

KERNEL void scale(int* out, const int* in, int factor, unsigned count) {
  const unsigned i = item();
  if (i < count) out[i] = in[i] * factor;
}

KERNEL void count_up(int by) {
  if (item() == 0) counter += by;
}

KERNEL void apply_factors(int* data) { data[item()] *= factors[item() & 3]; }

KERNEL void nothing() {}

KERNEL BOUND_64 void bounded(int* out) { out[item()] = 1; }

// Spins until *flag is not 0: work that is outstanding for as long as a test likes.
KERNEL void wait_for(volatile int* flag) {
  while (*flag == 0) pause();
}

KERNEL void wild_store(int* where) { *where = 1; }
