// runtime/engine/compile/emit/compare.h - comparisons. Those of integers that grow from lane to lane, or are the least
// or the greatest of such, with one that is the same in all lanes of a part of the wave are decided at the ends: what
// holds there says what holds between them. Most are a kernel's checks of its index, which all lanes pass.
#pragma once

#include "runtime/engine/compile/emit/valu_calls.h"

#include <map>
#include <optional>

namespace hip::engine::compile {

class CompareEmitter : InstructionEmitter {
public:
  CompareEmitter(const EmitContext& context, ValuCalls& calls) : InstructionEmitter(context), calls_(calls) {}

  void begin_point() { ranges_.clear(); }
  // Follow the ranges of registers: to be called in front of each instruction and behind it.
  void before(const Instr& i, Version version, const State& state);
  void behind(const Instr& i);
  // The lanes (i64) for which a comparison holds, inactive ones too.
  Value* compare(const Instr& i, const State& before);

private:
  // The least and the greatest number in a part's lanes.
  struct Range {
    bool is_signed = true;
    bool same_in_part = true;                      // in all lanes of a part of the wave
    uint32_t part_strips = kMaxStrips;            // strips in a part
    std::array<Value*, kMaxStrips> low{}, high{}; // of a part's first strip
    Value* sound = nullptr;                        // i1: the numbers do not wrap around, so the range holds
    Value* low_of(uint32_t q) const { return low[q - q % part_strips]; }
    Value* high_of(uint32_t q) const { return high[q - q % part_strips]; }
  };
  std::optional<Range> range_of(const Operand& o, bool is_signed, bool wide, const State& state);
  std::optional<Range> range_of_result(const Instr& i, const State& before);
  Value* lane_by_lane(const Instr& i, const State& before);
  Value* by_ranges(const Instr& i, const State& before);

  ValuCalls& calls_;
  // By VGPR, in the point that is emitted: ranges of active lanes of registers without a fact.
  std::map<uint32_t, Range> ranges_;
  std::optional<Range> result_; // of the instruction at hand
};

} // namespace hip::engine::compile
