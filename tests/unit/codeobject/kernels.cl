// OpenCL device code: what only that language puts into a code object.
__kernel __attribute__((reqd_work_group_size(64, 2, 1))) void fixed_shape(__global int* out, __local float* scratch,
                                                                         __constant int* in) {
  out[0] = in[0] + (int)scratch[0];
}
