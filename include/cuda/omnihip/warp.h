// omnihip/warp.h - CUDA's functions of a warp: shuffles, votes, matches and reductions with masks of 32 bits. A warp
// has 32 lanes on every target. On processors whose waves have 64, it is half a wave: masks and lane numbers are those
// of the caller's half, and the other half takes no part. The halves run in step, so a program must not let one of them
// wait in a loop for what the other one does.
#ifndef OMNIHIP_CUDA_WARP_H
#define OMNIHIP_CUDA_WARP_H

#include <hip/detail/warp_sync.h>

namespace __hip_internal {

// The first lane of the caller's warp in its wave, and a mask of the warp as one of the wave and back.
__HIP_DEVICE_INLINE unsigned int warp_base() { return lane_id() & 32; }
__HIP_DEVICE_INLINE unsigned long long wave_mask(unsigned int mask) {
  return static_cast<unsigned long long>(mask) << warp_base();
}
__HIP_DEVICE_INLINE unsigned int warp_mask(unsigned long long lanes) {
  return static_cast<unsigned int>(lanes >> warp_base());
}

// Shuffles move what CUDA's do: numbers, and types of our own that are trivially copyable. bool moves as int.
template<class T> struct shuffled {
  typedef T type;
};
template<> struct shuffled<bool> {
  typedef int type;
};

} // namespace __hip_internal

__HIP_WAVE_FN unsigned int __activemask() { return __hip_internal::warp_mask(__hip_internal::active_lanes()); }

__HIP_WAVE_FN void __syncwarp(unsigned int mask = 0xffffffffu) {
#if defined(__NVPTX__)
  __nvvm_bar_warp_sync(mask);
#else
  (void)mask;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
}

// --- Votes; those without a mask are of the active lanes
__HIP_WAVE_FN unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __hip_internal::warp_mask(__hip_internal::vote(__hip_internal::wave_mask(mask), predicate));
}
__HIP_WAVE_FN int __all_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, predicate == 0) == 0; }
__HIP_WAVE_FN int __any_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
// 1 when the predicate is zero in all of the mask's lanes, or in none.
__HIP_WAVE_FN int __uni_sync(unsigned int mask, int predicate) {
  return __all_sync(mask, predicate) || !__any_sync(mask, predicate);
}
__HIP_WAVE_FN unsigned int __ballot(int predicate) {
  return __hip_internal::warp_mask(__hip_internal::ballot(predicate));
}
__HIP_WAVE_FN int __all(int predicate) { return __ballot(predicate == 0) == 0; }
__HIP_WAVE_FN int __any(int predicate) { return __ballot(predicate) != 0; }

// --- Shuffles
#define OMNIHIP_CUDA_SHUFFLE(name, Source)                                                                             \
  template<class T> __HIP_WAVE_FN T name##_sync(unsigned int mask, T value, Source source, int width = warpSize) {     \
    typedef typename __hip_internal::shuffled<T>::type Moved;                                                          \
    return static_cast<T>(__hip_internal::OMNIHIP_CUDA_MOVE_##name(__hip_internal::wave_mask(mask),                    \
                                                                   static_cast<Moved>(value), source, width));         \
  }                                                                                                                    \
  template<class T> __HIP_WAVE_FN T name(T value, Source source, int width = warpSize) {                               \
    return name##_sync(__activemask(), value, source, width);                                                          \
  }
#define OMNIHIP_CUDA_MOVE___shfl shfl
#define OMNIHIP_CUDA_MOVE___shfl_up shfl_up
#define OMNIHIP_CUDA_MOVE___shfl_down shfl_down
#define OMNIHIP_CUDA_MOVE___shfl_xor shfl_xor
OMNIHIP_CUDA_SHUFFLE(__shfl, int)
OMNIHIP_CUDA_SHUFFLE(__shfl_up, unsigned int)
OMNIHIP_CUDA_SHUFFLE(__shfl_down, unsigned int)
OMNIHIP_CUDA_SHUFFLE(__shfl_xor, int)
#undef OMNIHIP_CUDA_SHUFFLE
#undef OMNIHIP_CUDA_MOVE___shfl
#undef OMNIHIP_CUDA_MOVE___shfl_up
#undef OMNIHIP_CUDA_MOVE___shfl_down
#undef OMNIHIP_CUDA_MOVE___shfl_xor

// --- Matches: lanes of the mask whose value has the same bits
template<class T> __HIP_WAVE_FN unsigned int __match_any_sync(unsigned int mask, T value) {
  const unsigned long long bits = __hip_internal::value_bits(value);
#if defined(__NVPTX__)
  return static_cast<unsigned int>(__nvvm_match_any_sync_i64(mask, static_cast<long long>(bits)));
#else
  unsigned long long same = 0;
  bool waiting = true;
  do {
    if (waiting && __hip_internal::first_lane(bits) == bits) {
      same = __hip_internal::active_lanes();
      waiting = false;
    }
  } while (__hip_internal::ballot(waiting) != 0);
  return __hip_internal::warp_mask(same) & mask;
#endif
}
template<class T> __HIP_WAVE_FN unsigned int __match_all_sync(unsigned int mask, T value, int* predicate) {
  const unsigned long long bits = __hip_internal::value_bits(value);
#if defined(__NVPTX__)
  return static_cast<unsigned int>(__nvvm_match_all_sync_i64p(mask, static_cast<long long>(bits), predicate));
#else
  const unsigned long long lanes = __hip_internal::wave_mask(mask) & __hip_internal::active_lanes();
  const bool same = __all_sync(mask, __hip_internal::lane_read(lanes, bits, __builtin_ctzll(lanes)) == bits);
  *predicate = same;
  return same ? __hip_internal::warp_mask(lanes) : 0;
#endif
}

// --- Reductions
#define OMNIHIP_CUDA_REDUCE(name, T)                                                                                   \
  __HIP_WAVE_FN T __reduce_##name##_sync(unsigned int mask, T value) {                                                 \
    return __hip_internal::reduce_lanes(__hip_internal::wave_mask(mask), value, __hip_internal::reduce_##name());      \
  }
OMNIHIP_CUDA_REDUCE(add, int)
OMNIHIP_CUDA_REDUCE(add, unsigned int)
OMNIHIP_CUDA_REDUCE(min, int)
OMNIHIP_CUDA_REDUCE(min, unsigned int)
OMNIHIP_CUDA_REDUCE(max, int)
OMNIHIP_CUDA_REDUCE(max, unsigned int)
OMNIHIP_CUDA_REDUCE(and, unsigned int)
OMNIHIP_CUDA_REDUCE(or, unsigned int)
OMNIHIP_CUDA_REDUCE(xor, unsigned int)
#undef OMNIHIP_CUDA_REDUCE

#endif
