// Work-item identification in OpenCL's terms, for programs that call the library instead of the builtins.
#include "device.h"

using namespace hip::device;

extern "C" {

size_t __ockl_get_local_id(unsigned axis) {
  switch (axis) {
  case 0: return __builtin_amdgcn_workitem_id_x();
  case 1: return __builtin_amdgcn_workitem_id_y();
  case 2: return __builtin_amdgcn_workitem_id_z();
  default: return 0;
  }
}

size_t __ockl_get_group_id(unsigned axis) {
  switch (axis) {
  case 0: return __builtin_amdgcn_workgroup_id_x();
  case 1: return __builtin_amdgcn_workgroup_id_y();
  case 2: return __builtin_amdgcn_workgroup_id_z();
  default: return 0;
  }
}

size_t __ockl_get_local_size(unsigned axis) {
  switch (axis) {
  case 0: return group_size(0);
  case 1: return group_size(1);
  case 2: return group_size(2);
  default: return 1;
  }
}

size_t __ockl_get_enqueued_local_size(unsigned axis) {
  return axis < 3 ? hidden<uint16_t>(kHiddenGroupSize + 2 * axis) : 1;
}

size_t __ockl_get_num_groups(unsigned axis) {
  if (axis >= 3) return 1;
  return hidden<uint32_t>(kHiddenBlockCount + 4 * axis) + (hidden<uint16_t>(kHiddenRemainder + 2 * axis) != 0);
}

size_t __ockl_get_global_size(unsigned axis) {
  if (axis >= 3) return 1;
  return static_cast<size_t>(hidden<uint32_t>(kHiddenBlockCount + 4 * axis)) *
             hidden<uint16_t>(kHiddenGroupSize + 2 * axis) +
         hidden<uint16_t>(kHiddenRemainder + 2 * axis);
}

size_t __ockl_get_global_offset(unsigned axis) {
  return axis < 3 ? hidden<uint64_t>(kHiddenGlobalOffset + 8 * axis) : 0;
}

size_t __ockl_get_global_id(unsigned axis) {
  if (axis >= 3) return 0;
  return __ockl_get_group_id(axis) * hidden<uint16_t>(kHiddenGroupSize + 2 * axis) + __ockl_get_local_id(axis) +
         __ockl_get_global_offset(axis);
}

unsigned __ockl_get_work_dim() { return hidden<uint16_t>(kHiddenGridDims); }
size_t __ockl_get_local_linear_id() { return linear_local_id(); }

uint64_t __ockl_steadyctr_u64() { return __builtin_readsteadycounter(); }
uint64_t __ockl_memrealtime_u64() { return __builtin_readsteadycounter(); }
uint64_t __ockl_cyclectr_u64() { return __builtin_readcyclecounter(); }
uint64_t __ockl_memtime_u64() { return __builtin_readcyclecounter(); }

} // extern "C"
