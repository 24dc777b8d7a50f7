// Wave-level functions without a mask: lane index, votes, shuffles, cross-lane moves of the hardware.
// They act on the active lanes; masks have 64 bits on every target (the upper half is 0 for waves of 32 lanes).
#ifndef HIP_DETAIL_WARP_H
#define HIP_DETAIL_WARP_H

#include <hip/detail/builtin_vars.h>
#include <hip/detail/integer_intrinsics.h>

#define __HIP_DEVICE_MEMBER __device__ inline __attribute__((always_inline))
#define __HIP_WAVE_FN __device__ static inline __attribute__((always_inline, convergent))

#if !defined(__NVPTX__)
__HIP_DEVICE_INLINE unsigned int __mbcnt_lo(unsigned int x, unsigned int y) { return __builtin_amdgcn_mbcnt_lo(x, y); }
__HIP_DEVICE_INLINE unsigned int __mbcnt_hi(unsigned int x, unsigned int y) { return __builtin_amdgcn_mbcnt_hi(x, y); }
#endif

namespace __hip_internal {

// What HIP's headers themselves use: lanes are those of the wave.
#if defined(__NVPTX__)
__HIP_DEVICE_INLINE unsigned int lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
__HIP_WAVE_FN unsigned long long active_lanes() { return __nvvm_activemask(); }
__HIP_WAVE_FN unsigned long long ballot(int predicate) {
  return __nvvm_vote_ballot_sync(__nvvm_activemask(), predicate != 0);
}
#else
__HIP_DEVICE_INLINE unsigned int lane_id() {
  return __builtin_amdgcn_wavefrontsize() == 32 ? __builtin_amdgcn_mbcnt_lo(~0u, 0)
                                                : __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
__HIP_WAVE_FN unsigned long long active_lanes() { return __builtin_amdgcn_ballot_w64(true); }
__HIP_WAVE_FN unsigned long long ballot(int predicate) { return __builtin_amdgcn_ballot_w64(predicate != 0); }
#endif
__HIP_DEVICE_INLINE unsigned long long lanes_below() { return (1ull << lane_id()) - 1; }

} // namespace __hip_internal

// A CUDA source has these with masks of 32 bits, from omnihip/warp.h.
#if !defined(__OMNIHIP_CUDA__)
__HIP_DEVICE_INLINE unsigned int __lane_id() { return __hip_internal::lane_id(); }
__HIP_DEVICE_INLINE unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }
__HIP_DEVICE_INLINE unsigned long long __lanemask_lt() { return (1ull << __lane_id()) - 1; }
__HIP_DEVICE_INLINE unsigned long long __lanemask_le() { return (2ull << __lane_id()) - 1; }
__HIP_DEVICE_INLINE unsigned long long __lanemask_ge() { return ~__lanemask_lt() & (~0ull >> (64 - warpSize)); }
__HIP_DEVICE_INLINE unsigned long long __lanemask_gt() { return ~__lanemask_le() & (~0ull >> (64 - warpSize)); }

// --- Votes ---
__HIP_WAVE_FN unsigned long long __activemask() { return __hip_internal::active_lanes(); }
__HIP_WAVE_FN unsigned long long __ballot64(int predicate) { return __hip_internal::ballot(predicate); }
__HIP_WAVE_FN unsigned long long __ballot(int predicate) { return __hip_internal::ballot(predicate); }
__HIP_WAVE_FN int __any(int predicate) { return __hip_internal::ballot(predicate) != 0; }
__HIP_WAVE_FN int __all(int predicate) { return __hip_internal::ballot(predicate == 0) == 0; }
#endif

// --- Moves of one 32-bit word between lanes; index_bytes is four times the lane ---
#if !defined(__NVPTX__)
__HIP_WAVE_FN unsigned int __hip_ds_bpermute(int index_bytes, unsigned int src) {
  return static_cast<unsigned int>(__builtin_amdgcn_ds_bpermute(index_bytes, static_cast<int>(src)));
}
__HIP_WAVE_FN float __hip_ds_bpermutef(int index_bytes, float src) {
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(index_bytes, __builtin_bit_cast(int, src)));
}
__HIP_WAVE_FN unsigned int __hip_ds_permute(int index_bytes, unsigned int src) {
  return static_cast<unsigned int>(__builtin_amdgcn_ds_permute(index_bytes, static_cast<int>(src)));
}
__HIP_WAVE_FN float __hip_ds_permutef(int index_bytes, float src) {
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_permute(index_bytes, __builtin_bit_cast(int, src)));
}
template <int pattern> __HIP_WAVE_FN unsigned int __hip_ds_swizzle_N(unsigned int src) {
  return static_cast<unsigned int>(__builtin_amdgcn_ds_swizzle(static_cast<int>(src), pattern));
}
template <int pattern> __HIP_WAVE_FN float __hip_ds_swizzlef_N(float src) {
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_swizzle(__builtin_bit_cast(int, src), pattern));
}
template <int dpp_ctrl, int row_mask, int bank_mask, bool bound_ctrl> __HIP_WAVE_FN int __hip_move_dpp_N(int src) {
  return __builtin_amdgcn_mov_dpp(src, dpp_ctrl, row_mask, bank_mask, bound_ctrl);
}
#define __hip_ds_swizzle(src, pattern) __hip_ds_swizzle_N<(pattern)>((src))
#define __hip_ds_swizzlef(src, pattern) __hip_ds_swizzlef_N<(pattern)>((src))
#define __hip_move_dpp(src, dpp_ctrl, row_mask, bank_mask, bound_ctrl) \
  __hip_move_dpp_N<(dpp_ctrl), (row_mask), (bank_mask), (bound_ctrl)>((src))
#endif

namespace __hip_internal {

// The word that `lane` holds. What an inactive lane holds is undefined. `lanes` are those
// that take part: where lanes of a wave have program counters of their own (NVPTX), they wait for each other.
__HIP_WAVE_FN unsigned int lane_read(unsigned long long lanes, unsigned int word, int lane) {
#if defined(__NVPTX__)
  return __nvvm_shfl_sync_idx_i32(static_cast<unsigned int>(lanes), word, lane, 31);
#else
  (void)lanes;
#if defined(__GFX10__) || defined(__GFX11__)
  // On gfx10 and gfx11 ds_bpermute reads from the lane's own half of a wave of 64 lanes. v_readlane reads from any
  // lane, one for all callers.
  if (__builtin_amdgcn_wavefrontsize() == 64) {
    const int source = lane & 63;
    if (ballot((source ^ static_cast<int>(lane_id())) & 32) != 0) {
      for (;;) {
        const int first = __builtin_amdgcn_readfirstlane(source);
        if (source == first) return static_cast<unsigned int>(__builtin_amdgcn_readlane(static_cast<int>(word), first));
      }
    }
  }
#endif
  return static_cast<unsigned int>(__builtin_amdgcn_ds_bpermute(lane << 2, static_cast<int>(word)));
#endif
}
// A value of any trivially copyable type as words; what its size leaves of the last one is 0.
template <class T> struct value_words {
  static const unsigned int count = (sizeof(T) + 3) / 4;
  unsigned int word[count];
  __HIP_DEVICE_MEMBER explicit value_words(const T& value) : word() {
    static_assert(__is_trivially_copyable(T), "Values that move between lanes are trivially copyable.");
    __builtin_memcpy(word, &value, sizeof(T));
  }
  __HIP_DEVICE_MEMBER void store(T& value) const { __builtin_memcpy(&value, word, sizeof(T)); }
};
template <class T> __HIP_WAVE_FN T lane_read(unsigned long long lanes, T value, int lane) {
  value_words<T> words(value);
#pragma unroll
  for (unsigned int i = 0; i < value_words<T>::count; ++i) words.word[i] = lane_read(lanes, words.word[i], lane);
  words.store(value);
  return value;
}
template <class T> __HIP_WAVE_FN T lane_read(T value, int lane) { return lane_read(active_lanes(), value, lane); }

// The lanes of `lanes` whose predicate holds; those of other lanes are undefined.
__HIP_WAVE_FN unsigned long long vote(unsigned long long lanes, int predicate) {
#if defined(__NVPTX__)
  return __nvvm_vote_ballot_sync(static_cast<unsigned int>(lanes), predicate != 0);
#else
  return ballot(predicate) & lanes;
#endif
}

// Source lanes of the four shuffles. A wave is cut into segments of `width` lanes, a power of two.
__HIP_DEVICE_INLINE int shfl_lane(int source, int width) {
  int self = static_cast<int>(lane_id());
  return (self & ~(width - 1)) + (source & (width - 1));
}
__HIP_DEVICE_INLINE int shfl_up_lane(unsigned int delta, int width) {
  int self = static_cast<int>(lane_id());
  int source = self - static_cast<int>(delta);
  return source < (self & ~(width - 1)) ? self : source;
}
__HIP_DEVICE_INLINE int shfl_down_lane(unsigned int delta, int width) {
  int self = static_cast<int>(lane_id());
  return static_cast<int>((self & (width - 1)) + delta) >= width ? self : self + static_cast<int>(delta);
}
__HIP_DEVICE_INLINE int shfl_xor_lane(int lane_mask, int width) {
  int self = static_cast<int>(lane_id());
  int source = self ^ lane_mask;
  return source >= ((self + width) & ~(width - 1)) ? self : source;
}

// The four shuffles: the value of the lane that the functions above name. NVPTX has an instruction for each, which reads
// five bits of its operand and knows the segments.
#if defined(__NVPTX__)
#define __HIP_MOVE(name, Operand, instruction, last, operand) \
  __HIP_WAVE_FN unsigned int name(unsigned long long lanes, unsigned int word, Operand source, int width) { \
    return __nvvm_shfl_sync_##instruction##_i32(static_cast<unsigned int>(lanes), word, operand, \
                                                ((32 - width) << 8) | (last)); \
  }
#else
#define __HIP_MOVE(name, Operand, instruction, last, operand) \
  __HIP_WAVE_FN unsigned int name(unsigned long long lanes, unsigned int word, Operand source, int width) { \
    return lane_read(lanes, word, name##_lane(source, width)); \
  }
#endif
__HIP_MOVE(shfl, int, idx, 31, source)
__HIP_MOVE(shfl_up, unsigned int, up, 0, static_cast<int>(source > 31 ? 0 : source))
__HIP_MOVE(shfl_down, unsigned int, down, 31, static_cast<int>(source > 31 ? 0 : source))
__HIP_MOVE(shfl_xor, int, bfly, 31, source > 31 ? 0 : source)
#undef __HIP_MOVE
#define __HIP_MOVE(name, Operand) \
  template <class T> __HIP_WAVE_FN T name(unsigned long long lanes, T value, Operand source, int width) { \
    value_words<T> words(value); \
    _Pragma("unroll") for (unsigned int i = 0; i < value_words<T>::count; ++i) words.word[i] = \
        name(lanes, words.word[i], source, width); \
    words.store(value); \
    return value; \
  }
__HIP_MOVE(shfl, int)
__HIP_MOVE(shfl_up, unsigned int)
__HIP_MOVE(shfl_down, unsigned int)
__HIP_MOVE(shfl_xor, int)
#undef __HIP_MOVE

} // namespace __hip_internal

#if !defined(__OMNIHIP_CUDA__)
// The four shuffles of a type; lane indices of a wave that is cut into parts of `width` lanes.
#define __HIP_SHUFFLES(T) \
  __HIP_WAVE_FN T __shfl(T value, int lane, int width = warpSize) { \
    return __hip_internal::shfl(__hip_internal::active_lanes(), value, lane, width); \
  } \
  __HIP_WAVE_FN T __shfl_up(T value, unsigned int delta, int width = warpSize) { \
    return __hip_internal::shfl_up(__hip_internal::active_lanes(), value, delta, width); \
  } \
  __HIP_WAVE_FN T __shfl_down(T value, unsigned int delta, int width = warpSize) { \
    return __hip_internal::shfl_down(__hip_internal::active_lanes(), value, delta, width); \
  } \
  __HIP_WAVE_FN T __shfl_xor(T value, int lane_mask, int width = warpSize) { \
    return __hip_internal::shfl_xor(__hip_internal::active_lanes(), value, lane_mask, width); \
  }
__HIP_SHUFFLES(int)
__HIP_SHUFFLES(unsigned int)
__HIP_SHUFFLES(float)
__HIP_SHUFFLES(long)
__HIP_SHUFFLES(unsigned long)
__HIP_SHUFFLES(long long)
__HIP_SHUFFLES(unsigned long long)
__HIP_SHUFFLES(double)
#endif

#endif
