// runtime/engine/interpret/op_row.h - how a decoded instruction becomes an Inst: one row per opcode, whose lift
// function fills in operands and chooses the handler. Handlers are compiled once per host ISA level; each level has
// its own rows, and every folder of handlers contributes a span of them.
#pragma once

#include "runtime/engine/interpret/host_isa.h"
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/isa/opcode.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip::engine {

struct ResolvedInst; // decode/resolve.h
struct OpRow;

// Fills `out` (src, dst, dst2, flags, imm, run) from a resolved instruction. Returns a sentence that says what form is not
// supported, or an empty string on success. The caller sets out.pc, and the handler when this fails.
using LiftFn = std::string (*)(const OpRow& row, const ResolvedInst& inst, Inst& out);

struct OpRow {
  Opcode opcode;
  LiftFn lift;
  Handler run[4];       // variants; their meaning is known to the row's lift function
  uint32_t detail = 0;  // for the lift function
};

// Tables of rows as one.
template <class... Tables> std::vector<OpRow> rows_together(const Tables&... tables) {
  std::vector<OpRow> all;
  (all.insert(all.end(), std::begin(tables), std::end(tables)), ...);
  return all;
}

// Everything that is compiled per host ISA level, as one table.
struct HostLevel {
  const char* name;                 // "avx512", "avx2", "generic"
  HostIsa isa;                      // the host instructions that it uses
  std::span<const OpRow> groups[12]; // VALU, SALU, memory, …; unused ones are empty
  void (*run)(Wave&) noexcept;      // run_wave for this level
};

// The levels that this build holds, best first, and the best one that this machine can execute; the environment variable
// OMNIHIP_HOST_ISA overrides the choice (for translated code too). Null when none fits, with the reason in `why`.
std::span<const HostLevel* const> host_levels() noexcept;
const HostLevel* choose_host_level(std::string& why);
bool can_execute(const HostLevel& level) noexcept;

} // namespace hip::engine
