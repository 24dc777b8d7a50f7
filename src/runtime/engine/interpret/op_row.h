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

struct RawInst; // decode/decoder.h
struct OpRow;

// Fills `out` (src, dst, dst2, flags, imm, run) from a decoded instruction. Returns a sentence that says what form is not
// supported, or an empty string on success. The caller sets out.pc, and the handler when this fails.
using LiftFn = std::string (*)(const OpRow& row, const RawInst& raw, Inst& out);

struct OpRow {
  Opcode opcode;
  LiftFn lift;
  Handler run[4];       // variants; their meaning is known to the row's lift function
  uint32_t shape[2];    // parameters of the lift function; ALU rows: operand kinds in [0], OpResult bits in [1]
};

// ALU rows, shape[0]: the kind of parameter k, in bits 4k to 4k+3.
enum OperandKind : uint32_t {
  kKind32 = 1,
  kKind64,
  kKind16,
  kKindPack,  // two 16-bit halves
  kKindPair,  // two registers, selected by op_sel
  kKindMix,   // f32 or either f16 half
  kKindQuad,  // four registers
  kKindMask,  // lane mask in an SGPR pair
  kKindLane,  // the lane's number; not an operand of the instruction
  kKindState, // SCC or EXEC; not an operand of the instruction
};
// ALU rows, shape[1].
enum OpResult : uint32_t {
  kResultRegisters = 0x7, // dwords written to the destination
  kResultMask = 1u << 3,  // the result is a lane mask, in an SGPR pair
  kResultCarry = 1u << 4, // a second result is a lane mask
  kResultFloat = 1u << 5, // clamp means [0, 1]
  kParameterShift = 8,    // 4 bits: number of parameters
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
