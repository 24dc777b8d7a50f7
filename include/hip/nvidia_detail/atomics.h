// hip/nvidia_detail/atomics.h - atomic functions that HIP has and CUDA has not: of unsigned long, subtraction of 64-bit and
// floating-point values, minimum and maximum of floating-point values, the unsafe and safe forms, and __hip_atomic_*.
// Memory ordering of the plain functions: relaxed, at device scope.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_ATOMICS_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_ATOMICS_H

#include <cuda_runtime.h>

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

// The three scopes of a function's name: device, system, block.
#define HIP_NV_SCOPES(F, ...) F(, __VA_ARGS__) F(_system, __VA_ARGS__) F(_block, __VA_ARGS__)

// Equal bits: a NaN is equal to itself.
template<class T> __device__ static inline bool __hip_same_bits(const T& a, const T& b) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "Atomic functions take values of 4 or 8 bytes.");
  if (sizeof(T) == 4) return *reinterpret_cast<const unsigned int*>(&a) == *reinterpret_cast<const unsigned int*>(&b);
  return *reinterpret_cast<const unsigned long long*>(&a) == *reinterpret_cast<const unsigned long long*>(&b);
}

// --- unsigned long is unsigned long long
#define HIP_NV_ATOMIC_ULONG(suffix, name) \
  __device__ static inline unsigned long name##suffix(unsigned long* address, unsigned long value) { \
    return name##suffix(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)); \
  }
HIP_NV_SCOPES(HIP_NV_ATOMIC_ULONG, atomicAdd)
HIP_NV_SCOPES(HIP_NV_ATOMIC_ULONG, atomicExch)
HIP_NV_SCOPES(HIP_NV_ATOMIC_ULONG, atomicMin)
HIP_NV_SCOPES(HIP_NV_ATOMIC_ULONG, atomicMax)
HIP_NV_SCOPES(HIP_NV_ATOMIC_ULONG, atomicAnd)
HIP_NV_SCOPES(HIP_NV_ATOMIC_ULONG, atomicOr)
HIP_NV_SCOPES(HIP_NV_ATOMIC_ULONG, atomicXor)
#undef HIP_NV_ATOMIC_ULONG
#define HIP_NV_ATOMIC_CAS(suffix, T, Bits) \
  __device__ static inline T atomicCAS##suffix(T* address, T compare, T value) { \
    Bits compare_bits, value_bits; \
    memcpy(&compare_bits, &compare, sizeof(T)); \
    memcpy(&value_bits, &value, sizeof(T)); \
    const Bits old = atomicCAS##suffix(reinterpret_cast<Bits*>(address), compare_bits, value_bits); \
    T result; \
    memcpy(&result, &old, sizeof(T)); \
    return result; \
  }
HIP_NV_SCOPES(HIP_NV_ATOMIC_CAS, unsigned long, unsigned long long)
HIP_NV_SCOPES(HIP_NV_ATOMIC_CAS, float, unsigned int)
HIP_NV_SCOPES(HIP_NV_ATOMIC_CAS, double, unsigned long long)
#undef HIP_NV_ATOMIC_CAS

// --- Subtraction is addition of the negative
#define HIP_NV_ATOMIC_SUB(suffix, T) \
  __device__ static inline T atomicSub##suffix(T* address, T value) { return atomicAdd##suffix(address, -value); }
HIP_NV_SCOPES(HIP_NV_ATOMIC_SUB, unsigned long)
HIP_NV_SCOPES(HIP_NV_ATOMIC_SUB, unsigned long long)
HIP_NV_SCOPES(HIP_NV_ATOMIC_SUB, float)
HIP_NV_SCOPES(HIP_NV_ATOMIC_SUB, double)
#undef HIP_NV_ATOMIC_SUB

// --- Exchange of a double, by its bits
#define HIP_NV_ATOMIC_EXCH(suffix, T) \
  __device__ static inline T atomicExch##suffix(T* address, T value) { \
    return __longlong_as_double(static_cast<long long>(atomicExch##suffix( \
        reinterpret_cast<unsigned long long*>(address), \
        static_cast<unsigned long long>(__double_as_longlong(value))))); \
  }
HIP_NV_SCOPES(HIP_NV_ATOMIC_EXCH, double)
#undef HIP_NV_ATOMIC_EXCH

// --- Minimum and maximum of floating-point values: fmin and fmax, so a NaN loses against a number
#define HIP_NV_ATOMIC_EXTREME(suffix, T, name, function) \
  __device__ static inline T name##suffix(T* address, T value) { \
    T old = *const_cast<volatile T*>(address), seen; \
    do { \
      seen = old; \
      old = atomicCAS##suffix(address, seen, static_cast<T>(function(seen, value))); \
    } while (!__hip_same_bits(old, seen)); \
    return old; \
  }
HIP_NV_SCOPES(HIP_NV_ATOMIC_EXTREME, float, atomicMin, fminf)
HIP_NV_SCOPES(HIP_NV_ATOMIC_EXTREME, float, atomicMax, fmaxf)
HIP_NV_SCOPES(HIP_NV_ATOMIC_EXTREME, double, atomicMin, fmin)
HIP_NV_SCOPES(HIP_NV_ATOMIC_EXTREME, double, atomicMax, fmax)
#undef HIP_NV_ATOMIC_EXTREME
#undef HIP_NV_SCOPES

// --- CUDA's atomics are right on every kind of memory, so the two guarantees are one
#define HIP_NV_ATOMIC_GUARANTEE(name, T) \
  __device__ static inline T unsafeAtomic##name(T* address, T value) { return atomic##name(address, value); } \
  __device__ static inline T safeAtomic##name(T* address, T value) { return atomic##name(address, value); }
HIP_NV_ATOMIC_GUARANTEE(Add, float)
HIP_NV_ATOMIC_GUARANTEE(Add, double)
HIP_NV_ATOMIC_GUARANTEE(Min, float)
HIP_NV_ATOMIC_GUARANTEE(Min, double)
HIP_NV_ATOMIC_GUARANTEE(Max, float)
HIP_NV_ATOMIC_GUARANTEE(Max, double)
#undef HIP_NV_ATOMIC_GUARANTEE
__device__ static inline void atomicAddNoRet(float* address, float value) { atomicAdd(address, value); }

// --- clang's functions with ordering and scope. Orderings above relaxed are fences around the access; scopes below the
// system are the device's.
__device__ static inline void __hip_fence(int scope) {
  if (scope == __HIP_MEMORY_SCOPE_SYSTEM)
    __threadfence_system();
  else
    __threadfence();
}
template<class T> __device__ static inline T __hip_atomic_load(const T* address, int order, int scope) {
  if (order == __ATOMIC_SEQ_CST) __hip_fence(scope);
  const T value = *const_cast<const volatile T*>(address);
  if (order != __ATOMIC_RELAXED) __hip_fence(scope);
  return value;
}
template<class T, class U>
__device__ static inline void __hip_atomic_store(T* address, U value, int order, int scope) {
  if (order != __ATOMIC_RELAXED) __hip_fence(scope);
  *const_cast<volatile T*>(address) = static_cast<T>(value);
  if (order == __ATOMIC_SEQ_CST) __hip_fence(scope);
}
#define HIP_NV_ATOMIC_FETCH(name, function) \
  template<class T, class U> \
  __device__ static inline T __hip_atomic_##name(T* address, U value, int order, int scope) { \
    if (order != __ATOMIC_RELAXED) __hip_fence(scope); \
    const T old = scope == __HIP_MEMORY_SCOPE_SYSTEM ? function##_system(address, static_cast<T>(value)) \
                                                     : function(address, static_cast<T>(value)); \
    if (order != __ATOMIC_RELAXED) __hip_fence(scope); \
    return old; \
  }
HIP_NV_ATOMIC_FETCH(fetch_add, atomicAdd)
HIP_NV_ATOMIC_FETCH(fetch_sub, atomicSub)
HIP_NV_ATOMIC_FETCH(fetch_and, atomicAnd)
HIP_NV_ATOMIC_FETCH(fetch_or, atomicOr)
HIP_NV_ATOMIC_FETCH(fetch_xor, atomicXor)
HIP_NV_ATOMIC_FETCH(fetch_min, atomicMin)
HIP_NV_ATOMIC_FETCH(fetch_max, atomicMax)
HIP_NV_ATOMIC_FETCH(exchange, atomicExch)
#undef HIP_NV_ATOMIC_FETCH
template<class T, class U>
__device__ static inline bool __hip_atomic_compare_exchange_strong(T* address, T* expected, U value, int success,
                                                                   int failure, int scope) {
  const bool fence = success != __ATOMIC_RELAXED || failure != __ATOMIC_RELAXED;
  if (fence) __hip_fence(scope);
  const T wanted = *expected;
  *expected = scope == __HIP_MEMORY_SCOPE_SYSTEM ? atomicCAS_system(address, wanted, static_cast<T>(value))
                                                 : atomicCAS(address, wanted, static_cast<T>(value));
  if (fence) __hip_fence(scope);
  return __hip_same_bits(*expected, wanted);
}
template<class T, class U>
__device__ static inline bool __hip_atomic_compare_exchange_weak(T* address, T* expected, U value, int success,
                                                                 int failure, int scope) {
  return __hip_atomic_compare_exchange_strong(address, expected, value, success, failure, scope);
}

#endif
