// What device code on NVIDIA GPUs needs beside the math library: assertions and the barrier of a cooperative grid. printf,
// malloc and free are the driver's own there.
#include <stdint.h>

#define CONVERGENT __attribute__((convergent))

extern "C" {

// The driver's: prints the message with block and thread, and ends the kernel with an error of its own.
[[noreturn]] void __assertfail(const char* message, const char* file, uint32_t line, const char* function,
                               uint64_t bytes_per_char);

[[noreturn]] CONVERGENT void __ockl_assert_fail(const char* expression, const char* file, uint32_t line,
                                                const char* function) {
  __assertfail(expression, file, line, function, 1);
}

// Calls of virtual functions that have no body.
[[noreturn]] void __cxa_pure_virtual() { __builtin_trap(); }
[[noreturn]] void __cxa_deleted_virtual() { __builtin_trap(); }

} // extern "C"

namespace {

// What the driver gives a cooperative launch, by the address in environment registers 1 (high) and 2 (low); null in
// other launches (CUDA toolkit, cooperative_groups/details/driver_abi.h).
struct GridWorkspace {
  uint32_t size_bytes;
  uint32_t barrier; // zero, or what earlier barriers left
};

GridWorkspace* grid_workspace() {
  uint32_t high, low;
  __asm__("mov.u32 %0, %%envreg1;" : "=r"(high));
  __asm__("mov.u32 %0, %%envreg2;" : "=r"(low));
  return reinterpret_cast<GridWorkspace*>(static_cast<uint64_t>(high) << 32 | low);
}

uint32_t group_count() {
  return __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_nctaid_y() * __nvvm_read_ptx_sreg_nctaid_z();
}
bool is_first_group() {
  return (__nvvm_read_ptx_sreg_ctaid_x() | __nvvm_read_ptx_sreg_ctaid_y() | __nvvm_read_ptx_sreg_ctaid_z()) == 0;
}
bool is_first_thread() {
  return (__nvvm_read_ptx_sreg_tid_x() | __nvvm_read_ptx_sreg_tid_y() | __nvvm_read_ptx_sreg_tid_z()) == 0;
}

} // namespace

extern "C" {

int __ockl_grid_is_valid() { return grid_workspace() != nullptr; }

// The arrivals of all groups add up to 2^31, so that the top bit turns over when the last one comes and the word is ready
// for the next barrier: the first group adds what the others leave of it.
CONVERGENT void __ockl_grid_sync() {
  constexpr uint32_t kPhase = uint32_t(1) << 31;
  GridWorkspace* const workspace = grid_workspace();
  if (workspace == nullptr)
    __assertfail("the kernel is launched with hipLaunchCooperativeKernel", "grid_group::sync", 0, "", 1);
  __nvvm_barrier_sync(0);
  if (is_first_thread()) {
    __nvvm_membar_gl();
    const uint32_t share = is_first_group() ? kPhase - (group_count() - 1) : 1;
    const uint32_t before = __scoped_atomic_fetch_add(&workspace->barrier, share, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    while (((before ^ __scoped_atomic_load_n(&workspace->barrier, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)) & kPhase) == 0) {
    }
    __nvvm_membar_gl();
  }
  __nvvm_barrier_sync(0);
}

// Launches over several devices have no common barrier here, and hipLaunchCooperativeKernelMultiDevice refuses them.
// This grid is the only one; its place among others means nothing, because the multi-grid is not valid.
int __ockl_multi_grid_is_valid() { return 0; }
uint32_t __ockl_multi_grid_num_grids() { return 1; }
uint32_t __ockl_multi_grid_grid_rank() { return 0; }
uint32_t __ockl_multi_grid_size() { return 0; }
uint32_t __ockl_multi_grid_thread_rank() { return 0; }
[[noreturn]] CONVERGENT void __ockl_multi_grid_sync() {
  __assertfail("multi_grid_group::sync is not supported on NVIDIA GPUs", "multi_grid_group::sync", 0, "", 1);
}

} // extern "C"
