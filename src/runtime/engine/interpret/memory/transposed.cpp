// runtime/engine/interpret/memory/transposed.cpp - loads from global memory that transpose: the lanes of a wave read a matrix of 16 rows
// and 16 columns, and exchange elements (ERRATA 64). Compiled once for all host levels.
#include "runtime/engine/decode/resolve.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/lift.h"

#define OMNIHIP_LEVEL common
#include "runtime/engine/interpret/memory/rows.h"

#include <bit>

namespace hip::engine {
namespace {

// Each 8 lanes read 8 halves each, and lane n of them gets everyone's half n.
void RT_HANDLER_CC run_load_halves(Wave* w, const Inst* i) {
  constexpr uint32_t kBlock = 8, kBytes = kBlock * sizeof(uint16_t), kLanes = 32;
  w->pc = i;
  const uint64_t exec = uint32_t(w->exec()); // code may have written EXEC's other half, which means nothing here
  uint16_t read[kLanes][kBlock] = {}; // of an inactive lane 0
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    if (!access_lane(w, i, lane, {MemorySpace::Global, global_address(w, i, lane)}, kBytes, MemoryKind::Load, read[lane])) return;
  }
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest)), first = lane / kBlock * kBlock, n = lane % kBlock;
    for (uint32_t k = 0; k < kBlock / 2; ++k)
      dst[k * kMaxLanes + lane] = read[first + 2 * k][n] | uint32_t(read[first + 2 * k + 1][n]) << 16;
  }
  RT_NEXT(w, i);
}

std::string lift_load_halves(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (raw.lanes != 32) return "in waves of 64 lanes nobody has written down which lane gets what";
  return lift_vector_memory(row, raw, out);
}

constexpr OpRow kRows[] = {{Opcode::global_load_tr_b128, lift_load_halves, {run_load_halves, run_load_halves}}}; // both forms of GLOBAL

} // namespace

std::span<const OpRow> transposed_rows() noexcept { return kRows; }

} // namespace hip::engine
