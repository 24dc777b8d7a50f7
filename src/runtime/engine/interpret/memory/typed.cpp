// runtime/engine/interpret/memory/typed.cpp - buffer accesses with a format: MTBUF, whose instructions hold one, and
// the format forms of MUBUF, which take the resource's. An element is inside the buffer or outside as a whole; outside,
// loads give 0 and stores do nothing (ERRATA 34). Compiled once for all host levels.
#include "runtime/engine/interpret/memory/typed.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/buffer.h"
#include "runtime/engine/interpret/memory/formats.h"
#include "runtime/engine/interpret/memory/lift.h"

#define OMNIHIP_LEVEL common
#include "runtime/engine/interpret/memory/rows.h"

#include <algorithm>
#include <bit>

namespace hip::engine {
namespace {

BufferFormat format_of(const Wave* w, const Inst* i) {
  const uint32_t resource = (&at<uint32_t>(const_cast<Wave*>(w), i->src[1]))[3];
  const BufferGeneration generation = buffer_generation(i);
  if (i->imm[2] & kMubufOwnFormat) return buffer_format(generation, uint32_t(i->imm[2] >> kMubufFormatShift) & 0x7f);
  switch (generation) { // the resource's
  case BufferGeneration::Gfx10:
    return buffer_format(generation, resource >> 12 & 0x7f);
  case BufferGeneration::Gfx11:
    return buffer_format(generation, resource >> 12 & 0x3f);
  default:
    return buffer_format(generation, (resource >> 15 & 15) | (resource >> 12 & 7) << 4);
  }
}

// Component k of what a load gives, by the resource's selection: 0, 1, or a component in memory.
uint32_t selected(uint32_t resource, uint32_t k, const std::array<uint32_t, 4>& components, NumberFormat number) {
  const uint32_t select = resource >> (3 * k) & 7;
  if (select == 1) return is_integer(number) ? 1 : std::bit_cast<uint32_t>(1.0f);
  return select >= 4 ? components[select - 4] : 0;
}
uint32_t to_half(uint32_t v, NumberFormat number) {
  return is_integer(number) ? v & 0xffff : std::bit_cast<uint16_t>(_Float16(std::bit_cast<float>(v)));
}
uint32_t from_half(uint32_t half, NumberFormat number) {
  if (number == NumberFormat::Uint) return half;
  if (number == NumberFormat::Sint) return uint32_t(int32_t(int16_t(half)));
  return std::bit_cast<uint32_t>(float(std::bit_cast<_Float16>(uint16_t(half))));
}

template<Opcode kOpcode> void RT_HANDLER_CC run_typed_load(Wave* w, const Inst* i) {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  w->pc = i;
  const auto [data_format, number] = format_of(w, i);
  const uint32_t resource = (&at<uint32_t>(w, i->src[1]))[3];
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    const BufferElement element = buffer_element(w, i, buffer_of(w, i), lane, data_format.bytes());
    std::array<uint32_t, 4> components{};
    if (element.fits && data_format.components()) {
      char data[16] = {};
      if (!access_lane(w, i, lane, {MemorySpace::Global, element.address}, data_format.bytes(), MemoryKind::Load, data))
        return;
      components = unpack(data_format, number, data);
    }
    uint32_t* row = &at<uint32_t>(w, i->dst) + lane;
    for (uint32_t k = 0; k < kAccess.components; ++k) {
      const uint32_t v = selected(resource, k, components, number);
      if constexpr (!kAccess.halves)
        row[k * kMaxLanes] = v;
      else if (kAccess.extend == Extend::High16 || kAccess.extend == Extend::High16Clearing)
        *row = (kAccess.merges() ? *row & 0xffff : 0) | to_half(v, number) << 16;
      else if (k % 2 == 0)
        row[k / 2 * kMaxLanes] = to_half(v, number);
      else
        row[k / 2 * kMaxLanes] |= to_half(v, number) << 16;
    }
  }
  RT_NEXT(w, i);
}

template<Opcode kOpcode> void RT_HANDLER_CC run_typed_store(Wave* w, const Inst* i) {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  w->pc = i;
  const auto [data_format, number] = format_of(w, i);
  const uint32_t bytes = data_format.bytes();
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    const BufferElement element = buffer_element(w, i, buffer_of(w, i), lane, bytes);
    if (!element.fits || bytes == 0) continue;
    const uint32_t* row = &at<uint32_t>(w, i->dst2) + lane;
    std::array<uint32_t, 4> values{};
    for (uint32_t k = 0; k < kAccess.components; ++k) {
      if constexpr (!kAccess.halves)
        values[k] = row[k * kMaxLanes];
      else
        values[k] = from_half(row[k / 2 * kMaxLanes] >> (kAccess.from_high_half || k % 2 ? 16 : 0) & 0xffff, number);
    }
    char data[16] = {};
    const FlatPlace place{MemorySpace::Global, element.address};
    // Components that the instruction has not stay what they are.
    if (kAccess.components < data_format.components() && !access_lane(w, i, lane, place, bytes, MemoryKind::Load, data))
      return;
    pack(data_format, number, values, kAccess.components, data);
    if (!access_lane(w, i, lane, place, bytes, MemoryKind::Store, data)) return;
  }
  RT_NEXT(w, i);
}

constexpr bool is_typed_load(const OpcodeRow& row) {
  return row.memory.components && row.memory.kind == MemoryKind::Load;
}
constexpr bool is_typed_store(const OpcodeRow& row) {
  return row.memory.components && row.memory.kind == MemoryKind::Store;
}
constexpr auto kLoads = map_opcodes<is_typed_load>([]<Opcode kOpcode>() -> OpRow {
  return {kOpcode, lift_buffer, {run_typed_load<kOpcode>}};
});
constexpr auto kStores = map_opcodes<is_typed_store>([]<Opcode kOpcode>() -> OpRow {
  return {kOpcode, lift_buffer, {run_typed_store<kOpcode>}};
});

} // namespace

uint32_t typed_bytes(const Wave* w, const Inst* i) noexcept { return format_of(w, i).data.bytes(); }

std::span<const OpRow> typed_rows() noexcept {
  static const auto all = rows_together(kLoads, kStores);
  return all;
}

} // namespace hip::engine
