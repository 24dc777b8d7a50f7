// OpenCL C's functions in which all work-items of a work-group or sub-group take part: votes, broadcasts, reductions and
// scans, under the names that clang calls (those of C++). A sub-group is a wave.
#include "../ockl/device.h"

using namespace hip::device;

namespace {

template<class T> struct Words {
  int w[(sizeof(T) + 3) / 4];
};
template<class T> Words<T> to_words(T value) {
  if constexpr (sizeof(T) < 4)
    return {{static_cast<int>(__builtin_bit_cast(unsigned short, value))}};
  else
    return __builtin_bit_cast(Words<T>, value);
}
template<class T> T from_words(const Words<T>& words) {
  if constexpr (sizeof(T) < 4)
    return __builtin_bit_cast(T, static_cast<unsigned short>(words.w[0]));
  else
    return __builtin_bit_cast(T, words);
}

template<class T> OCKL_CONVERGENT T read_lane(T value, unsigned lane) {
  Words<T> words = to_words(value);
  for (int& w : words.w) w = __builtin_amdgcn_readlane(w, static_cast<int>(lane));
  return from_words<T>(words);
}

struct Add {
  template<class T> static T of(T a, T b) { return static_cast<T>(a + b); }
  template<class T> static T identity() { return T(0); }
};
struct Min {
  template<class T> static T of(T a, T b) { return b < a ? b : a; }
  template<class T> static T identity() {
    if constexpr (T(0.5) != T(0))
      return static_cast<T>(__builtin_inf());
    else
      return T(-1) > T(0) ? T(-1) : static_cast<T>(~T(0) ^ (T(1) << (8 * sizeof(T) - 1)));
  }
};
struct Max {
  template<class T> static T of(T a, T b) { return a < b ? b : a; }
  template<class T> static T identity() {
    if constexpr (T(0.5) != T(0))
      return static_cast<T>(-__builtin_inf());
    else
      return T(-1) > T(0) ? T(0) : static_cast<T>(T(1) << (8 * sizeof(T) - 1));
  }
};

template<class T> struct Folded {
  T all;    // of the wave's active lanes; the same in each
  T before; // of those below this lane
};
// In ascending order of lanes.
template<class Op, class T> OCKL_CONVERGENT Folded<T> fold(T value) {
  Folded<T> folded{Op::template identity<T>(), Op::template identity<T>()};
  const unsigned own = lane_id();
  for (uint64_t rest = active_lanes(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
    if (lane == own) folded.before = folded.all;
    folded.all = Op::of(folded.all, read_lane(value, lane));
  }
  return folded;
}

// A place for each wave of a work-group, shared by all of these functions in a kernel; barriers keep one use apart from
// the next.
constexpr unsigned kMostWaves = 32;
__attribute__((loader_uninitialized)) OCKL_LOCAL uint64_t of_wave[kMostWaves];

template<class T> OCKL_LOCAL T& place(unsigned wave) { return *(OCKL_LOCAL T*)(&of_wave[wave]); }

// The same over the work-group, in ascending order of linear ids.
template<class Op, class T> OCKL_CONVERGENT Folded<T> fold_group(T value) {
  const unsigned lanes = __builtin_amdgcn_wavefrontsize(), wave = linear_local_id() / lanes;
  const unsigned waves = (group_size(0) * group_size(1) * group_size(2) + lanes - 1) / lanes;
  const Folded<T> own = fold<Op>(value);
  group_barrier(); // nobody reads the last use's any more
  if (is_first_lane()) place<T>(wave) = own.all;
  group_barrier();
  Folded<T> folded{Op::template identity<T>(), Op::template identity<T>()};
  for (unsigned i = 0; i < waves; ++i) {
    if (i == wave) folded.before = Op::of(folded.all, own.before);
    folded.all = Op::of(folded.all, place<T>(i));
  }
  return folded;
}

template<class T> OCKL_CONVERGENT T broadcast_group(T value, size_t linear) {
  group_barrier();
  if (linear_local_id() == linear) place<T>(0) = value;
  group_barrier();
  return place<T>(0);
}

} // namespace

// ---- votes -------------------------------------------------------------------------------------------------------

OCKL_CONVERGENT int sub_group_all(int predicate) { return __builtin_amdgcn_ballot_w64(predicate == 0) == 0; }
OCKL_CONVERGENT int sub_group_any(int predicate) { return __builtin_amdgcn_ballot_w64(predicate != 0) != 0; }
OCKL_CONVERGENT int work_group_all(int predicate) { return fold_group<Min>(predicate != 0 ? 1 : 0).all; }
OCKL_CONVERGENT int work_group_any(int predicate) { return fold_group<Max>(predicate != 0 ? 1 : 0).all; }

// ---- broadcasts, reductions and scans, of each type --------------------------------------------------------------

#define FOLDS(T, Op, name)                                                                                             \
  OCKL_CONVERGENT T sub_group_reduce_##name(T x) { return fold<Op>(x).all; }                                           \
  OCKL_CONVERGENT T sub_group_scan_exclusive_##name(T x) { return fold<Op>(x).before; }                                \
  OCKL_CONVERGENT T sub_group_scan_inclusive_##name(T x) { return Op::of(fold<Op>(x).before, x); }                     \
  OCKL_CONVERGENT T work_group_reduce_##name(T x) { return fold_group<Op>(x).all; }                                    \
  OCKL_CONVERGENT T work_group_scan_exclusive_##name(T x) { return fold_group<Op>(x).before; }                         \
  OCKL_CONVERGENT T work_group_scan_inclusive_##name(T x) { return Op::of(fold_group<Op>(x).before, x); }
#define COLLECTIVES(T)                                                                                                 \
  OCKL_CONVERGENT T sub_group_broadcast(T x, unsigned lane) {                                                          \
    return read_lane(x, static_cast<unsigned>(__builtin_amdgcn_readfirstlane(static_cast<int>(lane))));                \
  }                                                                                                                    \
  OCKL_CONVERGENT T work_group_broadcast(T x, size_t id) { return broadcast_group(x, id); }                            \
  OCKL_CONVERGENT T work_group_broadcast(T x, size_t id, size_t y) {                                                   \
    return broadcast_group(x, id + y * group_size(0));                                                                 \
  }                                                                                                                    \
  OCKL_CONVERGENT T work_group_broadcast(T x, size_t id, size_t y, size_t z) {                                         \
    return broadcast_group(x, id + (y + z * group_size(1)) * group_size(0));                                           \
  }                                                                                                                    \
  FOLDS(T, Add, add)                                                                                                   \
  FOLDS(T, Min, min)                                                                                                   \
  FOLDS(T, Max, max)

COLLECTIVES(int)
COLLECTIVES(unsigned)
COLLECTIVES(long)
COLLECTIVES(unsigned long)
COLLECTIVES(float)
COLLECTIVES(double)
COLLECTIVES(_Float16)
