// omnihip/memory_hints.h - loads and stores that name a cache: __ldg, __ldcg, __stwt and their kin. The hints have no
// counterpart; what they promise of memory is kept: __ldcv and __stwt go to memory each time.
#ifndef OMNIHIP_CUDA_MEMORY_HINTS_H
#define OMNIHIP_CUDA_MEMORY_HINTS_H

#include <hip/detail/memory.h>
#include <hip/detail/traits.h>

#define OMNIHIP_CUDA_LOAD(name)                                                                                        \
  template<class T> __HIP_DEVICE_INLINE T name(const T* address) { return *address; }
#define OMNIHIP_CUDA_STORE(name)                                                                                       \
  template<class T> __HIP_DEVICE_INLINE void name(T* address, T value) { *address = value; }
OMNIHIP_CUDA_LOAD(__ldca)
OMNIHIP_CUDA_LOAD(__ldcg)
OMNIHIP_CUDA_LOAD(__ldcs)
OMNIHIP_CUDA_LOAD(__ldlu)
OMNIHIP_CUDA_STORE(__stwb)
OMNIHIP_CUDA_STORE(__stcg)
OMNIHIP_CUDA_STORE(__stcs)
#undef OMNIHIP_CUDA_LOAD
#undef OMNIHIP_CUDA_STORE

namespace __hip_internal {
// The widest words that cut a value of T into whole ones.
template<class T> struct whole_words {
  typedef typename conditional<
      sizeof(T) % 8 == 0, unsigned long long,
      typename conditional<sizeof(T) % 4 == 0, unsigned int,
                           typename conditional<sizeof(T) % 2 == 0, unsigned short, unsigned char>::type>::type>::type
      type;
  static const unsigned int count = sizeof(T) / sizeof(type);
};
} // namespace __hip_internal

template<class T> __HIP_DEVICE_INLINE T __ldcv(const T* address) {
  typedef typename __hip_internal::whole_words<T>::type Word;
  Word words[__hip_internal::whole_words<T>::count];
  for (unsigned int i = 0; i < __hip_internal::whole_words<T>::count; ++i)
    words[i] = reinterpret_cast<const volatile Word*>(address)[i];
  T value;
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
template<class T> __HIP_DEVICE_INLINE void __stwt(T* address, T value) {
  typedef typename __hip_internal::whole_words<T>::type Word;
  Word words[__hip_internal::whole_words<T>::count];
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned int i = 0; i < __hip_internal::whole_words<T>::count; ++i)
    reinterpret_cast<volatile Word*>(address)[i] = words[i];
}

#endif
