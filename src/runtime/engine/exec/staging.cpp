// runtime/engine/exec/staging.cpp - see staging.h.
#include "runtime/engine/exec/staging.h"

namespace hip::engine {
namespace {

// dpp_ctrl ranges of gfx9.
constexpr uint32_t kQuadPermEnd = 0xff, kRowShl = 0x100, kRowShr = 0x110, kRowRor = 0x120, kWaveShl = 0x130,
                   kWaveRol = 0x134, kWaveShr = 0x138, kWaveRor = 0x13c, kRowMirror = 0x140, kRowHalfMirror = 0x141,
                   kRowBcast15 = 0x142, kRowBcast31 = 0x143, kRowNewBcast = 0x150;

// The lane that `lane` reads, or -1 when there is none.
int source_lane(uint32_t ctrl, int lane) {
  const int row = lane & ~15, in_row = lane & 15;
  const int n = int(ctrl & 15);
  if (ctrl <= kQuadPermEnd) return (lane & ~3) | int(ctrl >> (2 * (lane & 3)) & 3);
  if (ctrl > kRowShl && ctrl < kRowShl + 16) return in_row + n < 16 ? lane + n : -1;
  if (ctrl > kRowShr && ctrl < kRowShr + 16) return in_row - n >= 0 ? lane - n : -1;
  if (ctrl > kRowRor && ctrl < kRowRor + 16) return row | ((in_row - n) & 15);
  if (ctrl >= kRowNewBcast && ctrl < kRowNewBcast + 16) return row | n;
  switch (ctrl) {
  case kWaveShl: return lane < 63 ? lane + 1 : -1;
  case kWaveRol: return (lane + 1) & 63;
  case kWaveShr: return lane > 0 ? lane - 1 : -1;
  case kWaveRor: return (lane - 1) & 63;
  case kRowMirror: return row | (15 - in_row);
  case kRowHalfMirror: return (lane & ~7) | (7 - (lane & 7));
  case kRowBcast15: return row > 0 ? row - 1 : -1; // lane 15 of the row before
  case kRowBcast31: return lane >= 32 ? 31 : -1;
  default: return -1;
  }
}

uint32_t select_part(uint32_t v, uint32_t sel, bool sext) {
  const uint32_t shift = sel < 4 ? 8 * sel : sel == 5 ? 16 : 0, width = sel < 4 ? 8 : sel < 6 ? 16 : 32;
  if (sext) return uint32_t(int32_t(v << (32 - width - shift)) >> (32 - width));
  return (v >> shift) & (width == 32 ? ~0u : (1u << width) - 1);
}

} // namespace

void stage_dpp(Wave* w, const Inst* i, uint32_t registers, Staged& out) noexcept {
  const uint32_t word = uint32_t(i->imm[2]), ctrl = word & 0x1ff;
  const uint32_t row_mask = word >> kDppRowMaskShift & 15, bank_mask = word >> kDppBankMaskShift & 15;
  const bool zero_invalid = (word & kDppBoundCtrl) != 0;
  const uint64_t exec = w->exec();
  const uint32_t* src = &at<uint32_t>(w, i->src[0]);
  uint64_t writable = 0;
  for (int lane = 0; lane < int(kMaxLanes); ++lane) {
    const int from = source_lane(ctrl, lane);
    const bool valid = from >= 0 && (exec >> from & 1) != 0;
    const bool enabled = (row_mask >> (lane >> 4) & 1) != 0 && (bank_mask >> ((lane & 15) >> 2) & 1) != 0;
    writable |= uint64_t(enabled && (valid || zero_invalid)) << lane;
    for (uint32_t r = 0; r < registers; ++r) out.rows[0][r][lane] = valid ? src[r * kMaxLanes + uint32_t(from)] : 0;
  }
  out.write_mask = writable;
}

void stage_sdwa(Wave* w, const Inst* i, uint32_t operands, Staged& out) noexcept {
  const uint32_t word = uint32_t(i->imm[2]);
  for (uint32_t k = 0; k < operands; ++k) {
    const uint32_t sel = word >> (k == 0 ? kSdwaSrc0SelShift : kSdwaSrc1SelShift) & 15;
    const bool sext = (word >> (kSdwaSextShift + k) & 1) != 0;
    const bool vector = (i->flags & (kSrcVector << k)) != 0;
    const uint32_t* src = &at<uint32_t>(w, i->src[k]);
    for (uint32_t lane = 0; lane < kMaxLanes; ++lane) out.rows[k][0][lane] = select_part(src[vector ? lane : 0], sel, sext);
  }
  out.write_mask = ~uint64_t(0);
}

void store_sdwa(Wave* w, const Inst* i, const uint32_t* result, uint64_t lanes) noexcept {
  const uint32_t word = uint32_t(i->imm[2]);
  const uint32_t sel = word >> kSdwaDstSelShift & 15, unused = word >> kSdwaUnusedShift & 3;
  const uint32_t shift = sel < 4 ? 8 * sel : sel == 5 ? 16 : 0, width = sel < 4 ? 8 : sel < 6 ? 16 : 32;
  const uint32_t field = width == 32 ? ~0u : ((1u << width) - 1) << shift;
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  for (uint32_t lane = 0; lane < kMaxLanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    const uint32_t value = (result[lane] << shift) & field;
    if (unused == 2) // preserve
      dst[lane] = (dst[lane] & ~field) | value;
    else if (unused == 1 && width < 32) // sign-extend
      dst[lane] = uint32_t(int32_t(value << (32 - width - shift)) >> (32 - width - shift));
    else
      dst[lane] = value;
  }
}

} // namespace hip::engine
