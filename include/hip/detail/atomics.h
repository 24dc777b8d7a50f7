// Atomic functions on memory that work-items, agents and the host share.
// Memory ordering: relaxed. Scope: the plain functions act at agent scope, *_system at system scope, *_block at
// work-group scope. Each returns the value that was there before.
#ifndef HIP_DETAIL_ATOMICS_H
#define HIP_DETAIL_ATOMICS_H

#include <hip/detail/qualifiers.h>

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

// The operations at one scope. For NVIDIA GPUs clang forgets the scope, so the functions that act at less than system
// scope are in namespaces of their own, by which hipcc's passes give it back (src/device/codegen/nvptx_atomics.cpp).
#define __HIP_ATOMIC_OPERATION(op, scope) \
  template <class T> __device__ inline T op(T* address, T value) { \
    return __hip_atomic_##op(address, value, __ATOMIC_RELAXED, scope); \
  }
#define __HIP_ATOMIC_OPERATIONS(space, scope) \
  namespace space { \
  __HIP_ATOMIC_OPERATION(fetch_add, scope) \
  __HIP_ATOMIC_OPERATION(fetch_sub, scope) \
  __HIP_ATOMIC_OPERATION(fetch_min, scope) \
  __HIP_ATOMIC_OPERATION(fetch_max, scope) \
  __HIP_ATOMIC_OPERATION(fetch_and, scope) \
  __HIP_ATOMIC_OPERATION(fetch_or, scope) \
  __HIP_ATOMIC_OPERATION(fetch_xor, scope) \
  __HIP_ATOMIC_OPERATION(exchange, scope) \
  template <class T> __device__ inline T compare_exchange(T* address, T compare, T value) { \
    __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope); \
    return compare; \
  } \
  }
namespace __hip_internal {
__HIP_ATOMIC_OPERATIONS(atomic_device, __HIP_MEMORY_SCOPE_AGENT)
__HIP_ATOMIC_OPERATIONS(atomic_system, __HIP_MEMORY_SCOPE_SYSTEM)
__HIP_ATOMIC_OPERATIONS(atomic_block, __HIP_MEMORY_SCOPE_WORKGROUP)
}
#undef __HIP_ATOMIC_OPERATION
#undef __HIP_ATOMIC_OPERATIONS

// The suffix and the scope of the three sets of functions, applied to a list of operations.
#define __HIP_ATOMIC_SCOPES(F, ...) \
  F(, atomic_device, __VA_ARGS__) \
  F(_system, atomic_system, __VA_ARGS__) \
  F(_block, atomic_block, __VA_ARGS__)

#define __HIP_ATOMIC_FETCH(suffix, space, name, op, T) \
  __device__ static inline T atomic##name##suffix(T* address, T value) { \
    return __hip_internal::space::op(address, value); \
  }
// Subtraction of a floating-point value is addition of its negative.
#define __HIP_ATOMIC_FETCH_NEGATED(suffix, space, name, op, T) \
  __device__ static inline T atomic##name##suffix(T* address, T value) { \
    return __hip_internal::space::op(address, -value); \
  }
#define __HIP_ATOMIC_CAS(suffix, space, T) \
  __device__ static inline T atomicCAS##suffix(T* address, T compare, T value) { \
    return __hip_internal::space::compare_exchange(address, compare, value); \
  }
// A compare-and-swap of a floating-point value compares the bits.
#define __HIP_ATOMIC_CAS_BITS(suffix, space, T, Bits) \
  __device__ static inline T atomicCAS##suffix(T* address, T compare, T value) { \
    return __builtin_bit_cast(T, __hip_internal::space::compare_exchange(reinterpret_cast<Bits*>(address), \
                                                                         __builtin_bit_cast(Bits, compare), \
                                                                         __builtin_bit_cast(Bits, value))); \
  }

#define __HIP_ATOMIC_INTEGER(T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Add, fetch_add, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Sub, fetch_sub, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Exch, exchange, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Min, fetch_min, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Max, fetch_max, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, And, fetch_and, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Or, fetch_or, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Xor, fetch_xor, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_CAS, T)
__HIP_ATOMIC_INTEGER(int)
__HIP_ATOMIC_INTEGER(unsigned int)
__HIP_ATOMIC_INTEGER(unsigned long)
__HIP_ATOMIC_INTEGER(unsigned long long)
// Of long long HIP has only minimum and maximum.
__HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Min, fetch_min, long long)
__HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Max, fetch_max, long long)
#undef __HIP_ATOMIC_INTEGER

// Floating point: right on every kind of memory. The compiler takes the hardware's instruction where that holds, or
// everywhere with -munsafe-fp-atomics, else a compare-and-swap loop.
#define __HIP_ATOMIC_FLOATING(T, Bits) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Add, fetch_add, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH_NEGATED, Sub, fetch_add, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Exch, exchange, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Min, fetch_min, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_FETCH, Max, fetch_max, T) \
  __HIP_ATOMIC_SCOPES(__HIP_ATOMIC_CAS_BITS, T, Bits)
__HIP_ATOMIC_FLOATING(float, unsigned int)
__HIP_ATOMIC_FLOATING(double, unsigned long long)
#undef __HIP_ATOMIC_FLOATING

#undef __HIP_ATOMIC_FETCH
#undef __HIP_ATOMIC_FETCH_NEGATED
#undef __HIP_ATOMIC_CAS
#undef __HIP_ATOMIC_CAS_BITS
#undef __HIP_ATOMIC_SCOPES

// Wrapping counters: Inc goes from `limit` to 0; Dec goes from 0, or from anything above `limit`, to `limit`. AMD's HIP has
// the two of the device's scope.
#if defined(__NVPTX__)
#define __HIP_ATOMIC_COUNTER(name, scope, op) \
  __device__ static inline unsigned int name(unsigned int* address, unsigned int limit) { \
    return __nvvm_atom_##op##_gen_ui(address, limit); \
  }
#else
#define __HIP_ATOMIC_COUNTER(name, scope, op) \
  __device__ static inline unsigned int name(unsigned int* address, unsigned int limit) { \
    return __builtin_amdgcn_atomic_##op##32(address, limit, __ATOMIC_RELAXED, scope); \
  }
#endif
#if defined(__NVPTX__) && __CUDA_ARCH__ >= 600
#define __HIP_ATOMIC_COUNTER_SYSTEM(name, op) \
  __device__ static inline unsigned int name(unsigned int* address, unsigned int limit) { \
    unsigned int old; \
    asm volatile("atom.sys." #op ".u32 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(limit) : "memory"); \
    return old; \
  }
#else
#define __HIP_ATOMIC_COUNTER_SYSTEM(name, op) __HIP_ATOMIC_COUNTER(name, "", op)
#endif
__HIP_ATOMIC_COUNTER(atomicInc, "agent", inc)
__HIP_ATOMIC_COUNTER_SYSTEM(atomicInc_system, inc)
__HIP_ATOMIC_COUNTER(atomicInc_block, "workgroup", inc)
__HIP_ATOMIC_COUNTER(atomicDec, "agent", dec)
__HIP_ATOMIC_COUNTER_SYSTEM(atomicDec_system, dec)
__HIP_ATOMIC_COUNTER(atomicDec_block, "workgroup", dec)
#undef __HIP_ATOMIC_COUNTER_SYSTEM
#undef __HIP_ATOMIC_COUNTER

// unsafe: the hardware's floating-point atomic where one exists. Wrong on fine-grained host or remote memory, and it may
// flush denormals. safe: right on every memory, even under -munsafe-fp-atomics.
#define __HIP_ATOMIC_UNSAFE_ATTRIBUTE [[clang::atomic(no_fine_grained_memory, no_remote_memory, ignore_denormal_mode)]]
#define __HIP_ATOMIC_SAFE_ATTRIBUTE [[clang::atomic(fine_grained_memory, remote_memory, no_ignore_denormal_mode)]]
#if defined(__NVPTX__)
#undef __HIP_ATOMIC_UNSAFE_ATTRIBUTE
#undef __HIP_ATOMIC_SAFE_ATTRIBUTE
#define __HIP_ATOMIC_UNSAFE_ATTRIBUTE
#define __HIP_ATOMIC_SAFE_ATTRIBUTE
#endif
#define __HIP_ATOMIC_GUARANTEE(name, op, T) \
  __device__ static inline T unsafeAtomic##name(T* address, T value) { \
    T old; \
    __HIP_ATOMIC_UNSAFE_ATTRIBUTE { \
      old = __hip_atomic_##op(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    } \
    return old; \
  } \
  __device__ static inline T safeAtomic##name(T* address, T value) { \
    T old; \
    __HIP_ATOMIC_SAFE_ATTRIBUTE { \
      old = __hip_atomic_##op(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    } \
    return old; \
  }
__HIP_ATOMIC_GUARANTEE(Add, fetch_add, float)
__HIP_ATOMIC_GUARANTEE(Add, fetch_add, double)
__HIP_ATOMIC_GUARANTEE(Min, fetch_min, float)
__HIP_ATOMIC_GUARANTEE(Min, fetch_min, double)
__HIP_ATOMIC_GUARANTEE(Max, fetch_max, float)
__HIP_ATOMIC_GUARANTEE(Max, fetch_max, double)
#undef __HIP_ATOMIC_GUARANTEE
#undef __HIP_ATOMIC_UNSAFE_ATTRIBUTE
#undef __HIP_ATOMIC_SAFE_ATTRIBUTE

// Adds without returning the old value.
__device__ static inline void atomicAddNoRet(float* address, float value) { unsafeAtomicAdd(address, value); }

#endif
