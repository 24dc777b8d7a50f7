// runtime/engine/interpret/memory/private.cpp - SCRATCH and MUBUF loads and stores of one host ISA level. Private segments are
// swizzled (mem.h): a dword that all lanes have at the same offset is one row, so spills and fixed stack slots are plain
// vector accesses. MUBUF addresses come from a buffer resource; behind the buffer's end loads give 0 and stores write nothing
// (ERRATA 34).
#include "runtime/engine/interpret/memory/buffer_range.h"
#include "runtime/engine/interpret/memory/mem.h"
#include "runtime/engine/interpret/memory/elements.h"
#include "runtime/engine/interpret/memory/rows.h"
#include "runtime/engine/interpret/memory/scratch.h"
#include "runtime/engine/interpret/memory/strip_address.h"
#include "runtime/engine/wave/group.h"

#include <algorithm>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// --- SCRATCH
// Whether lanes may access one offset, each in its own segment; ends the wave with a fault when they may not.
[[gnu::cold, gnu::noinline]] bool all_admitted(Wave* w, const Inst* i, uint32_t offset, uint32_t bytes, MemoryKind kind, uint64_t lanes) {
  uint64_t offsets[kMaxLanes];
  std::fill_n(offsets, kMaxLanes, offset);
  return admit(w, {i, MemorySpace::Scratch, kind, bytes, lanes, offsets}).has_value();
}
// Accesses lane by lane and byte by byte, for elements that cross dwords.
template <class E, bool kLoads> [[gnu::noinline]] void scratch_bytes(Wave* w, const Inst* i, uint32_t q, LaneBits lanes, U32x16 offsets, U32x16 (&v)[4]) {
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest)), lane = q * kMemLanes + l;
    char data[16];
    if constexpr (kLoads) {
      read_scratch(w, lane, offsets[l], E::kBytes, data);
      const auto value = E::load(data);
      for (uint32_t k = 0; k < E::kDwords; ++k) v[k][l] = value.v[k];
    } else {
      E::put(data, &at<uint32_t>(w, i->dst2), lane);
      write_scratch(w, lane, offsets[l], E::kBytes, data);
    }
  }
}
// Accesses each lane's private segment at `fixed`, and with kVector at that lane's VGPR offset behind it. False after a fault.
template <class E, bool kLoads, bool kVector> MEM_INLINE bool access_private(Wave* w, const Inst* i, uint32_t fixed) {
  const uint64_t exec = w->exec();
  constexpr MemoryKind kKind = kLoads ? MemoryKind::Load : MemoryKind::Store;
  if (!kVector && exec && !ends_in(fixed, E::kBytes, w->scratch_bytes)) return all_admitted(w, i, fixed, E::kBytes, kKind, exec);
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (!lanes) continue;
    U32x16 offsets(fixed), v[4] = {};
    bool equal = true;
    if constexpr (kVector) {
      offsets += load_row(&at<uint32_t>(w, i->src[0]), q);
      const LaneBits outside = lanes & ~scratch_inside<E>(offsets, w->scratch_bytes);
      if (outside) {
        const uint32_t l = uint32_t(std::countr_zero(outside)), lane = q * kMemLanes + l;
        const uint64_t offset = offsets[l];
        return admit(w, {i, MemorySpace::Scratch, kKind, E::kBytes, 1ull << lane, &offset, lane}).has_value();
      }
      equal = (bits_of(offsets == offsets[uint32_t(std::countr_zero(lanes))]) & lanes) == lanes;
    }
    const uint32_t first = kVector ? offsets[uint32_t(std::countr_zero(lanes))] : fixed;
    if constexpr (!kLoads)
      for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = load_row(&at<uint32_t>(w, i->dst2) + k * kMaxLanes, q);
    if (equal && in_slot<E>(first)) {
      if constexpr (kLoads)
        load_slot<E>(w->scratch_base, first, q, v);
      else
        store_slot<E>(w->scratch_base, first, q, lanes, v);
    } else if (kVector && in_slots<E>(offsets, lanes)) {
      if constexpr (kLoads)
        load_slots<E>(w->scratch_base, offsets, q, lanes, v);
      else
        store_slots<E>(w->scratch_base, offsets, q, lanes, v);
    } else {
      scratch_bytes<E, kLoads>(w, i, q, lanes, offsets, v);
    }
    if constexpr (kLoads)
      for (uint32_t k = 0; k < E::kDwords; ++k) {
        uint32_t* row = &at<uint32_t>(w, i->dst) + k * kMaxLanes;
        store_row<false>(row, q, lanes, E::kHalf ? E::merge(v[k], load_row(row, q)) : v[k]);
      }
  }
  return true;
}
// kVector: a VGPR is added to the offset.
template <class E, bool kLoads, bool kVector> void RT_HANDLER_CC run_scratch(Wave* w, const Inst* i) {
  w->pc = i;
  const uint32_t fixed = uint32_t(i->imm[0]) + (i->src[1] ? at<uint32_t>(w, i->src[1]) : 0);
  if (!access_private<E, kLoads, kVector>(w, i, fixed)) return;
  RT_NEXT(w, i);
}

// --- MUBUF
// A strip's lanes: addresses, the lanes whose element lies inside the buffer, and those of which only some dwords do.
struct BufferStrip {
  alignas(64) uint64_t addresses[kMemLanes];
  uint32_t inside_bytes[kMemLanes];
  LaneBits inside = 0, partly = 0;
};
MEM_INLINE void buffer_addresses(Wave* w, const Inst* i, const Buffer& b, uint32_t q, LaneBits lanes, uint32_t bytes, BufferStrip& out) {
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    const BufferElement element = buffer_element(w, i, b, q * kMemLanes + l, bytes);
    out.addresses[l] = element.address, out.inside_bytes[l] = element.inside_bytes;
    out.inside |= LaneBits(element.fits) << l;
    out.partly |= LaneBits(!element.fits && element.inside_bytes) << l;
  }
}
// Accesses the dwords that lie inside the buffer of lane l's element, which does not as a whole.
template<class E, bool kLoads> [[gnu::noinline]] bool access_partly(Wave* w, const Inst* i, uint32_t q, uint32_t l,
                                                                    const BufferStrip& strip, U32x16 (&v)[4]) {
  const uint32_t lane = q * kMemLanes + l;
  char data[16] = {};
  if constexpr (!kLoads) E::put(data, &at<uint32_t>(w, i->dst2), lane);
  const FlatPlace place{MemorySpace::Global, strip.addresses[l]};
  if (!access_lane(w, i, lane, place, strip.inside_bytes[l], kLoads ? MemoryKind::Load : MemoryKind::Store, data))
    return false;
  if constexpr (kLoads) {
    const auto value = E::load(data);
    for (uint32_t k = 0; k < E::kDwords; ++k) v[k][l] = value.v[k];
  }
  return true;
}
template <class E, bool kLoads> void RT_HANDLER_CC run_buffer(Wave* w, const Inst* i) {
  w->pc = i;
  const uint64_t exec = w->exec();
  const Buffer buffer = buffer_of(w, i);
  if (buffer.swizzled()) {
    if (const auto [is_one, fixed] = private_buffer(w, i, buffer); is_one) {
      const bool done = i->imm[2] & kMubufOffen ? access_private<E, kLoads, true>(w, i, fixed) : access_private<E, kLoads, false>(w, i, fixed);
      if (!done) return;
      RT_NEXT(w, i);
    }
  }
  const bool is_range = is_byte_range(buffer) && !(i->imm[2] & kMubufIdxen);
  const ByteRange range(buffer, uint64_t(uint32_t(i->imm[0])) + buffer_scalar_offset(w, i), E::kBytes);
  const int64_t step = kLoads && is_range ? buffer_step(w, reinterpret_cast<uintptr_t>(i) / sizeof(Inst), range.base) : 0;
  uint32_t* rows = &at<uint32_t>(w, kLoads ? i->dst : i->dst2);
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (!lanes) continue;
    if (is_range) {
      const U32x16 offsets = i->imm[2] & kMubufOffen ? load_row(&at<uint32_t>(w, i->src[0]), q) : U32x16(0);
      if (access_range<E, kLoads>(w, range, offsets, step, q, lanes, rows)) continue;
    }
    BufferStrip strip;
    buffer_addresses(w, i, buffer, q, lanes, E::kBytes, strip);
    if (!strip_admitted(w, i, strip.addresses, strip.inside, q, E::kBytes, kLoads ? MemoryKind::Load : MemoryKind::Store)) return;
    U32x16 v[4] = {};
    // Lane after lane, as elements may overlap.
    for (LaneBits rest = strip.inside | strip.partly; rest; rest &= rest - 1) {
      const uint32_t l = uint32_t(std::countr_zero(rest));
      if (strip.partly >> l & 1) [[unlikely]] {
        if (!access_partly<E, kLoads>(w, i, q, l, strip, v)) return;
      } else if constexpr (kLoads) {
        const auto value = E::load(reinterpret_cast<const void*>(strip.addresses[l]));
        for (uint32_t k = 0; k < E::kDwords; ++k) v[k][l] = value.v[k];
      } else {
        E::put(reinterpret_cast<void*>(strip.addresses[l]), &at<uint32_t>(w, i->dst2), q * kMemLanes + l);
      }
    }
    if constexpr (kLoads) {
      uint32_t* dst = &at<uint32_t>(w, i->dst);
      for (uint32_t k = 0; k < E::kDwords; ++k) {
        uint32_t* row = dst + k * kMaxLanes;
        store_row<false>(row, q, lanes, E::kHalf ? E::merge(v[k], load_row(row, q)) : v[k]);
      }
    }
  }
  RT_NEXT(w, i);
}

template <Opcode kOpcode, class E, bool kLoads> constexpr OpRow row() {
  if constexpr (row_of(kOpcode).unit == Unit::Scratch)
    return {kOpcode, lift_scratch, {&run_scratch<E, kLoads, false>, &run_scratch<E, kLoads, true>}};
  else
    return {kOpcode, lift_buffer, {&run_buffer<E, kLoads>}};
}
constexpr auto kLoads = map_opcodes<is_plain_load<Unit::Scratch, Unit::Buffer>>(
    []<Opcode kOpcode>() { return row<kOpcode, LoadElement<kOpcode>, true>(); });
constexpr auto kStores = map_opcodes<is_plain_store<Unit::Scratch, Unit::Buffer>>(
    []<Opcode kOpcode>() { return row<kOpcode, StoreElement<kOpcode>, false>(); });

} // namespace

std::span<const OpRow> private_rows() noexcept {
  static const auto all = rows_together(kLoads, kStores);
  return all;
}

} // namespace hip::engine::OMNIHIP_LEVEL
