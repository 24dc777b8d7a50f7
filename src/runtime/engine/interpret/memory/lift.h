// runtime/engine/interpret/memory/lift.h - how memory instructions use an Inst, and the functions that fill one from a decoded
// instruction. Compiled once for all host levels.
//
//   src[0]  vaddr row (FLAT, GLOBAL, SCRATCH, MUBUF, DS); 0 when there is none
//   src[1]  saddr, sbase: offset of the first SGPR; 0 when there is none
//   src[2]  soffset: offset of its SGPR; 0 when there is none (then imm[1] holds its constant)
//   dst     first destination row (or SGPR)
//   flags   scalar atomics: the old value comes back
//   dst2    first row of the data; for DS instructions with two, flags holds the row of the second
//   imm[0]  the instruction's offset, sign-extended; DS with two: in imm[0] and imm[1], in bytes
//   imm[2]  MUBUF, MTBUF: MubufFlag, and the format
#pragma once

#include "runtime/engine/interpret/op_row.h"

namespace hip::engine {

enum MubufFlag : uint64_t { kMubufOffen = 1, kMubufIdxen = 2, kMubufOwnFormat = 4 };
inline constexpr uint32_t kMubufFormatShift = 8;      // RawInst::buffer_format, with kMubufOwnFormat
inline constexpr uint32_t kMubufGenerationShift = 16; // BufferGeneration

// Which of a row's handlers an instruction takes.
enum MemForm : uint32_t {
  kFormVector = 0,  // 64-bit address in two rows
  kFormScalar = 1,  // SGPR pair + 32-bit offset row
  kFormFlat = 2,    // like kFormVector, but the address may mean LDS or a private segment
  kFormReturns = 1, // atomics: added to 2 * (flat or not)
};

// FLAT, GLOBAL loads and stores; flags 1: later loads must not overtake a store
std::string lift_vector_memory(const OpRow& row, const ResolvedInst& raw, Inst& out);
std::string lift_atomic(const OpRow& row, const ResolvedInst& raw, Inst& out);        // FLAT, GLOBAL atomics
std::string lift_scratch(const OpRow& row, const ResolvedInst& raw, Inst& out);
std::string lift_load_to_lds(const OpRow& row, const ResolvedInst& raw, Inst& out); // GLOBAL and SCRATCH
std::string lift_buffer(const OpRow& row, const ResolvedInst& raw, Inst& out);
std::string lift_lds(const OpRow& row, const ResolvedInst& raw, Inst& out); // DS
std::string lift_wave_sync(const OpRow& row, const ResolvedInst& raw,
                           Inst& out); // DS: barriers of the grid; imm[0] is the resource
std::string lift_scalar_memory(const OpRow& row, const ResolvedInst& raw, Inst& out);
std::string lift_nothing(const OpRow& row, const ResolvedInst& raw, Inst& out); // cache control: only the handler matters

} // namespace hip::engine
