// Wave-level functions: lane numbers, votes, reductions and shifts over the active lanes.
#include "device.h"

using namespace hip::device;

namespace {

template <class T> OCKL_CONVERGENT T read_lane(T value, unsigned lane) {
  struct Words {
    int w[sizeof(T) / 4];
  } words = __builtin_bit_cast(Words, value);
  for (int& w : words.w) w = __builtin_amdgcn_readlane(w, static_cast<int>(lane));
  return __builtin_bit_cast(T, words);
}

// The word of any lane. ds_bpermute of gfx10 and gfx11 reads from the caller's own half of a wave of 64 lanes; v_readlane
// reads from every lane, one for all callers.
OCKL_CONVERGENT int permute(int word, unsigned lane) {
  const bool halves = __builtin_amdgcn_wavefrontsize() == 64 && __oclc_ISA_version >= 10000 && __oclc_ISA_version < 12000;
  if (halves && __builtin_amdgcn_ballot_w64(((lane ^ lane_id()) & 32) != 0) != 0) {
    for (;;) {
      const int first = __builtin_amdgcn_readfirstlane(static_cast<int>(lane));
      if (static_cast<int>(lane) == first) return __builtin_amdgcn_readlane(word, first);
    }
  }
  return __builtin_amdgcn_ds_bpermute(static_cast<int>(lane) << 2, word);
}

// Folds the values of the active lanes in ascending order of lanes; the result is uniform.
template <class T, class F> OCKL_CONVERGENT T reduce(T value, F op) {
  uint64_t rest = active_lanes();
  T result = read_lane(value, static_cast<unsigned>(__builtin_ctzll(rest)));
  for (rest &= rest - 1; rest != 0; rest &= rest - 1)
    result = op(result, read_lane(value, static_cast<unsigned>(__builtin_ctzll(rest))));
  return result;
}

} // namespace

extern "C" {

uint32_t __ockl_lane_u32() { return lane_id(); }
// How many active lanes are below the caller's.
uint32_t __ockl_activelane_u32() {
  const uint64_t lanes = active_lanes();
  return __builtin_amdgcn_mbcnt_hi(static_cast<uint32_t>(lanes >> 32),
                                   __builtin_amdgcn_mbcnt_lo(static_cast<uint32_t>(lanes), 0));
}
OCKL_CONVERGENT bool __ockl_wfany_i32(int predicate) { return __builtin_amdgcn_ballot_w64(predicate != 0) != 0; }
OCKL_CONVERGENT bool __ockl_wfall_i32(int predicate) { return __builtin_amdgcn_ballot_w64(predicate == 0) == 0; }
OCKL_CONVERGENT bool __ockl_wfsame_i32(int value) {
  return __builtin_amdgcn_ballot_w64(__builtin_amdgcn_readfirstlane(value) != value) == 0;
}
OCKL_CONVERGENT uint64_t __ockl_wfbcast_u64(uint64_t value, uint32_t lane) { return read_lane(value, lane); }
OCKL_CONVERGENT uint32_t __ockl_wfbcast_u32(uint32_t value, uint32_t lane) { return read_lane(value, lane); }

#define OCKL_REDUCE(suffix, T) \
  OCKL_CONVERGENT T __ockl_wfred_add_##suffix(T x) { return reduce(x, [](T a, T b) { return a + b; }); } \
  OCKL_CONVERGENT T __ockl_wfred_min_##suffix(T x) { return reduce(x, [](T a, T b) { return b < a ? b : a; }); } \
  OCKL_CONVERGENT T __ockl_wfred_max_##suffix(T x) { return reduce(x, [](T a, T b) { return a < b ? b : a; }); }
#define OCKL_REDUCE_BITS(suffix, T) \
  OCKL_CONVERGENT T __ockl_wfred_and_##suffix(T x) { return reduce(x, [](T a, T b) { return a & b; }); } \
  OCKL_CONVERGENT T __ockl_wfred_or_##suffix(T x) { return reduce(x, [](T a, T b) { return a | b; }); } \
  OCKL_CONVERGENT T __ockl_wfred_xor_##suffix(T x) { return reduce(x, [](T a, T b) { return a ^ b; }); }
OCKL_REDUCE(i32, int32_t)
OCKL_REDUCE(u32, uint32_t)
OCKL_REDUCE(i64, int64_t)
OCKL_REDUCE(u64, uint64_t)
OCKL_REDUCE(f32, float)
OCKL_REDUCE(f64, double)
OCKL_REDUCE_BITS(i32, int32_t)
OCKL_REDUCE_BITS(u32, uint32_t)
OCKL_REDUCE_BITS(i64, int64_t)
OCKL_REDUCE_BITS(u64, uint64_t)

// The value of the lane `offset` above the caller's; the caller's own beyond the wave's end.
#define OCKL_READ_UP(suffix, T) \
  OCKL_CONVERGENT T __ockl_readuplane_##suffix(T value, int offset) { \
    const unsigned self = lane_id(); \
    const unsigned source = self + static_cast<unsigned>(offset); \
    const unsigned lane = source < __builtin_amdgcn_wavefrontsize() ? source : self; \
    struct Words { \
      int w[sizeof(T) / 4]; \
    } words = __builtin_bit_cast(Words, value); \
    for (int& w : words.w) w = permute(w, lane); \
    return __builtin_bit_cast(T, words); \
  }
OCKL_READ_UP(i32, int32_t)
OCKL_READ_UP(u32, uint32_t)
OCKL_READ_UP(i64, int64_t)
OCKL_READ_UP(u64, uint64_t)
OCKL_READ_UP(f32, float)
OCKL_READ_UP(f64, double)

} // extern "C"
