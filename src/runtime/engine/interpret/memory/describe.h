// runtime/engine/interpret/memory/describe.h - what an instruction is about to do to memory, found from its registers
// in the wave's block, before it happens. Instrumented code of both tiers offers these accesses to a tool
// (tools/tool.h). Compiled once for all host levels.
#pragma once

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/isa/opcode.h"

namespace hip::engine {

// Of the unit's instructions that have a handler, those without elements of lanes (ds_append, ds_consume) count lanes
// in one dword.
constexpr bool counts_lanes(const OpcodeRow& row) noexcept { return row.unit == Unit::Lds && !row.memory; }
// Whether instructions with this row, if they have a handler, access memory.
constexpr bool accesses_memory(const OpcodeRow& row) noexcept { return bool(row.memory) || counts_lanes(row); }

// Offers all accesses of the instruction to the listener of WorkGroup::probe. `inst` is the instruction's element,
// which its lift function has filled. False: the tool has refused one, and the wave has been stopped with a fault.
bool offer_accesses(Wave* w, const Inst& inst, const OpcodeRow& row) noexcept;

// The lanes whose element in global memory holds the byte at `address`, for the report of a host fault there. Where the
// instruction has overwritten its own address in some lanes, these may be missing.
uint64_t lanes_that_access(Wave* w, const Inst& inst, const OpcodeRow& row, uint64_t address) noexcept;

} // namespace hip::engine
