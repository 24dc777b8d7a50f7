// Wave-level functions with a mask of participating lanes (__shfl_sync, __ballot_sync, __match_any_sync, __reduce_*_sync).
// Masks are 64-bit integers on every target. The caller must be in its own mask, and all active lanes named in a mask
// must make the same call with the same mask; lanes of one wave may use different masks at the same time.
#ifndef HIP_DETAIL_WARP_SYNC_H
#define HIP_DETAIL_WARP_SYNC_H

#include <hip/detail/warp.h>

namespace __hip_internal {

template <class MaskT> __HIP_WAVE_FN unsigned long long lane_mask(MaskT mask) {
  static_assert(static_cast<MaskT>(0.5) == static_cast<MaskT>(0) && sizeof(MaskT) == 8,
                "The mask must be a 64-bit integer.");
  unsigned long long m = static_cast<unsigned long long>(mask);
  if (__hip_get_warp_size() == 32) m &= 0xffffffffull;
  if ((m >> lane_id() & 1) == 0) __builtin_trap();
  return m;
}

#if !defined(__NVPTX__)
__HIP_WAVE_FN unsigned long long first_lane(unsigned long long value) {
  unsigned int lo = static_cast<unsigned int>(__builtin_amdgcn_readfirstlane(static_cast<int>(value)));
  unsigned int hi = static_cast<unsigned int>(__builtin_amdgcn_readfirstlane(static_cast<int>(value >> 32)));
  return static_cast<unsigned long long>(hi) << 32 | lo;
}
#endif

// The bits of a value as an integer, for comparisons of representations.
template <class T> __HIP_DEVICE_INLINE unsigned long long value_bits(T value) {
  static_assert(sizeof(T) <= 8, "Match functions compare values of at most 8 bytes.");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

struct reduce_add { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
struct reduce_min { template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
struct reduce_max { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct reduce_and { template <class T> __device__ T operator()(T a, T b) const { return a & b; } };
struct reduce_or { template <class T> __device__ T operator()(T a, T b) const { return a | b; } };
struct reduce_xor { template <class T> __device__ T operator()(T a, T b) const { return a ^ b; } };

// Calls body(lanes) in the active lanes of every mask that callers bring, one mask after the other, so that loops over
// `lanes` are uniform. The work stays inside the loop body: lanes that left the loop would meet again only behind it.
template <class Body> __HIP_WAVE_FN void for_each_mask(unsigned long long mask, Body body) {
#if defined(__NVPTX__)
  body(__nvvm_vote_ballot_sync(static_cast<unsigned int>(mask), true)); // a mask may name lanes that have exited
#else
  bool waiting = true;
  do {
    if (waiting) {
      const unsigned long long current = first_lane(mask);
      if (current == mask) {
        body(current & active_lanes());
        waiting = false;
      }
    }
  } while (ballot(waiting) != 0);
#endif
}

// Folds the values of the lanes in mask in ascending order of lanes.
template <class T, class Op> __HIP_WAVE_FN T reduce_lanes(unsigned long long mask, T value, Op op) {
  T result = value;
  for_each_mask(mask, [&](unsigned long long lanes) {
    T folded = lane_read(lanes, value, __builtin_ctzll(lanes));
    for (unsigned long long rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1)
      folded = op(folded, lane_read(lanes, value, __builtin_ctzll(rest)));
    result = folded;
  });
  return result;
}

// Likewise, of the lanes up to the caller's, with it or (then `first` for the first lane) without it.
enum class scan_kind { inclusive, exclusive };
template <scan_kind kind, class T, class Op>
__HIP_WAVE_FN T scan_lanes(unsigned long long mask, T value, Op op, T first) {
  T result = kind == scan_kind::inclusive ? value : first;
  for_each_mask(mask, [&](unsigned long long lanes) {
    T folded = lane_read(lanes, value, __builtin_ctzll(lanes));
    for (unsigned long long rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctzll(rest);
      const T next = op(folded, lane_read(lanes, value, lane));
      if (lane == static_cast<int>(lane_id())) result = kind == scan_kind::inclusive ? next : folded;
      folded = next;
    }
  });
  return result;
}

// A reduction by an instruction, where the GPU has one. It leaves out lanes that have exited.
#if defined(__NVPTX__) && __CUDA_ARCH__ >= 800
#define __HIP_REDUX(name, T, builtin) \
  __HIP_WAVE_FN T reduce_lanes(unsigned long long mask, T value, reduce_##name) { \
    return static_cast<T>(builtin(value, static_cast<int>(mask))); \
  }
__HIP_REDUX(add, int, __nvvm_redux_sync_add)
__HIP_REDUX(min, int, __nvvm_redux_sync_min)
__HIP_REDUX(max, int, __nvvm_redux_sync_max)
__HIP_REDUX(and, int, __nvvm_redux_sync_and)
__HIP_REDUX(or, int, __nvvm_redux_sync_or)
__HIP_REDUX(xor, int, __nvvm_redux_sync_xor)
__HIP_REDUX(add, unsigned int, __nvvm_redux_sync_add)
__HIP_REDUX(min, unsigned int, __nvvm_redux_sync_umin)
__HIP_REDUX(max, unsigned int, __nvvm_redux_sync_umax)
__HIP_REDUX(and, unsigned int, __nvvm_redux_sync_and)
__HIP_REDUX(or, unsigned int, __nvvm_redux_sync_or)
__HIP_REDUX(xor, unsigned int, __nvvm_redux_sync_xor)
#undef __HIP_REDUX
#endif

} // namespace __hip_internal

// A CUDA source has these with masks of 32 bits, from omnihip/warp.h.
#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS) && !defined(__OMNIHIP_CUDA__)

// Orders the memory accesses of the lanes in the mask; lanes of a wave run in step at this point.
__HIP_WAVE_FN void __syncwarp() {
#if defined(__NVPTX__)
  __nvvm_bar_warp_sync(0xffffffffu);
#else
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
}
template <class MaskT> __HIP_WAVE_FN void __syncwarp(MaskT mask) {
#if defined(__NVPTX__)
  __nvvm_bar_warp_sync(static_cast<unsigned int>(__hip_internal::lane_mask(mask)));
#else
  (void)__hip_internal::lane_mask(mask);
  __syncwarp();
#endif
}

template <class MaskT> __HIP_WAVE_FN unsigned long long __ballot_sync(MaskT mask, int predicate) {
  return __hip_internal::vote(__hip_internal::lane_mask(mask), predicate);
}
template <class MaskT> __HIP_WAVE_FN int __all_sync(MaskT mask, int predicate) {
  return __ballot_sync(mask, predicate == 0) == 0;
}
template <class MaskT> __HIP_WAVE_FN int __any_sync(MaskT mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}

template <class MaskT, class T> __HIP_WAVE_FN T __shfl_sync(MaskT mask, T value, int lane, int width = warpSize) {
  return __hip_internal::shfl(__hip_internal::lane_mask(mask), value, lane, width);
}
template <class MaskT, class T>
__HIP_WAVE_FN T __shfl_up_sync(MaskT mask, T value, unsigned int delta, int width = warpSize) {
  return __hip_internal::shfl_up(__hip_internal::lane_mask(mask), value, delta, width);
}
template <class MaskT, class T>
__HIP_WAVE_FN T __shfl_down_sync(MaskT mask, T value, unsigned int delta, int width = warpSize) {
  return __hip_internal::shfl_down(__hip_internal::lane_mask(mask), value, delta, width);
}
template <class MaskT, class T>
__HIP_WAVE_FN T __shfl_xor_sync(MaskT mask, T value, int lane_mask, int width = warpSize) {
  return __hip_internal::shfl_xor(__hip_internal::lane_mask(mask), value, lane_mask, width);
}

// Lanes (of the mask) whose value has the same bits as the caller's.
template <class MaskT, class T> __HIP_WAVE_FN unsigned long long __match_any_sync(MaskT mask, T value) {
  unsigned long long lanes = __hip_internal::lane_mask(mask);
  unsigned long long bits = __hip_internal::value_bits(value);
#if defined(__NVPTX__)
  return __nvvm_match_any_sync_i64(static_cast<unsigned int>(lanes), static_cast<long long>(bits));
#else
  unsigned long long same = 0;
  bool waiting = true;
  do {
    if (waiting) {
      if (__hip_internal::first_lane(bits) == bits) {
        same = __activemask() & lanes;
        waiting = false;
      }
    }
  } while (__any(waiting));
  return same;
#endif
}
template <class T> __HIP_WAVE_FN unsigned long long __match_any(T value) {
  return __match_any_sync(__activemask(), value);
}
// The active lanes of the mask and *pred = 1 when they all hold the same bits, else 0 and *pred = 0.
template <class MaskT, class T> __HIP_WAVE_FN unsigned long long __match_all_sync(MaskT mask, T value, int* pred) {
  const unsigned long long named = __hip_internal::lane_mask(mask), bits = __hip_internal::value_bits(value);
#if defined(__NVPTX__)
  return static_cast<unsigned int>(
      __nvvm_match_all_sync_i64p(static_cast<unsigned int>(named), static_cast<long long>(bits), pred));
#else
  const unsigned long long lanes = named & __activemask();
  const bool same = __all_sync(mask, __hip_internal::lane_read(lanes, bits, __builtin_ctzll(lanes)) == bits);
  *pred = same;
  return same ? lanes : 0;
#endif
}
template <class T> __HIP_WAVE_FN unsigned long long __match_all(T value, int* pred) {
  return __match_all_sync(__activemask(), value, pred);
}

// __reduce_<name>_sync of a type by a functor; hip_fp16.h adds half by functors of its own, for a program can take half's
// operators away.
#define __HIP_REDUCE_SYNC(name, T) __HIP_REDUCE_SYNC_BY(name, T, reduce_##name)
#define __HIP_REDUCE_SYNC_BY(name, T, Op) \
  template <class MaskT> __HIP_WAVE_FN T __reduce_##name##_sync(MaskT mask, T value) { \
    return __hip_internal::reduce_lanes(__hip_internal::lane_mask(mask), value, __hip_internal::Op()); \
  }
__HIP_REDUCE_SYNC(add, int)
__HIP_REDUCE_SYNC(add, unsigned int)
__HIP_REDUCE_SYNC(min, int)
__HIP_REDUCE_SYNC(min, unsigned int)
__HIP_REDUCE_SYNC(max, int)
__HIP_REDUCE_SYNC(max, unsigned int)
__HIP_REDUCE_SYNC(and, unsigned int)
__HIP_REDUCE_SYNC(or, unsigned int)
__HIP_REDUCE_SYNC(xor, unsigned int)
#if defined(HIP_ENABLE_EXTRA_WARP_SYNC_TYPES)
#define __HIP_REDUCE_SYNC_ARITHMETIC(T) \
  __HIP_REDUCE_SYNC(add, T) \
  __HIP_REDUCE_SYNC(min, T) \
  __HIP_REDUCE_SYNC(max, T)
#define __HIP_REDUCE_SYNC_BITWISE(T) \
  __HIP_REDUCE_SYNC(and, T) \
  __HIP_REDUCE_SYNC(or, T) \
  __HIP_REDUCE_SYNC(xor, T)
__HIP_REDUCE_SYNC_ARITHMETIC(long long)
__HIP_REDUCE_SYNC_ARITHMETIC(unsigned long long)
__HIP_REDUCE_SYNC_ARITHMETIC(float)
__HIP_REDUCE_SYNC_ARITHMETIC(double)
__HIP_REDUCE_SYNC_BITWISE(int)
__HIP_REDUCE_SYNC_BITWISE(long long)
__HIP_REDUCE_SYNC_BITWISE(unsigned long long)
#undef __HIP_REDUCE_SYNC_ARITHMETIC
#undef __HIP_REDUCE_SYNC_BITWISE
#endif

#endif // HIP_DISABLE_WARP_SYNC_BUILTINS

// The first active lane's value, as a uniform one.
template <class T> __HIP_WAVE_FN T __hip_readfirstlane(T value) {
#if defined(__NVPTX__)
  return __hip_internal::lane_read(value, __builtin_ctzll(__hip_internal::active_lanes()));
#else
  __hip_internal::value_words<T> words(value);
#pragma unroll
  for (unsigned int i = 0; i < __hip_internal::value_words<T>::count; ++i)
    words.word[i] = static_cast<unsigned int>(__builtin_amdgcn_readfirstlane(static_cast<int>(words.word[i])));
  words.store(value);
  return value;
#endif
}

#endif
