// runtime/engine/interpret/memory/mem.h - what vector memory handlers share. A handler takes the wave in strips of 16 lanes and
// examines the shape of each strip's addresses: consecutive (one vector access), all equal (one scalar access) or anything else
// (lane by lane). Compiled once per host ISA level; 16 lanes are one AVX-512 register or several smaller ones.
// Include outside of all namespaces; everything is in the level's namespace.
#pragma once

#include "runtime/engine/engine.h"
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/interpret/op_row.h"
#include "runtime/engine/interpret/memory/reach.h"
#include "runtime/engine/interpret/memory/words.h"
#include "runtime/engine/isa/opcode.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace hip::engine::OMNIHIP_LEVEL {

#define MEM_INLINE [[gnu::always_inline]] inline

inline constexpr uint32_t kMemLanes = 16; // lanes per strip
inline constexpr uint32_t kMemStrips = kMaxLanes / kMemLanes;
template <class T> using V16 = T __attribute__((ext_vector_type(16)));
template <class T> using V8 = T __attribute__((ext_vector_type(8)));
using U32x16 = V16<uint32_t>;
using LaneBits = uint32_t; // 16 bits of a strip

template <class T> MEM_INLINE T load_unaligned(const void* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T> MEM_INLINE void store_unaligned(void* p, T v) { std::memcpy(p, &v, sizeof v); }

MEM_INLINE U32x16 lane_numbers16() { return U32x16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; }
template <class C> MEM_INLINE LaneBits bits_of(C comparison) {
  return __builtin_bit_cast(uint16_t, __builtin_convertvector(comparison, V16<bool>));
}
MEM_INLINE V16<bool> bools_of(LaneBits lanes) {
#ifdef __AVX512F__
  return __builtin_bit_cast(V16<bool>, uint16_t(lanes));
#else // LLVM would take the bits out one by one
  const U32x16 bit = U32x16(1) << lane_numbers16();
  return __builtin_convertvector((U32x16(lanes) & bit) == bit, V16<bool>);
#endif
}

// Writes numbers of 64 bits where single ones are read next. Stores of 64 bytes would be slow: Intel's processors
// (Emerald Rapids) do not pass eight bytes of a store's second half on to a load, which waits until the store is in the
// cache, 7.5 ns instead of 2.9.
MEM_INLINE void put_each(void* to, V8<uint64_t> v) {
  using Half = uint64_t __attribute__((ext_vector_type(4)));
  auto* halves = static_cast<volatile Half*>(to); // volatile, so that the compiler does not make one store of them
  halves[0] = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  halves[1] = __builtin_shufflevector(v, v, 4, 5, 6, 7);
}
MEM_INLINE void put_each(void* to, V16<uint64_t> v) {
  put_each(to, __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7));
  put_each(static_cast<char*>(to) + 64, __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15));
}

MEM_INLINE U32x16 load_row(const uint32_t* row, uint32_t q) {
  return *reinterpret_cast<const U32x16*>(row + q * kMemLanes);
}
// Writes those lanes of a strip that are set in `lanes`.
template <bool kFull> MEM_INLINE void store_row(uint32_t* row, uint32_t q, LaneBits lanes, U32x16 v) {
  U32x16* p = reinterpret_cast<U32x16*>(row + q * kMemLanes);
  if constexpr (kFull)
    *p = v;
  else
    *p = bools_of(lanes) ? v : *p;
}
MEM_INLINE LaneBits strip_lanes(uint64_t exec, uint32_t q) { return LaneBits(exec >> (q * kMemLanes)) & 0xffff; }

// The first and the last lane that is set.
template <bool kFull> MEM_INLINE uint32_t first_lane(LaneBits lanes) { return kFull ? 0 : uint32_t(std::countr_zero(lanes)); }
template <bool kFull> MEM_INLINE uint32_t last_lane(LaneBits lanes) {
  return kFull ? 15 : 31 - uint32_t(std::countl_zero(lanes));
}
// The shape of a strip's addresses: consecutive elements, consecutive dwords (so that elements overlap), all equal, or any other.
enum class StripShape { Linear, Dwords, Equal, Any };
// `first` is the offset of the first lane that is set. Offsets may wrap around; the caller checks the last one.
template <uint32_t kStep, bool kFull> MEM_INLINE StripShape offsets_shape(U32x16 offsets, uint32_t first, LaneBits lanes) {
  const U32x16 d = offsets - first, number = lane_numbers16() - first_lane<kFull>(lanes);
  if ((bits_of(d == number * kStep) & lanes) == lanes) return StripShape::Linear;
  if ((bits_of(d == U32x16(0)) & lanes) == lanes) return StripShape::Equal;
  if (kFull && kStep > 4 && bits_of(d == number * 4) == 0xffff) return StripShape::Dwords;
  return StripShape::Any;
}

// --- elements: their bytes in memory, their dwords in registers, and the conversion between these
template <uint32_t kBytes_, Extend kExtend_ = Extend::Zero> struct Elem {
  static constexpr uint32_t kBytes = kBytes_, kDwords = (kBytes_ + 3) / 4;
  static constexpr Extend kExtend = kExtend_;
  static constexpr bool kMerges = MemoryAccess{.extend = kExtend}.merges(); // the register's old value takes part
  static constexpr bool kHalf = kExtend >= Extend::Low16;                  // merge() makes what comes to the register
  static constexpr bool kHigh = kExtend == Extend::High16 || kExtend == Extend::SignHigh16 || kExtend == Extend::High16Clearing ||
                                kExtend == Extend::SignHigh16Clearing;
  static constexpr bool kSigned = kExtend == Extend::Sign || kExtend == Extend::SignLow16 || kExtend == Extend::SignHigh16 ||
                                  kExtend == Extend::SignLow16Clearing || kExtend == Extend::SignHigh16Clearing;

  // The dwords of one lane's value.
  struct Dwords {
    uint32_t v[kDwords];
  };
  MEM_INLINE static Dwords load(const void* p) {
    Dwords out;
    if constexpr (kBytes == 1) {
      out.v[0] = kSigned ? uint32_t(int32_t(load_unaligned<int8_t>(p))) : load_unaligned<uint8_t>(p);
    } else if constexpr (kBytes == 2) {
      out.v[0] = kSigned ? uint32_t(int32_t(load_unaligned<int16_t>(p))) : load_unaligned<uint16_t>(p);
    } else if constexpr (kBytes == 16) {
      const Word128 four = load_word128(p);
      for (uint32_t k = 0; k < kDwords; ++k) out.v[k] = four[k];
    } else if constexpr (kBytes % 8 == 0) {
      for (uint32_t k = 0; k < kDwords; k += 2) {
        const uint64_t two = load_word64(static_cast<const char*>(p) + 4 * k);
        out.v[k] = uint32_t(two), out.v[k + 1] = uint32_t(two >> 32);
      }
    } else {
      for (uint32_t k = 0; k < kDwords; ++k) out.v[k] = load_unaligned<uint32_t>(static_cast<const char*>(p) + 4 * k);
    }
    return out;
  }
  MEM_INLINE static U32x16 merge(U32x16 v, U32x16 old) {
    if constexpr (!kHalf) return v;
    const U32x16 loaded = kHigh ? v << 16 : v & 0xffffu;
    return kMerges ? loaded | (old & (kHigh ? 0xffffu : 0xffff0000u)) : loaded;
  }
};

// Loads one element for all lanes.
template <class E> MEM_INLINE void splat(const void* p, U32x16 (&out)[4]) {
  const auto value = E::load(p);
  for (uint32_t k = 0; k < E::kDwords; ++k) out[k] = U32x16(value.v[k]);
}

// Writes dword k of each element of 8 bytes to out[k]; a and b are 16 such elements as they lie in memory.
MEM_INLINE void split_pairs(U32x16 a, U32x16 b, U32x16 (&out)[4]) {
  out[0] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  out[1] = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}
// Writes dword k of each 16-byte element to out[k]; a, b, c, d are 16 such elements as they lie in memory.
MEM_INLINE void split_quads(U32x16 a, U32x16 b, U32x16 c, U32x16 d, U32x16 (&out)[4]) {
// MEM_TWO takes dwords k and k + 1 of eight lanes, MEM_HALVES joins these for 16 lanes.
#define MEM_TWO(x, y, k)                                                                                               \
  __builtin_shufflevector(x, y, k, k + 4, k + 8, k + 12, k + 16, k + 20, k + 24, k + 28, k + 1, k + 5, k + 9, k + 13,    \
                          k + 17, k + 21, k + 25, k + 29)
#define MEM_HALVES(x, y, k)                                                                                            \
  __builtin_shufflevector(x, y, k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7, k + 16, k + 17, k + 18, k + 19,      \
                          k + 20, k + 21, k + 22, k + 23)
  const U32x16 ab01 = MEM_TWO(a, b, 0), ab23 = MEM_TWO(a, b, 2), cd01 = MEM_TWO(c, d, 0), cd23 = MEM_TWO(c, d, 2);
  out[0] = MEM_HALVES(ab01, cd01, 0), out[1] = MEM_HALVES(ab01, cd01, 8);
  out[2] = MEM_HALVES(ab23, cd23, 0), out[3] = MEM_HALVES(ab23, cd23, 8);
#undef MEM_TWO
#undef MEM_HALVES
}
// The other way round: out[k] are the elements of lanes 4k to 4k + 3 as they lie in memory.
MEM_INLINE void join_quads(U32x16 a, U32x16 b, U32x16 c, U32x16 d, U32x16 (&out)[4]) {
#ifdef __AVX512F__
#define MEM_PAIRS(x, y, k) /* dwords of eight lanes, from lane k on */                                                 \
  __builtin_shufflevector(x, y, k, k + 16, k + 1, k + 17, k + 2, k + 18, k + 3, k + 19, k + 4, k + 20, k + 5, k + 21,  \
                          k + 6, k + 22, k + 7, k + 23)
#define MEM_QUARTER(x, y, k) /* pairs of four lanes, from the one on whose pair begins at k */                         \
  __builtin_shufflevector(x, y, k, k + 1, k + 16, k + 17, k + 2, k + 3, k + 18, k + 19, k + 4, k + 5, k + 20, k + 21,  \
                          k + 6, k + 7, k + 22, k + 23)
  const U32x16 ab0 = MEM_PAIRS(a, b, 0), ab8 = MEM_PAIRS(a, b, 8), cd0 = MEM_PAIRS(c, d, 0), cd8 = MEM_PAIRS(c, d, 8);
  out[0] = MEM_QUARTER(ab0, cd0, 0), out[1] = MEM_QUARTER(ab0, cd0, 8);
  out[2] = MEM_QUARTER(ab8, cd8, 0), out[3] = MEM_QUARTER(ab8, cd8, 8);
#undef MEM_PAIRS
#undef MEM_QUARTER
#else // of shuffles of eight dwords these take fewer
#define MEM_QUARTER(k)                                                                                                 \
  __builtin_shufflevector(__builtin_shufflevector(a, b, k, k + 16, k + 1, k + 17, k + 2, k + 18, k + 3, k + 19),       \
                          __builtin_shufflevector(c, d, k, k + 16, k + 1, k + 17, k + 2, k + 18, k + 3, k + 19), 0, 1, \
                          8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15)
  out[0] = MEM_QUARTER(0), out[1] = MEM_QUARTER(4), out[2] = MEM_QUARTER(8), out[3] = MEM_QUARTER(12);
#undef MEM_QUARTER
#endif
}
// Loads a strip of consecutive elements: 16 lanes of kDwords each.
template <class E> MEM_INLINE void load_linear(const char* p, U32x16 (&out)[4]) {
  if constexpr (E::kBytes == 1) {
    if constexpr (E::kSigned)
      out[0] = __builtin_bit_cast(U32x16, __builtin_convertvector(load_unaligned<V16<int8_t>>(p), V16<int32_t>));
    else
      out[0] = __builtin_convertvector(load_unaligned<V16<uint8_t>>(p), U32x16);
  } else if constexpr (E::kBytes == 2) {
    if constexpr (E::kSigned)
      out[0] = __builtin_bit_cast(U32x16, __builtin_convertvector(load_unaligned<V16<int16_t>>(p), V16<int32_t>));
    else
      out[0] = __builtin_convertvector(load_unaligned<V16<uint16_t>>(p), U32x16);
  } else if constexpr (E::kBytes == 4) {
    out[0] = load_unaligned<U32x16>(p);
  } else if constexpr (E::kBytes == 8) {
    split_pairs(load_unaligned<U32x16>(p), load_unaligned<U32x16>(p + 64), out);
  } else if constexpr (E::kBytes == 16) {
    split_quads(load_unaligned<U32x16>(p), load_unaligned<U32x16>(p + 64), load_unaligned<U32x16>(p + 128),
                load_unaligned<U32x16>(p + 192), out);
  } else {
    for (uint32_t k = 0; k < E::kDwords; ++k)
      for (uint32_t l = 0; l < kMemLanes; ++l) out[k][l] = load_unaligned<uint32_t>(p + l * E::kBytes + 4 * k);
  }
}

// Elements that are stored. kShift is the element's first bit in the register (16 for d16_hi).
template <uint32_t kBytes_, uint32_t kShift_ = 0> struct StoreElem {
  static constexpr uint32_t kBytes = kBytes_, kDwords = (kBytes_ + 3) / 4, kShift = kShift_;
  MEM_INLINE static void put(void* p, const uint32_t* row, uint32_t lane) { // row of the first register
    if constexpr (kBytes == 1)
      store_unaligned(p, uint8_t(row[lane] >> kShift));
    else if constexpr (kBytes == 2)
      store_unaligned(p, uint16_t(row[lane] >> kShift));
    else if constexpr (kBytes == 16)
      store_word128(p, Word128{row[lane], row[kMaxLanes + lane], row[2 * kMaxLanes + lane], row[3 * kMaxLanes + lane]});
    else if constexpr (kBytes % 8 == 0)
      for (uint32_t k = 0; k < kDwords; k += 2)
        store_word64(static_cast<char*>(p) + 4 * k, row[k * kMaxLanes + lane] | uint64_t(row[(k + 1) * kMaxLanes + lane]) << 32);
    else
      for (uint32_t k = 0; k < kDwords; ++k) store_unaligned(static_cast<char*>(p) + 4 * k, row[k * kMaxLanes + lane]);
  }
};
template <class E> MEM_INLINE void store_linear(char* p, const uint32_t* rows, uint32_t q) {
  const U32x16 a = load_row(rows, q);
  if constexpr (E::kBytes == 1) {
    store_unaligned(p, __builtin_convertvector(a >> E::kShift, V16<uint8_t>));
  } else if constexpr (E::kBytes == 2) {
    store_unaligned(p, __builtin_convertvector(a >> E::kShift, V16<uint16_t>));
  } else if constexpr (E::kBytes == 4) {
    store_unaligned(p, a);
  } else if constexpr (E::kBytes == 8) {
    const U32x16 b = load_row(rows + kMaxLanes, q);
    store_unaligned(p, __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
    store_unaligned(p + 64, __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31));
  } else if constexpr (E::kBytes == 16) {
    U32x16 lines[4];
    join_quads(a, load_row(rows + kMaxLanes, q), load_row(rows + 2 * kMaxLanes, q), load_row(rows + 3 * kMaxLanes, q), lines);
    for (uint32_t k = 0; k < 4; ++k) store_unaligned(p + 64 * k, lines[k]);
  } else {
    for (uint32_t l = 0; l < kMemLanes; ++l) E::put(p + l * E::kBytes, rows, q * kMemLanes + l);
  }
}

// Loads elements whose addresses are consecutive dwords: register k of all lanes is consecutive memory.
template <class E> MEM_INLINE void load_dwords(const char* p, U32x16 (&out)[4]) {
  for (uint32_t k = 0; k < E::kDwords; ++k) out[k] = load_unaligned<U32x16>(p + 4 * k);
}

// The lanes of a strip whose elements of `bytes` at `offsets` lie in the first `room` bytes of LDS or a private segment.
MEM_INLINE LaneBits lanes_inside(U32x16 offsets, uint64_t room, uint32_t bytes) {
  return room < bytes ? 0 : bits_of(lies_in(offsets, 0, room, bytes));
}
// Whether each lane of strip q may access its address; ends the wave with a fault when one may not.
MEM_INLINE bool strip_admitted(Wave* w, const Inst* i, const uint64_t* addresses, LaneBits lanes, uint32_t q, uint32_t bytes,
                               MemoryKind kind) {
  return admit(w, {i, MemorySpace::Global, kind, bytes, uint64_t(lanes) << (q * kMemLanes), addresses, q * kMemLanes}).has_value();
}

} // namespace hip::engine::OMNIHIP_LEVEL
