// runtime/engine/compile/library/lds_wave.h - accesses of all strips of a wave to dwords of LDS whose addresses nothing
// is known of before the code runs. The code looks at the addresses when it runs and takes the first of these ways that
// fits: each strip's dwords are consecutive (inline); each strip's dwords lie, in any order, within a window of 32
// dwords, so that two vectors and a permutation hold them (out of line); lane by lane. Part of memory.cpp.
#pragma once

using Rows = U32x16[kMemStrips]; // of a VGPR

#ifdef __AVX512F__
constexpr uint32_t kWindowDwords = 2 * kMemLanes;

// The index of each lane's dword in a window that begins at offset `begin` of LDS, which need not be aligned. An
// address that is not a whole number of dwords behind `begin`, or in front of it, gets an index far beyond the window:
// the difference's low two bits become the index's highest ones.
MEM_INLINE U32x16 window_indices(U32x16 at, uint32_t begin) {
  const U32x16 d = at - begin;
  return d >> 2 | d << 30;
}
// Finds a window for one strip, which begins at the address of the lowest lane of `lanes` (not 0). Returns whether the
// elements, of kDwords each, of all of `lanes` are in the window and inside LDS; `indices` are those of their first
// dwords. (Loads of a whole window may read behind LDS: as many bytes as a window has follow the block.)
template<uint32_t kDwords>
MEM_INLINE bool find_window(U32x16 at, LaneBits lanes, uint32_t lds_bytes, uint32_t& begin, U32x16& indices) {
  begin = at[lanes == kAll ? 0 : std::countr_zero(lanes)];
  if (begin >= lds_bytes) return false;
  indices = window_indices(at, begin);
  const uint32_t last = __builtin_elementwise_sub_sat(std::min(kWindowDwords, (lds_bytes - begin) / 4), kDwords - 1);
  return (bits_of(indices < last) & lanes) == lanes;
}
// The addresses of a wave where the indices are the same in all strips and each strip has a window of its own, as in
// most waves. All lanes are looked at, active or not.
struct Pattern {
  U32x16 indices;
  uint32_t begin[kMemStrips];
};
// Wide: the differences to lane 0 are the same in all strips, but no window is large enough for them.
enum class Found { Pattern, Wide, Nothing };
template<uint32_t kStrips> MEM_INLINE Found find_pattern(const Rows& at, uint32_t lds_bytes, Pattern& out) {
  if (lds_bytes < 4) return Found::Nothing;
  const U32x16 steps = at[0] - at[0][0], last = U32x16(lds_bytes - 4);
  auto good = at[0] <= last;
  for (uint32_t q = 0; q < kStrips; ++q) good &= (at[q] - at[q][0] == steps) & (at[q] <= last);
  if (bits_of(good) != kAll) return Found::Nothing;
  // The window begins at lane 0's address, which mostly is the lowest one, or `below` bytes in front of it.
  uint32_t below = 0;
  const auto in_window = [&] {
    out.indices = window_indices(steps, 0u - below);
    return bits_of(out.indices < kWindowDwords) == kAll;
  };
  if (!in_window()) {
    below = at[0][0] - __builtin_reduce_min(at[0]);
    if (!in_window()) return Found::Wide;
  }
  for (uint32_t q = 0; q < kStrips; ++q) out.begin[q] = at[q][0] - below;
  return Found::Pattern;
}
MEM_INLINE U32x16 load_window(const uint8_t* p, U32x16 indices) {
  return U32x16(_mm512_permutex2var_epi32(_mm512_loadu_si512(p), __m512i(indices), _mm512_loadu_si512(p + 64)));
}

// Which lane is stored to each dword of a window: dword d takes lane from[d / 16][d % 16] if bit d of `taken` is set,
// and else stays.
struct WindowPermutation {
  __m512i from[2];
  uint32_t taken;
};
// Makes the permutation of lanes whose dwords have these indices. Returns whether no two lanes share a dword.
MEM_INLINE bool invert(U32x16 indices, WindowPermutation& out) {
  const U32x16 bits = U32x16(1) << indices, lane = lane_numbers16();
  out.taken = __builtin_reduce_or(bits);
  if (std::popcount(out.taken) != int(kMemLanes)) return false;
  const __mmask16 low = __mmask16(out.taken), high = __mmask16(out.taken >> 16);
  const U32x16 next = __builtin_shufflevector(indices, indices, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  if ((bits_of(indices < next) | 0x8000) == kAll) { // ascending
    out.from[0] = _mm512_maskz_expand_epi32(low, __m512i(lane));
    out.from[1] = _mm512_maskz_expand_epi32(high, __m512i(lane + uint32_t(std::popcount(uint32_t(low)))));
    return true;
  }
  // For each bit of the lanes' numbers: the dwords that take a lane whose number has it.
  U32x16 from[2] = {U32x16(0), U32x16(0)};
  for (uint32_t b = 1; b < kMemLanes; b <<= 1) {
    const uint32_t with = __builtin_reduce_or((lane & b) != 0 ? bits : U32x16(0));
    from[0] |= bools_of(with & 0xffff) ? U32x16(b) : U32x16(0), from[1] |= bools_of(with >> 16) ? U32x16(b) : U32x16(0);
  }
  out.from[0] = __m512i(from[0]), out.from[1] = __m512i(from[1]);
  return true;
}
MEM_INLINE void store_window(uint8_t* p, const WindowPermutation& permutation, U32x16 data, LaneBits lanes) {
  const __m512i active = _mm512_set1_epi32(int(lanes));
  for (uint32_t half = 0; half < 2; ++half) {
    const __m512i from = permutation.from[half], bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), from);
    const __mmask16 to = _mm512_mask_test_epi32_mask(__mmask16(permutation.taken >> (16 * half)), bit, active);
    _mm512_mask_storeu_epi32(p + 64 * half, to, _mm512_permutexvar_epi32(from, __m512i(data)));
  }
}
#endif

// Loads a strip's elements of kDwords each, dword k into out[k * kMemStrips], where a window holds them, as where all
// waves of a work-group read what each of them has left: then lanes share elements, which have just been stored, and a
// gather would wait for each.
template<uint32_t kDwords> MEM_INLINE bool load_by_window(const Wave* w, U32x16 at, LaneBits lanes, U32x16* out) {
#ifdef __AVX512F__
  uint32_t begin;
  U32x16 indices;
  if (!find_window<kDwords>(at, lanes, uint32_t(w->lds_bytes), begin, indices)) return false;
  for (uint32_t k = 0; k < kDwords; ++k) out[k * kMemStrips] = load_window(w->lds + begin, indices + k);
  return true;
#else
  (void)w, (void)at, (void)lanes, (void)out;
  return false;
#endif
}

// The parameters by which a function takes a vector of each strip in registers.
#define OF_STRIPS(name) U32x16 name##0, U32x16 name##1, U32x16 name##2, U32x16 name##3

template<uint32_t kStrips> constexpr uint64_t kAllStrips = ~0ull >> (kMaxLanes - kStrips * kMemLanes); // of a wave

// Whether elements of each lane lie side by side, strip 0's first, as those of a tile's column do where each strip reads a row; then
// one load of a lane gets all of them.
template<uint32_t kStrips> MEM_INLINE bool side_by_side(const Rows& at, uint32_t bytes, uint64_t lds_bytes) {
  if (lds_bytes < kStrips * bytes) return false;
  auto good = at[0] <= U32x16(uint32_t(lds_bytes) - kStrips * bytes);
  for (uint32_t q = 1; q < kStrips; ++q) good &= at[q] == at[0] + q * bytes;
  return bits_of(good) == kAll;
}

// The addresses of an access of all strips: what the instruction's operand holds, and the offset behind it.
template<uint32_t kStrips> struct WaveAddresses {
  const Rows& operand;
  uint32_t offset;

  // Whether each strip's elements follow one another. It is asked of the operand, which several instructions with
  // different offsets share: so LLVM computes it once for all of them. (And without branches, or it would not.)
  MEM_INLINE bool follow(uint32_t bytes) const {
    const U32x16 steps = lane_numbers16() * bytes;
    auto good = operand[0] == operand[0][0] + steps;
    for (uint32_t q = 1; q < kStrips; ++q) good &= operand[q] == operand[q][0] + steps;
    return bits_of(good) == kAll;
  }
  // The offset in LDS of each strip's lane 0, if lines_inside().
  MEM_INLINE uint64_t first(uint32_t q) const { return uint64_t(operand[q][0]) + offset; }
  // Whether `bytes` bytes from each strip's lane 0 on are inside LDS. (One comparison, of sums that do not wrap around:
  // of several LLVM makes as many branches.)
  MEM_INLINE bool lines_inside(uint32_t bytes, uint64_t lds_bytes) const {
    uint32_t highest = operand[0][0];
    for (uint32_t q = 1; q < kStrips; ++q) highest = std::max(highest, operand[q][0]);
    return uint64_t(highest) + offset + bytes <= lds_bytes;
  }
  // Whether each strip's elements are one line inside LDS.
  MEM_INLINE bool one_after_the_other(uint32_t bytes, uint64_t lds_bytes) const {
    return follow(bytes) & lines_inside(kMemLanes * bytes, lds_bytes);
  }
  MEM_INLINE U32x16 operator[](uint32_t q) const { return operand[q] + offset; }
};

// Whether `bytes` bytes from each lane's address on, active or not, are inside LDS.
template<uint32_t kStrips> MEM_INLINE bool all_inside(const Rows& at, uint32_t bytes, uint64_t lds_bytes) {
  U32x16 highest = at[0];
  for (uint32_t q = 1; q < kStrips; ++q) highest = __builtin_elementwise_max(highest, at[q]);
  return bits_of(highest < __builtin_elementwise_sub_sat(uint32_t(lds_bytes) + 1, bytes)) == kAll;
}

template<uint32_t kStrips> struct LdsDword {
  // Whether the lanes of a strip, active or not, access consecutive dwords inside LDS.
  MEM_INLINE static bool consecutive(U32x16 at, uint64_t lds_bytes) {
    const U32x16 last = U32x16(__builtin_elementwise_sub_sat(uint32_t(lds_bytes), 4u));
    return bits_of((at == at[0] + lane_numbers16() * 4u) & (at <= last)) == kAll;
  }
  MEM_INLINE static void store_consecutive(uint8_t* p, U32x16 data, LaneBits lanes) {
    if (lanes == kAll)
      store_unaligned(p, data);
    else
      __builtin_masked_store(bools_of(lanes), data, reinterpret_cast<uint32_t*>(p));
  }
  // The dword of the only active lane, as where one thread of a work-group does something for all. Null where several lanes are active
  // or the dword is not inside LDS.
  MEM_INLINE static uint8_t* only_dword(Wave* w, const Rows& at, uint64_t lanes) {
    if (!std::has_single_bit(lanes)) return nullptr;
    const uint32_t of = reinterpret_cast<const uint32_t*>(at)[std::countr_zero(lanes)];
    return w->lds_bytes >= 4 && of <= w->lds_bytes - 4 ? w->lds + of : nullptr;
  }
  [[gnu::noinline]] static void load_scattered(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* out) {
    const Rows at{at0, at1, at2, at3};
    if (const uint8_t* only = only_dword(w, at, lanes)) {
      uint32_t value;
      __builtin_memcpy(&value, only, sizeof value);
      out[uint32_t(std::countr_zero(lanes)) / kMemLanes] = U32x16(value);
      return;
    }
    if (side_by_side<kStrips>(at, 4, w->lds_bytes)) return gather(w->lds, at[0], kAll, kStrips, out);
    bool windows = true; // whether to look for a window: so far each strip had one
#ifdef __AVX512F__
    Pattern pattern;
    const Found found = find_pattern<kStrips>(at, w->lds_bytes, pattern);
    windows = found != Found::Wide;
    if (found == Found::Pattern) {
      for (uint32_t q = 0; q < kStrips; ++q) out[q] = load_window(w->lds + pattern.begin[q], pattern.indices);
      return;
    }
#endif
    for (uint32_t q = 0; q < kStrips; ++q, lanes >>= kMemLanes) {
      const LaneBits some = LaneBits(lanes) & kAll;
      if (some == 0) continue;
      if (windows && (windows = load_by_window<1>(w, at[q], some, out + q))) continue;
      if (w->lds_bytes >= 4 && (bits_of(at[q] <= w->lds_bytes - 4) & some) == some)
        gather(w->lds, at[q], some, 1, out + q);
      else
        Lds::load(w, 0, at[q], U32x16(0), some, q, 0, 4, BlockRows{out + q});
    }
  }
  [[gnu::noinline]] static void store_scattered(Wave* w, OF_STRIPS(at), uint64_t lanes, OF_STRIPS(data)) {
    const Rows at{at0, at1, at2, at3}, data{data0, data1, data2, data3};
    if (uint8_t* only = only_dword(w, at, lanes)) {
      __builtin_memcpy(only, reinterpret_cast<const uint32_t*>(data) + std::countr_zero(lanes), sizeof(uint32_t));
      return;
    }
#ifdef __AVX512F__
    Pattern pattern;
    WindowPermutation permutation;
    if (find_pattern<kStrips>(at, w->lds_bytes, pattern) == Found::Pattern && invert(pattern.indices, permutation)) {
      for (uint32_t q = 0; q < kStrips; ++q)
        store_window(w->lds + pattern.begin[q], permutation, data[q], LaneBits(lanes >> (kMemLanes * q)) & kAll);
      return;
    }
#endif
    for (uint32_t q = 0; q < kStrips; ++q, lanes >>= kMemLanes) {
      const LaneBits some = LaneBits(lanes) & kAll;
      if (some == 0) continue;
      // (To invert the permutation of a single strip takes longer than 16 stores.)
      if (consecutive(at[q], w->lds_bytes)) {
        store_consecutive(w->lds + at[q][0], data[q], some);
        continue;
      }
#ifdef __AVX512F__
      if ((lanes_inside(at[q], w->lds_bytes, 4) & some) == some) {
        scatter_dwords(w->lds, at[q], data[q], some);
        continue;
      }
#endif
      U32x16 copy = data[q]; // its address is taken, so that `data` itself can stay in registers
      Lds::store(w, 0, at[q], U32x16(0), some, q, 0, 4, BlockRows{&copy});
    }
  }

  static void load(Wave* w, uint64_t lds, uint64_t lds_bytes, uint64_t offset, OF_STRIPS(at), uint64_t lanes,
                   U32x16* io) {
    const Rows operand{at0, at1, at2, at3};
    const WaveAddresses<kStrips> at{operand, uint32_t(offset)};
    if (at.one_after_the_other(4, lds_bytes)) [[likely]] {
      for (uint32_t q = 0; q < kStrips; ++q)
        io[q] = load_unaligned<U32x16>(reinterpret_cast<const char*>(lds) + at.first(q));
      return;
    }
    Rows found; // the function takes its address, so that `io` can stay in registers
    load_scattered(w, at[0], at[1], at[2], at[3], lanes, found);
    for (uint32_t q = 0; q < kStrips; ++q) io[q] = found[q];
  }
  static void store(Wave* w, uint64_t lds, uint64_t lds_bytes, uint64_t offset, OF_STRIPS(at), uint64_t lanes,
                    U32x16* io) {
    const Rows operand{at0, at1, at2, at3};
    const WaveAddresses<kStrips> at{operand, uint32_t(offset)};
    if (!at.one_after_the_other(4, lds_bytes)) [[unlikely]]
      return store_scattered(w, at[0], at[1], at[2], at[3], lanes, io[0], io[1], io[2 % kStrips], io[3 % kStrips]);
    for (uint32_t q = 0; q < kStrips; ++q) {
      auto* p = reinterpret_cast<uint8_t*>(lds + at.first(q));
      if (lanes == kAllStrips<kStrips>) // (known where the code is made)
        store_consecutive(p, io[q], kAll);
      else
        __builtin_masked_store(bools_of(LaneBits(lanes >> (kMemLanes * q)) & kAll), io[q],
                               reinterpret_cast<uint32_t*>(p));
    }
  }
};

// Loads of 64 bits. Strip q's dword k is row k * kMemStrips + q of what comes out.
template<uint32_t kStrips> struct LdsTwoDwords {
  using E = Elem<8>;
  [[gnu::noinline]] static void load_scattered(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* out) {
    const Rows at{at0, at1, at2, at3};
    if (!side_by_side<kStrips>(at, E::kBytes, w->lds_bytes)) return load_each(w, at0, at1, at2, at3, lanes, out);
    const PitchedAddresses pitched(w->lds, at0);
    const bool by_pitch = bits_of(pitched.astray(at0) != 0) == 0;
    for (uint32_t q = 0; q < kStrips; q += 2) { // the elements of two strips
      U32x16 dwords[4];
      const auto load = [&](auto address_of) {
        gather_quads(dwords, [&](uint32_t l) { return address_of(l) + q * E::kBytes; });
      };
      if (by_pitch)
        load(pitched);
      else
        load([base = reinterpret_cast<const char*>(w->lds), each = EachLane<U32x16>(at0, kAll)](uint32_t l) {
          return base + each[l];
        });
      for (uint32_t k = 0; k < 4; ++k) out[k % 2 * kMemStrips + q + k / 2] = dwords[k];
    }
  }
  // (A function of its own, so that the other one needs no place for vectors.)
  [[gnu::noinline]] static void load_each(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* out) {
    const Rows at{at0, at1, at2, at3};
    bool windows = true; // whether to look for a window: so far each strip had one
    for (uint32_t q = 0; q < kStrips; ++q, lanes >>= kMemLanes) {
      const LaneBits some = LaneBits(lanes) & kAll;
      if (some == 0) continue;
      if (windows && (windows = load_by_window<2>(w, at[q], some, out + q))) continue;
      Lds::load(w, 0, at[q], U32x16(0), some, q, 0, kFormatOf<E>, BlockRows{out + q});
    }
  }
  static void load(Wave* w, uint64_t lds, uint64_t lds_bytes, uint64_t offset, OF_STRIPS(at), uint64_t lanes, U32x16* io) {
    const Rows operand{at0, at1, at2, at3};
    const WaveAddresses<kStrips> at{operand, uint32_t(offset)};
    U32x16 found[2 * kMemStrips]; // the function takes its address, so that `io` can stay in registers
    if (at.one_after_the_other(E::kBytes, lds_bytes)) [[likely]] {
      for (uint32_t q = 0; q < kStrips; ++q) {
        U32x16 dwords[4];
        load_linear<E>(reinterpret_cast<const char*>(lds) + at.first(q), dwords);
        io[q] = dwords[0], io[kMemStrips + q] = dwords[1];
      }
      return;
    }
    load_scattered(w, at[0], at[1], at[2], at[3], lanes, found);
    // (Not a loop: of that LLVM makes a memcpy, which translations cannot call.)
    [&]<size_t... kStrip>(std::index_sequence<kStrip...>) {
      ((io[kStrip] = found[kStrip], io[kMemStrips + kStrip] = found[kMemStrips + kStrip]), ...);
    }(std::make_index_sequence<kStrips>());
  }
};

// Loads and stores of 128 bits, whose rows lie likewise.
template<uint32_t kStrips> struct LdsFourDwords {
  using E = Elem<16>;
  [[gnu::noinline]] static void store_scattered(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* rows) {
    const Rows at{at0, at1, at2, at3};
    U32x16 astray = astray_of_lines<4>(at0);
    for (uint32_t q = 1; q < kStrips; ++q) astray |= astray_of_lines<4>(at[q]);
    if (lanes != kAllStrips<kStrips> || bits_of(astray != 0) || !all_inside<kStrips>(at, E::kBytes, w->lds_bytes))
      return store_each(w, at0, at1, at2, at3, lanes, rows);
    _Pragma("clang loop unroll(full)") for (uint32_t q = 0; q < kStrips; ++q) {
      U32x16 in[4];
      BlockRows{rows + q}.read(E::kBytes, in);
      store_lines(in, at[q], reinterpret_cast<char*>(w->lds));
    }
  }
  [[gnu::noinline]] static void store_each(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* rows) {
    const Rows at{at0, at1, at2, at3};
    for (uint32_t q = 0; q < kStrips; ++q, lanes >>= kMemLanes)
      if (const LaneBits some = LaneBits(lanes) & kAll)
        Lds::store(w, 0, at[q], U32x16(0), some, q, 0, E::kBytes, BlockRows{rows + q});
  }
  static void store(Wave* w, uint64_t lds, uint64_t lds_bytes, uint64_t offset, OF_STRIPS(at), uint64_t lanes,
                    U32x16* io) {
    const Rows operand{at0, at1, at2, at3};
    const WaveAddresses<kStrips> at{operand, uint32_t(offset)};
    if (lanes != kAllStrips<kStrips> || !at.one_after_the_other(E::kBytes, lds_bytes))
      return store_scattered(w, at[0], at[1], at[2], at[3], lanes, io);
    for (uint32_t q = 0; q < kStrips; ++q) {
      U32x16 in[4], lines[4];
      BlockRows{io + q}.read(E::kBytes, in);
      join_quads(in[0], in[1], in[2], in[3], lines);
      for (uint32_t k = 0; k < 4; ++k) store_unaligned(reinterpret_cast<char*>(lds) + at.first(q) + 64 * k, lines[k]);
    }
  }
  [[gnu::noinline]] static void load_scattered(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* out) {
    const Rows at{at0, at1, at2, at3};
    // Lanes of a strip are mostly equally far apart, in all strips alike.
    const PitchedAddresses pitched(w->lds, at0);
    U32x16 astray = pitched.astray(at0);
    for (uint32_t q = 1; q < kStrips; ++q) astray |= pitched.astray(at[q]);
    if (bits_of(astray != 0) || !all_inside<kStrips>(at, E::kBytes, w->lds_bytes))
      return load_each(w, at0, at1, at2, at3, lanes, out);
    _Pragma("clang loop unroll(full)") for (uint32_t q = 0; q < kStrips; ++q) {
      const int64_t behind = int64_t(at[q][0]) - int64_t(at0[0]);
      U32x16 dwords[4];
      gather_quads(dwords, [&](uint32_t l) { return pitched(l) + behind; });
      BlockRows{out + q}.write(E::kBytes, dwords);
    }
  }
  [[gnu::noinline]] static void load_each(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* out) {
    const Rows at{at0, at1, at2, at3};
    for (uint32_t q = 0; q < kStrips; ++q, lanes >>= kMemLanes) {
      const LaneBits some = LaneBits(lanes) & kAll;
      if (some && !load_by_window<4>(w, at[q], some, out + q))
        Lds::load(w, 0, at[q], U32x16(0), some, q, 0, kFormatOf<E>, BlockRows{out + q});
    }
  }
  static void load(Wave* w, uint64_t lds, uint64_t lds_bytes, uint64_t offset, OF_STRIPS(at), uint64_t lanes,
                   U32x16* io) {
    const Rows operand{at0, at1, at2, at3};
    const WaveAddresses<kStrips> at{operand, uint32_t(offset)};
    if (!at.one_after_the_other(E::kBytes, lds_bytes)) return load_scattered(w, at[0], at[1], at[2], at[3], lanes, io);
    for (uint32_t q = 0; q < kStrips; ++q) {
      U32x16 dwords[4];
      load_linear<E>(reinterpret_cast<const char*>(lds) + at.first(q), dwords);
      BlockRows{io + q}.write(E::kBytes, dwords);
    }
  }
};

// Loads of bytes and shorts. `io` holds what they are merged into, where they are.
template<class E, uint32_t kStrips> struct LdsNarrow {
  // Whether each element, active or not, lies in one dword.
  MEM_INLINE static bool in_dwords(const Rows& at) {
    auto good = (at[0] & 3u) <= 4u - E::kBytes;
    for (uint32_t q = 1; q < kStrips; ++q) good &= (at[q] & 3u) <= 4u - E::kBytes;
    return bits_of(good) == kAll;
  }
  // Whether each strip's elements lie in consecutive dwords inside LDS, all at the same place of their dword.
  MEM_INLINE static bool one_in_each_dword(const WaveAddresses<kStrips>& at, uint64_t lds_bytes) {
    uint32_t apart = 0;
    for (uint32_t q = 1; q < kStrips; ++q) apart |= at.operand[q][0] ^ at.operand[0][0];
    return at.follow(4) & ((apart & 3) == 0) & ((at.first(0) & 3) <= 4u - E::kBytes) &
           at.lines_inside(4 * kMemLanes, lds_bytes);
  }
  [[gnu::noinline]] static void load_scattered(Wave* w, OF_STRIPS(at), uint64_t lanes, U32x16* out) {
    const Rows at{at0, at1, at2, at3};
    const Rows dwords{at0 & ~3u, at1 & ~3u, at2 & ~3u, at3 & ~3u};
    // (The last bytes of an LDS that is no whole number of dwords are in none.)
    if (all_inside<kStrips>(dwords, 4, w->lds_bytes) && in_dwords(at)) {
      LdsDword<kStrips>::load_scattered(w, dwords[0], dwords[1], dwords[2], dwords[3], lanes, out);
      for (uint32_t q = 0; q < kStrips; ++q) out[q] = narrow_in(out[q], at[q] & 3u, kFormatOf<E>);
      return;
    }
    for (uint32_t q = 0; q < kStrips; ++q, lanes >>= kMemLanes)
      if (const LaneBits some = LaneBits(lanes) & kAll) Lds::load(w, 0, at[q], U32x16(0), some, q, 0, kFormatOf<E>, BlockRows{out + q});
  }
  static void load(Wave* w, uint64_t lds, uint64_t lds_bytes, uint64_t offset, OF_STRIPS(at), uint64_t lanes, U32x16* io) {
    const Rows operand{at0, at1, at2, at3};
    const WaveAddresses<kStrips> at{operand, uint32_t(offset)};
    Rows found; // functions take its address, so that `io` can stay in registers
    if (at.one_after_the_other(E::kBytes, lds_bytes)) {
      for (uint32_t q = 0; q < kStrips; ++q) {
        U32x16 v[4];
        load_linear<E>(reinterpret_cast<const char*>(lds) + at.first(q), v);
        found[q] = v[0];
      }
    } else if (one_in_each_dword(at, lds_bytes)) { // as columns of a tile whose rows hold pairs of shorts
      const uint64_t behind = at.first(0) & 3;
      for (uint32_t q = 0; q < kStrips; ++q) {
        const U32x16 dwords = load_unaligned<U32x16>(reinterpret_cast<const char*>(lds) + at.first(q) - behind);
        found[q] = narrow_in(dwords, U32x16(uint32_t(behind)), kFormatOf<E>);
      }
    } else {
      load_scattered(w, at[0], at[1], at[2], at[3], lanes, found);
    }
    [&]<size_t... kStrip>(std::index_sequence<kStrip...>) {
      ((io[kStrip] = E::kHalf ? E::merge(found[kStrip], io[kStrip]) : found[kStrip]), ...);
    }(std::make_index_sequence<kStrips>());
  }
};
