// runtime/engine/compile/read/divisions.cpp - see divisions.h. Values are followed by number (value_numbers.h), and every
// instruction of interest remembers its operands' numbers.
#include "runtime/engine/compile/read/divisions.h"

#include "runtime/engine/compile/analysis/value_numbers.h"

#include <algorithm>
#include <map>
#include <vector>

namespace hip::engine::compile {
namespace {

enum class Step : uint8_t { Scale, Reciprocal, Multiply, Fma, ScaledFma, Fixup };
struct Made {
  Step step;
  Term sources[3];
  Number mask = 0; // ScaledFma: which lanes are scaled back; 0: not known
};

class Finder {
public:
  explicit Finder(Code& code) : code_(code) {}
  void run() {
    std::vector<bool> entered(code_.instrs.size() + 1, false);
    for (const Instr& i : code_.instrs)
      if (i.target != kNoNode) entered[i.target] = true;
    forget();
    for (uint32_t k = 0; k < code_.instrs.size(); ++k) {
      if (entered[k]) forget();
      Instr& i = code_.instrs[k];
      look(i);
      if (i.kind == Kind::Branch || i.kind == Kind::CondBranch || i.writes_exec || i.anything) forget();
    }
  }

private:
  void forget() {
    made_.clear(), masks_.clear();
    values_.forget();
  }

  void look(Instr& i) {
    Made made{};
    const bool known = i.kind == Kind::Valu && i.computes_as_usual() && understand(i.raw, made);
    if (known && made.step == Step::Fixup && is_quotient(made)) mark(i);
    values_.step(i);
    if (!known) return;
    made_[values_.vgpr(i.raw.vdst.index)] = made;
    if (made.step == Step::Scale && i.raw.sdst) masks_[values_.sgpr(i.raw.sdst.index)] = values_.vgpr(i.raw.vdst.index);
  }

  static void mark(Instr& i) {
    i.is_quotient = true;
    // The estimate is not read any more.
    i.only_tier0_reads = i.reads.v;
    i.reads.v.reset();
    for (uint32_t k = 1; k < 3; ++k)
      for (uint32_t d = 0; d < i.raw.src[k].dwords && i.raw.src[k].bank == Bank::Vgpr; ++d) i.reads.v.set(i.raw.src[k].index + d);
  }

  // Whether an instruction may be part of a division, and what it does then.
  bool understand(const ResolvedInst& raw, Made& made) {
    if (raw.variant == Variant::Dpp || raw.variant == Variant::Sdwa || raw.clamp || raw.omod || raw.vdst.bank != Bank::Vgpr)
      return false;
    struct Row {
      Opcode opcode;
      Step step;
      uint32_t dwords;
    };
    constexpr Row kRows[] = {
        {Opcode::v_div_scale_f32, Step::Scale, 1},     {Opcode::v_div_scale_f64, Step::Scale, 2},
        {Opcode::v_rcp_f32, Step::Reciprocal, 1},      {Opcode::v_rcp_f64, Step::Reciprocal, 2},
        {Opcode::v_mul_f32, Step::Multiply, 1},        {Opcode::v_mul_f64, Step::Multiply, 2},
        {Opcode::v_fma_f32, Step::Fma, 1},             {Opcode::v_fma_f64, Step::Fma, 2},
        {Opcode::v_fmac_f32, Step::Fma, 1},            {Opcode::v_fmac_f64, Step::Fma, 2},
        {Opcode::v_div_fmas_f32, Step::ScaledFma, 1},  {Opcode::v_div_fmas_f64, Step::ScaledFma, 2},
        {Opcode::v_div_fixup_f32, Step::Fixup, 1},     {Opcode::v_div_fixup_f64, Step::Fixup, 2}};
    const auto* found = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.opcode == raw.opcode; });
    if (found == std::end(kRows)) return false;
    made.step = found->step;
    const uint32_t dwords = found->dwords;
    for (uint32_t k = 0; k < std::min<uint32_t>(raw.source_count, 3); ++k) made.sources[k] = values_.term(raw, k, dwords);
    if (made.step == Step::ScaledFma) made.mask = values_.mask(kVccLo, raw.lanes);
    one_ = {values_.constant(dwords == 2 ? 0x3ff0000000000000ull : 0x3f800000u), dwords == 2 ? values_.constant(0) : 0};
    return true;
  }

  // What made a value, when that is known and it was this.
  const Made* made(const Term& value, Step step) const {
    const auto found = made_.find(value.low);
    return value.is_plain() && found != made_.end() && found->second.step == step && value.high == high_of(found->first, value)
               ? &found->second
               : nullptr;
  }
  // The numbers of a result's dwords follow each other, those of a mask too.
  static Number high_of(Number low, const Term& value) { return value.high ? low + 1 : 0; }

  // a x + c with the product's factors in either order; `x` is the one that is not `a`.
  static bool is_fma(const Made& m, const Term& a, const Term& c, Term& x) {
    if (m.sources[2] != c) return false;
    for (uint32_t k = 0; k < 2; ++k)
      if (m.sources[k] == a) {
        x = m.sources[1 - k];
        return true;
      }
    return false;
  }
  // value = c - a x, rounded once, for the given a and x.
  bool is_rest(const Term& value, const Term& a, const Term& x, const Term& c) const {
    const Made* m = made(value, Step::Fma);
    return m && computes_rest(m->sources, a, x, c);
  }
  // How many steps r + r (1 - d r) have refined value = 1 / d; -1: it is something else.
  int refinements(const Term& value, const Term& d) const {
    Term r = value;
    for (int steps = 0;; ++steps) {
      if (const Made* m = made(r, Step::Reciprocal)) return m->sources[0] == d ? steps : -1;
      const Made* m = made(r, Step::Fma);
      Term rest;
      const Term before = m ? m->sources[2] : Term();
      if (!m || !is_fma(*m, before, before, rest) || !is_rest(rest, d, before, one_)) return -1;
      r = before;
    }
  }
  bool is_quotient(const Made& fixup) const {
    const Term &denominator = fixup.sources[1], &numerator = fixup.sources[2];
    const Made* last = made(fixup.sources[0], Step::ScaledFma);
    if (!last) return false;
    // q + r (n - d q)
    const Term &rest = last->sources[0], &r = last->sources[1], &q = last->sources[2];
    const Made* difference = made(rest, Step::Fma);
    if (!difference) return false;
    const Term n = difference->sources[2];
    const Term d = (difference->sources[0].plain() == q ? difference->sources[1] : difference->sources[0]).plain();
    const int steps = refinements(r, d);
    if (steps < 1 || !is_rest(rest, d, q, n)) return false;
    const Made *scaled_n = made(n, Step::Scale), *scaled_d = made(d, Step::Scale);
    if (!scaled_n || !scaled_d) return false;
    const auto mask = masks_.find(last->mask);
    if (mask == masks_.end() || mask->second != n.low) return false;
    auto scales = [&](const Made& m, const Term& what) {
      return m.sources[0] == what && m.sources[1] == denominator && m.sources[2] == numerator;
    };
    if (!scales(*scaled_n, numerator) || !scales(*scaled_d, denominator)) return false;
    // q is n r, refined like r; compilers refine twice in all before the last step.
    auto is_product = [&](const Term& value) {
      const Made* m = made(value, Step::Multiply);
      return m && ((m->sources[0] == n && m->sources[1] == r) || (m->sources[0] == r && m->sources[1] == n));
    };
    if (is_product(q)) return steps >= 2;
    const Made* refined = made(q, Step::Fma);
    Term first_rest;
    return refined && is_product(refined->sources[2]) && is_fma(*refined, r, refined->sources[2], first_rest) &&
           is_rest(first_rest, d, refined->sources[2], n);
  }

  Code& code_;
  ValueNumbers values_;
  std::map<Number, Made> made_;    // by the number of the result's low dword
  std::map<Number, Number> masks_; // of a v_div_scale: the mask's number -> the result's
  Term one_;
};

} // namespace

void find_divisions(Code& code) { Finder(code).run(); }

} // namespace hip::engine::compile
