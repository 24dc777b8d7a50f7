// runtime/engine/decode/float_rules.cpp - see float_rules.h.
#include "runtime/engine/decode/float_rules.h"

#include <string_view>

namespace hip::engine {
namespace {

// Tables and estimates: their results have errors that rounding does not change.
bool is_estimate(Opcode body) noexcept {
  switch (body) {
  case Opcode::v_rcp_f16:
  case Opcode::v_rcp_f32:
  case Opcode::v_rcp_iflag_f32:
  case Opcode::v_rcp_f64:
  case Opcode::v_rsq_f16:
  case Opcode::v_rsq_f32:
  case Opcode::v_rsq_f64:
  case Opcode::v_sqrt_f16:
  case Opcode::v_sqrt_f32:
  case Opcode::v_sqrt_f64:
  case Opcode::v_exp_f16:
  case Opcode::v_exp_f32:
  case Opcode::v_exp_legacy_f32:
  case Opcode::v_log_f16:
  case Opcode::v_log_f32:
  case Opcode::v_log_legacy_f32:
  case Opcode::v_sin_f16:
  case Opcode::v_sin_f32:
  case Opcode::v_cos_f16:
  case Opcode::v_cos_f32:
  case Opcode::v_trig_preop_f64:
  case Opcode::v_div_scale_f32: // a choice and a power of two
  case Opcode::v_div_scale_f64:
  case Opcode::v_cvt_pkrtz_f16_f32: // towards zero always
  case Opcode::s_cvt_pk_rtz_f16_f32:
  case Opcode::v_s_exp_f16:
  case Opcode::v_s_exp_f32:
  case Opcode::v_s_log_f16:
  case Opcode::v_s_log_f32:
  case Opcode::v_s_rcp_f16:
  case Opcode::v_s_rcp_f32:
  case Opcode::v_s_rsq_f16:
  case Opcode::v_s_rsq_f32:
  case Opcode::v_s_sqrt_f16:
  case Opcode::v_s_sqrt_f32:
    return true;
  default:
    return false;
  }
}
bool examines_class(Opcode body) noexcept {
  return body == Opcode::v_cmp_class_f16 || body == Opcode::v_cmp_class_f32 || body == Opcode::v_cmp_class_f64;
}

} // namespace

std::optional<FloatRules> float_rules(const ResolvedInst& inst) noexcept {
  const Unit unit = row_of(inst.opcode).unit;
  if (!inst.shape || !inst.shape->floats || (unit != Unit::VectorAlu && unit != Unit::ScalarAlu) ||
      examines_class(inst.body))
    return std::nullopt;
  const BodyShape& shape = *inst.shape;
  if (unit == Unit::VectorAlu && shape.rows() != 0 && !is_vector(inst.vdst)) return std::nullopt; // it has a problem
  FloatRules out;
  out.shape = shape;
  out.rounds = shape.float_result() != FloatKind::None && !is_estimate(inst.body);
  const OpcodeRow& body = row_of(inst.body);
  out.other_limits = body.limited != Opcode::unknown;
  out.other = out.other_limits ? body.limited : body.without_ieee;
  const bool high = inst.op_sel & 8 || shape.keep == 0xffffu, low = shape.result & kResult16 || shape.keep;
  out.halves = high ? 2 : low ? 1 : 3;
  return out;
}

FloatDepartures departures(const ResolvedInst& inst, const FloatRules& rules, uint32_t mode) noexcept {
  FloatDepartures out;
  for (uint32_t k = 0; k < rules.shape.parameters(); ++k) {
    const FloatKind kind = is_number(rules, k) ? float_kind(rules, k, inst.op_sel_hi >> k & 1) : FloatKind::None;
    if (kind != FloatKind::None && !(denormals_of(mode, kind) & kTakesDenormals)) out.operands |= uint8_t(1u << k);
  }
  const FloatKind result = rules.shape.float_result();
  out.result = result != FloatKind::None && !(denormals_of(mode, result) & kGivesDenormals);
  if (rules.rounds) out.rounding = rounding_of(mode, result);
  const bool other = takes_other(rules, mode);
  if (other && rules.other_limits) out.body = rules.other;
  out.others = (other && !rules.other_limits) || (!(mode & kModeDx10Clamp) && inst.clamp) ||
               (mode & kModeFp16Overflow && result == FloatKind::Half);
  return out;
}

} // namespace hip::engine
