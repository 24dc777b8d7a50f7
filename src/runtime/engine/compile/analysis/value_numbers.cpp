// runtime/engine/compile/analysis/value_numbers.cpp - see value_numbers.h.
#include "runtime/engine/compile/analysis/value_numbers.h"

namespace hip::engine::compile {

void ValueNumbers::forget() {
  for (Number& n : vgpr_) n = ++last_;
  for (Number& n : sgpr_) n = ++last_;
}

Number ValueNumbers::constant(uint64_t value) {
  Number& n = constants_[value];
  if (!n) n = last_ += 2, values_[n] = value; // two: no pair of SGPRs is taken for one value because of it
  return n;
}

std::optional<uint64_t> ValueNumbers::constant_of(Number n) const {
  const auto found = values_.find(n);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

Number ValueNumbers::number(const Operand& o, uint32_t dword, uint32_t dwords) {
  if (o.is_constant()) return constant(dwords == 2 ? (dword ? 0 : o.imm) : uint32_t(o.imm));
  if (o.bank == Bank::Vgpr && o.index + dword < kFirstAccVgpr) return vgpr_[o.index + dword];
  if (o.bank == Bank::Sgpr && o.index + dword < kSgprCount) return sgpr_[o.index + dword];
  return ++last_; // equal to nothing
}

Term ValueNumbers::term(const RawInst& raw, uint32_t k, uint32_t dwords) {
  const Operand& o = raw.src[k];
  return {number(o, 0, dwords), dwords == 2 ? number(o, 1, dwords) : 0, bool(raw.neg >> k & 1), bool(raw.abs >> k & 1)};
}

void ValueNumbers::step(const Instr& i) {
  const RawInst& raw = i.raw;
  const bool vector =
      raw.opcode == Opcode::v_mov_b32 && raw.variant != Variant::Dpp && raw.variant != Variant::Sdwa && raw.vdst.bank == Bank::Vgpr;
  const uint32_t scalars = raw.opcode == Opcode::s_mov_b64 ? 2 : raw.opcode == Opcode::s_mov_b32 ? 1 : 0;
  Number copied[2] = {};
  if (vector || scalars)
    for (uint32_t d = 0; d < 2; ++d) copied[d] = number(raw.src[0], d, raw.src[0].dwords);
  for (uint32_t n = 0; n < kFirstAccVgpr; ++n)
    if (i.writes.v[n]) vgpr_[n] = ++last_;
  for (uint32_t n = 0; n < kSgprCount; ++n)
    if (i.writes.s[n]) sgpr_[n] = ++last_;
  if (vector) vgpr_[raw.vdst.index] = copied[0];
  if (scalars && raw.sdst.bank == Bank::Sgpr)
    for (uint32_t d = 0; d < scalars && raw.sdst.index + d < kSgprCount; ++d) sgpr_[raw.sdst.index + d] = copied[d];
}

} // namespace hip::engine::compile
