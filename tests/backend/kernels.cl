// An OpenCL kernel of the conformance suite: other hidden arguments, no HIP. Compiled without a device library.
kernel void scale(global uint* data, uint factor) { data[__builtin_amdgcn_workitem_id_x()] *= factor; }

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void needs_64(global uint* data) {
  data[__builtin_amdgcn_workitem_id_x()] = 64;
}
