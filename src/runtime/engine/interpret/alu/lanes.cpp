// runtime/engine/interpret/alu/lanes.cpp - VALU instructions that cross lanes or move data between the register files. They are
// not functions of one lane, so they have no body in isa/. Compiled once for all host levels. EXEC: ERRATA 25.
#include "runtime/engine/interpret/lift.h"
#include "runtime/engine/interpret/rows.h"

#include "runtime/base/format.h"
#include "runtime/engine/decode/resolve.h"

#include <bit>
#include <cstddef>

namespace hip::engine {
namespace {

uint32_t scalar32(Wave* w, const Inst* i, int k) noexcept {
  return i->flags & (kSrcConst << k) ? uint32_t(i->imm[k]) : at<uint32_t>(w, i->src[k]);
}

void RT_HANDLER_CC v_readfirstlane_b32(Wave* w, const Inst* i) {
  const uint64_t exec = w->exec();
  const uint32_t lane = exec ? uint32_t(std::countr_zero(exec)) : 0;
  at<uint32_t>(w, i->dst) = i->flags & kSrcVector ? (&at<uint32_t>(w, i->src[0]))[lane] : scalar32(w, i, 0);
  RT_NEXT(w, i);
}
void RT_HANDLER_CC v_readlane_b32(Wave* w, const Inst* i) { // ignores EXEC
  const uint32_t lane = scalar32(w, i, 1) & (w->lanes - 1);
  at<uint32_t>(w, i->dst) = i->flags & kSrcVector ? (&at<uint32_t>(w, i->src[0]))[lane] : scalar32(w, i, 0);
  RT_NEXT(w, i);
}
void RT_HANDLER_CC v_writelane_b32(Wave* w, const Inst* i) {
  const uint32_t lane = scalar32(w, i, 1) & (w->lanes - 1);
  (&at<uint32_t>(w, i->dst))[lane] = scalar32(w, i, 0);
  RT_NEXT(w, i);
}
void exchange_rows(Wave* w, uint32_t one, uint32_t other) noexcept {
  uint32_t *a = &at<uint32_t>(w, one), *b = &at<uint32_t>(w, other);
  for (uint64_t lanes = w->exec(); lanes; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const uint32_t old = a[lane];
    a[lane] = b[lane], b[lane] = old;
  }
}
void RT_HANDLER_CC v_swap_b32(Wave* w, const Inst* i) {
  exchange_rows(w, i->dst, i->src[0]);
  RT_NEXT(w, i);
}
// Halves of registers, as op_sel says.
void RT_HANDLER_CC v_swap_b16(Wave* w, const Inst* i) {
  uint32_t *a = &at<uint32_t>(w, i->dst), *b = &at<uint32_t>(w, i->src[0]);
  const uint32_t shift_a = i->flags & (kOpSel << 3) ? 16 : 0, shift_b = i->flags & kOpSel ? 16 : 0;
  const auto put = [](uint32_t& to, uint32_t shift, uint32_t half) {
    to = (to & ~(0xffffu << shift)) | (half & 0xffff) << shift;
  };
  for (uint64_t lanes = w->exec(); lanes; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const uint32_t half_a = a[lane] >> shift_a, half_b = b[lane] >> shift_b;
    put(a[lane], shift_a, half_b);
    put(b[lane], shift_b, half_a);
  }
  RT_NEXT(w, i);
}
// Exchanges the odd blocks of vdst with the even blocks of src0 (blocks of kBlock lanes).
template <uint32_t kBlock> void RT_HANDLER_CC v_permlane_swap(Wave* w, const Inst* i) {
  uint32_t *a = &at<uint32_t>(w, i->dst), *b = &at<uint32_t>(w, i->src[0]);
  const uint64_t exec = w->exec();
  for (uint32_t base = 0; base < kMaxLanes; base += 2 * kBlock)
    for (uint32_t n = 0; n < kBlock; ++n) {
      const uint32_t low = base + n, high = base + kBlock + n;
      const uint32_t from_a = a[high], from_b = b[low];
      if (exec >> high & 1) a[high] = from_b;
      if (exec >> low & 1) b[low] = from_a;
    }
  RT_NEXT(w, i);
}

// Lane l of a row of 16 gets what `select` says of its row, or of the row beside it (kOther). op_sel[0] makes inactive
// lanes readable, and else op_sel[1] gives 0 in their place; without both the destination stays.
template<bool kOther, class F> void permute_rows(Wave* w, const Inst* i, F select) {
  uint32_t source[kMaxLanes], *to = &at<uint32_t>(w, i->dst);
  for (uint32_t l = 0; l < w->lanes; ++l)
    source[l] = i->flags & kSrcVector ? (&at<uint32_t>(w, i->src[0]))[l] : scalar32(w, i, 0);
  const uint64_t exec = w->exec();
  for (uint64_t lanes = exec; lanes; lanes &= lanes - 1) {
    const uint32_t l = uint32_t(std::countr_zero(lanes)), from = ((l & ~15u) ^ (kOther ? 16u : 0)) + (select(l) & 15);
    if (exec >> from & 1 || i->flags & kOpSel)
      to[l] = source[from];
    else if (i->flags & (kOpSel << 1))
      to[l] = 0;
  }
}
template<bool kOther>
void RT_HANDLER_CC v_permlane16(Wave* w, const Inst* i) { // four bits for each lane of a row, in two scalars
  const uint64_t selects = scalar32(w, i, 1) | uint64_t(scalar32(w, i, 2)) << 32;
  permute_rows<kOther>(w, i, [selects](uint32_t lane) { return uint32_t(selects >> (lane % 16 * 4)); });
  RT_NEXT(w, i);
}
template<bool kOther> void RT_HANDLER_CC v_permlane16_var(Wave* w, const Inst* i) {
  uint32_t selects[kMaxLanes];
  for (uint32_t l = 0; l < w->lanes; ++l)
    selects[l] = i->flags & (kSrcVector << 1) ? (&at<uint32_t>(w, i->src[1]))[l] : scalar32(w, i, 1);
  permute_rows<kOther>(w, i, [&selects](uint32_t lane) { return selects[lane]; });
  RT_NEXT(w, i);
}
void RT_HANDLER_CC v_permlane64(Wave* w, const Inst* i) { // halves of 64 lanes change places; nothing happens to 32
  if (w->lanes == kMaxLanes) {
    uint32_t source[kMaxLanes], *to = &at<uint32_t>(w, i->dst);
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      source[l] = i->flags & kSrcVector ? (&at<uint32_t>(w, i->src[0]))[l] : scalar32(w, i, 0);
    for (uint64_t lanes = w->exec(); lanes; lanes &= lanes - 1) {
      const uint32_t l = uint32_t(std::countr_zero(lanes));
      to[l] = source[l ^ 32];
    }
  }
  RT_NEXT(w, i);
}

// A VGPR whose number is the operand's plus an index; v0 where that is none of the wave's.
uint32_t indexed_row(const Wave* w, uint32_t offset, uint32_t index) noexcept {
  const uint64_t indexed = offset + uint64_t(index) * kRowBytes;
  return indexed < Wave::vgpr_offset(w->vgpr_rows) ? uint32_t(indexed) : Wave::vgpr_offset(0);
}
void move_row(Wave* w, const Inst* i, uint32_t from, uint32_t to) noexcept {
  for (uint64_t lanes = w->exec(); lanes; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    (&at<uint32_t>(w, to))[lane] = i->flags & kSrcVector ? (&at<uint32_t>(w, from))[lane] : scalar32(w, i, 0);
  }
}
void RT_HANDLER_CC v_movrels_b32(Wave* w, const Inst* i) {
  if (!(i->flags & kSrcVector)) return stop_with_fault(w, i, FaultKind::Unsupported);
  move_row(w, i, indexed_row(w, i->src[0], w->sgpr[kM0]), i->dst);
  RT_NEXT(w, i);
}
void RT_HANDLER_CC v_movreld_b32(Wave* w, const Inst* i) {
  move_row(w, i, i->src[0], indexed_row(w, i->dst, w->sgpr[kM0]));
  RT_NEXT(w, i);
}
void RT_HANDLER_CC v_movrelsd_b32(Wave* w, const Inst* i) {
  if (!(i->flags & kSrcVector)) return stop_with_fault(w, i, FaultKind::Unsupported);
  move_row(w, i, indexed_row(w, i->src[0], w->sgpr[kM0]), indexed_row(w, i->dst, w->sgpr[kM0]));
  RT_NEXT(w, i);
}
// Those with two indices in M0.
uint32_t source_index(const Wave* w) noexcept { return w->sgpr[kM0] & 0x3ff; }
uint32_t destination_index(const Wave* w) noexcept { return w->sgpr[kM0] >> 16 & 0x3ff; }
void RT_HANDLER_CC v_movrelsd_2_b32(Wave* w, const Inst* i) {
  if (!(i->flags & kSrcVector)) return stop_with_fault(w, i, FaultKind::Unsupported);
  move_row(w, i, indexed_row(w, i->src[0], source_index(w)), indexed_row(w, i->dst, destination_index(w)));
  RT_NEXT(w, i);
}
void RT_HANDLER_CC v_swaprel_b32(Wave* w, const Inst* i) {
  if (!(i->flags & kSrcVector)) return stop_with_fault(w, i, FaultKind::Unsupported);
  exchange_rows(w, indexed_row(w, i->dst, destination_index(w)), indexed_row(w, i->src[0], source_index(w)));
  RT_NEXT(w, i);
}

#define LANES(name, handler) {Opcode::name, lift_lanes, {handler, nullptr, nullptr, nullptr}}
constexpr OpRow kRows[] = {
    LANES(v_readfirstlane_b32, v_readfirstlane_b32),
    LANES(v_readlane_b32, v_readlane_b32),
    LANES(v_writelane_b32, v_writelane_b32),
    LANES(v_swap_b32, v_swap_b32),
    LANES(v_swap_b16, v_swap_b16),
    LANES(v_swaprel_b32, v_swaprel_b32),
    LANES(v_movrels_b32, v_movrels_b32),
    LANES(v_movreld_b32, v_movreld_b32),
    LANES(v_movrelsd_b32, v_movrelsd_b32),
    LANES(v_movrelsd_2_b32, v_movrelsd_2_b32),
    LANES(v_permlane16_swap_b32, v_permlane_swap<16>),
    LANES(v_permlane32_swap_b32, v_permlane_swap<32>),
    LANES(v_permlane16_b32, v_permlane16<false>),
    LANES(v_permlanex16_b32, v_permlane16<true>),
    LANES(v_permlane16_var_b32, v_permlane16_var<false>),
    LANES(v_permlanex16_var_b32, v_permlane16_var<true>),
    LANES(v_permlane64_b32, v_permlane64),
};

} // namespace

std::string lift_lanes(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  for (uint32_t k = 0; k < raw.source_count && k < 3; ++k) {
    const Operand& source = raw.src[k];
    if (source.is_constant()) {
      out.imm[k] = source.imm, out.src[k] = uint32_t(offsetof(Inst, imm)) + 8 * k, out.flags |= kSrcConst << k;
      continue;
    }
    if (!operand_offset(source, out.src[k])) return fmt::format("source operand {} is a register that it cannot read", k);
    if (source.bank == Bank::Vgpr || source.bank == Bank::Agpr) out.flags |= kSrcVector << k;
  }
  if (!operand_offset(raw.sdst ? raw.sdst : raw.vdst, out.dst)) return "its destination is not a register";
  if (raw.variant == Variant::Dpp || raw.variant == Variant::Sdwa) return "it has a DPP or SDWA form here";
  out.flags |= uint32_t(raw.op_sel) * kOpSel;
  out.run = row.run[0];
  return {};
}

std::span<const OpRow> lane_rows() noexcept { return kRows; }

} // namespace hip::engine
