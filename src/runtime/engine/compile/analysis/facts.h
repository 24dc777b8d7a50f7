// runtime/engine/compile/analysis/facts.h - what is known of registers before the code runs (fact.h), at every point: found by a
// forward data-flow analysis over the flow graph (flow.h), so a fact holds on every way to its point.
#pragma once

#include "runtime/engine/compile/analysis/fact.h"
#include "runtime/engine/compile/analysis/flow.h"

#include <array>
#include <optional>
#include <vector>

namespace hip::engine::compile {

// A dword of the kernarg segment whose value every dispatch of this translation has.
struct KnownArgument {
  uint32_t offset = 0, value = 0;
};

// What is known before the first instruction.
struct Start {
  Version version = Version::Full;        // of all waves that start here: Full or Partial
  bool any_version = false;               // waves start here in every version
  bool without_facts = false;             // nothing is known of any register anywhere; what else is said here does not count
  uint32_t item_ids = 0;                  // bits of v0 that hold packed work-item ids of a full work-group of this shape; 0: none
  uint32_t item_id_vgprs = 1;             // more than one: x, y and z lie in v0, v1 and v2 instead
  std::array<uint32_t, 3> items{1, 1, 1};
  int kernarg_sgpr = -1;                  // first of the pair with the kernarg segment's address
  std::vector<KnownArgument> arguments;
};

// What is known of a 64-bit addition between its two instructions (v_add_co_u32, then v_addc_co_u32): the operands of the low
// halves as they were. The two stand in one node, so states at the starts of nodes have none.
struct LowSum {
  bool known = false;
  uint32_t mask = 0;                        // first SGPR of the carries
  uint32_t vdst = 0;                        // of the low half
  struct Pair {                             // the 64-bit number of which an operand is the low half
    uint32_t high = 0;                      // the VGPR that holds the other half
    std::optional<PairFact> affine;         // else the number has a wide pattern (patterns.h)
  };
  std::array<Fact, 2> low;                  // operands as 32-bit numbers
  std::array<std::optional<Pair>, 2> pair;  // that they are halves of
};

struct State {
  std::vector<Fact> v; // kMaxVgprs
  std::array<ScalarFact, kSgprCount + 1> s{};
  LowSum low_sum;
  bool reached = false;
  State() : v(kMaxVgprs) {}
};

class Facts {
public:
  Facts(const Code& code, const Start& start);
  const Start& start() const { return start_; }
  // Before the first instruction of a point.
  const State& at(const FlowPoint& point) const { return states_[point.index()]; }
  // Carries `state` over an instruction in a version.
  void step(const Instr& i, Version version, State& state) const;
  // Whether a wave can be in a version behind an instruction, from the state behind it.
  static bool may_be(const Instr& i, const State& after, Version version);
  // Whether the instruction writes whole VGPRs, or may.
  static bool whole(const Instr& i, Version version) { return version == Version::Full || (version == Version::Partial && i.spreads); }
  // The known value of dword k of a scalar load, from the state before it.
  std::optional<uint32_t> known_argument(const Instr& load, const State& state, uint32_t k) const;

private:
  bool merge(State& into, const State& from) const;
  void step_scalar(const Instr& i, Version version, State& state) const; // facts_scalar.cpp
  void step_valu(const Instr& i, State& state) const;
  void step_vector(const Instr& i, Version version, State& state) const;
  static LowSum low_sum_behind(const Instr& i, const State& before); // facts_carry.cpp
  static bool completes_sum(const Instr& i, const State& state);
  static std::optional<PairFact> affine_sum(const Instr& i, const State& state);
  static bool is_wide_sum(const Instr& i, const State& state);
  void step_load(const Instr& i, State& state) const;
  Fact with_pattern(const Instr& i, const State& state, const Fact& result) const; // facts_patterns.cpp
  Fact wide_pattern(const Instr& i, const State& state) const;
  static void renew_pattern(const Instr& i, uint32_t of, State& state);

  const Start& start_;
  std::vector<State> states_;
};

// The fact of an operand's dword `k` (of its registers from the first), as a 32-bit number: Affine or Any.
Fact operand_fact(const State& state, const Operand& operand, uint32_t k);
// Of a scalar operand's dword k.
ScalarFact scalar_fact(const State& state, const Operand& operand, uint32_t k = 0);
// An operand's first two dwords as one 64-bit number.
std::optional<PairFact> pair_fact(const State& state, const Operand& operand);
// Whether a VALU instruction computes on its operands as they are and leaves its result as it is.
inline bool is_plain(const RawInst& raw) {
  return raw.variant != Variant::Sdwa && raw.variant != Variant::Dpp && !raw.neg && !raw.abs && !raw.neg_hi && !raw.op_sel &&
         !raw.omod && !raw.clamp;
}
// What the operands of a VALU instruction have in common.
struct Operands {
  bool uniform = true;      // each is the same in all lanes of a part, and none is a lane mask or a lane's number
  bool same_in_wave = true; // each has the same lane 0 in all strips
  uint8_t part_strips = kMaxStrips; // the shortest part's
  void include(const Fact& fact) {
    uniform &= fact.is_uniform(), same_in_wave &= fact.same_in_wave();
    part_strips = std::min(part_strips, fact.part_strips());
  }
  // What a function of them is, if they are uniform.
  Fact result() const { return Fact::uniform(same_in_wave ? kSameInWave : kVaries, part_strips); }
};
Operands operands_of(const Instr& i, const State& state);

} // namespace hip::engine::compile
