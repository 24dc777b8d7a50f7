// runtime/engine/compile/emit/valu.h - VALU instructions as calls of the library's functions, which are inlined
// afterwards. Where facts say that lane 0 of a part of the wave says it all, the function computes on that lane alone.
// EXEC and the destination's rules are applied here, as interpret/alu/valu.h does for the handlers.
#pragma once

#include "runtime/engine/compile/emit/compare.h"
#include "runtime/engine/compile/emit/lanes.h"
#include "runtime/engine/compile/emit/patterns.h"
#include "runtime/engine/compile/emit/valu_calls.h"
#include "runtime/engine/compile/emit/wide_patterns.h"

#include <map>

namespace hip::engine::compile {

class ValuEmitter : InstructionEmitter {
public:
  ValuEmitter(const EmitContext& context, ValuCalls& calls, LanesEmitter& lanes, CompareEmitter& compare,
              PatternEmitter& patterns, WidePatternEmitter& wide_patterns)
      : InstructionEmitter(context), calls_(calls), lanes_(lanes), compare_(compare), patterns_(patterns),
        wide_patterns_(wide_patterns) {}

  void begin_point(const FlowPoint& point);
  // In front of instruction k: keeps source 0, where another one computes from it instead (Instr::instead_from).
  void remember(uint32_t k, const State& before);
  void emit(const Instr& i, Version version, const State& before, const State& after);

private:
  // How an instruction with rows or a carry is computed.
  struct Plan {
    bool on_lane;    // all lanes of a part follow from its lane 0, so that is all to compute
    uint32_t strips; // of which one does
    Value* exec;     // null: all lanes are written, as far as EXEC is concerned
    bool dpp, sdwa;
    bool to_high; // the upper half of the destination is written
    PermutedOperand permuted;
    Width width() const { return on_lane ? Width::Lane : Width::Strip; }
  };
  Plan plan(const Instr& i, Version version, const State& before, const State& after);
  ValuResult compute(const Instr& i, const Plan& plan, uint32_t q, const State& before);
  Value* merged(const Instr& i, const Plan& plan, uint32_t k, uint32_t q, Value* v, const State& before);
  ValuResult instead(const Instr& i, uint32_t q, Width width);
  void remember_carries(const Instr& i, const State& before);
  void write_mask(const Instr& i, Value* lanes);

  ValuCalls& calls_;
  LanesEmitter& lanes_;
  CompareEmitter& compare_;
  PatternEmitter& patterns_;
  WidePatternEmitter& wide_patterns_;
  // In the point that is emitted: source 0 of instructions that Instr::instead_from names, strip by strip.
  std::map<uint32_t, std::array<Value*, kMaxStrips>> remembered_;
};

} // namespace hip::engine::compile
