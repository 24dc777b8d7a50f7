// runtime/engine/compile/analysis/facts.h - what is known of registers before the code runs: how a VGPR's lanes follow from lane 0
// of their part of the wave, and which SGPRs have a known value or alignment. Found by a forward data-flow analysis over
// the flow graph (flow.h), so a fact holds on every way to its point. A fact speaks of all lanes, active or not.
//
// A part is a wave, half of it or a quarter, which is a strip: blocks of 32 x n put two rows into a wave, of 16 x n four.
#pragma once

#include "runtime/engine/compile/analysis/flow.h"

#include <array>
#include <vector>

namespace hip::engine::compile {

inline constexpr uint32_t kStripLanes = 16, kStripCount = kMaxLanes / kStripLanes;

// Lane l of a part, from the value in the part's lane 0.
struct Fact {
  enum class Kind : uint8_t {
    Top,    // not reached yet
    Any,    // nothing is known
    Affine, // lane 0 + stride * l, in 32 bits; stride 0: all lanes are equal
    PairLo, // this register and the next are a 64-bit number: lane 0 + stride * l, in 64 bits; the low half
    PairHi, // its high half; the register before it is the low one
  };
  Kind kind = Kind::Top;
  uint32_t varying = ~0u; // bits of lane 0 that may differ between strips
  uint8_t align = 0;  // low bits of a part's lane 0 that are 0
  int32_t stride = 0;
  uint32_t mixed = ~0u; // of Any: bits that may differ between the lanes of a strip; the others are lane 0's
  uint8_t width = 32; // the number is below 2^width in every lane of the wave
  uint8_t run = 1;    // strips in a part: 1, 2 or 4. The stride leads from one to the next, so their first says it all
  // Of Any, unless 0: lane 0 plus a vector that all strips of the wave have in common (patterns.h). Registers with one number
  // have the same vector, but for kSomePattern; `align` is of strips' lane 0s.
  uint32_t pattern = 0;
  // Where there is a pattern: with the next register's, a 64-bit number, lane 0 plus the pattern's signed numbers, where code finds
  // that nothing wraps around (RegionEmitter::fits_).
  bool wide = false;

  bool operator==(const Fact&) const = default;
  bool wave() const { return varying == 0 && !any(); } // lane 0 is the same in all strips
  // The strip whose lane 0 says what strip q holds.
  uint32_t held(uint32_t q) const { return wave() ? 0 : q - q % run; }
  bool holds(uint32_t q) const { return held(q) == q; }
  // The same strips say what the others hold.
  bool is_held_alike(const Fact& other) const { return !any() && run == other.run && wave() == other.wave(); }
  bool any() const { return kind == Kind::Any || kind == Kind::Top; }
  bool uniform() const { return kind == Kind::Affine && stride == 0; }
  // The lane's part occupies bits of its own: lane 0 has zeros there, so nothing carries.
  bool disjoint() const;
  // The same for all lanes of a part; disjoint() speaks of a strip's.
  bool disjoint_in_part() const;
  // So many low bits are 0 in all lanes.
  uint8_t zeros() const;
};
inline constexpr Fact kAnyFact{Fact::Kind::Any, ~0u, 0, 0, ~0u, 32, 1, 0, false};
inline constexpr uint32_t kSomePattern = ~0u;

struct ScalarFact {
  enum class Kind : uint8_t { Top, Any, Constant, Kernarg };
  Kind kind = Kind::Top;
  uint8_t align = 0;  // of Any: low bits that are 0
  uint32_t value = 0; // Constant; Kernarg: which half of the kernarg segment's address
  bool operator==(const ScalarFact&) const = default;
};

// A dword of the kernarg segment whose value every dispatch of this translation has.
struct KnownArgument {
  uint32_t offset = 0, value = 0;
};

// What is known before the first instruction.
struct Start {
  Version version = Version::Full;        // of all waves that start here: Full or Partial
  bool without_facts = false;             // nothing is known of any register anywhere; what else is said here does not count
  uint32_t item_ids = 0;                  // bits of v0 that hold packed work-item ids of a full work-group of this shape; 0: none
  std::array<uint32_t, 3> items{1, 1, 1};
  int kernarg_sgpr = -1;                  // first of the pair with the kernarg segment's address
  std::vector<KnownArgument> arguments;
};

struct State {
  std::vector<Fact> v; // kMaxVgprs
  std::array<ScalarFact, kSgprCount + 1> s{};
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
  bool known_argument(const Instr& load, const State& state, uint32_t k, uint32_t& value) const;

private:
  bool merge(State& into, const State& from) const;
  void step_scalar(const Instr& i, Version version, State& state) const; // facts_scalar.cpp
  void step_valu(const Instr& i, State& state) const;
  void step_load(const Instr& i, State& state) const;
  void step_pattern(const Instr& i, const State& state, Fact& result) const; // facts_patterns.cpp
  Fact wide_pattern(const Instr& i, const State& state) const;
  static void renew_pattern(const Instr& i, uint32_t of, State& state);

  const Start& start_;
  std::vector<State> states_;
};

// The fact of an operand's dword `k` (of its registers from the first), as a 32-bit number: Affine or Any.
Fact operand_fact(const State& state, const Operand& operand, uint32_t k);
// What the operands of a VALU instruction have in common.
struct Operands {
  bool uniform = true; // each is the same in all lanes of a part, and none is a lane mask or a lane's number
  bool wave = true;    // each has the same lane 0 in all strips
  uint8_t run = kStripCount; // the shortest part's
};
Operands operands_of(const Instr& i, const State& state);
// A pair of dwords as one 64-bit affine number.
struct PairFact {
  bool known = false;
  bool wave = false; // the number in lane 0 is the same in all strips
  uint8_t run = 1;   // as in Fact
  int32_t stride = 0;
  uint8_t align = 0;
};
PairFact pair_fact(const State& state, const Operand& operand);

} // namespace hip::engine::compile
