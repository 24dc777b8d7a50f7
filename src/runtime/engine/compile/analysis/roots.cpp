// runtime/engine/compile/analysis/roots.cpp - see roots.h.
#include "runtime/engine/compile/analysis/roots.h"

#include "runtime/engine/compile/analysis/value_numbers.h"

#include <bit>
#include <cmath>
#include <utility>

namespace hip::engine::compile {
namespace {

enum class Step : uint8_t { Multiply, Fma, Add, Select, Root, InverseRoot };
struct Made {
  Step step;
  Term sources[3];
  Number mask = 0; // Select: where sources[1] is taken; 0: not known
  uint32_t at = 0; // the instruction
};
// sources[0] < sources[1], or <=; or sources[0] is of the classes sources[1].
enum class Ordering : uint8_t { Less, LessOrEqual, IsOfClass };
struct Compared {
  Ordering ordering;
  Term a, b;
};

class Finder {
public:
  Finder(Code& code, const Library& library, const Facts& facts)
      : code_(code), facts_(facts), sqrt_(library.valu(Opcode::v_sqrt_f32)), rsqrt_(library.valu(Opcode::v_rsq_f32)) {}
  void run() {
    for (uint32_t n = 0; n < code_.nodes.size(); ++n) {
      start(n);
      for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) look(k);
    }
  }

private:
  void start(uint32_t node) {
    made_.clear(), compared_.clear();
    values_.forget();
    for (uint32_t r = 0; r < kSgprCount; ++r) {
      const ScalarFact* known = nullptr;
      bool agree = true;
      for (Version v : kAllVersions) {
        const State& state = facts_.at({node, v});
        if (!state.reached) continue;
        agree &= state.s[r].is_constant() && (!known || *known == state.s[r]);
        known = &state.s[r];
      }
      if (known && agree) values_.set_constant(r, known->value());
    }
  }

  void look(uint32_t k) {
    Instr& i = code_.instrs[k];
    Made made{};
    Compared compared{};
    made.at = k;
    const bool plain = i.kind == Kind::Valu && i.computes_as_usual() && i.raw.variant != Variant::Dpp && i.raw.variant != Variant::Sdwa &&
                       !i.raw.clamp && !i.raw.omod;
    const bool known = plain && i.raw.vdst.bank == Bank::Vgpr && understand(i.raw, made);
    const bool compares = plain && i.raw.sdst.bank == Bank::Sgpr && understand(i.raw, compared);
    if (known && made.step == Step::Select) end(i, made);
    values_.step(i);
    if (known && i.raw.vdst.index < kFirstAccVgpr) made_[values_.vgpr(i.raw.vdst.index)] = made;
    if (compares)
      if (const Number mask = values_.mask(i.raw.sdst.index, i.raw.lanes)) compared_[mask] = compared;
  }

  bool understand(const ResolvedInst& raw, Made& made) {
    constexpr std::pair<Opcode, Step> kSteps[] = {{Opcode::v_mul_f32, Step::Multiply},   {Opcode::v_fma_f32, Step::Fma},
                                                            {Opcode::v_fmac_f32, Step::Fma},       {Opcode::v_add_u32, Step::Add},
                                                            {Opcode::v_cndmask_b32, Step::Select}, {Opcode::v_sqrt_f32, Step::Root},
                                                            {Opcode::v_rsq_f32, Step::InverseRoot}};
    for (const auto& [opcode, step] : kSteps) {
      if (raw.opcode != opcode) continue;
      made.step = step;
      const uint32_t sources = step == Step::Select ? 2 : std::min<uint32_t>(raw.source_count, 3);
      for (uint32_t k = 0; k < sources; ++k) made.sources[k] = values_.term(raw, k, 1);
      if (step == Step::Select && raw.src[2].bank == Bank::Sgpr) made.mask = values_.mask(raw.src[2].index, raw.lanes);
      return true;
    }
    return false;
  }
  bool understand(const ResolvedInst& raw, Compared& made) {
    struct Row {
      Opcode opcode;
      Ordering ordering;
      bool exchanged;
    };
    constexpr Row kRows[] = {{Opcode::v_cmp_lt_f32, Ordering::Less, false},
                             {Opcode::v_cmp_gt_f32, Ordering::Less, true},
                             {Opcode::v_cmp_le_f32, Ordering::LessOrEqual, false},
                             {Opcode::v_cmp_ge_f32, Ordering::LessOrEqual, true},
                             {Opcode::v_cmp_class_f32, Ordering::IsOfClass, false}};
    for (const Row& row : kRows) {
      if (raw.opcode != row.opcode) continue;
      made = {row.ordering, values_.term(raw, row.exchanged ? 1 : 0, 1), values_.term(raw, row.exchanged ? 0 : 1, 1)};
      return true;
    }
    return false;
  }

  const Made* made(const Term& value, Step step) const {
    const auto found = made_.find(value.low);
    return value.is_plain() && found != made_.end() && found->second.step == step ? &found->second : nullptr;
  }
  const Compared* compared(Number mask) const {
    const auto found = compared_.find(mask);
    return mask && found != compared_.end() ? &found->second : nullptr;
  }
  std::optional<uint32_t> constant_of(const Term& term) const {
    const std::optional<uint64_t> value = values_.constant_of(term.low);
    return value && term.is_plain() ? std::optional(uint32_t(*value)) : std::nullopt;
  }
  bool is_constant(const Term& term, uint32_t value) const { return constant_of(term) == value; }
  static bool are_plain(const Made& m) { return m.sources[0].is_plain() && m.sources[1].is_plain(); }

  // value = x 2^n: n, from 1 to 64 either way.
  std::optional<int> scaling(const Term& value, const Term& x) const {
    const Made* m = made(value, Step::Multiply);
    if (!m || !are_plain(*m)) return std::nullopt;
    for (uint32_t k = 0; k < 2; ++k) {
      const std::optional<uint32_t> factor = constant_of(m->sources[1 - k]);
      if (m->sources[k] != x || !factor) continue;
      const int n = int(*factor >> 23) - 127; // of a positive power of two
      if ((*factor & 0x7fffff) == 0 && n >= -64 && n <= 64 && n != 0) return n;
    }
    return std::nullopt;
  }
  // value = c - a x, rounded once.
  bool is_rest(const Term& value, const Term& a, const Term& x, const Term& c) const {
    const Made* m = made(value, Step::Fma);
    return m && computes_rest(m->sources, a, x, c);
  }
  bool is_neighbour(const Term& value, const Term& of, uint32_t distance) const {
    const Made* m = made(value, Step::Add);
    return m && are_plain(*m) &&
           ((m->sources[0] == of && is_constant(m->sources[1], distance)) ||
            (m->sources[1] == of && is_constant(m->sources[0], distance)));
  }

  // A number that was scaled up where it was small: x < limit ? x 2^up : x.
  struct Scaled {
    Number small = 0; // mask
    int up = 0;
    uint32_t at = 0; // what made it; x is its first source
  };
  std::optional<Scaled> scaled(const Term& value) const {
    const Made* m = made(value, Step::Select);
    if (!m || !are_plain(*m)) return std::nullopt;
    const Term& x = m->sources[0];
    const std::optional<int> up = scaling(m->sources[1], x);
    const Compared* small = compared(m->mask);
    if (!up || *up < 2 || *up % 2 != 0 || !small || small->ordering != Ordering::Less || small->a != x)
      return std::nullopt;
    const std::optional<uint32_t> limit = constant_of(small->b);
    // What is scaled up stays finite; what is not is no denormal.
    if (!limit || *limit < 0x00800000 || (*limit >> 23) + uint32_t(*up) >= 254) return std::nullopt;
    return Scaled{m->mask, *up, m->at};
  }

  // root = v_sqrt(of) or the number below or above, whichever fits best.
  bool is_root(const Term& root, const Term& of) const {
    const Made* upper = made(root, Step::Select);
    const Made* lower = upper && are_plain(*upper) ? made(upper->sources[0], Step::Select) : nullptr;
    if (!lower || !are_plain(*lower)) return false;
    const Term &estimate = lower->sources[0], &below = lower->sources[1], &above = upper->sources[1];
    const Made* sqrt = made(estimate, Step::Root);
    if (!sqrt || sqrt->sources[0] != of || !is_neighbour(below, estimate, ~0u) || !is_neighbour(above, estimate, 1))
      return false;
    const Compared *too_high = compared(lower->mask), *too_low = compared(upper->mask);
    return too_high && too_high->ordering == Ordering::LessOrEqual && is_constant(too_high->b, 0) &&
           is_rest(too_high->a, below, estimate, of) && too_low && too_low->ordering == Ordering::Less &&
           is_constant(too_low->a, 0) && is_rest(too_low->b, above, estimate, of);
  }

  void end(Instr& i, const Made& last) {
    if (!are_plain(last)) return;
    if (const Made* rsq = made(last.sources[0], Step::InverseRoot)) { // small ? r 2^(up/2) : r
      const std::optional<Scaled> of = rsq->sources[0].is_plain() ? scaled(rsq->sources[0]) : std::nullopt;
      if (of && of->small == last.mask && scaling(last.sources[1], last.sources[0]) == of->up / 2)
        mark(i, rsqrt_, of->at);
      return;
    }
    // of is 0 or infinite ? of : small ? root 2^(-up/2) : root
    constexpr uint32_t kZerosAndInfinity = 0x260;
    const Term& of = last.sources[1];
    const std::optional<Scaled> scaled_up = scaled(of);
    const Compared* special = compared(last.mask);
    const Made* back = made(last.sources[0], Step::Select);
    if (!scaled_up || !special || special->ordering != Ordering::IsOfClass || special->a != of ||
        !is_constant(special->b, kZerosAndInfinity) || !back || !are_plain(*back) || back->mask != scaled_up->small)
      return;
    if (scaling(back->sources[1], back->sources[0]) == -scaled_up->up / 2 && is_root(back->sources[0], of))
      mark(i, sqrt_, scaled_up->at);
  }

  static void mark(Instr& i, const ValuOp* op, uint32_t from) {
    i.instead = op, i.instead_from = from;
    i.only_tier0_reads = i.reads.v;
    i.reads.v.reset();
  }

  Code& code_;
  const Facts& facts_;
  const ValuOp *sqrt_, *rsqrt_;
  ValueNumbers values_;
  std::map<Number, Made> made_;         // by the number of the result
  std::map<Number, Compared> compared_; // by the mask's number
};

} // namespace

void find_roots(Code& code, const Library& library, const Facts& facts) { Finder(code, library, facts).run(); }

} // namespace hip::engine::compile
