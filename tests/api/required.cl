// A kernel that requires one size of work-groups, which HIP sources cannot say. Compiled without a device library.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void needs_64(global uint* data) {
  data[__builtin_amdgcn_workitem_id_x()] = 64;
}
