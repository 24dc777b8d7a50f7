// runtime/engine/exec/op_row.h - how a decoded instruction becomes an Inst: one row per mnemonic, found by name, whose
// lift function fills in operands and chooses the handler. Handlers are compiled once per host ISA level; each level has
// its own rows, and every folder of handlers contributes a span of them.
#pragma once

#include "runtime/engine/exec/inst.h"

#include <span>
#include <string>
#include <string_view>

namespace hip::engine {

struct RawInst; // decode/decoder.h
struct OpRow;

// Fills `out` (src, dst, dst2, flags, imm, run) from a decoded instruction. Returns a sentence that says what form is not
// supported, or an empty string on success. out.pc and the handler for failures are the caller's business.
using LiftFn = std::string (*)(const OpRow& row, const RawInst& raw, Inst& out);

struct OpRow {
  const char* mnemonic; // without encoding suffix: "v_fma_f32", "global_load_dwordx4"
  LiftFn lift;
  Handler run[4];       // variants; which is which is between the row and its lift function
  uint32_t shape[2];    // for the lift function, e.g. packed operand types
};

// Everything that is compiled per host ISA level, as one table.
struct HostLevel {
  const char* name;                 // "avx512", "avx2", "sse42"
  std::span<const OpRow> groups[8]; // VALU, SALU, memory, …
  void (*run)(Wave&) noexcept;      // run_wave for this level
};

// The levels that this build holds, best first, and the best one that this machine can execute; the environment variable
// OMNIHIP_HOST_ISA overrides the choice. Null when none fits, with the reason in `why`.
std::span<const HostLevel* const> host_levels() noexcept;
const HostLevel* choose_host_level(std::string& why);

} // namespace hip::engine
