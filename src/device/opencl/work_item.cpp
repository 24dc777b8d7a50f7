// OpenCL C's functions about work-items, barriers and fences, under the names that clang calls (those of C++). libclc's library
// lacks some, and takes the offset of the grid from where another kernel ABI (Mesa's) has it, so that all about work-items are here.
// libclc has the rest: math, atomics, vectors, conversions.
#include "../ockl/device.h"

using namespace hip::device;

// The numbers of clang's opencl-c-base.h; the types' names are part of the functions'.
enum memory_scope {
  memory_scope_work_item,
  memory_scope_work_group,
  memory_scope_device,
  memory_scope_all_svm_devices,
  memory_scope_sub_group
};
enum memory_order {
  memory_order_relaxed,
  memory_order_acquire = 2,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};

namespace {

enum FenceFlags : unsigned { kLocal = 1, kGlobal = 2 };

// LDS is fenced with a work-group's other memory.
void fence(memory_order order, memory_scope scope) {
  if (order == memory_order_relaxed || scope == memory_scope_work_item) return;
  switch (scope) {
  case memory_scope_sub_group: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront"); break;
  case memory_scope_work_group: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); break;
  case memory_scope_device: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); break;
  default: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  }
}

unsigned linear_sub_group() { return linear_local_id() / __builtin_amdgcn_wavefrontsize(); }
unsigned group_items() { return group_size(0) * group_size(1) * group_size(2); }
unsigned sub_groups_of(unsigned items) {
  const unsigned lanes = __builtin_amdgcn_wavefrontsize();
  return (items + lanes - 1) / lanes;
}
unsigned whole_group_items() {
  return hidden<uint16_t>(kHiddenGroupSize) * hidden<uint16_t>(kHiddenGroupSize + 2) *
         hidden<uint16_t>(kHiddenGroupSize + 4);
}
size_t size_of_axis(unsigned axis) {
  return static_cast<size_t>(hidden<uint32_t>(kHiddenBlockCount + 4 * axis)) *
             hidden<uint16_t>(kHiddenGroupSize + 2 * axis) +
         hidden<uint16_t>(kHiddenRemainder + 2 * axis);
}

} // namespace

// ---- work-items --------------------------------------------------------------------------------------------------

unsigned get_work_dim() { return hidden<uint16_t>(kHiddenGridDims); }
size_t get_local_id(unsigned axis) {
  switch (axis) {
  case 0: return __builtin_amdgcn_workitem_id_x();
  case 1: return __builtin_amdgcn_workitem_id_y();
  case 2: return __builtin_amdgcn_workitem_id_z();
  default: return 0;
  }
}
size_t get_group_id(unsigned axis) {
  switch (axis) {
  case 0: return __builtin_amdgcn_workgroup_id_x();
  case 1: return __builtin_amdgcn_workgroup_id_y();
  case 2: return __builtin_amdgcn_workgroup_id_z();
  default: return 0;
  }
}
size_t get_enqueued_local_size(unsigned axis) {
  return axis < 3 ? hidden<uint16_t>(kHiddenGroupSize + 2 * axis) : 1;
}
size_t get_local_size(unsigned axis) { return axis < 3 ? group_size(static_cast<int>(axis)) : 1; }
size_t get_num_groups(unsigned axis) {
  if (axis >= 3) return 1;
  return hidden<uint32_t>(kHiddenBlockCount + 4 * axis) + (hidden<uint16_t>(kHiddenRemainder + 2 * axis) != 0);
}
size_t get_global_size(unsigned axis) { return axis < 3 ? size_of_axis(axis) : 1; }
size_t get_global_offset(unsigned axis) { return axis < 3 ? hidden<uint64_t>(kHiddenGlobalOffset + 8 * axis) : 0; }
size_t get_global_id(unsigned axis) {
  if (axis >= 3) return 0;
  return get_group_id(axis) * hidden<uint16_t>(kHiddenGroupSize + 2 * axis) + get_local_id(axis) +
         get_global_offset(axis);
}
size_t get_local_linear_id() { return linear_local_id(); }
// Without the offset of the grid.
size_t get_global_linear_id() {
  const size_t x = static_cast<size_t>(__builtin_amdgcn_workgroup_id_x()) * hidden<uint16_t>(kHiddenGroupSize) +
                   __builtin_amdgcn_workitem_id_x();
  const size_t y = static_cast<size_t>(__builtin_amdgcn_workgroup_id_y()) * hidden<uint16_t>(kHiddenGroupSize + 2) +
                   __builtin_amdgcn_workitem_id_y();
  const size_t z = static_cast<size_t>(__builtin_amdgcn_workgroup_id_z()) * hidden<uint16_t>(kHiddenGroupSize + 4) +
                   __builtin_amdgcn_workitem_id_z();
  return (z * size_of_axis(1) + y) * size_of_axis(0) + x;
}

unsigned get_max_sub_group_size() {
  const unsigned lanes = __builtin_amdgcn_wavefrontsize(), items = whole_group_items();
  return items < lanes ? items : lanes;
}
unsigned get_sub_group_size() {
  const unsigned lanes = __builtin_amdgcn_wavefrontsize(), before = linear_sub_group() * lanes, items = group_items();
  return items - before < lanes ? items - before : lanes;
}
unsigned get_num_sub_groups() { return sub_groups_of(group_items()); }
unsigned get_enqueued_num_sub_groups() { return sub_groups_of(whole_group_items()); }
unsigned get_sub_group_id() { return linear_sub_group(); }
unsigned get_sub_group_local_id() { return lane_id(); }

// ---- barriers and fences -----------------------------------------------------------------------------------------

OCKL_CONVERGENT void work_group_barrier(unsigned, memory_scope scope) {
  fence(memory_order_release, scope < memory_scope_work_group ? memory_scope_work_group : scope);
  __builtin_amdgcn_s_barrier();
  fence(memory_order_acquire, scope < memory_scope_work_group ? memory_scope_work_group : scope);
}
OCKL_CONVERGENT void work_group_barrier(unsigned flags) { work_group_barrier(flags, memory_scope_work_group); }
OCKL_CONVERGENT void sub_group_barrier(unsigned, memory_scope scope) {
  fence(memory_order_acq_rel, scope == memory_scope_work_item ? memory_scope_sub_group : scope);
  __builtin_amdgcn_wave_barrier();
}
OCKL_CONVERGENT void sub_group_barrier(unsigned flags) { sub_group_barrier(flags, memory_scope_sub_group); }
void atomic_work_item_fence(unsigned, memory_order order, memory_scope scope) { fence(order, scope); }

// ---- generic addresses -------------------------------------------------------------------------------------------

namespace {
using Private = __attribute__((address_space(5))) void*;
// The compiler's questions take a pointer whose address space is spelled out.
bool is_local(const void* address) {
  return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void*)(address));
}
bool is_private(const void* address) {
  return __builtin_amdgcn_is_private((const __attribute__((address_space(0))) void*)(address));
}
} // namespace

unsigned get_fence(void* address) { return is_local(address) ? kLocal : kGlobal; }
unsigned get_fence(const void* address) { return is_local(address) ? kLocal : kGlobal; }

extern "C" {
OCKL_GLOBAL void* __to_global(void* address) {
  return is_local(address) || is_private(address) ? nullptr : (OCKL_GLOBAL void*)(address);
}
OCKL_LOCAL void* __to_local(void* address) {
  return is_local(address) ? (OCKL_LOCAL void*)(address) : (OCKL_LOCAL void*)(nullptr);
}
Private __to_private(void* address) {
  return is_private(address) ? (Private)(address) : (Private)(nullptr);
}
}
