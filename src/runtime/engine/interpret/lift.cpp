// runtime/engine/interpret/lift.cpp - operands and modifiers of ALU instructions, from decoded form to Inst. See lift.h.
#include "runtime/engine/interpret/lift.h"

#include "runtime/base/format.h"
#include "runtime/engine/decode/raw_inst.h"
#include "runtime/engine/interpret/alu/staging.h"

#include <cstddef>

namespace hip::engine {
namespace {

// Encodings of the special sources that are fields of the wave's block.
constexpr uint32_t kSharedBase = 235, kPrivateBase = 237, kScc = 253;

uint32_t kind_of(const OpRow& row, uint32_t k) { return row.shape[0] >> (4 * k) & 15; }
uint32_t parameters(const OpRow& row) { return row.shape[1] >> kParameterShift & 15; }

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
         (raw.bound_ctrl ? kDppBoundCtrl : 0);
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
    if (operand.index == kSharedBase) return offset = uint32_t(offsetof(Wave, shared_aperture)), true;
    if (operand.index == kPrivateBase) return offset = uint32_t(offsetof(Wave, private_aperture)), true;
    if (operand.index == kScc) return offset = uint32_t(offsetof(Wave, scc)), true;
    return false;
  default: return false;
  }
}

std::string lift_valu(const OpRow& row, const RawInst& raw, Inst& out) {
  const uint32_t count = parameters(row);
  bool plain = row.run[1] != nullptr; // no modifiers
  uint32_t scalars = 0;               // operands that are not rows
  bool packed = false;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t kind = kind_of(row, k);
    packed |= kind == kKindPack || kind == kKindPair;
    if (kind == kKindLane) continue;
    if (k < raw.source_count) {
      if (k >= 3) return "it has more than three named operands";
      if (std::string problem = set_source(raw.src[k], k, out); !problem.empty()) return problem;
    } else if (kind == kKindMask) { // VCC, which the instruction does not name
      (k < 3 ? out.src[k] : out.dst2) = Wave::sgpr_offset(kVccLo);
    } else { // accumulates into the destination
      if (k >= 3 || !operand_offset(raw.vdst, out.src[k])) return "its accumulator is not a register";
      out.flags |= kSrcVector << k;
    }
    if (k >= 3) continue;
    if (kind == kKindMask ? out.flags & (kSrcConst << k) : !(out.flags & (kSrcVector << k))) scalars |= 1u << k;
  }
  if (row.shape[1] & kResultRegisters && !operand_offset(raw.vdst, out.dst)) return "its destination is not a register";
  if (row.shape[1] & (kResultMask | kResultCarry)) {
    if (!operand_offset(raw.sdst, out.dst2)) return "its scalar destination is not a register";
    out.flags |= kHasSdst;
    if (row_of(raw.opcode).exec != ExecEffect::None) out.flags |= kWriteExec;
  }
  out.flags |= uint32_t(raw.neg) * kNeg | uint32_t(raw.abs | raw.neg_hi) * kAbs | uint32_t(raw.op_sel & 15) * kOpSel |
               uint32_t(raw.op_sel_hi & 7) * kOpSelHi | uint32_t(raw.omod & 3) << kOmodShift;
  if (raw.clamp) {
    if (!(row.shape[1] & kResultFloat) && row_of(raw.opcode).saturating != row.opcode)
      return "its clamp bit is set and the engine does not know what it saturates to";
    if (row.shape[1] & kResultFloat) out.flags |= kClamp;
  }
  const uint32_t sources = (1u << count) - 1;
  if (packed && (raw.op_sel_hi & sources & 7) != (sources & 7)) plain = false;
  if (raw.neg || raw.abs || raw.neg_hi || raw.op_sel || raw.omod || (raw.clamp && row.shape[1] & kResultFloat))
    plain = false;
  if (raw.variant == Variant::Dpp || raw.variant == Variant::Sdwa) {
    if (out.flags & (kSrcConst << 2)) return "its third operand is a constant beside DPP or SDWA";
    out.flags |= raw.variant == Variant::Dpp ? kDpp : kSdwa;
    out.imm[2] = raw.variant == Variant::Dpp ? dpp_word(raw) : sdwa_word(raw);
    plain = false;
  }
  out.run = !plain ? row.run[0] : scalars == 0 ? row.run[1] : scalars == 1 ? row.run[2] : row.run[3];
  return {};
}

std::string lift_matrix(const OpRow& row, const RawInst& raw, Inst& out) {
  const uint32_t index_bits = row.shape[1] >> kMatrixIndexShift;
  if (raw.source_count != 3) return "it has not three source operands";
  for (uint32_t k = 0; k < 3; ++k)
    if (std::string problem = set_source(raw.src[k], k, out); !problem.empty()) return problem;
  const uint32_t rows = kSrcVector | kSrcVector << 1 | (index_bits ? kSrcVector << 2 : 0);
  if ((out.flags & rows) != rows) return "its matrices are not in VGPRs";
  if (!(out.flags & ((kSrcVector | kSrcConst) << 2))) return "its third operand is an SGPR";
  if (!operand_offset(raw.vdst, out.dst)) return "its destination is not a register";
  if (raw.blgp && !(row.shape[1] & kMatrixBlgp)) return fmt::format("it has no meaning for blgp, which is {}", raw.blgp);
  if (index_bits) {
    if (raw.cbsz == 0 && (raw.abid + 1) * index_bits > 32)
      return fmt::format("it takes index {} of a register that holds {}", raw.abid, 32 / index_bits);
  } else if ((1u << raw.cbsz) > row.shape[0] || (raw.cbsz && raw.abid >= 1u << raw.cbsz)) {
    return fmt::format("it broadcasts block {} of {}, and there are {}", raw.abid, 1u << raw.cbsz, row.shape[0]);
  }
  out.imm[1] = raw.cbsz | uint64_t(raw.abid) << kMatrixAbidShift | uint64_t(raw.blgp) << kMatrixBlgpShift;
  out.run = row.run[0];
  return {};
}

std::string lift_salu(const OpRow& row, const RawInst& raw, Inst& out) {
  const uint32_t count = parameters(row);
  uint32_t named = raw.source_count;
  for (uint32_t k = 0; k < count; ++k) {
    if (kind_of(row, k) == kKindState) continue;
    if (k >= 3) return "it has more than three operands";
    if (k < named) {
      if (std::string problem = set_source(raw.src[k], k, out); !problem.empty()) return problem;
    } else if (raw.format == Format::Sopk && k == named) { // the 16-bit constant; s_cmpk_*_u32 zero-extends it
      Operand constant;
      constant.bank = Bank::Imm;
      const bool zero_extended = row_of(raw.opcode).zero_extends_constant;
      constant.imm = zero_extended ? uint64_t(raw.simm16 & 0xffff) : uint64_t(int64_t(raw.simm16));
      if (std::string problem = set_source(constant, k, out); !problem.empty()) return problem;
    } else { // reads its destination
      if (!operand_offset(raw.sdst, out.src[k])) return "its destination is not a register";
    }
  }
  if (row.shape[1] & kResultRegisters && !operand_offset(raw.sdst, out.dst)) return "its destination is not a register";
  out.run = row.run[0];
  return {};
}

} // namespace hip::engine
