// runtime/engine/compile/library/lds_pattern.h - accesses to dwords of LDS whose addresses are lane 0's address of each
// strip plus a pattern that all strips of the wave share (analysis/patterns.h). The code looks at the pattern once for
// the wave, and LLVM reuses what it finds for other accesses with the same pattern. Arguments `first` and `second` are
// the addresses of lane 0 in each strip, with the instruction's offset, for one access and a second one. Windows and
// permutations are those of lds_wave.h. Part of memory.cpp.
#pragma once

#define OF_FIRSTS(name) uint32_t name##0, uint32_t name##1, uint32_t name##2, uint32_t name##3

template<uint32_t kStrips> struct LdsPattern {
  // An offset in LDS for each strip of the wave.
  struct Offsets {
    uint32_t of[kMemStrips];
    MEM_INLINE uint32_t operator[](uint32_t q) const { return of[q]; }
    MEM_INLINE Offsets less(uint32_t by) const { return {of[0] - by, of[1] - by, of[2] - by, of[3] - by}; }
    // Whether `bytes` bytes from each offset on are inside LDS. (One comparison: of several LLVM makes as many
    // branches.)
    MEM_INLINE bool hold(uint32_t bytes, uint64_t lds_bytes) const {
      uint32_t highest = of[0];
      for (uint32_t q = 1; q < kStrips; ++q) highest = std::max(highest, of[q]);
      return highest < __builtin_elementwise_sub_sat(uint32_t(lds_bytes) + 1, bytes);
    }
  };
  MEM_INLINE static bool consecutive(U32x16 pattern) { return bits_of(pattern == lane_numbers16() * 4u) == kAll; }
  MEM_INLINE static U32x16 load_strip(uint64_t lds, uint32_t at) {
    return load_unaligned<U32x16>(reinterpret_cast<const char*>(lds) + at);
  }
  MEM_INLINE static void store_strip(uint64_t lds, uint32_t at, U32x16 data, uint64_t lanes, uint32_t q) {
    auto* p = reinterpret_cast<uint8_t*>(lds + at);
    if (lanes == kAllStrips<kStrips>) // (known where the code is made)
      store_unaligned(p, data);
    else
      __builtin_masked_store(bools_of(LaneBits(lanes >> (kMemLanes * q)) & kAll), data, reinterpret_cast<uint32_t*>(p));
  }
  MEM_INLINE static void load_far(Wave* w, Offsets at, U32x16 pattern, uint64_t lanes, U32x16* io) {
    Rows found; // `io`, which nobody else sees, stays in registers
    LdsDword<kStrips>::load_scattered(w, pattern + at[0], pattern + at[1], pattern + at[2], pattern + at[3], lanes, found);
    for (uint32_t q = 0; q < kStrips; ++q) io[q] = found[q];
  }
  MEM_INLINE static void store_far(Wave* w, Offsets at, U32x16 pattern, uint64_t lanes, const U32x16* io) {
    LdsDword<kStrips>::store_scattered(w, pattern + at[0], pattern + at[1], pattern + at[2], pattern + at[3], lanes,
                                       io[0], io[1], io[2 % kStrips], io[3 % kStrips]);
  }

#ifdef __AVX512F__
  // The indices of a pattern's dwords in a window that begins `below` bytes in front of lane 0.
  struct Window {
    U32x16 indices;
    uint32_t below;
    MEM_INLINE bool fits() const { return bits_of(indices < kWindowDwords) == kAll; }
  };
  MEM_INLINE static Window window_of(U32x16 pattern) {
    uint32_t below = 0;
    if (bits_of(V16<int32_t>(pattern) < 0)) below = 0u - uint32_t(__builtin_reduce_min(V16<int32_t>(pattern)));
    return {window_indices(pattern, 0u - below), below};
  }
  // Whether the dwords with these indices are inside LDS, in windows that begin at these offsets.
  [[gnu::noinline]] static bool dwords_inside(OF_FIRSTS(begin), U32x16 indices, uint64_t lds_bytes) {
    if (lds_bytes < 4) return false;
    const U32x16 last = U32x16(uint32_t(lds_bytes) - 4), ahead = indices * 4u;
    bool all = true;
    const uint32_t begins[] = {begin0, begin1, begin2, begin3};
    for (uint32_t q = 0; q < kStrips; ++q) all &= begins[q] <= last[0] && bits_of(ahead + begins[q] <= last) == kAll;
    return all;
  }
  MEM_INLINE static bool inside(Offsets begin, U32x16 indices, uint64_t lds_bytes) {
    if (begin.hold(4 * kWindowDwords, lds_bytes)) [[likely]]
      return true;
    return dwords_inside(begin[0], begin[1], begin[2], begin[3], indices, lds_bytes);
  }
  // One window for the dwords of two accesses.
  struct Joint {
    bool found;
    U32x16 first, second; // indices of their dwords
    Offsets begin;
  };
  MEM_INLINE static Joint joint_window(Offsets first, Offsets second, U32x16 pattern, uint64_t lds_bytes) {
    const uint32_t apart = second[0] - first[0];
    bool same = true;
    for (uint32_t q = 1; q < kStrips; ++q) same &= second[q] - first[q] == apart;
    const bool behind = int32_t(apart) >= 0;
    if (!same) return {};
    const Window window = window_of(pattern);
    const U32x16 near = window.indices, far = window.indices + ((behind ? apart : 0 - apart) >> 2 | apart << 30);
    const Offsets begin = (behind ? first : second).less(window.below);
    const bool found = window.fits() && bits_of(far < kWindowDwords) == kAll && inside(begin, far, lds_bytes);
    return {found, behind ? near : far, behind ? far : near, begin};
  }
  // Which lane of two accesses is stored to each dword of their window: a lane of the first access, or 16 plus a lane
  // of the second. It is long to compute and depends on the indices only, which are the same for all waves where they
  // follow from a loop's counter. So the caller keeps it from access to access.
  struct JointPermutation {
    U32x16 key; // the indices that it was made of; all ones: of none
    __m512i from[2], bit[2];
    uint32_t taken;
  };
  static_assert(sizeof(JointPermutation) <= library::kKeptRows * sizeof(U32x16));
  // Makes the permutation where indices ascend with the lanes and no two lanes share a dword. Returns whether they do.
  MEM_INLINE static bool find_permutation(U32x16 indices, U32x16 others, JointPermutation& out) {
    const U32x16 lane = lane_numbers16();
    const U32x16 next =
        __builtin_shufflevector(indices, indices, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
    if ((bits_of(indices < next) | 0x8000) != kAll) return false;
    const uint32_t first = __builtin_reduce_or(U32x16(1) << indices), shift = others[0] - indices[0];
    const uint32_t second = int32_t(shift) >= 0 ? first << (shift & 31) : first >> ((0 - shift) & 31);
    if (first & second) return false;
    uint32_t before[2] = {0, 0};
    for (uint32_t half = 0; half < 2; ++half) {
      const __mmask16 of[2] = {__mmask16(first >> (16 * half)), __mmask16(second >> (16 * half))};
      __m512i from = _mm512_maskz_expand_epi32(of[0], __m512i(lane + before[0]));
      from = _mm512_mask_expand_epi32(from, of[1], __m512i(lane + (kMemLanes + before[1])));
      out.from[half] = from;
      out.bit[half] = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_epi32(from, _mm512_set1_epi32(kMemLanes - 1)));
      for (uint32_t k = 0; k < 2; ++k) before[k] += uint32_t(std::popcount(uint32_t(of[k])));
    }
    out.taken = first | second;
    return true;
  }
  // Stores the data of two accesses. Returns whether it has: the strips' windows must not overlap, and there must be a
  // permutation.
  MEM_INLINE static bool store_joint(uint64_t lds, const Joint& joint, uint64_t lanes, const U32x16* io,
                                     JointPermutation& permutation) {
    const Offsets& begin = joint.begin;
    bool apart = true;
    for (uint32_t q = 1; q < kStrips; ++q)
      apart &= begin[q] > begin[q - 1] && begin[q] - begin[q - 1] >= 4 * kWindowDwords;
    if (!apart) return false;
    const U32x16 key = joint.second << 16 | joint.first;
    if (bits_of(key == permutation.key) != kAll) [[unlikely]] {
      if (!find_permutation(joint.first, joint.second, permutation)) {
        permutation.key = U32x16(~0u);
        return false;
      }
      permutation.key = key;
    }
    for (uint32_t q = 0; q < kStrips; ++q) {
      const __m512i active = _mm512_set1_epi32(int(lanes >> (kMemLanes * q)) & int(kAll));
      for (uint32_t half = 0; half < 2; ++half) {
        const __mmask16 to =
            _mm512_mask_test_epi32_mask(__mmask16(permutation.taken >> (16 * half)), permutation.bit[half], active);
        _mm512_mask_storeu_epi32(
            reinterpret_cast<uint8_t*>(lds) + begin[q] + 64 * half, to,
            _mm512_permutex2var_epi32(__m512i(io[q]), permutation.from[half], __m512i(io[kMemStrips + q])));
      }
    }
    return true;
  }
#endif

  static void load(Wave* w, uint64_t lds, uint64_t lds_bytes, OF_FIRSTS(first), U32x16 pattern, uint64_t lanes,
                   U32x16* io) {
    const Offsets first{first0, first1, first2, first3};
    if (consecutive(pattern) && first.hold(4 * kMemLanes, lds_bytes)) [[likely]] {
      for (uint32_t q = 0; q < kStrips; ++q) io[q] = load_strip(lds, first[q]);
      return;
    }
#ifdef __AVX512F__
    const Window window = window_of(pattern);
    const Offsets begin = first.less(window.below);
    if (window.fits() && inside(begin, window.indices, lds_bytes)) {
      for (uint32_t q = 0; q < kStrips; ++q)
        io[q] = load_window(reinterpret_cast<uint8_t*>(lds) + begin[q], window.indices);
      return;
    }
#endif
    load_far(w, first, pattern, lanes, io);
  }
  static void store(Wave* w, uint64_t lds, uint64_t lds_bytes, OF_FIRSTS(first), U32x16 pattern, uint64_t lanes,
                    U32x16* io) {
    const Offsets first{first0, first1, first2, first3};
    if (!consecutive(pattern) || !first.hold(4 * kMemLanes, lds_bytes)) [[unlikely]]
      return store_far(w, first, pattern, lanes, io);
    for (uint32_t q = 0; q < kStrips; ++q) store_strip(lds, first[q], io[q], lanes, q);
  }
  // Two accesses, the second one behind the first; `io` holds the strips of the first, then those of the second.
  static void load_two(Wave* w, uint64_t lds, uint64_t lds_bytes, OF_FIRSTS(first), OF_FIRSTS(second), U32x16 pattern,
                       uint64_t lanes, U32x16* io) {
    const Offsets first{first0, first1, first2, first3}, second{second0, second1, second2, second3};
    U32x16* other = io + kMemStrips;
    if (consecutive(pattern) && first.hold(4 * kMemLanes, lds_bytes) && second.hold(4 * kMemLanes, lds_bytes))
        [[likely]] {
      for (uint32_t q = 0; q < kStrips; ++q)
        io[q] = load_strip(lds, first[q]), other[q] = load_strip(lds, second[q]);
      return;
    }
#ifdef __AVX512F__
    if (const Joint joint = joint_window(first, second, pattern, lds_bytes); joint.found) {
      for (uint32_t q = 0; q < kStrips; ++q) {
        const uint8_t* p = reinterpret_cast<uint8_t*>(lds) + joint.begin[q];
        const __m512i low = _mm512_loadu_si512(p), high = _mm512_loadu_si512(p + 64);
        io[q] = U32x16(_mm512_permutex2var_epi32(low, __m512i(joint.first), high));
        other[q] = U32x16(_mm512_permutex2var_epi32(low, __m512i(joint.second), high));
      }
      return;
    }
#endif
    load_far(w, first, pattern, lanes, io);
    load_far(w, second, pattern, lanes, other);
  }
  static void store_two(Wave* w, uint64_t lds, uint64_t lds_bytes, OF_FIRSTS(first), OF_FIRSTS(second), U32x16 pattern,
                        uint64_t lanes, U32x16* io) {
    const Offsets first{first0, first1, first2, first3}, second{second0, second1, second2, second3};
    const U32x16* other = io + kMemStrips;
    if (consecutive(pattern) && first.hold(4 * kMemLanes, lds_bytes) && second.hold(4 * kMemLanes, lds_bytes))
        [[likely]] {
      for (uint32_t q = 0; q < kStrips; ++q) store_strip(lds, first[q], io[q], lanes, q);
      for (uint32_t q = 0; q < kStrips; ++q) store_strip(lds, second[q], other[q], lanes, q);
      return;
    }
#ifdef __AVX512F__
    if (const Joint joint = joint_window(first, second, pattern, lds_bytes);
        joint.found && store_joint(lds, joint, lanes, io, *reinterpret_cast<JointPermutation*>(io + 2 * kMemStrips)))
      return;
#endif
    store_far(w, first, pattern, lanes, io);
    store_far(w, second, pattern, lanes, other);
  }
};
