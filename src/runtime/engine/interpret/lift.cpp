// runtime/engine/interpret/lift.cpp - operands and modifiers of ALU instructions, from decoded form to Inst. See lift.h.
#include "runtime/engine/interpret/lift.h"

#include "runtime/base/format.h"
#include "runtime/engine/decode/resolve.h"
#include "runtime/engine/interpret/alu/staging.h"

#include <cstddef>

namespace hip::engine {
namespace {

// Sets source k of `out`. Returns an empty string, or a sentence that says what is wrong with the operand.
std::string set_source(const Operand& operand, uint32_t k, Inst& out) {
  if (operand.is_constant()) {
    out.src[k] = uint32_t(offsetof(Inst, imm)) + 8 * k;
    out.imm[k] = operand.imm;
    out.flags |= kSrcConst << k;
    return {};
  }
  if (!operand_offset(operand, out.src[k])) return fmt::format("source operand {} is a register that it cannot read", k);
  if (operand.bank == Bank::Vgpr || operand.bank == Bank::Agpr) out.flags |= kSrcVector << k;
  return {};
}

uint32_t dpp_word(const RawInst& raw) {
  return raw.dpp_ctrl | uint32_t(raw.row_mask) << kDppRowMaskShift | uint32_t(raw.bank_mask) << kDppBankMaskShift |
         (raw.bound_ctrl ? kDppBoundCtrl : 0) | (raw.fetch_inactive ? kDppFetchInactive : 0);
}
uint64_t dpp_control(const RawInst& raw) {
  return raw.has_dpp8 ? uint64_t(raw.dpp8) << 32 | kDpp8 | dpp_word(raw) : dpp_word(raw);
}
uint32_t sdwa_word(const RawInst& raw) {
  return uint32_t(raw.dst_sel) << kSdwaDstSelShift | uint32_t(raw.dst_unused) << kSdwaUnusedShift |
         uint32_t(raw.src0_sel) << kSdwaSrc0SelShift | uint32_t(raw.src1_sel) << kSdwaSrc1SelShift |
         uint32_t(raw.sext) << kSdwaSextShift;
}

} // namespace

bool operand_offset(const Operand& operand, uint32_t& offset) noexcept {
  switch (operand.bank) {
  case Bank::Vgpr: offset = Wave::vgpr_offset(operand.index); return true;
  case Bank::Agpr: offset = Wave::vgpr_offset(kFirstAccVgpr + operand.index); return true;
  case Bank::Sgpr: offset = Wave::sgpr_offset(operand.index); return true;
  case Bank::Special:
    if (operand.index == kSharedBaseSource) return offset = uint32_t(offsetof(Wave, shared_aperture)), true;
    if (operand.index == kPrivateBaseSource) return offset = uint32_t(offsetof(Wave, private_aperture)), true;
    if (operand.index == kSccSource) return offset = uint32_t(offsetof(Wave, scc)), true;
    return false;
  default: return false;
  }
}

bool scalar_destination(const ResolvedInst& inst, uint32_t& offset) noexcept {
  if (!inst.discards) return operand_offset(inst.sdst, offset);
  offset = uint32_t(offsetof(Wave, discarded));
  return true;
}

std::string lift_valu(const OpRow& row, const ResolvedInst& inst, Inst& out) {
  const BodyShape& shape = *inst.shape;
  bool plain = row.run[1] != nullptr; // no modifiers
  uint32_t scalars = 0;               // operands that are not rows
  bool packed = false;
  for (uint32_t k = 0; k < shape.parameters(); ++k) {
    const uint32_t kind = shape.kind(k);
    packed |= kind == kKindPack || kind == kKindPair;
    if (kind == kKindField) out.dst2 = inst.field;
    if (kind == kKindLane || kind == kKindField || kind == kKindOld) continue;
    if (k >= 3) { // v_div_fmas's VCC
      operand_offset(inst.src[k], out.dst2);
      continue;
    }
    if (std::string problem = set_source(inst.src[k], k, out); !problem.empty()) return problem;
    if (kind == kKindMask ? out.flags & (kSrcConst << k) : !(out.flags & (kSrcVector << k))) scalars |= 1u << k;
  }
  if (shape.rows() && !operand_offset(inst.vdst, out.dst)) return "its destination is not a register";
  if (inst.lanes == 32) out.flags |= kMask32;
  if (inst.keep == 0xffff0000u && shape.result & kResult16) out.flags |= kKeepHigh, plain = false;
  if (shape.mask()) {
    if (!scalar_destination(inst, out.dst2)) return "its scalar destination is not a register";
    out.flags |= kHasSdst;
    if (row_of(inst.opcode).exec != ExecEffect::None) out.flags |= kWriteExec;
  }
  out.flags |= uint32_t(inst.neg) * kNeg | uint32_t(inst.abs | inst.neg_hi) * kAbs | uint32_t(inst.op_sel & 15) * kOpSel |
               uint32_t(inst.op_sel_hi & 7) * kOpSelHi | uint32_t(inst.omod & 3) << kOmodShift;
  const bool clamps = inst.clamp && shape.result & kResultFloat;
  if (clamps) out.flags |= kClamp;
  const uint32_t sources = (1u << shape.parameters()) - 1;
  if (packed && (inst.op_sel_hi & sources & 7) != (sources & 7)) plain = false;
  if (inst.neg || inst.abs || inst.neg_hi || inst.op_sel || inst.omod || clamps) plain = false;
  if (inst.variant == Variant::Dpp || inst.variant == Variant::Sdwa) {
    out.flags |= inst.variant == Variant::Dpp ? kDpp : kSdwa;
    out.imm[2] = inst.variant == Variant::Dpp ? dpp_control(inst) : sdwa_word(inst);
    plain = false;
  }
  out.run = !plain ? row.run[0] : scalars == 0 ? row.run[1] : scalars == 1 ? row.run[2] : row.run[3];
  return {};
}

std::string lift_matrix(const OpRow& row, const ResolvedInst& inst, Inst& out) {
  for (uint32_t k = 0; k < 3; ++k)
    if (std::string problem = set_source(inst.src[k], k, out); !problem.empty()) return problem;
  if (!operand_offset(inst.vdst, out.dst)) return "its destination is not a register";
  out.imm[1] = inst.cbsz | uint64_t(inst.abid) << kMatrixAbidShift | uint64_t(inst.blgp) << kMatrixBlgpShift;
  out.run = row.run[0];
  return {};
}

std::string lift_wmma(const OpRow& row, const ResolvedInst& inst, Inst& out) {
  if (std::string problem = lift_matrix(row, inst, out); !problem.empty()) return problem;
  const MatrixForm& form = inst.matrix;
  out.imm[0] = form.flipped_a | uint64_t(form.flipped_b) << 32;
  out.imm[1] = form.sums.word() | (form.absolute ? kWmmaAbsolute : 0) | (form.negated ? kWmmaNegated : 0) |
               inst.abid * form.index_bits << kWmmaIndexShift;
  return {};
}

std::string lift_scaled_matrix(const OpRow& row, const ResolvedInst& inst, Inst& out) {
  if (std::string problem = lift_matrix(row, inst, out); !problem.empty()) return problem;
  for (uint32_t k = 0; k < 2 && inst.source_count == 5; ++k) {
    const Operand& scale = inst.src[3 + k];
    uint32_t offset = 0;
    if (!operand_offset(scale, offset)) return "its scales are not in registers";
    out.imm[0] |= uint64_t(offset) << (32 * k);
    const uint32_t byte = (inst.op_sel >> k & 1u) | (inst.op_sel_hi >> k & 1u) << 1;
    out.imm[1] |= uint64_t(byte) << (k == 0 ? kMatrixByteAShift : kMatrixByteBShift);
    if (is_vector(scale)) out.imm[1] |= k == 0 ? kMatrixScaleAVector : kMatrixScaleBVector;
  }
  return {};
}

std::string lift_salu(const OpRow& row, const ResolvedInst& inst, Inst& out) {
  for (uint32_t k = 0; k < inst.shape->parameters(); ++k)
    if (!inst.is_state(k))
      if (std::string problem = set_source(inst.src[k], k, out); !problem.empty()) return problem;
  if (inst.shape->rows() && !scalar_destination(inst, out.dst)) return "its destination is not a register";
  out.run = row.run[0];
  return {};
}

} // namespace hip::engine
