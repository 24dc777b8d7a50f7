// runtime/engine/interpret/alu/staging.cpp - see staging.h.
#include "runtime/engine/interpret/alu/staging.h"

#include "runtime/engine/interpret/alu/dpp.h"
#include "runtime/engine/interpret/alu/sdwa.h"

#include <algorithm>
#include <array>
#include <bit>

namespace hip::engine {
namespace {

// dpp_source_lane() of all lanes; lanes without a source read themselves.
struct DppMap {
  uint8_t from[kMaxLanes];
  uint64_t in_range = 0;
};
const std::array<DppMap, 512>& dpp_maps() {
  static const std::array<DppMap, 512> maps = [] {
    std::array<DppMap, 512> all{};
    for (uint32_t ctrl = 0; ctrl < 512; ++ctrl)
      for (int lane = 0; lane < int(kMaxLanes); ++lane) {
        const int from = dpp_source_lane(ctrl, lane);
        all[ctrl].from[lane] = uint8_t(from < 0 ? lane : from);
        all[ctrl].in_range |= uint64_t(from >= 0) << lane;
      }
    return all;
  }();
  return maps;
}
uint64_t lanes_of_rows(uint32_t rows) {
  uint64_t lanes = 0;
  for (int r = 0; r < 4; ++r) lanes |= rows >> r & 1 ? uint64_t(0xffff) << (16 * r) : 0;
  return lanes;
}
uint64_t lanes_of_banks(uint32_t banks) { // a bank is four lanes of every row
  uint64_t row = 0;
  for (int b = 0; b < 4; ++b) row |= banks >> b & 1 ? uint64_t(15) << (4 * b) : 0;
  return row * 0x0001000100010001u;
}

} // namespace

void stage_dpp(Wave* w, const Inst* i, uint32_t registers, Staged& out) noexcept {
  const uint32_t word = uint32_t(i->imm[2]);
  DppMap eight;
  if (word & kDpp8) {
    for (uint32_t lane = 0; lane < kMaxLanes; ++lane)
      eight.from[lane] = uint8_t(dpp8_source_lane(uint32_t(i->imm[2] >> 32), lane));
    eight.in_range = ~uint64_t(0);
  }
  const DppMap& map = word & kDpp8 ? eight : dpp_maps()[word & 0x1ff];
  const uint64_t exec = w->exec();
  uint64_t valid = map.in_range;
  if (exec != ~uint64_t(0) && !(word & kDppFetchInactive)) {
    uint64_t active = 0;
    for (int lane = 0; lane < int(kMaxLanes); ++lane) active |= (exec >> map.from[lane] & 1) << lane;
    valid &= active;
  }
  const uint32_t* src = &at<uint32_t>(w, i->src[0]);
  for (uint32_t r = 0; r < registers; ++r) {
    for (uint32_t lane = 0; lane < kMaxLanes; ++lane) out.rows[0][r][lane] = src[r * kMaxLanes + map.from[lane]];
    for (uint64_t rest = ~valid; rest; rest &= rest - 1) out.rows[0][r][std::countr_zero(rest)] = 0;
  }
  const uint64_t enabled = lanes_of_rows(word >> kDppRowMaskShift & 15) & lanes_of_banks(word >> kDppBankMaskShift & 15);
  out.write_mask = enabled & (word & kDppBoundCtrl ? ~uint64_t(0) : valid);
}

void stage_sdwa(Wave* w, const Inst* i, uint32_t operands, Staged& out) noexcept {
  const uint32_t word = uint32_t(i->imm[2]);
  for (uint32_t k = 0; k < operands; ++k) {
    const uint32_t sel = word >> (k == 0 ? kSdwaSrc0SelShift : kSdwaSrc1SelShift) & 15;
    const bool sext = (word >> (kSdwaSextShift + k) & 1) != 0;
    const bool vector = (i->flags & (kSrcVector << k)) != 0;
    const bool constant = (i->flags & (kSrcConst << k)) != 0;
    const uint32_t* src = constant ? reinterpret_cast<const uint32_t*>(&i->imm[k]) : &at<uint32_t>(w, i->src[k]);
    uint32_t* __restrict row = out.rows[k][0];
    // Each case has a loop of its own over lanes, because the compiler vectorizes such loops.
    const SdwaPart part(sel);
    const uint32_t up = 32 - part.width - part.shift, down = 32 - part.width;
    if (!vector)
      std::fill(row, row + kMaxLanes, sext ? uint32_t(int32_t(src[0] << up) >> down) : (src[0] << up) >> down);
    else if (sext)
      for (uint32_t lane = 0; lane < kMaxLanes; ++lane) row[lane] = uint32_t(int32_t(src[lane] << up) >> down);
    else if (part.width < 32)
      for (uint32_t lane = 0; lane < kMaxLanes; ++lane) row[lane] = (src[lane] << up) >> down;
    else
      std::copy(src, src + kMaxLanes, row);
  }
  out.write_mask = ~uint64_t(0);
}

void store_sdwa(Wave* w, const Inst* i, const uint32_t* result, uint64_t lanes) noexcept {
  const uint32_t word = uint32_t(i->imm[2]);
  const uint32_t sel = word >> kSdwaDstSelShift & 15, unused = word >> kSdwaUnusedShift & 3;
  const SdwaPart part(sel);
  const uint32_t shift = part.shift, width = part.width;
  const uint32_t field = width == 32 ? ~0u : ((1u << width) - 1) << shift;
  const uint32_t keep = unused == 2 ? ~field : 0; // preserve
  const uint32_t extend = unused == 1 && width < 32 ? 32 - width - shift : 0;
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  if (width == 32 && lanes == ~uint64_t(0)) {
    std::copy(result, result + kMaxLanes, dst);
    return;
  }
  auto merged = [&](uint32_t old, uint32_t value) {
    const uint32_t v = (value << shift) & field;
    return (old & keep) | uint32_t(int32_t(v << extend) >> extend);
  };
  if (lanes == ~uint64_t(0)) {
    for (uint32_t lane = 0; lane < kMaxLanes; ++lane) dst[lane] = merged(dst[lane], result[lane]);
    return;
  }
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    dst[lane] = merged(dst[lane], result[lane]);
  }
}

} // namespace hip::engine
