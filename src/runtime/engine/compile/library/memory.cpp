// runtime/engine/compile/library/memory.cpp - vector memory accesses of one strip, for the translator: the ways that are
// worth being inlined. What they do not cover is done by the functions of support.h. Compiled to bitcode with
// AVX-512 and without; see entries.h.
#include "runtime/engine/interpret/memory/flat.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/compile/library/formats.h"

#include <immintrin.h>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

using library::MemoryEntry;
using library::Space;
constexpr LaneBits kAll = 0xffff;

// The arena, or the work-group's LDS.
struct Room {
  uint64_t base, bytes;
};

// The dwords of an element's strip: one of each register's four strips, which lie side by side, as in a wave's block.
struct BlockRows {
  U32x16* strip;
  MEM_INLINE U32x16& operator[](uint32_t k) const { return strip[k * kMemStrips]; }
  // Those of elements of `bytes`.
  MEM_INLINE void read(uint32_t bytes, U32x16 (&out)[4]) const {
    for (uint32_t k = 0; k < 4 && 4 * k < bytes; ++k) out[k] = (*this)[k];
  }
  MEM_INLINE void write(uint32_t bytes, const U32x16 (&in)[4]) const {
    for (uint32_t k = 0; k < 4 && 4 * k < bytes; ++k) (*this)[k] = in[k];
  }
};

// Elements to where all `lanes` can be reached.
template<class F>
MEM_INLINE void store_scattered(const U32x16 (&in)[4], LaneBits lanes, uint32_t format, F address_of) {
  const U32x16 high = in[0] >> 16;
  scatter(format & kFormatHigh ? &high : in, lanes, format & kFormatBytes, address_of);
}

// Bytes and shorts in the dwords that they lie in, `bytes_behind` the dwords' first bytes.
MEM_INLINE U32x16 narrow_in(U32x16 dwords, U32x16 bytes_behind, uint32_t format) {
  const uint32_t unused = 32 - 8 * (format & kFormatBytes);
  const U32x16 top = (dwords >> (bytes_behind * 8u)) << unused;
  return format & kFormatSigned ? U32x16(V16<int32_t>(top) >> int32_t(unused)) : top >> unused;
}
// Bytes and shorts out of the aligned dwords that they lie in, which are as readable as they are; false: a short lies
// in two. `bytes_behind` are the addresses' lowest two bits, `load` gets the dwords.
template<class F>
MEM_INLINE bool load_narrow(U32x16 bytes_behind, LaneBits lanes, uint32_t format, U32x16* out, F load) {
  if ((format & kFormatBytes) == 2 && (bits_of(bytes_behind == U32x16(3)) & lanes)) return false;
  if (!load(out)) return false;
  out[0] = narrow_in(out[0], bytes_behind, format);
  return true;
}

MEM_INLINE U64x16 wide_addresses(uint64_t base, U32x16 low, U32x16 high) {
  return __builtin_convertvector(low, U64x16) + (__builtin_convertvector(high, U64x16) << 32) + base;
}

// Lanes that are less than so many bytes behind the first one are near each other.
constexpr uint32_t kNearBytes = 256;
#ifdef __AVX512F__
// Loads bytes, shorts and dwords of one strip from the arena whose lanes are near each other, in any order: less than
// kNearBytes behind the first lane's and in its page, which can be read where that lane's can. The vectors that hold
// them are loaded and permuted, in a small part of a gather's time. `lanes` is not 0. False: the addresses have another
// shape.
MEM_INLINE bool load_near(Room arena, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes, uint32_t format,
                          U32x16& out) {
  constexpr uint32_t kPage = 4096, kHalf = kNearBytes / 2;
  const uint32_t bytes = format & kFormatBytes, l = lanes == kAll ? 0 : uint32_t(std::countr_zero(lanes));
  const uint32_t first_low = low[l], first_high = high[l];
  const uint64_t address = base + (first_low | uint64_t(first_high) << 32);
  // Narrow ones are taken out of aligned dwords.
  const uint32_t behind = bytes < 4 ? address & 3 : 0;
  const uint64_t first = address - behind, into_arena = first - arena.base;
  if (into_arena > arena.bytes - 4) return false;
  const auto room = uint32_t(std::min(std::min<uint64_t>(kNearBytes, arena.bytes - into_arena), kPage - first % kPage));
  const U32x16 away = low - first_low, from_first = away + behind, dwords = from_first >> 2u;
  const auto near =
      (away < kNearBytes) & (high == first_high) & (from_first + bytes <= room) & ((from_first & 3u) <= 4 - bytes);
  // (A low half that wraps around would be away by what it is not.)
  if ((bits_of(near) & lanes) != lanes || first_low > ~0u - kNearBytes) return false;
  // What of the window can be read. A permutation takes an index modulo its 32 dwords.
  const uint64_t readable = _bzhi_u64(~0ull, room / 4);
  const auto quarter = [&](uint32_t k) {
    return _mm512_maskz_loadu_epi32(__mmask16(readable >> (16 * k)),
                                    reinterpret_cast<const char*>(first + k * (kHalf / 2)));
  };
  out = U32x16(_mm512_permutex2var_epi32(quarter(0), __m512i(dwords), quarter(1)));
  const auto in_second = dwords >= kHalf / 4;
  if (bits_of(in_second) & lanes)
    out = in_second ? U32x16(_mm512_permutex2var_epi32(quarter(2), __m512i(dwords), quarter(3))) : out;
  if (bytes < 4) out = narrow_in(out, from_first & 3u, format);
  return true;
}
#endif

MEM_INLINE U32x16 reversed(U32x16 v) {
  return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

// Where an access goes: checks and slow ways of one address space.
struct Global {
  static constexpr Space kSpace = Space::Global;
  // (No arena is smaller than an access.)
  static bool inside(Room room, uint64_t address, uint32_t bytes) { return lies_in(address, room.base, room.bytes, bytes); }
  static char* at(Room, uint64_t address) { return reinterpret_cast<char*>(address); }
  // (Out of line: the translation has one copy of what is rarely needed.)
  static void addresses(uint64_t base, U32x16 low, U32x16 high, uint64_t* out) {
    *reinterpret_cast<U64x16*>(out) = wide_addresses(base, low, high);
  }
  // Scattered dwords, where all lanes are in the arena; false: they are not.
  static bool load_scattered(Room room, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes, uint32_t dwords, bool fetched, U32x16* out) {
    alignas(128) uint64_t at[kMemLanes];
    addresses(base, low, high, at);
    const LaneBits inside = bits_of(lies_in(*reinterpret_cast<const U64x16*>(at), room.base, room.bytes, 4 * dwords));
    if ((inside & lanes) != lanes) return false;
    // Rows of a matrix, read piece by piece: the next piece of each is the next line, which no prefetcher of the host expects.
    for (uint32_t l = 0; dwords == 4 && !fetched && l < kMemLanes; l += 4) __builtin_prefetch(reinterpret_cast<const char*>(at[l] + kCacheLine));
    gather(at, lanes, dwords, out);
    return true;
  }
  static constexpr uint64_t kCacheLine = 64;
  // Where all lanes' elements, of one dword or two, lie one behind the other in descending order, as a partition writes
  // what it has not selected: the last lane's element. Else null.
  MEM_INLINE static char* first_of_backwards(const Wave* w, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes,
                                             uint32_t bytes) {
    if (lanes != kAll || (bytes != 4 && bytes != 8)) return nullptr;
    constexpr uint32_t kLast = kMemLanes - 1;
    const U32x16 want = (kLast - lane_numbers16()) * bytes + low[kLast];
    // (A low half that wraps around would carry into the high one.)
    if (bits_of(((low ^ want) | (high ^ high[kLast])) != 0) || low[kLast] > ~0u - kMemLanes * bytes) return nullptr;
    const uint64_t first = base + (low[kLast] | uint64_t(high[kLast]) << 32);
    return inside({w->arena_base, w->arena_bytes}, first, kMemLanes * bytes) ? reinterpret_cast<char*>(first) : nullptr;
  }
  [[gnu::noinline]] static bool load(Wave* w, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes, uint32_t q, uint64_t pc, uint32_t format, BlockRows io) {
    const uint32_t bytes = format & kFormatBytes;
    const bool fetched = pc & kFetchedAhead;
    pc &= ~kFetchedAhead;
    w->guest_pc = pc & ~kAtFlat;
    U32x16 out[4];
    if (const char* first = first_of_backwards(w, base, low, high, lanes, bytes)) {
      const auto load = [&]<class E>(E) {
        load_linear<E>(first, out);
        for (uint32_t k = 0; k < E::kDwords; ++k) io[k] = reversed(out[k]);
      };
      bytes == 4 ? load(Elem<4>()) : load(Elem<8>());
      return true;
    }
    if (bytes >= 4 && load_scattered({w->arena_base, w->arena_bytes}, base, low, high, lanes, bytes / 4, fetched, out)) {
      io.write(bytes, out);
      return true;
    }
    alignas(128) uint64_t at[kMemLanes];
    addresses(base, low, high, at);
    if (bytes < 4) {
      const U64x16 all = *reinterpret_cast<const U64x16*>(at);
      const auto aligned = [&](U32x16* dword) {
        const U64x16 begin = all & ~3ull;
        if ((bits_of(lies_in(begin, w->arena_base, w->arena_bytes, 4)) & lanes) != lanes) return false;
        alignas(128) uint64_t from[kMemLanes];
        *reinterpret_cast<U64x16*>(from) = begin;
        gather(from, lanes, 1, dword);
        return true;
      };
      if (load_narrow(__builtin_convertvector(all & 3ull, U32x16), lanes, format, out, aligned)) {
        io.write(bytes, out);
        return true;
      }
    }
    if (!omnihip_t1_load(w, at, lanes, q, pc, format, reinterpret_cast<uint32_t*>(out))) return false;
    io.write(bytes, out);
    return true;
  }
  [[gnu::noinline]] static bool store(Wave* w, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes, uint32_t q, uint64_t pc, uint32_t format, BlockRows io) {
    const uint32_t bytes = format & kFormatBytes;
    U32x16 in[4];
    io.read(bytes, in);
    if (char* first = first_of_backwards(w, base, low, high, lanes, bytes)) {
      w->guest_pc = pc & ~kAtFlat;
      const auto store = [&]<class E>(E) {
        alignas(64) uint32_t rows[2][kMaxLanes];
        for (uint32_t k = 0; k < E::kDwords; ++k) *reinterpret_cast<U32x16*>(rows[k]) = reversed(in[k]);
        store_linear<E>(first, rows[0], 0);
      };
      bytes == 4 ? store(StoreElem<4>()) : store(StoreElem<8>());
      return true;
    }
    alignas(128) uint64_t at[kMemLanes];
    addresses(base, low, high, at);
    const LaneBits inside = bits_of(lies_in(*reinterpret_cast<const U64x16*>(at), w->arena_base, w->arena_bytes, bytes));
    if ((inside & lanes) == lanes && bytes != 12) {
      w->guest_pc = pc & ~kAtFlat;
      const EachLane<U64x16> each(*reinterpret_cast<const U64x16*>(at), 0xffff);
      store_scattered(in, lanes, format, [&](uint32_t l) { return reinterpret_cast<char*>(each[l]); });
      return true;
    }
    return omnihip_t1_store(w, at, lanes, q, pc, format, reinterpret_cast<const uint32_t*>(in));
  }
};
struct Lds { // addresses wrap at 32 bits
  static constexpr Space kSpace = Space::Lds;
  static bool inside(Room room, uint64_t address, uint32_t bytes) { return ends_in(uint32_t(address), bytes, room.bytes); }
  static char* at(Room room, uint64_t address) { return reinterpret_cast<char*>(room.base) + uint32_t(address); }
  [[gnu::noinline]] static bool load(Wave* w, uint64_t base, U32x16 low, U32x16, LaneBits lanes, uint32_t, uint64_t, uint32_t format, BlockRows io) {
    alignas(64) U32x16 at = low + uint32_t(base);
    const uint32_t bytes = format & kFormatBytes;
    U32x16 out[4];
    if (bytes >= 4 && (lanes_inside(at, w->lds_bytes, bytes) & lanes) == lanes) {
      gather(w->lds, at, lanes, bytes / 4, out);
      io.write(bytes, out);
      return true;
    }
    if (bytes < 4) {
      const auto aligned = [&](U32x16* dword) {
        const U32x16 begin = at & ~3u;
        if ((lanes_inside(begin, w->lds_bytes, 4) & lanes) != lanes) return false;
        gather(w->lds, begin, lanes, 1, dword);
        return true;
      };
      if (load_narrow(at & 3u, lanes, format, out, aligned)) {
        io.write(bytes, out);
        return true;
      }
    }
    if (!omnihip_t1_lds_load(w, reinterpret_cast<const uint32_t*>(&at), lanes, format, reinterpret_cast<uint32_t*>(out))) return false;
    io.write(bytes, out);
    return true;
  }
  [[gnu::noinline]] static bool store(Wave* w, uint64_t base, U32x16 low, U32x16, LaneBits lanes, uint32_t, uint64_t, uint32_t format, BlockRows io) {
    alignas(64) U32x16 at = low + uint32_t(base);
    const uint32_t bytes = format & kFormatBytes;
    U32x16 in[4];
    io.read(bytes, in);
    if (bytes != 12 && (lanes_inside(at, w->lds_bytes, bytes) & lanes) == lanes) {
      char* lds = reinterpret_cast<char*>(w->lds);
      if (bytes == 16 && lanes == kAll && (scatter_columns(in, at, lds) || scatter_lines(in, at, lds))) return true;
#ifdef __AVX512F__
      if (bytes == 8 && lanes != kAll) {
        scatter_pairs(w->lds, at, in[0], in[1], lanes);
        return true;
      }
#endif
      const EachLane<U32x16> each(at, 0xffff);
      store_scattered(in, lanes, format, [&](uint32_t l) { return lds + each[l]; });
      return true;
    }
    return omnihip_t1_lds_store(w, reinterpret_cast<const uint32_t*>(&at), lanes, format, reinterpret_cast<const uint32_t*>(in));
  }
};

// How a strip's addresses lie, found out when it runs.
struct Seen {
  uint32_t first; // lane
  bool linear;
};
template <uint32_t kStep> MEM_INLINE Seen look(U32x16 low, U32x16 high, LaneBits lanes) {
  const uint32_t f = lanes == kAll ? 0 : uint32_t(std::countr_zero(lanes));
  const U32x16 want = (lane_numbers16() - f) * kStep + low[f];
  const LaneBits off = (bits_of(low != want) | bits_of(high != high[f])) & lanes;
  // A low half that wraps around would carry into the high one.
  return {f, off == 0 && low[f] <= ~0u - kMemLanes * kStep};
}

// --- loads
template <class E, class To> MEM_INLINE void put(To io, const U32x16 (&v)[4]) {
  for (uint32_t k = 0; k < E::kDwords; ++k) io[k] = E::kHalf ? E::merge(v[k], io[k]) : v[k];
}
// Flat accesses to the wave's own memory; false: it is something else.
template <class E> [[gnu::noinline]] bool load_own(Wave* w, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes, uint32_t q, BlockRows io) {
  U32x16 v[4];
  if (!load_flat<E>(w, FlatStrip(wide_addresses(base, low, high), lanes, q), v)) return false;
  put<E>(io, v);
  return true;
}
template <class E> [[gnu::noinline]] bool store_own(Wave* w, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes, uint32_t q, BlockRows data) {
  U32x16 v[4];
  data.read(E::kBytes, v);
  return store_flat<E>(w, FlatStrip(wide_addresses(base, low, high), lanes, q), v);
}
template <class E, class S>
MEM_INLINE bool load_slow(Wave* w, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes, uint32_t q, uint64_t pc, BlockRows io) {
  if constexpr (S::kSpace == Space::Global)
    if ((pc & kAtFlat) && load_own<E>(w, base, low, high, lanes, q, io)) return true;
  if constexpr (!E::kHalf) {
    return S::load(w, base, low, high, lanes, q, pc, kFormatOf<E>, io);
  } else {
    static_assert(E::kDwords == 1);
    U32x16 v[4];
    if (!S::load(w, base, low, high, lanes, q, pc, kFormatOf<E>, BlockRows{v})) return false;
    put<E>(io, v);
    return true;
  }
}
// The caller knows that all of it is inside.
template <class E> void load_strip(char* p, U32x16* io) {
  U32x16 v[4];
  load_linear<E>(p, v);
  put<E>(io, v);
}
template <class E> void load_uniform(const char* p, uint32_t* io) {
  const auto value = E::load(p);
  for (uint32_t k = 0; k < E::kDwords; ++k) io[k] = E::kHalf ? E::merge(U32x16(value.v[k]), U32x16(io[k]))[0] : value.v[k];
}
// Consecutive elements in active lanes; nothing is read for the others, which get 0. Hosts have such loads of up to a dword.
#ifdef __AVX512F__
constexpr uint32_t kMostMaskedBytes = 4, kFewestMaskedBytes = 1;
#else
constexpr uint32_t kMostMaskedBytes = 4, kFewestMaskedBytes = 4;
#endif
template <class E> MEM_INLINE U32x16 load_masked(const char* p, LaneBits lanes) {
  if constexpr (E::kBytes == 1) {
    const __m128i v = _mm_maskz_loadu_epi8(__mmask16(lanes), p);
    return U32x16(E::kSigned ? _mm512_cvtepi8_epi32(v) : _mm512_cvtepu8_epi32(v));
  } else if constexpr (E::kBytes == 2) {
    const __m256i v = _mm256_maskz_loadu_epi16(__mmask16(lanes), p);
    return U32x16(E::kSigned ? _mm512_cvtepi16_epi32(v) : _mm512_cvtepu16_epi32(v));
  } else {
    return U32x16(_mm512_maskz_loadu_epi32(__mmask16(lanes), p)); // (the builtin takes dwords for aligned)
  }
}
// Of fewer lanes it is not asked whether they are consecutive: lanes that drop out of a loop one by one are by chance, and the
// answer waits for addresses that may themselves come from memory.
constexpr uint32_t kFewestLinearLanes = 4;
template <class E, class S>
bool load_any(Wave* w, uint64_t room_base, uint64_t room_bytes, uint64_t base, U32x16 low, U32x16 high, uint16_t lanes, uint32_t q, uint64_t pc, U32x16* strip) {
  const BlockRows io{strip};
  const Room room{room_base, room_bytes};
  if (lanes == 0) return true;
  const uint32_t count = uint32_t(std::popcount(lanes));
  if (count == 1) { // one element: a masked load of the strip around it would mostly touch two lines of cache
    const uint32_t l = uint32_t(std::countr_zero(lanes));
    const uint64_t address = base + (low[l] | uint64_t(high[l]) << 32);
    if (S::inside(room, address, E::kBytes)) [[likely]] {
      const auto value = E::load(S::at(room, address));
      U32x16 v[4];
      for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = lane_numbers16() == l ? U32x16(value.v[k]) : U32x16(0);
      put<E>(io, v);
      return true;
    }
  } else if (lanes == kAll || (count >= kFewestLinearLanes && E::kBytes >= kFewestMaskedBytes && E::kBytes <= kMostMaskedBytes)) {
    const Seen seen = look<E::kBytes>(low, high, lanes);
    const uint64_t address = base + (low[seen.first] | uint64_t(high[seen.first]) << 32);
    if (seen.linear) {
      // (A masked access needs only its active lanes to be inside, but then the slow way does it.)
      const uint64_t strip = address - seen.first * E::kBytes;
      if (S::inside(room, strip, kMemLanes * E::kBytes)) [[likely]] {
        const char* p = S::at(room, strip);
        U32x16 v[4];
        if (lanes == kAll)
          load_linear<E>(p, v);
        else
          v[0] = load_masked<E>(p, LaneBits(lanes));
        put<E>(io, v);
        return true;
      }
    }
  }
  return load_slow<E, S>(w, base, low, high, lanes, q, pc, io);
}

// --- stores
template <class E, class From> MEM_INLINE void rows_of(From data, uint32_t (&rows)[4][kMaxLanes]) {
  for (uint32_t k = 0; k < E::kDwords; ++k) *reinterpret_cast<U32x16*>(rows[k]) = data[k];
}
template <class E, class S>
MEM_INLINE bool store_slow(Wave* w, uint64_t base, U32x16 low, U32x16 high, LaneBits lanes, uint32_t q, uint64_t pc, BlockRows data) {
  if constexpr (S::kSpace == Space::Global)
    if ((pc & kAtFlat) && store_own<E>(w, base, low, high, lanes, q, data)) return true;
  return S::store(w, base, low, high, lanes, q, pc, kFormatOf<E>, data);
}
template <class E> void store_strip(char* p, U32x16* data) {
  alignas(64) uint32_t rows[4][kMaxLanes];
  rows_of<E>(data, rows);
  store_linear<E>(p, rows[0], 0);
}
template <class E> void store_uniform(char* p, const U32x16* data, uint32_t lane) {
  alignas(64) uint32_t rows[4][kMaxLanes];
  rows_of<E>(data, rows);
  E::put(p, rows[0], lane);
}
template <class E, class S>
bool store_any(Wave* w, uint64_t room_base, uint64_t room_bytes, uint64_t base, U32x16 low, U32x16 high, uint16_t lanes, uint32_t q, uint64_t pc, U32x16* strip) {
  const BlockRows data{strip};
  const Room room{room_base, room_bytes};
  if (lanes == 0) return true;
  if (lanes == kAll || E::kBytes == 4) {
    const Seen seen = look<E::kBytes>(low, high, lanes);
    const uint64_t address = base + (low[seen.first] | uint64_t(high[seen.first]) << 32);
    if (seen.linear) {
      const uint64_t strip = address - seen.first * E::kBytes;
      if (S::inside(room, strip, kMemLanes * E::kBytes)) [[likely]] {
    char* p = S::at(room, strip);
        if (lanes == kAll) {
          alignas(64) uint32_t rows[4][kMaxLanes];
          rows_of<E>(data, rows);
          store_linear<E>(p, rows[0], 0);
        } else {
          _mm512_mask_storeu_epi32(p, __mmask16(lanes), __m512i(data[0]));
        }
        return true;
      }
    }
  }
  return store_slow<E, S>(w, base, low, high, lanes, q, pc, data);
}

#include "runtime/engine/compile/library/lds_wave.h"

#include "runtime/engine/compile/library/lds_pattern.h"

// Elements of whole dwords that lie `stride` bytes apart in a strip, all of them inside. (Out of line: an element's way does
// not depend on what else is known.)
template<class E> [[gnu::noinline]] void load_apart(char* p, uint64_t stride, U32x16* io) {
  if constexpr (E::kDwords == 2) {
    gather_pairs(io, [=](uint32_t l) { return p + l * stride; });
  } else if constexpr (E::kDwords == 4) {
    gather_quads(io, [=](uint32_t l) { return p + l * stride; });
  } else {
    for (uint32_t k = 0; k < E::kDwords; ++k) {
      U32x16 v;
      _Pragma("clang loop unroll(full)") for (uint32_t l = 0; l < kMemLanes; ++l) v[l] = load_unaligned<uint32_t>(p + l * stride + 4 * k);
      io[k] = v;
    }
  }
}
// (The stride is known where the code is made.)
template<class E> void load_strided(char* p, uint64_t stride, U32x16* io) {
  if (E::kBytes == 4 &&
      stride == 8) { // every second dword: two vectors hold them, of which the second one ends with the last
    constexpr uint32_t kSecond = 15;
    const U32x16 a = load_unaligned<U32x16>(p), b = load_unaligned<U32x16>(p + 4 * kSecond);
    io[0] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31);
    return;
  }
  load_apart<E>(p, stride, io);
}
template <class E> [[gnu::noinline]] void store_strided(char* p, uint64_t stride, U32x16* io) {
  if constexpr (E::kBytes != 12) scatter(io, kAll, E::kBytes, [=](uint32_t l) { return p + l * stride; });
}
// Null: no such elements.
template <class E> constexpr library::AccessStrided* strided_load() {
  if constexpr (E::kBytes % 4 == 0) return &load_strided<E>;
  return nullptr;
}
template <class E> constexpr library::AccessStrided* strided_store() {
  if constexpr (E::kBytes % 4 == 0 && E::kBytes != 12) return &store_strided<E>;
  return nullptr;
}

template <class E, class S> constexpr bool kByWave = S::kSpace == Space::Lds && E::kBytes == 4;
// All strips of a wave at once; null: strip by strip.
template <class E, class S, uint32_t kStrips> constexpr library::AccessWave* wave_load() {
  if constexpr (kByWave<E, S>) return &LdsDword<kStrips>::load;
  if constexpr (std::is_same_v<S, Lds> && std::is_same_v<E, Elem<8>>) return &LdsTwoDwords<kStrips>::load;
  if constexpr (std::is_same_v<S, Lds> && std::is_same_v<E, Elem<16>>) return &LdsFourDwords<kStrips>::load;
  if constexpr (std::is_same_v<S, Lds> && E::kBytes < 4) return &LdsNarrow<E, kStrips>::load;
  return nullptr;
}
template<class E, class S, uint32_t kStrips> constexpr library::AccessWave* wave_store() {
  if constexpr (kByWave<E, S>) return &LdsDword<kStrips>::store;
  if constexpr (std::is_same_v<S, Lds> && E::kBytes == 16) return &LdsFourDwords<kStrips>::store;
  return nullptr;
}
// Whether the lanes of a wave's strip 0 are near each other, but not consecutive.
template<class E> bool looks_near(U32x16 low, uint16_t lanes) {
  const uint32_t f = lanes == kAll ? 0 : uint32_t(std::countr_zero(uint32_t(lanes) | 1u << 15));
  const U32x16 away = low - low[f];
  const LaneBits near = bits_of(away < kNearBytes), linear = bits_of(away == (lane_numbers16() - f) * E::kBytes);
  return (near & lanes) == lanes && (linear & lanes) != lanes;
}
#ifdef __AVX512F__
template<class E, uint32_t kStrips> [[gnu::noinline]] bool
load_near_of_wave(Wave* w, uint64_t base, OF_STRIPS(low), OF_STRIPS(high), uint64_t exec, uint64_t pc, U32x16* strips) {
  const U32x16 low[] = {low0, low1, low2, low3}, high[] = {high0, high1, high2, high3};
  w->guest_pc = pc;
  const Room arena{w->arena_base, w->arena_bytes};
  _Pragma("clang loop unroll(full)") for (uint32_t q = 0; q < kStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (lanes == 0) continue;
    U32x16 v[4];
    if (!load_near(arena, base, low[q], high[q], lanes, kFormatOf<E>, v[0])) return false;
    put<E>(BlockRows{strips + q}, v);
  }
  return true;
}
#endif
// Null: no such elements, or hosts that would not gain.
template<class E, class S, uint32_t kStrips> constexpr library::LoadNear* near_load() {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<S, Global> && E::kBytes <= 4) return &load_near_of_wave<E, kStrips>;
#endif
  return nullptr;
}

template <class E, class S> MemoryEntry load_entry(Opcode opcode) {
  constexpr bool kWave = kByWave<E, S>;
  return {.opcode = uint32_t(opcode),
          .linear = &load_strip<E>,
          .load_uniform = &load_uniform<E>,
          .store_uniform = nullptr,
          .any = &load_any<E, S>,
          .wave = wave_load<E, S, 4>(),
          .strided = strided_load<E>(),
          .pattern = kWave ? &LdsPattern<4>::load : nullptr,
          .pattern_two = kWave ? &LdsPattern<4>::load_two : nullptr,
          .space = S::kSpace,
          .bytes = E::kBytes,
          .dwords = E::kDwords,
          .stores = 0,
          .merges = E::kMerges,
          .returns = 0,
          .wave32 = wave_load<E, S, 2>(),
          .pattern32 = kWave ? &LdsPattern<2>::load : nullptr,
          .pattern_two32 = kWave ? &LdsPattern<2>::load_two : nullptr,
          .near = near_load<E, S, 4>(),
          .near32 = near_load<E, S, 2>(),
          .looks_near = near_load<E, S, 4>() ? &looks_near<E> : nullptr};
}
template <class E, class S> MemoryEntry store_entry(Opcode opcode) {
  constexpr bool kWave = kByWave<E, S>;
  return {.opcode = uint32_t(opcode),
          .linear = &store_strip<E>,
          .load_uniform = nullptr,
          .store_uniform = &store_uniform<E>,
          .any = &store_any<E, S>,
          .wave = wave_store<E, S, 4>(),
          .strided = strided_store<E>(),
          .pattern = kWave ? &LdsPattern<4>::store : nullptr,
          .pattern_two = kWave ? &LdsPattern<4>::store_two : nullptr,
          .space = S::kSpace,
          .bytes = E::kBytes,
          .dwords = E::kDwords,
          .stores = 1,
          .merges = 0,
          .returns = 0,
          .wave32 = wave_store<E, S, 2>(),
          .pattern32 = kWave ? &LdsPattern<2>::store : nullptr,
          .pattern_two32 = kWave ? &LdsPattern<2>::store_two : nullptr};
}

// --- atomics on LDS, which belongs to one thread: lane by lane, in ascending order
#include "runtime/engine/interpret/memory/atomic_ops.h"

template <class Op> MEM_INLINE typename Op::T atomic_lane(uint64_t room_base, uint32_t at, typename Op::T data) {
  uint8_t* p = reinterpret_cast<uint8_t*>(room_base) + at;
  const auto m = load_unaligned<typename Op::T>(p);
  store_unaligned(p, Op::apply(m, data));
  return m;
}
// Lane l of one or two strips as a value, and back.
template <class T, class From> MEM_INLINE T lane_of(From v, uint32_t l) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(v[0][l] | uint64_t(v[1][l]) << 32);
  else
    return std::bit_cast<T>(v[0][l]);
}
template <class T> MEM_INLINE void set_lane_of(U32x16* v, uint32_t l, T value) {
  if constexpr (sizeof(T) == 8) {
    const uint64_t u = std::bit_cast<uint64_t>(value);
    v[0][l] = uint32_t(u), v[1][l] = uint32_t(u >> 32);
  } else {
    v[0][l] = std::bit_cast<uint32_t>(value);
  }
}
// The lanes of `good` are inside and aligned. Of the others, those that are outside are dropped.
template<class Op, bool kReturns> [[gnu::noinline]] bool lds_atomic_some(Wave* w, uint64_t room_base, U32x16 at,
                                                                         uint32_t lanes, uint32_t good, uint32_t q,
                                                                         uint64_t pc, BlockRows io) {
  constexpr uint32_t kBytes = sizeof(typename Op::T);
  if ((lanes & ~good) && (bits_of((at & (kBytes - 1)) != U32x16(0)) & lanes)) {
    alignas(64) uint32_t offsets[kMemLanes];
    *reinterpret_cast<U32x16*>(offsets) = at;
    return omnihip_t1_lds_misaligned(w, offsets, lanes, q, pc, kBytes);
  }
  U32x16 old[2] = {U32x16(0), U32x16(0)};
  for (uint32_t rest = good; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    const auto m = atomic_lane<Op>(room_base, at[l], lane_of<typename Op::T>(io, l));
    if constexpr (kReturns) set_lane_of(old, l, m);
  }
  if constexpr (kReturns)
    for (uint32_t k = 0; k < kBytes / 4; ++k) io[k] = old[k];
  return true;
}
// Whether the lanes' elements are inside and aligned. One comparison says both, as the lowest bits of the address become its highest
// ones.
template <class T> MEM_INLINE auto whole_elements(U32x16 at, uint64_t room_bytes) {
  constexpr uint32_t kLow = sizeof(T) == 8 ? 3 : 2;
  const U32x16 turned = at >> kLow | at << (32 - kLow);
  return turned <= (room_bytes < sizeof(T) ? 0u : uint32_t((room_bytes - sizeof(T)) >> kLow));
}
// Of a wave of which some lanes are off, outside or misaligned.
template<class Op, bool kReturns, uint32_t kStrips> [[gnu::noinline]] bool
lds_atomic_strips(Wave* w, uint64_t room_base, uint64_t room_bytes, uint64_t base, OF_STRIPS(low), uint64_t exec, uint64_t pc,
                  U32x16* rows) {
  const Rows low = {low0, low1, low2, low3};
  for (uint32_t q = 0; q < kStrips; ++q) {
    using T = typename Op::T;
    const U32x16 at = low[q] + uint32_t(base);
    const auto lanes = uint16_t(exec >> (q * kMemLanes));
    const LaneBits good = (room_bytes < sizeof(T) ? 0 : bits_of(whole_elements<T>(at, room_bytes))) & lanes;
    if (!lds_atomic_some<Op, kReturns>(w, room_base, at, lanes, good, q, pc, BlockRows{rows + q})) return false;
  }
  return true;
}
// Addresses out of a vector register come late, and the host then reads ahead of stores that it should have waited for, 20 times
// slower than through memory (docs/decisions/0003); volatile keeps the compiler from undoing it. They are stored long before they
// are used, those of several atomics together, so that the loads need not wait for them.
template <class T, uint32_t kStrips>
bool lds_atomic_places(uint64_t room_bytes, uint64_t base, OF_STRIPS(low), uint64_t exec, U32x16* places) {
  const Rows at = {low0 + uint32_t(base), low1 + uint32_t(base), low2 + uint32_t(base), low3 + uint32_t(base)};
  auto good = whole_elements<T>(at[0], room_bytes);
  for (uint32_t q = 1; q < kStrips; ++q) good &= whole_elements<T>(at[q], room_bytes);
  for (uint32_t q = 0; q < kStrips; ++q) const_cast<volatile U32x16*>(places)[q] = at[q];
  return room_bytes >= sizeof(T) && bits_of(good) == kAll && (exec & kAllStrips<kStrips>) == kAllStrips<kStrips>;
}
template<class Op, bool kReturns, uint32_t kStrips>
bool lds_atomic_wave(Wave* w, uint64_t room_base, uint64_t room_bytes, uint64_t base, OF_STRIPS(low), uint64_t exec, uint64_t pc,
                     U32x16* rows, const U32x16* places, bool good) {
  using T = typename Op::T;
  if (!good) [[unlikely]]
    return lds_atomic_strips<Op, kReturns, kStrips>(w, room_base, room_bytes, base, low0, low1, low2, low3, exec, pc, rows);
  // (Read here: a store to LDS might be one to the rows, for all that the compiler knows.)
  const T first = lane_of<T>(BlockRows{rows}, 0);
  auto same = rows[0] == U32x16(rows[0][0]);
  for (uint32_t q = 1; q < kStrips; ++q) same &= rows[q] == U32x16(rows[0][0]);
  const bool one_for_all = sizeof(T) == 4 && bits_of(same) == kAll;
  const auto* const offsets = reinterpret_cast<const volatile uint32_t*>(places);
  const auto each = [&](auto data_of) {
    _Pragma("clang loop unroll(full)") for (uint32_t q = 0; q < kStrips; ++q) {
      const BlockRows io{rows + q};
      U32x16 old[2];
      _Pragma("clang loop unroll(full)") for (uint32_t l = 0; l < kMemLanes; ++l) {
        const uint32_t offset = offsets[q * kMemLanes + l];
        const T m = atomic_lane<Op>(room_base, offset, data_of(io, l));
        if constexpr (kReturns) set_lane_of(old, l, m);
      }
      if constexpr (kReturns)
        for (uint32_t k = 0; k < sizeof(T) / 4; ++k) io[k] = old[k];
    }
  };
  if (one_for_all) // a constant more often than not, and then this is known when it is translated
    each([&](const BlockRows&, uint32_t) { return first; });
  else
    each([&](const BlockRows& io, uint32_t l) { return lane_of<T>(io, l); });
  return true;
}
template <class Op, bool kReturns> MemoryEntry atomic_entry(Opcode opcode) {
  constexpr uint32_t kBytes = sizeof(typename Op::T);
  MemoryEntry out{};
  out.opcode = uint32_t(opcode);
  out.atomic_wave = &lds_atomic_wave<Op, kReturns, 4>, out.atomic_wave32 = &lds_atomic_wave<Op, kReturns, 2>;
  out.atomic_places = &lds_atomic_places<typename Op::T, 4>, out.atomic_places32 = &lds_atomic_places<typename Op::T, 2>;
  out.space = Space::Lds;
  out.bytes = kBytes, out.dwords = kBytes / 4;
  out.stores = 1, out.returns = kReturns;
  return out;
}

} // namespace

namespace {

template <Opcode kOpcode> using SpaceOf = std::conditional_t<row_of(kOpcode).unit == Unit::Lds, Lds, Global>;
// Accesses of two elements are two of one (OpcodeRow::body).
template <MemoryKind kKind> constexpr bool is_access(const OpcodeRow& row) {
  return (row.unit == Unit::Global || row.unit == Unit::Flat || row.unit == Unit::Lds) && row.memory.kind == kKind &&
         row.memory.elements == 1 && is_plain(row.memory);
}
// What compares or masks takes two operands of data, and has no function here.
constexpr bool is_lds_atomic(const OpcodeRow& row) {
  return is_atomic<Unit::Lds>(row) && row.memory.atomic != AtomicOp::CompareSwap &&
         row.memory.atomic != AtomicOp::CompareSwapFloat && row.memory.atomic != AtomicOp::CompareStore &&
         row.memory.atomic != AtomicOp::CompareStoreFloat && row.memory.atomic != AtomicOp::MaskOr &&
         row.memory.atomic != AtomicOp::Swap && row.memory.atomic != AtomicOp::Wrap;
}

} // namespace

// (As with alu.cpp's table, the optimiser makes constants of these.)
extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_memory_loads) = map_opcodes<is_access<MemoryKind::Load>>(
    []<Opcode kOpcode>() { return load_entry<LoadElement<kOpcode>, SpaceOf<kOpcode>>(kOpcode); });
extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_memory_stores) = map_opcodes<is_access<MemoryKind::Store>>(
    []<Opcode kOpcode>() { return store_entry<StoreElement<kOpcode>, SpaceOf<kOpcode>>(kOpcode); });
extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_memory_atomics) =
    map_opcodes<is_lds_atomic>([]<Opcode kOpcode>() {
      constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
      return atomic_entry<AtomicOperation<kAccess.atomic, kAccess.bytes>, kAccess.returns>(kOpcode);
    });

} // namespace hip::engine::OMNIHIP_LEVEL
