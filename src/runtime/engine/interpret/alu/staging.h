// runtime/engine/interpret/alu/staging.h - DPP and SDWA, which change operands before the operation and the result after it. They
// write permuted or selected copies of the operands to staging rows, which the operation then reads. Compiled once for all host
// levels.
#pragma once

#include "runtime/engine/interpret/inst.h"

namespace hip::engine {

struct Staged {
  alignas(64) uint32_t rows[2][2][kMaxLanes]; // [operand][register]
  uint64_t write_mask;                        // DPP: lanes that may be written
};

// Control word in Inst::imm[2].
inline constexpr uint32_t kDppRowMaskShift = 16, kDppBankMaskShift = 20, kDppBoundCtrl = 1u << 24,
                          kDppFetchInactive = 1u << 25, kDpp8 = 1u << 26; // DPP8: lane numbers from bit 32 on, 3 bits each
inline constexpr uint32_t kSdwaDstSelShift = 0, kSdwaUnusedShift = 4, kSdwaSrc0SelShift = 8, kSdwaSrc1SelShift = 12,
                          kSdwaSextShift = 16;

// Permutes operand 0, which has `registers` (1 or 2) registers.
void stage_dpp(Wave* w, const Inst* i, uint32_t registers, Staged& out) noexcept;
// Selects bytes or words of the first `operands` operands; the selected part becomes the low bits of the staged row.
void stage_sdwa(Wave* w, const Inst* i, uint32_t operands, Staged& out) noexcept;
// Merges a result into the part of the destination register that dst_sel names.
void store_sdwa(Wave* w, const Inst* i, const uint32_t* result, uint64_t lanes) noexcept;

} // namespace hip::engine
