// runtime/engine/interpret/alu/dpp.h - which lane a DPP operand is read from (gfx9 ISA, "Data Parallel Processing"; ERRATA 26).
#pragma once

#include <cstdint>

namespace hip::engine {

// dpp_ctrl ranges of gfx9.
inline constexpr uint32_t kQuadPermEnd = 0xff, kRowShl = 0x100, kRowShr = 0x110, kRowRor = 0x120, kWaveShl = 0x130,
                   kWaveRol = 0x134, kWaveShr = 0x138, kWaveRor = 0x13c, kRowMirror = 0x140, kRowHalfMirror = 0x141,
                   kRowBcast15 = 0x142, kRowBcast31 = 0x143, kRowNewBcast = 0x150, // gfx10: row_share
                   kRowXmask = 0x160;

// The lane that `lane` reads, or -1 when there is none.
constexpr int dpp_source_lane(uint32_t ctrl, int lane) {
  const int row = lane & ~15, in_row = lane & 15;
  const int n = int(ctrl & 15);
  if (ctrl <= kQuadPermEnd) return (lane & ~3) | int(ctrl >> (2 * (lane & 3)) & 3);
  if (ctrl > kRowShl && ctrl < kRowShl + 16) return in_row + n < 16 ? lane + n : -1;
  if (ctrl > kRowShr && ctrl < kRowShr + 16) return in_row - n >= 0 ? lane - n : -1;
  if (ctrl > kRowRor && ctrl < kRowRor + 16) return row | ((in_row - n) & 15);
  if (ctrl >= kRowNewBcast && ctrl < kRowNewBcast + 16) return row | n;
  if (ctrl >= kRowXmask && ctrl < kRowXmask + 16) return lane ^ n;
  switch (ctrl) {
  case kWaveShl: return lane < 63 ? lane + 1 : -1;
  case kWaveRol: return (lane + 1) & 63;
  case kWaveShr: return lane > 0 ? lane - 1 : -1;
  case kWaveRor: return (lane - 1) & 63;
  case kRowMirror: return row | (15 - in_row);
  case kRowHalfMirror: return (lane & ~7) | (7 - (lane & 7));
  // Lane 15 of the row in front, lane 31; lanes that have none in front read themselves.
  case kRowBcast15: return row > 0 ? row - 1 : lane;
  case kRowBcast31: return lane >= 32 ? 31 : lane;
  default: return -1;
  }
}

// Of DPP8, whose control word has a number for each of 8 lanes.
constexpr uint32_t dpp8_source_lane(uint32_t word, uint32_t lane) { return (lane & ~7u) | (word >> 3 * (lane & 7) & 7); }

} // namespace hip::engine
