// Reductions over a work-group, and barriers over a cooperative grid.
#include "device.h"
#include "../abi/grid_sync.h"

using namespace hip::device;

namespace {

// One word of local memory, shared by all reductions of a kernel; barriers keep one use apart from the next.
__attribute__((loader_uninitialized)) static OCKL_LOCAL int reduction_word;

template <class F> OCKL_CONVERGENT int group_reduce(int identity, F combine) {
  group_barrier(); // nobody reads the last result any more
  if (linear_local_id() == 0) reduction_word = identity;
  group_barrier();
  combine(&reduction_word);
  group_barrier();
  return reduction_word;
}

const GridSyncArgument* grid_argument() {
  return reinterpret_cast<const GridSyncArgument*>(hidden<uint64_t>(kHiddenMultigridSync));
}

// A counting barrier of `expected` arrivals; the last one starts the next generation. Both words start at 0 and are left
// so that the barrier can be used again.
void arrive_and_wait(GridBarrierWords* words, uint32_t expected) {
  const uint32_t generation = __scoped_atomic_load_n(&words->generation, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
  const uint32_t arrived = __scoped_atomic_fetch_add(&words->arrived, 1u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_SYSTEM);
  if (arrived + 1 == expected) {
    __scoped_atomic_store_n(&words->arrived, 0u, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
    __scoped_atomic_store_n(&words->generation, generation + 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
    return;
  }
  while (__scoped_atomic_load_n(&words->generation, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM) == generation)
    __builtin_amdgcn_s_sleep(1);
}

uint32_t group_count() {
  return hidden<uint32_t>(kHiddenBlockCount) * hidden<uint32_t>(kHiddenBlockCount + 4) *
         hidden<uint32_t>(kHiddenBlockCount + 8);
}

} // namespace

extern "C" {

OCKL_CONVERGENT int __ockl_wgred_add_i32(int value) {
  return group_reduce(0, [value](OCKL_LOCAL int* word) {
    __scoped_atomic_fetch_add(word, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  });
}
OCKL_CONVERGENT int __ockl_wgred_and_i32(int value) {
  return group_reduce(-1, [value](OCKL_LOCAL int* word) {
    __scoped_atomic_fetch_and(word, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  });
}
OCKL_CONVERGENT int __ockl_wgred_or_i32(int value) {
  return group_reduce(0, [value](OCKL_LOCAL int* word) {
    __scoped_atomic_fetch_or(word, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  });
}

// True in kernels that were launched cooperatively.
int __ockl_grid_is_valid() { return grid_argument() != nullptr; }

OCKL_CONVERGENT void __ockl_grid_sync() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  __builtin_amdgcn_s_barrier();
  if (linear_local_id() == 0)
    arrive_and_wait(const_cast<GridBarrierWords*>(&grid_argument()->grid), group_count());
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}

uint32_t __ockl_multi_grid_num_grids() { return grid_argument()->grid_count; }
uint32_t __ockl_multi_grid_grid_rank() { return grid_argument()->grid_index; }
uint32_t __ockl_multi_grid_size() { return static_cast<uint32_t>(grid_argument()->work_items_of_all); }
uint32_t __ockl_multi_grid_thread_rank() {
  const uint32_t group = (__builtin_amdgcn_workgroup_id_z() * hidden<uint32_t>(kHiddenBlockCount + 4) +
                          __builtin_amdgcn_workgroup_id_y()) * hidden<uint32_t>(kHiddenBlockCount) +
                         __builtin_amdgcn_workgroup_id_x();
  const uint32_t group_items = group_size(0) * group_size(1) * group_size(2);
  return static_cast<uint32_t>(grid_argument()->work_items_before) + group * group_items + linear_local_id();
}
int __ockl_multi_grid_is_valid() { return grid_argument() != nullptr; }

// Every grid first gathers its groups; then one work-item of each grid meets the others, if there are any.
OCKL_CONVERGENT void __ockl_multi_grid_sync() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  __builtin_amdgcn_s_barrier();
  if (linear_local_id() == 0) {
    const GridSyncArgument* argument = grid_argument();
    auto* grid = const_cast<GridBarrierWords*>(&argument->grid);
    arrive_and_wait(grid, group_count());
    const bool first_group = __builtin_amdgcn_workgroup_id_x() == 0 && __builtin_amdgcn_workgroup_id_y() == 0 &&
                             __builtin_amdgcn_workgroup_id_z() == 0;
    if (first_group && argument->all_grids != nullptr) arrive_and_wait(argument->all_grids, argument->grid_count);
    arrive_and_wait(grid, group_count());
  }
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

} // extern "C"
