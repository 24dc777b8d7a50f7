// runtime/engine/interpret/memory/to_lds.cpp - loads straight into LDS, and the store from there: the data of lane l
// lies at M0 + the instruction's offset + l times the element, which has a dword at least. The offset counts for the
// address in memory, too. An element that is outside LDS is dropped; what lies behind a buffer's end is 0. Compiled
// once for all host levels.
#include "runtime/engine/interpret/memory/to_lds.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/buffer.h"
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/interpret/memory/reach.h"

#define OMNIHIP_LEVEL common
#include "runtime/engine/interpret/memory/rows.h"

#include <bit>
#include <cstring>

namespace hip::engine {
namespace {

// Where lane `lane` reads: a place in one of the address spaces.
template<Unit kUnit> FlatPlace source_of(Wave* w, const Inst* i, uint32_t lane) {
  if constexpr (kUnit == Unit::Scratch) {
    const uint32_t own = i->src[0] ? (&at<uint32_t>(w, i->src[0]))[lane] : 0;
    return {MemorySpace::Scratch, uint32_t(i->imm[0]) + own + (i->src[1] ? at<uint32_t>(w, i->src[1]) : 0)};
  }
  return {MemorySpace::Global, global_address(w, i, lane)};
}
// The bytes of an element as LDS keeps them: whole dwords.
template<MemoryAccess kAccess> void widen(char (&data)[16]) {
  if constexpr (kAccess.bytes >= 4) return;
  constexpr uint32_t kUnused = 32 - 8 * kAccess.bytes;
  uint32_t v;
  std::memcpy(&v, data, sizeof v);
  v <<= kUnused;
  v = kAccess.extend == Extend::Sign ? uint32_t(int32_t(v) >> kUnused) : v >> kUnused;
  std::memcpy(data, &v, sizeof v);
}

template<Opcode kOpcode> void RT_HANDLER_CC run_load_to_lds(Wave* w, const Inst* i) {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  constexpr Unit kUnit = row_of(kOpcode).unit;
  w->pc = i;
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    char data[16] = {};
    if constexpr (kUnit == Unit::Buffer) {
      const BufferElement element = buffer_element(w, i, buffer_of(w, i), lane, kAccess.bytes);
      if (element.fits &&
          !access_lane(w, i, lane, {MemorySpace::Global, element.address}, kAccess.bytes, MemoryKind::Load, data))
        return;
    } else {
      if (!access_lane(w, i, lane, source_of<kUnit>(w, i, lane), kAccess.bytes, MemoryKind::Load, data)) return;
    }
    widen<kAccess>(data);
    const uint32_t bytes = lds_element_bytes(kAccess.bytes), to = lds_address(w, i, lane, kAccess.bytes);
    if (ends_in(to, bytes, w->lds_bytes)) std::memcpy(w->lds + to, data, bytes);
  }
  RT_NEXT(w, i);
}
void RT_HANDLER_CC run_store_lds_dword(Wave* w, const Inst* i) {
  constexpr uint32_t kBytes = 4;
  w->pc = i;
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest)), from = lds_address(w, i, lane, kBytes);
    char data[16] = {};
    if (ends_in(from, kBytes, w->lds_bytes)) std::memcpy(data, w->lds + from, kBytes);
    const BufferElement element = buffer_element(w, i, buffer_of(w, i), lane, kBytes);
    if (element.fits &&
        !access_lane(w, i, lane, {MemorySpace::Global, element.address}, kBytes, MemoryKind::Store, data))
      return;
  }
  RT_NEXT(w, i);
}

constexpr bool is_load_to_lds(const OpcodeRow& row) { return row.memory.kind == MemoryKind::LoadToLds; }
constexpr auto kLoads = map_opcodes<is_load_to_lds>([]<Opcode kOpcode>() -> OpRow {
  return {kOpcode, row_of(kOpcode).unit == Unit::Buffer ? lift_buffer : lift_load_to_lds, {run_load_to_lds<kOpcode>}};
});
constexpr OpRow kStores[] = {{Opcode::buffer_store_lds_dword, lift_buffer, {run_store_lds_dword}}};

} // namespace

std::span<const OpRow> to_lds_rows() noexcept {
  static const auto all = rows_together(kLoads, kStores);
  return all;
}

} // namespace hip::engine
