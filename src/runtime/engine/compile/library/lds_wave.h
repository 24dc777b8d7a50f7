// runtime/engine/compile/library/lds_wave.h - dwords of LDS for all four strips of a wave at once, of which nothing
// is known before the code runs. Inline: strips of consecutive dwords. Out of line: strips that lie within a window of
// 32 dwords, in any order, which are two vectors and a permutation; then lane by lane. Part of memory.cpp.
#pragma once

using Rows = U32x16[kMemStrips]; // of a VGPR

#ifdef __AVX512F__
constexpr uint32_t kWindowDwords = 2 * kMemLanes;

// Where lanes lie in a window that begins at offset `begin` (which need not be aligned), in dwords; what lies between
// two dwords or in front of the window has a number far beyond it.
MEM_INLINE U32x16 places_from(U32x16 at, uint32_t begin) {
  const U32x16 d = at - begin;
  return d >> 2 | d << 30;
}
// Finds a window, from the first of `lanes` (not none) on, of which all dwords that they touch are inside LDS; false:
// there is none. (The block of LDS is followed by as many bytes as a window has.)
MEM_INLINE bool find_window(U32x16 at, LaneBits lanes, uint32_t lds_bytes, uint32_t& begin, U32x16& places) {
  begin = at[lanes == kAll ? 0 : std::countr_zero(lanes)];
  if (begin >= lds_bytes) return false;
  places = places_from(at, begin);
  return (bits_of(places < std::min(kWindowDwords, (lds_bytes - begin) / 4)) & lanes) == lanes;
}
// One pattern that all strips follow, each in a window of its own: most waves have one. Lanes count, active or not.
struct Pattern {
  U32x16 places;
  uint32_t begin[kMemStrips];
};
enum class Found { Pattern, Wide, Nothing }; // Wide: one pattern, but no window is large enough
template<uint32_t kStrips> MEM_INLINE Found find_pattern(const Rows& at, uint32_t lds_bytes, Pattern& out) {
  if (lds_bytes < 4) return Found::Nothing;
  const U32x16 steps = at[0] - at[0][0], last = U32x16(lds_bytes - 4);
  auto good = at[0] <= last;
  for (uint32_t q = 0; q < kStrips; ++q) good &= (at[q] - at[q][0] == steps) & (at[q] <= last);
  if (bits_of(good) != kAll) return Found::Nothing;
  // Mostly the first lane comes first, else it is so many bytes behind the window's begin.
  uint32_t below = 0;
  const auto in_window = [&] {
    out.places = places_from(steps, 0u - below);
    return bits_of(out.places < kWindowDwords) == kAll;
  };
  if (!in_window()) {
    below = at[0][0] - __builtin_reduce_min(at[0]);
    if (!in_window()) return Found::Wide;
  }
  for (uint32_t q = 0; q < kStrips; ++q) out.begin[q] = at[q][0] - below;
  return Found::Pattern;
}
MEM_INLINE U32x16 load_window(const uint8_t* p, U32x16 places) {
  return U32x16(_mm512_permutex2var_epi32(_mm512_loadu_si512(p), __m512i(places), _mm512_loadu_si512(p + 64)));
}

// A permutation of lanes into a window: its dword d is lane from[d / 16][d % 16] if bit d of `taken` is set.
struct Spread {
  __m512i from[2];
  uint32_t taken;
};
// False: two lanes have one place.
MEM_INLINE bool invert(U32x16 places, Spread& out) {
  const U32x16 bits = U32x16(1) << places, lane = lane_numbers16();
  out.taken = __builtin_reduce_or(bits);
  if (std::popcount(out.taken) != int(kMemLanes)) return false;
  const __mmask16 low = __mmask16(out.taken), high = __mmask16(out.taken >> 16);
  const U32x16 next = __builtin_shufflevector(places, places, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  if ((bits_of(places < next) | 0x8000) == kAll) { // ascending
    out.from[0] = _mm512_maskz_expand_epi32(low, __m512i(lane));
    out.from[1] = _mm512_maskz_expand_epi32(high, __m512i(lane + uint32_t(std::popcount(uint32_t(low)))));
    return true;
  }
  // Bit by bit of the lanes' numbers: which places have lanes with that bit.
  U32x16 from[2] = {U32x16(0), U32x16(0)};
  for (uint32_t b = 1; b < kMemLanes; b <<= 1) {
    const uint32_t with = __builtin_reduce_or((lane & b) != 0 ? bits : U32x16(0));
    from[0] |= bools_of(with & 0xffff) ? U32x16(b) : U32x16(0), from[1] |= bools_of(with >> 16) ? U32x16(b) : U32x16(0);
  }
  out.from[0] = __m512i(from[0]), out.from[1] = __m512i(from[1]);
  return true;
}
MEM_INLINE void store_window(uint8_t* p, const Spread& spread, U32x16 data, LaneBits lanes) {
  const __m512i active = _mm512_set1_epi32(int(lanes));
  for (uint32_t half = 0; half < 2; ++half) {
    const __m512i from = spread.from[half], bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), from);
    const __mmask16 to = _mm512_mask_test_epi32_mask(__mmask16(spread.taken >> (16 * half)), bit, active);
    _mm512_mask_storeu_epi32(p + 64 * half, to, _mm512_permutexvar_epi32(from, __m512i(data)));
  }
}
#endif

// What a function is given of all four strips: one vector each, in registers.
#define OF_STRIPS(name) U32x16 name##0, U32x16 name##1, U32x16 name##2, U32x16 name##3

template<uint32_t kStrips> constexpr uint64_t kAllStrips = ~0ull >> (kMaxLanes - kStrips * kMemLanes); // of a wave

template<uint32_t kStrips> struct LdsDword {
  // Whether the lanes of a strip, or of each one, active or not, are consecutive dwords inside LDS. (Without branches:
  // what an instruction finds out is known for others by the same addresses.)
  MEM_INLINE static auto follow(U32x16 at, uint64_t lds_bytes) {
    const U32x16 last = U32x16(__builtin_elementwise_sub_sat(uint32_t(lds_bytes), 4u));
    return (at == at[0] + lane_numbers16() * 4u) & (at <= last);
  }
  MEM_INLINE static bool consecutive(U32x16 at, uint64_t lds_bytes) { return bits_of(follow(at, lds_bytes)) == kAll; }
  MEM_INLINE static bool consecutive(const Rows& at, uint64_t lds_bytes) {
    auto good = follow(at[0], lds_bytes);
    for (uint32_t q = 1; q < kStrips; ++q) good &= follow(at[q], lds_bytes);
    return bits_of(good) == kAll;
  }
  MEM_INLINE static void store_consecutive(uint8_t* p, U32x16 data, LaneBits lanes) {
    if (lanes == kAll)
      store_unaligned(p, data);
    else
      __builtin_masked_store(bools_of(lanes), data, reinterpret_cast<uint32_t*>(p));
  }
  [[gnu::noinline]] static void load_scattered(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* out) {
    const Rows at{at0, at1, at2, at3};
#ifdef __AVX512F__
    Pattern pattern;
    const Found found = find_pattern<kStrips>(at, w->lds_bytes, pattern);
    bool windows = found != Found::Wide; // as long as strips have some
    if (found == Found::Pattern) {
      for (uint32_t q = 0; q < kStrips; ++q) out[q] = load_window(w->lds + pattern.begin[q], pattern.places);
      return;
    }
#endif
    for (uint32_t q = 0; q < kStrips; ++q, lanes >>= kMemLanes) {
      const LaneBits some = LaneBits(lanes) & kAll;
      if (some == 0) continue;
#ifdef __AVX512F__
      uint32_t begin;
      U32x16 places;
      if (windows && (windows = find_window(at[q], some, w->lds_bytes, begin, places))) {
        out[q] = load_window(w->lds + begin, places);
        continue;
      }
#endif
      if (w->lds_bytes >= 4 && (bits_of(at[q] <= w->lds_bytes - 4) & some) == some)
        gather(w->lds, at[q], some, 1, out + q);
      else
        Lds::load(w, 0, at[q], U32x16(0), some, q, 0, 4, BlockRows{out + q});
    }
  }
  [[gnu::noinline]] static void store_scattered(Wave* w, OF_STRIPS(at), uint64_t lanes, OF_STRIPS(data)) {
    const Rows at{at0, at1, at2, at3}, data{data0, data1, data2, data3};
#ifdef __AVX512F__
    Pattern pattern;
    Spread spread;
    if (find_pattern<kStrips>(at, w->lds_bytes, pattern) == Found::Pattern && invert(pattern.places, spread)) {
      for (uint32_t q = 0; q < kStrips; ++q)
        store_window(w->lds + pattern.begin[q], spread, data[q], LaneBits(lanes >> (kMemLanes * q)) & kAll);
      return;
    }
#endif
    for (uint32_t q = 0; q < kStrips; ++q, lanes >>= kMemLanes) {
      const LaneBits some = LaneBits(lanes) & kAll;
      if (some == 0) continue;
      // (An inverse permutation for one strip takes longer than its stores.)
      if (consecutive(at[q], w->lds_bytes)) {
        store_consecutive(w->lds + at[q][0], data[q], some);
        continue;
      }
      U32x16 copy = data[q]; // (whose address is taken, so that `data` need not lie in memory)
      Lds::store(w, 0, at[q], U32x16(0), some, q, 0, 4, BlockRows{&copy});
    }
  }

  static void load(Wave* w, uint64_t lds, uint64_t lds_bytes, uint64_t offset, OF_STRIPS(at), uint64_t lanes,
                   U32x16* io) {
    const uint32_t by = uint32_t(offset);
    const Rows at{at0 + by, at1 + by, at2 + by, at3 + by};
    if (consecutive(at, lds_bytes)) [[likely]] {
      for (uint32_t q = 0; q < kStrips; ++q)
        io[q] = load_unaligned<U32x16>(reinterpret_cast<const char*>(lds) + at[q][0]);
      return;
    }
    Rows found; // `io`, which nobody else sees, stays in registers
    load_scattered(w, at[0], at[1], at[2], at[3], lanes, found);
    for (uint32_t q = 0; q < kStrips; ++q) io[q] = found[q];
  }
  static void store(Wave* w, uint64_t lds, uint64_t lds_bytes, uint64_t offset, OF_STRIPS(at), uint64_t lanes,
                    U32x16* io) {
    const uint32_t by = uint32_t(offset);
    const Rows at{at0 + by, at1 + by, at2 + by, at3 + by};
    if (!consecutive(at, lds_bytes)) [[unlikely]]
      return store_scattered(w, at[0], at[1], at[2], at[3], lanes, io[0], io[1], io[2 % kStrips], io[3 % kStrips]);
    for (uint32_t q = 0; q < kStrips; ++q) {
      auto* p = reinterpret_cast<uint8_t*>(lds + at[q][0]);
      if (lanes == kAllStrips<kStrips>) // (known where the code is made)
        store_consecutive(p, io[q], kAll);
      else
        __builtin_masked_store(bools_of(LaneBits(lanes >> (kMemLanes * q)) & kAll), io[q],
                               reinterpret_cast<uint32_t*>(p));
    }
  }
};
