// Device code for the code object tests. Self-contained: it is compiled without headers and without a device library.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

#ifdef SMALL
extern "C" __global__ void small(int* out) { *out = 1; }
#else

struct Vector {
  int tag;
  double values[3];
};

extern "C" {
__constant__ int table[16] = {1, 2, 3};
__device__ float scale = 3.5f;
__device__ int numbers[100];
__device__ int* pointer_into_numbers = &numbers[5];
__device__ void (*callback)(int);
__attribute__((managed)) int managed_number = 7;

__global__ void explicit_only(float* a, const float* b, int n, Vector v) {
  int i = __builtin_amdgcn_workitem_id_x() + __builtin_amdgcn_workgroup_id_x() * 256;
  if (i < n) a[i] = b[i] + table[i & 15] + v.values[1] + scale + *pointer_into_numbers;
}

__global__ void __attribute__((amdgpu_flat_work_group_size(1, 128))) with_hidden(double* out, short h, char c) {
  __shared__ double local[64];
  int i = __builtin_amdgcn_workitem_id_x();
  local[i] = out[i];
  __builtin_amdgcn_s_barrier();
  out[i] = local[63 - i] + h + c;
  if (callback) callback(i);
}

__global__ void tiny(int* out) { *out = 1; }
__global__ void use_managed() { managed_number += 1; }
}

#ifdef WITH_PRINTF
extern "C" __device__ int printf(const char*, ...);
extern "C" __device__ __attribute__((used)) void* __printf_alloc(unsigned) { // reads hidden_printf_buffer
  return ((__attribute__((address_space(4))) void* const*)__builtin_amdgcn_implicitarg_ptr())[9];
}
extern "C" __global__ void printing(int value, float f) {
  printf("value %d, \"%f\"\n", value, f);
  printf("100%%: a,b:c\n");
}
#endif
#endif
