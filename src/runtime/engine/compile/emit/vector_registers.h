// runtime/engine/compile/emit/vector_registers.h - VGPRs in a region's code. A VGPR is four strips of 16 lanes, each an
// alloca that SROA makes a value of; the sums of matrix instructions stay in the wave's block instead. Of a register
// whose lanes follow from lane 0 (analysis/facts.h) only that lane is kept, one scalar per strip that its fact says
// something of; of one with a pattern (analysis/patterns.h) the strips, lane 0 of each, and the pattern as a vector.
// What a register is at a point follows from its fact there, so whoever reads one says in which state.
#pragma once

#include "runtime/engine/compile/emit/region_plan.h"
#include "runtime/engine/compile/emit/scalar_registers.h"

namespace hip::engine::compile {

// Is told of VGPRs that change (MatrixEmitter: of its sums).
class VgprObserver {
public:
  virtual void vgpr_changes(uint32_t v) = 0;

protected:
  ~VgprObserver() = default;
};

// A number with a pattern: lane 0 of each strip, and what its lanes are above that (<16 x i32>).
struct PatternedNumber {
  std::array<llvm::Value*, kMaxStrips> first{};
  llvm::Value* pattern = nullptr;
};

// A strip of a VGPR that is written later: a source may be the destination.
struct LoadedStrip {
  uint32_t v, strip;
  llvm::Value* value;
};

class VectorRegisters {
public:
  using Value = llvm::Value;
  VectorRegisters(FunctionBuilder& ir, WaveBlock& wave, ScalarRegisters& scalars, const RegionPlan& plan)
      : ir_(ir), builder_(ir.builder()), wave_(wave), scalars_(scalars), plan_(plan) {}
  void set_observer(VgprObserver& observer) { observer_ = &observer; }

  // Variables for all registers that the region touches, in the entry block.
  void allocate();
  bool exists(uint32_t v) const { return strips_[v][0]; }
  // Where the row of a register is that the region keeps in the wave's block or its frame, or that is stored to the block.
  Value* row(uint32_t v);

  // Reading: strip q of a register (<16 x i32>), lane 0 of strip q (i32), lane 0 of a pair with a fact (i64).
  Value* strip(uint32_t v, uint32_t q, const State& state);
  Value* lane(uint32_t v, uint32_t q, const State& state);
  // Of an operand of a VALU or memory instruction, scalar ones too.
  Value* operand_strip(const Operand& o, uint32_t dword, uint32_t q, const State& state);
  Value* operand_lane(const Operand& o, uint32_t dword, uint32_t q, const State& state);
  // Both halves of an operand's pair, lane 0 of strip q (i64).
  Value* operand_lane64(const Operand& o, uint32_t q, const State& state);

  // Writing. An instruction sets a register's strips where nothing is known of it behind the instruction, else lane 0s.
  void set_strip(uint32_t v, uint32_t q, Value* value);
  void set_lane(uint32_t v, uint32_t q, Value* value);
  void set_loaded(const std::vector<LoadedStrip>& loaded, const State& after);
  // Without telling the observer: the register's value stays, or the caller tells.
  void hold_strip(uint32_t v, uint32_t q, Value* value) { builder_.CreateStore(value, strips_[v][q]); }

  // What a number's lanes are above lane 0 (<16 x i32>), of a register with that fact, or of an operand; null: nothing,
  // it is uniform.
  Value* strip_pattern(const Fact& fact, uint32_t v);
  Value* pattern_of(const Operand& o, const State& state);
  void set_pattern(uint32_t v, const PatternedNumber& number);
  // The number of a pair with a wide pattern (Fact::wide_pattern), and whether it is what its fact says (i1).
  void set_wide_pattern(uint32_t v, const PatternedNumber& low, const std::array<Value*, kMaxStrips>& high,
                        Value* fits);
  // The same of a pair whose low half is set.
  void set_wide_half(uint32_t v, const std::array<Value*, kMaxStrips>& high, Value* fits);
  Value* wide_pattern_fits(uint32_t v) { return builder_.CreateLoad(builder_.getInt1Ty(), fits_[v]); }

  // Where an instruction writes one half of a pair, the other half becomes a register of its own: its strips are stored.
  void split_pairs(const Instr& i, const State& before, const State& after);
  // Behind an instruction that has changed a register's fact but not the register: lane 0s of strips that it names now.
  void hold_lanes(uint32_t v, const State& before, const State& after);
  // Stores registers of `live` in the form that another point expects, on the way to it: it may know less of them.
  void convert(const State& state, const State& expected, const Registers& live);

  // The wave's block. `item_ids`: where the rows of v0 and what else holds work-item ids
  // lie when waves start, else null.
  void load(const FlowPoint& point, const State& state, Value* item_ids);
  void store(const std::bitset<kMaxVgprs>& which, const State& state);
  // Lane 0 of strips, of a register that has a fact where it is read.
  void store_lanes(uint32_t v, const Fact& expected, const State& state);
  // Of a pair, both halves of lane 0s in the low half's row: lanes 0 and 1 of the strips.
  void store_pair_lanes(uint32_t low, const State& state);
  void reload(const std::bitset<kMaxVgprs>& which);

private:
  Value* pair_base(uint32_t low, uint32_t q, const State& state);
  void load_pattern(uint32_t v, const Fact& fact);

  FunctionBuilder& ir_;
  llvm::IRBuilder<>& builder_;
  WaveBlock& wave_;
  ScalarRegisters& scalars_;
  const RegionPlan& plan_;
  VgprObserver* observer_ = nullptr;
  Value* frame_rows_ = nullptr; // RegionPlan::in_frame()
  uint32_t first_in_frame_ = 0;
  std::array<std::array<Value*, kMaxStrips>, kMaxVgprs> strips_{}, lanes_{}; // where they are kept
  std::array<Value*, kMaxVgprs> patterns_{}; // beside these, where a fact has a pattern
  std::array<Value*, kMaxVgprs> fits_{};     // i1: whether a wide one is what its fact says
};

} // namespace hip::engine::compile
