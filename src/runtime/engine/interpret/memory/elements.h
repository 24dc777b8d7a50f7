// runtime/engine/interpret/memory/elements.h - what loads and stores move, by opcode: the elements of mem.h for the
// rows of isa/opcodes.def, and predicates that choose rows.
#pragma once

#include "runtime/engine/interpret/memory/mem.h"
#include "runtime/engine/isa/opcode.h"

namespace hip::engine::OMNIHIP_LEVEL {

template<Opcode kOpcode> using LoadElement = Elem<row_of(kOpcode).memory.bytes, row_of(kOpcode).memory.extend>;
template<Opcode kOpcode> using StoreElement =
    StoreElem<row_of(kOpcode).memory.bytes, row_of(kOpcode).memory.from_high_half ? 16 : 0>;

// Elements as they lie in memory, by address.
constexpr bool is_plain(const MemoryAccess& access) {
  return access.components == 0 && access.place == ElementPlace::Address;
}
template<Unit... kUnits> constexpr bool is_plain_load(const OpcodeRow& row) {
  return ((row.unit == kUnits) || ...) && row.memory.kind == MemoryKind::Load && is_plain(row.memory);
}
template<Unit... kUnits> constexpr bool is_plain_store(const OpcodeRow& row) {
  return ((row.unit == kUnits) || ...) && row.memory.kind == MemoryKind::Store && is_plain(row.memory);
}
constexpr bool is_lds_load(const OpcodeRow& row) { return is_plain_load<Unit::Lds>(row); }
constexpr bool is_lds_store(const OpcodeRow& row) { return is_plain_store<Unit::Lds>(row); }

} // namespace hip::engine::OMNIHIP_LEVEL
