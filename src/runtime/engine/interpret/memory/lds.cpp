// runtime/engine/interpret/memory/lds.cpp - DS instructions of one host ISA level: loads, stores and atomics on LDS, and the
// permutes that only use its crossbar. One thread runs a work-group, so nothing here is atomic for the host. An access
// outside the work-group's LDS reads 0 and writes nothing (ERRATA 33).
#include "runtime/engine/interpret/memory/mem.h"
#include "runtime/engine/interpret/memory/crossbar.h"
#include "runtime/engine/interpret/memory/elements.h"
#include "runtime/engine/interpret/memory/rows.h"
#include "runtime/engine/interpret/memory/swizzle.h"
#include "runtime/engine/interpret/memory/to_lds.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

#include "runtime/engine/interpret/memory/atomic_ops.h"

// Loads elements from any offsets in LDS; lanes that are not in `inside` get 0. A small element is read as a whole dword, since
// kReadBehindLds bytes behind the LDS block are readable.
template <class E> MEM_INLINE void gather(const char* lds, U32x16 offsets, LaneBits inside, U32x16 (&v)[4]) {
#ifdef __AVX512F__
  for (uint32_t k = 0; k < E::kDwords; ++k)
    v[k] = U32x16(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), __mmask16(inside), __m512i(offsets), lds + 4 * k, 1));
  if constexpr (E::kBytes < 4) {
    constexpr uint32_t kUnused = 32 - 8 * E::kBytes;
    const U32x16 high = v[0] << kUnused;
    v[0] = E::kSigned ? __builtin_bit_cast(U32x16, __builtin_bit_cast(V16<int32_t>, high) >> int32_t(kUnused)) : high >> kUnused;
  }
#else
  for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = U32x16(0);
  for (; inside; inside &= inside - 1) {
    const uint32_t l = uint32_t(std::countr_zero(inside));
    const auto value = E::load(lds + offsets[l]);
    for (uint32_t k = 0; k < E::kDwords; ++k) v[k][l] = value.v[k];
  }
#endif
}

template <class E, bool kFull>
MEM_INLINE void read_strip(Wave* w, U32x16 offsets, uint32_t first, uint32_t* dst, uint32_t q, LaneBits lanes) {
  const LaneBits inside = lanes_inside(offsets, w->lds_bytes, E::kBytes) & lanes;
  const char* lds = reinterpret_cast<const char*>(w->lds);
  const StripShape shape = inside == lanes ? offsets_shape<E::kBytes, kFull>(offsets, first, lanes) : StripShape::Any;
  U32x16 v[4];
  if (kFull && shape == StripShape::Linear)
    load_linear<E>(lds + first, v);
  else if (!kFull && E::kBytes == 4 && shape == StripShape::Linear)
    v[0] = __builtin_masked_load(bools_of(lanes), reinterpret_cast<const uint32_t*>(lds + first) - first_lane<false>(lanes));
  else if (kFull && shape == StripShape::Dwords)
    load_dwords<E>(lds + first, v);
  else if (shape == StripShape::Equal)
    splat<E>(lds + first, v);
  else
    gather<E>(lds, offsets, inside, v);
  for (uint32_t k = 0; k < E::kDwords; ++k) {
    uint32_t* row = dst + k * kMaxLanes;
    store_row<kFull>(row, q, lanes, E::kHalf ? E::merge(v[k], load_row(row, q)) : v[k]);
  }
}

// Stores lane by lane in ascending order, for lanes whose addresses are not consecutive.
template <class E> [[gnu::noinline]] void write_lanes(char* lds, const uint32_t* address, uint32_t offset, const uint32_t* rows, uint64_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t l = uint32_t(std::countr_zero(lanes));
    E::put(lds + uint32_t(address[l] + offset), rows, l);
  }
}
// Stores of one instruction. Where lanes write to the same place, the last one's value stays (ERRATA 37). Strips whose
// addresses are not consecutive are collected and stored lane by lane.
template <class E> MEM_INLINE void write_wave(Wave* w, const uint32_t* address, uint32_t offset, const uint32_t* rows) {
  const uint64_t exec = w->exec();
  char* lds = reinterpret_cast<char*>(w->lds);
  uint64_t scattered = 0;
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (!lanes) continue;
    const U32x16 offsets = load_row(address, q) + offset;
    const LaneBits inside = lanes_inside(offsets, w->lds_bytes, E::kBytes) & lanes;
    if (!inside) continue;
    const uint32_t f = first_lane<false>(inside), first = address[q * kMemLanes + f] + offset;
    const bool linear = inside == 0xffff ? offsets_shape<E::kBytes, true>(offsets, first, 0xffff) == StripShape::Linear
                                         : E::kBytes == 4 &&
                                               offsets_shape<E::kBytes, false>(offsets, first, inside) == StripShape::Linear;
    if (!linear) {
      scattered |= uint64_t(inside) << (q * kMemLanes);
      continue;
    }
    if (scattered) [[unlikely]] {
      write_lanes<E>(lds, address, offset, rows, scattered);
      scattered = 0;
    }
    if (inside == 0xffff)
      store_linear<E>(lds + first, rows, q);
    else
      __builtin_masked_store(bools_of(inside), load_row(rows, q), reinterpret_cast<uint32_t*>(lds + first) - f);
  }
  if (scattered == ~0ull) {
    for (uint32_t l = 0; l < kMaxLanes; ++l) E::put(lds + uint32_t(address[l] + offset), rows, l);
    return;
  }
  if (scattered) write_lanes<E>(lds, address, offset, rows, scattered);
}

// Calls f<full>(strip, lanes) for each strip that has active lanes.
template <class F> MEM_INLINE void for_strips(const Wave* w, F f) {
  const uint64_t exec = w->exec();
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (lanes == 0xffff)
      f(std::true_type(), q, LaneBits(0xffff));
    else if (lanes)
      f(std::false_type(), q, lanes);
  }
}

template <class E> void RT_HANDLER_CC run_read(Wave* w, const Inst* i) {
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  const uint32_t offset = uint32_t(i->imm[0]);
  for_strips(w, [&](auto full, uint32_t q, LaneBits lanes) {
    const uint32_t first = address[q * kMemLanes + first_lane<full.value>(lanes)];
    read_strip<E, full.value>(w, load_row(address, q) + offset, first + offset, dst, q, lanes);
  });
  RT_NEXT(w, i);
}
template <class E> void RT_HANDLER_CC run_read2(Wave* w, const Inst* i) {
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  const uint32_t offset0 = uint32_t(i->imm[0]), offset1 = uint32_t(i->imm[1]);
  for_strips(w, [&](auto full, uint32_t q, LaneBits lanes) {
    const U32x16 a = load_row(address, q); // before the destination, which may be the same row
    const uint32_t first = address[q * kMemLanes + first_lane<full.value>(lanes)];
    read_strip<E, full.value>(w, a + offset0, first + offset0, dst, q, lanes);
    read_strip<E, full.value>(w, a + offset1, first + offset1, dst + E::kDwords * kMaxLanes, q, lanes);
  });
  RT_NEXT(w, i);
}
template <class E> void RT_HANDLER_CC run_write(Wave* w, const Inst* i) {
  write_wave<E>(w, &at<uint32_t>(w, i->src[0]), uint32_t(i->imm[0]), &at<uint32_t>(w, i->dst2));
  RT_NEXT(w, i);
}
template <class E> void RT_HANDLER_CC run_write2(Wave* w, const Inst* i) {
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  write_wave<E>(w, address, uint32_t(i->imm[0]), &at<uint32_t>(w, i->dst2));
  write_wave<E>(w, address, uint32_t(i->imm[1]), &at<uint32_t>(w, i->flags));
  RT_NEXT(w, i);
}

// --- atomics
// Stops the wave, some of whose active lanes' addresses are not aligned.
[[gnu::noinline, gnu::cold]] void stop_misaligned(Wave* w, const Inst* i, const uint32_t* address, uint32_t add,
                                                  uint32_t bytes) {
  uint64_t addresses[kMaxLanes];
  for (uint32_t l = 0; l < kMaxLanes; ++l) addresses[l] = uint32_t(address[l] + add);
  admit(w, {i, MemorySpace::Lds, MemoryKind::Atomic, bytes, w->exec(), addresses});
}
// Calls f(lane, pointer) for each active lane; the pointer is null outside LDS. False: the wave has been stopped.
template<class T, class F> MEM_INLINE bool for_lanes(Wave* w, const Inst* i, F f) {
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  const uint32_t add = uint32_t(i->imm[0]);
  const uint64_t exec = w->exec();
  uint64_t inside = 0, aligned = 0;
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const U32x16 offsets = load_row(address, q) + add;
    inside |= uint64_t(lanes_inside(offsets, w->lds_bytes, sizeof(T))) << (q * kMemLanes);
    aligned |= uint64_t(bits_of((offsets & uint32_t(sizeof(T) - 1)) == U32x16(0))) << (q * kMemLanes);
  }
  if (exec & ~aligned) [[unlikely]]
    return stop_misaligned(w, i, address, add, sizeof(T)), false;
  if ((inside & exec) == ~0ull) {
    for (uint32_t lane = 0; lane < kMaxLanes; ++lane) f(lane, w->lds + uint32_t(address[lane] + add));
    return true;
  }
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    f(lane, inside >> lane & 1 ? w->lds + uint32_t(address[lane] + add) : nullptr);
  }
  return true;
}

template <class Op, bool kReturns> void RT_HANDLER_CC run_atomic(Wave* w, const Inst* i) {
  using T = typename Op::T;
  const uint32_t* data = &at<uint32_t>(w, i->dst2);
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  const bool goes_on = for_lanes<T>(w, i, [&](uint32_t lane, uint8_t* p) {
    const T d = lane_value<T>(data, lane);
    T old{};
    if (p) {
      old = load_unaligned<T>(p);
      store_unaligned(p, Op::apply(old, d));
    }
    if constexpr (kReturns) set_lane_value(dst, lane, old);
  });
  if (!goes_on) return;
  RT_NEXT(w, i);
}
template <class Op, bool kReturns> void RT_HANDLER_CC run_atomic2(Wave* w, const Inst* i) {
  using T = typename Op::T;
  const uint32_t* data0 = &at<uint32_t>(w, i->dst2);
  const uint32_t* data1 = &at<uint32_t>(w, i->flags);
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  const bool goes_on = for_lanes<T>(w, i, [&](uint32_t lane, uint8_t* p) {
    const T a = lane_value<T>(data0, lane), b = lane_value<T>(data1, lane);
    T old{};
    if (p) {
      old = load_unaligned<T>(p);
      store_unaligned(p, Op::apply(old, a, b));
    }
    if constexpr (kReturns) set_lane_value(dst, lane, old);
  });
  if (!goes_on) return;
  RT_NEXT(w, i);
}

// Two values at offsets of their own; both old ones come back.
template <class T> void RT_HANDLER_CC run_exchange2(Wave* w, const Inst* i) {
  constexpr uint32_t kDwords = sizeof(T) / 4;
  const uint32_t *address = &at<uint32_t>(w, i->src[0]), *data0 = &at<uint32_t>(w, i->dst2), *data1 = &at<uint32_t>(w, i->flags);
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  // (The offsets of both values are multiples of their size.)
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1)
    if (address[std::countr_zero(rest)] % sizeof(T) != 0) [[unlikely]]
      return stop_misaligned(w, i, address, uint32_t(i->imm[0]), sizeof(T));
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    const T values[2] = {lane_value<T>(data0, lane), lane_value<T>(data1, lane)};
    T olds[2] = {};
    const uint32_t first = address[lane];
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t offset = first + uint32_t(i->imm[k]);
      if (!ends_in(offset, sizeof(T), w->lds_bytes)) continue;
      olds[k] = load_unaligned<T>(w->lds + offset);
      store_unaligned(w->lds + offset, values[k]);
    }
    for (uint32_t k = 0; k < 2; ++k) set_lane_value(dst + k * kDwords * kMaxLanes, lane, olds[k]);
  }
  RT_NEXT(w, i);
}

// --- a dword for each lane by its number
template <MemoryKind kKind> void RT_HANDLER_CC run_by_lane_number(Wave* w, const Inst* i) {
  uint32_t* row = &at<uint32_t>(w, kKind == MemoryKind::Load ? i->dst : i->dst2);
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest)), offset = lds_address(w, i, lane, 4);
    const bool inside = ends_in(offset, 4, w->lds_bytes);
    if constexpr (kKind == MemoryKind::Load)
      row[lane] = inside ? load_unaligned<uint32_t>(w->lds + offset) : 0;
    else if (inside)
      store_unaligned(w->lds + offset, row[lane]);
  }
  RT_NEXT(w, i);
}

// --- transposing reads: 16 lanes read rows of a matrix that is 16 elements wide, one lane behind the other, and each gets a
// column (ERRATA 51)
template <uint32_t kBytes, uint32_t kBits> void RT_HANDLER_CC run_read_transposed(Wave* w, const Inst* i) {
  constexpr uint32_t kBlock = 16, kElements = kBytes * 8 / kBits, kDwords = kBytes / 4, kLanesPerRow = kBlock / kElements;
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  const uint64_t exec = w->exec();
  for (uint32_t base = 0; base < kMaxLanes; base += kBlock) {
    uint32_t rows[kBlock][kDwords + 1] = {}; // (a field of six bits may begin in the last dword and end there)
    for (uint32_t l = 0; l < kBlock; ++l) {
      const uint32_t offset = address[base + l] + uint32_t(i->imm[0]);
      if ((exec >> (base + l) & 1) && ends_in(offset, kBytes, w->lds_bytes)) std::memcpy(rows[l], w->lds + offset, kBytes);
    }
    for (uint32_t l = 0; l < kBlock; ++l) {
      if (!(exec >> (base + l) & 1)) continue;
      uint32_t column[kDwords + 1] = {};
      for (uint32_t e = 0; e < kElements; ++e) {
        const uint32_t* row = rows[e * kLanesPerRow + l / kElements];
        const uint32_t from = l % kElements * kBits, to = e * kBits;
        const uint64_t two = row[from / 32] | uint64_t(row[from / 32 + 1]) << 32;
        const uint64_t element = (two >> (from % 32) & ((1u << kBits) - 1)) << (to % 32);
        column[to / 32] |= uint32_t(element), column[to / 32 + 1] |= uint32_t(element >> 32);
      }
      for (uint32_t k = 0; k < kDwords; ++k) dst[k * kMaxLanes + base + l] = column[k];
    }
  }
  RT_NEXT(w, i);
}

// --- append and consume: one counter at M0 + offset, all lanes get its old value
template <bool kAppends> void RT_HANDLER_CC run_counter(Wave* w, const Inst* i) {
  const uint64_t exec = w->exec();
  const uint64_t offset = (w->sgpr[kM0] & 0xffff) + i->imm[0];
  if (offset % 4 != 0) [[unlikely]] { // one access, of all lanes
    const WaveAccess access{i,
                            MemorySpace::Lds,
                            MemoryKind::Atomic,
                            4,
                            exec & -exec,
                            &offset,
                            uint32_t(std::countr_zero(exec | 1ull << 63))};
    if (!admit(w, access)) return;
  }
  uint32_t old = 0;
  if (offset + 4 <= w->lds_bytes && exec) {
    const uint32_t count = uint32_t(std::popcount(exec));
    old = load_unaligned<uint32_t>(w->lds + offset);
    store_unaligned(w->lds + offset, kAppends ? old + count : old - count);
  }
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  for_strips(w, [&](auto full, uint32_t q, LaneBits lanes) { store_row<full.value>(dst, q, lanes, U32x16(old)); });
  RT_NEXT(w, i);
}

// --- crossbar: an inactive source lane gives 0 (ERRATA 27)
MEM_INLINE void write_lanes(Wave* w, const Inst* i, const uint32_t* values) {
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  for_strips(w, [&](auto full, uint32_t q, LaneBits lanes) { store_row<full.value>(dst, q, lanes, load_row(values, q)); });
}
// The permutes within 32 lanes: waves of 32, and halves of waves of 64 on gfx10 and gfx11. Pull: each lane reads the lane that its
// address names; Push: it writes that lane, and the highest lane wins.
enum class Direction { Pull, Push };
template <Direction kDirection> void RT_HANDLER_CC permute_halves(Wave* w, const Inst* i) {
  const uint64_t exec = w->exec();
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  const uint32_t* data = &at<uint32_t>(w, i->dst2);
  alignas(64) uint32_t values[kMaxLanes] = {};
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    const uint32_t other = (l & 32) | ((address[l] + uint32_t(i->imm[0])) / 4 % 32);
    if constexpr (kDirection == Direction::Push)
      values[other] = data[l];
    else
      values[l] = exec >> other & 1 ? data[other] : 0;
  }
  write_lanes(w, i, values);
  RT_NEXT(w, i);
}
void RT_HANDLER_CC run_bpermute(Wave* w, const Inst* i) {
  if (i->imm[2] != kMaxLanes) {
    [[clang::musttail]] return permute_halves<Direction::Pull>(w, i);
  }
  const uint64_t exec = w->exec();
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  U32x16 data[kMemStrips], values[kMemStrips];
  for (uint32_t q = 0; q < kMemStrips; ++q)
    data[q] = bools_of(strip_lanes(exec, q)) ? load_row(&at<uint32_t>(w, i->dst2), q) : U32x16(0);
  for (uint32_t q = 0; q < kMemStrips; ++q) values[q] = bpermute_strip(load_row(address, q) + uint32_t(i->imm[0]), data);
  write_lanes(w, i, reinterpret_cast<const uint32_t*>(values));
  RT_NEXT(w, i);
}
void RT_HANDLER_CC run_bpermute_fetching_inactive(Wave* w, const Inst* i) {
  const uint32_t *address = &at<uint32_t>(w, i->src[0]), *data = &at<uint32_t>(w, i->dst2);
  alignas(64) uint32_t values[kMaxLanes] = {};
  for (uint32_t l = 0; l < w->lanes; ++l) values[l] = data[(address[l] + uint32_t(i->imm[0])) / 4 % w->lanes];
  write_lanes(w, i, values);
  RT_NEXT(w, i);
}
void RT_HANDLER_CC run_permute(Wave* w, const Inst* i) {
  if (i->imm[2] != kMaxLanes) {
    [[clang::musttail]] return permute_halves<Direction::Push>(w, i);
  }
  const uint32_t* address = &at<uint32_t>(w, i->src[0]);
  const uint32_t* data = &at<uint32_t>(w, i->dst2);
  alignas(64) uint32_t values[kMaxLanes] = {};
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1) { // the highest lane wins
    const uint32_t l = uint32_t(std::countr_zero(rest));
    values[(address[l] + uint32_t(i->imm[0])) / 4 % kMaxLanes] = data[l];
  }
  write_lanes(w, i, values);
  RT_NEXT(w, i);
}
void RT_HANDLER_CC run_swizzle(Wave* w, const Inst* i) {
  const uint64_t exec = w->exec();
  const uint32_t* data = &at<uint32_t>(w, i->src[0]); // its one operand decodes as the address
  alignas(64) uint32_t values[kMaxLanes];
  for (uint32_t l = 0; l < kMaxLanes; ++l) {
    const uint32_t from = swizzle_source(uint32_t(i->imm[0]), l);
    values[l] = exec >> from & 1 ? data[from] : 0;
  }
  write_lanes(w, i, values);
  RT_NEXT(w, i);
}

template <Opcode kOpcode> constexpr Handler load_handler() {
  using E = LoadElement<kOpcode>;
  return row_of(kOpcode).memory.elements == 2 ? run_read2<E> : run_read<E>;
}
template <Opcode kOpcode> constexpr Handler store_handler() {
  using E = StoreElement<kOpcode>;
  return row_of(kOpcode).memory.elements == 2 ? run_write2<E> : run_write<E>;
}
template <Opcode kOpcode> constexpr Handler atomic_handler() {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  using Op = AtomicOperation<kAccess.atomic, kAccess.bytes>;
  if constexpr (kTwoOperands<Op>)
    return run_atomic2<Op, kAccess.returns>;
  else
    return run_atomic<Op, kAccess.returns>;
}
constexpr OpRow row(Opcode opcode, Handler handler) { return {opcode, lift_lds, {handler}}; }
constexpr auto kLoads =
    map_opcodes<is_lds_load>([]<Opcode kOpcode>() { return row(kOpcode, load_handler<kOpcode>()); });
constexpr auto kStores =
    map_opcodes<is_lds_store>([]<Opcode kOpcode>() { return row(kOpcode, store_handler<kOpcode>()); });
constexpr auto kAtomics =
    map_opcodes<is_atomic<Unit::Lds>>([]<Opcode kOpcode>() { return row(kOpcode, atomic_handler<kOpcode>()); });
constexpr OpRow kOthers[] = {
    row(Opcode::ds_wrxchg2_rtn_b32, run_exchange2<uint32_t>),
    row(Opcode::ds_wrxchg2_rtn_b64, run_exchange2<uint64_t>),
    row(Opcode::ds_wrxchg2st64_rtn_b32, run_exchange2<uint32_t>),
    row(Opcode::ds_wrxchg2st64_rtn_b64, run_exchange2<uint64_t>),
    row(Opcode::ds_read_addtid_b32, run_by_lane_number<MemoryKind::Load>),
    row(Opcode::ds_write_addtid_b32, run_by_lane_number<MemoryKind::Store>),
    row(Opcode::ds_read_b64_tr_b4, run_read_transposed<8, 4>),
    row(Opcode::ds_read_b64_tr_b8, run_read_transposed<8, 8>),
    row(Opcode::ds_read_b64_tr_b16, run_read_transposed<8, 16>),
    row(Opcode::ds_read_b96_tr_b6, run_read_transposed<12, 6>),
    row(Opcode::ds_append, run_counter<true>),
    row(Opcode::ds_consume, run_counter<false>),
    row(Opcode::ds_bpermute_b32, run_bpermute),
    row(Opcode::ds_bpermute_fi_b32, run_bpermute_fetching_inactive),
    row(Opcode::ds_permute_b32, run_permute),
    row(Opcode::ds_swizzle_b32, run_swizzle),
};

} // namespace

std::span<const OpRow> lds_rows() noexcept {
  static const auto all = rows_together(kLoads, kStores, kAtomics, kOthers);
  return all;
}

} // namespace hip::engine::OMNIHIP_LEVEL
