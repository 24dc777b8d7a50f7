// Memory functions of device code: memcpy, memset and memcmp, read-only loads (__ldg) and cache-hinted loads and stores.
#ifndef HIP_DETAIL_MEMORY_H
#define HIP_DETAIL_MEMORY_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

// Declared in both passes, since the host pass checks kernels too. clang takes calls of these names for builtins in host
// code alone, hence the builtins here: the code generators make loads and stores or a loop of them, never a call.
extern "C" {
__device__ __attribute__((always_inline)) inline void* memcpy(void* dst, const void* src, __SIZE_TYPE__ size) {
  return __builtin_memcpy(dst, src, size);
}
__device__ __attribute__((always_inline)) inline void* memset(void* ptr, int value, __SIZE_TYPE__ size) {
  return __builtin_memset(ptr, value, size);
}
// Weak, so that objects compiled apart may each bring one; the loop is marked against becoming a call of itself.
__device__ __attribute__((weak, no_builtin("memcmp", "bcmp"))) inline int memcmp(const void* a, const void* b, __SIZE_TYPE__ size) {
  const unsigned char* x = static_cast<const unsigned char*>(a);
  const unsigned char* y = static_cast<const unsigned char*>(b);
  for (__SIZE_TYPE__ i = 0; i < size; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
}
__device__ static inline void* __hip_hc_memcpy(void* dst, const void* src, __SIZE_TYPE__ size) {
  char* d = static_cast<char*>(dst);
  const char* s = static_cast<const char*>(src);
  for (__SIZE_TYPE__ i = 0; i < size; ++i) d[i] = s[i];
  return dst;
}
__device__ static inline void* __hip_hc_memset(void* ptr, unsigned char value, __SIZE_TYPE__ size) {
  unsigned char* p = static_cast<unsigned char*>(ptr);
  for (__SIZE_TYPE__ i = 0; i < size; ++i) p[i] = value;
  return ptr;
}

// A load from memory that nothing writes while the kernel runs.
#define __HIP_LDG(T) \
  __HIP_DEVICE_INLINE T __ldg(const T* address) { return *address; }
#define __HIP_LDG_VECTORS(name) \
  __HIP_LDG(name##1) \
  __HIP_LDG(name##2) \
  __HIP_LDG(name##3) \
  __HIP_LDG(name##4)
__HIP_LDG(char)
__HIP_LDG(signed char)
__HIP_LDG(unsigned char)
__HIP_LDG(short)
__HIP_LDG(unsigned short)
__HIP_LDG(int)
__HIP_LDG(unsigned int)
__HIP_LDG(long)
__HIP_LDG(unsigned long)
__HIP_LDG(long long)
__HIP_LDG(unsigned long long)
__HIP_LDG(float)
__HIP_LDG(double)
__HIP_LDG_VECTORS(char)
__HIP_LDG_VECTORS(uchar)
__HIP_LDG_VECTORS(short)
__HIP_LDG_VECTORS(ushort)
__HIP_LDG_VECTORS(int)
__HIP_LDG_VECTORS(uint)
__HIP_LDG_VECTORS(long)
__HIP_LDG_VECTORS(ulong)
__HIP_LDG_VECTORS(longlong)
__HIP_LDG_VECTORS(ulonglong)
__HIP_LDG_VECTORS(float)
__HIP_LDG_VECTORS(double)
#undef __HIP_LDG_VECTORS
#undef __HIP_LDG

#endif
