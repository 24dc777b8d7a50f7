// Device printf in its buffered form, with an allocator of its own in place of the device library's.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

extern "C" {
__device__ int printf(const char*, ...);

// The buffer: bytes used, capacity, records. The bytes used grow beyond the capacity when records do not fit.
__device__ __attribute__((used)) void* __printf_alloc(unsigned bytes) {
  using Word = __attribute__((address_space(1))) unsigned;
  const auto* const hidden = (const __attribute__((address_space(4))) unsigned long*)__builtin_amdgcn_implicitarg_ptr();
  Word* const buffer = (Word*)hidden[9];
  const unsigned offset = __hip_atomic_fetch_add(&buffer[0], bytes, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  return offset + bytes <= buffer[1] ? (char*)(buffer + 2) + offset : nullptr;
}

__global__ void speak(int number, double fraction) {
  printf("item %u of %d says %.2f and %s\n", __builtin_amdgcn_workitem_id_x(), number, fraction, "enough");
}
}
