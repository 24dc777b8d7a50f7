// hip/detail/atomic_update.h - read-modify-write of 16-bit values and of pairs of them, which have no atomic instruction
// everywhere: a compare-and-swap loop on the 32-bit word that holds them.
// Memory ordering: relaxed, at agent scope, as the atomic functions of atomics.h.
#ifndef HIP_DETAIL_ATOMIC_UPDATE_H
#define HIP_DETAIL_ATOMIC_UPDATE_H

#include <hip/detail/atomics.h>

namespace __hip_internal {

// Replaces the word at `address` by update(word) and returns the word that was there. `update` may run several times.
template <class Update> __device__ inline unsigned int atomic_update_word(unsigned int* address, Update update) {
  unsigned int old = __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (!__hip_atomic_compare_exchange_strong(address, &old, update(old), __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __HIP_MEMORY_SCOPE_AGENT)) {
  }
  return old;
}

// *address becomes add(*address, value); returns what was there. Both halves of a pair change in one step. The functor
// is the type's own: a program can take the types' operators away and define others.
template <class Pair, class Add> __device__ inline Pair atomic_add_pair(Pair* address, Pair value, Add add) {
  static_assert(sizeof(Pair) == 4, "A pair fills one word.");
  return __builtin_bit_cast(Pair, atomic_update_word(reinterpret_cast<unsigned int*>(address), [=](unsigned int old) {
    return __builtin_bit_cast(unsigned int, add(__builtin_bit_cast(Pair, old), value));
  }));
}
template <class T, class Add> __device__ inline T atomic_add_half_word(T* address, T value, Add add) {
  static_assert(sizeof(T) == 2, "Two values fill one word.");
  const __UINTPTR_TYPE__ place = reinterpret_cast<__UINTPTR_TYPE__>(address);
  const unsigned int shift = static_cast<unsigned int>(place & 2) * 8;
  const unsigned int old = atomic_update_word(
      reinterpret_cast<unsigned int*>(place & ~static_cast<__UINTPTR_TYPE__>(3)), [=](unsigned int word) {
        const T sum = add(__builtin_bit_cast(T, static_cast<unsigned short>(word >> shift)), value);
        return (word & ~(0xffffu << shift)) | static_cast<unsigned int>(__builtin_bit_cast(unsigned short, sum)) << shift;
      });
  return __builtin_bit_cast(T, static_cast<unsigned short>(old >> shift));
}

} // namespace __hip_internal

#endif
