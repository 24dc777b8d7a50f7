// runtime/engine/compile/emit/emit.h - one region as one LLVM function: void region(Wave*, const Inst*), in the
// handlers' calling convention, so that regions and handlers follow each other by tail calls. On entry the region loads
// what it needs from the wave's block; on each way out it stores what it changed and somebody may read. Where all waves
// of a group may arrive together the function is a loop over them (wave_loop.h).
//
// This class walks the region's points and leaves each instruction to the emitter of its kind. All strips of a wave
// advance together, one instruction after the other as seen by memory, so the order of accesses is that of the
// hardware.
#pragma once

#include "runtime/engine/compile/emit/access_checks.h"
#include "runtime/engine/compile/emit/float_control.h"
#include "runtime/engine/compile/emit/matrix.h"
#include "runtime/engine/compile/emit/memory.h"
#include "runtime/engine/compile/emit/probes.h"
#include "runtime/engine/compile/emit/scalar.h"
#include "runtime/engine/compile/emit/side_exits.h"
#include "runtime/engine/compile/emit/valu.h"
#include "runtime/engine/compile/emit/wave_loop.h"

namespace hip::engine::compile {

// What the tables of a translation say of a region.
struct EmittedRegion {
  Exits exits;
  std::vector<uint64_t> calls; // Translation::calls of the region
  bool starts = false; // waves start with it whose blocks hold nothing yet
};

class RegionEmitter {
public:
  // For region `number`, as function `name` of the library's module. With a `scope` the code has debug lines.
  RegionEmitter(const FunctionAnalysis& function, uint32_t number, const std::string& name, Library& library,
                PrefetchPlan& prefetches, llvm::DISubprogram* scope);
  EmittedRegion emit();

private:
  using Value = llvm::Value;
  void emit_entry();
  void emit_point(const FlowPoint& point);
  void begin_point(const FlowPoint& point);
  void emit_instruction(const Instr& i, const FlowPoint& point, const State& before, const State& after);
  void load_from_anywhere(const Instr& i, const FlowPoint& point, const State& before);
  void emit_end(const FlowPoint& point, const State& state);
  llvm::BasicBlock* block_of(const FlowPoint& point);
  void choose_version(Value* exec, llvm::function_ref<bool(Version)> possible, llvm::function_ref<void(Version)> emit);
  // Goes to `to` from the end of a node: inside the region, or out of it.
  void branch_to(const FlowPoint& to, const State& state, uint32_t from_node);
  void arrive_at_barrier(const FlowPoint& point, const State& state);
  // Unless `ok`, the wave goes on in tier 0 before instruction k of the point.
  void side_exit_unless(Value* ok, const FlowPoint& point, uint32_t k, const State& state);
  // The VGPRs of `live` whose rows in the wave's block are not current; store_scalars stores the SGPRs that are not.
  std::bitset<kMaxVgprs> changed_rows(const Registers& live, const State& state, const Registers& changed) const;
  void store_scalars(const Registers& live, const Registers& changed);
  void store_changes(const Registers& live, const State& state, const Registers& changed);
  // The loop that may wait for other waves and begins at the node; null when there is none.
  const WaitingLoop* waiting_loop_at(uint32_t node) const;
  uint64_t address_of(uint32_t node) const { return code_.instrs[code_.nodes[node].first].raw.address; }

  const FunctionAnalysis& function_;
  const Code& code_;
  const Facts& facts_;
  PrefetchPlan& prefetches_;
  RegionPlan plan_;
  FunctionBuilder ir_;
  llvm::IRBuilder<>& builder_;
  WaveBlock wave_;
  ScalarRegisters scalars_;
  VectorRegisters vectors_;
  WaveLoop loop_;
  SideExits side_exits_;
  BlockRows rows_;
  EmitContext context_;

  FloatControl float_control_;
  TilePrefetcher tiles_;
  AddressEmitter addresses_;
  HandlerCalls handlers_;
  Probes probes_;
  ScratchEmitter scratch_;
  AccessChecks checks_;
  ScalarEmitter scalar_;
  ValuCalls valu_calls_;
  LanesEmitter lanes_;
  CompareEmitter compare_;
  PatternEmitter patterns_;
  WidePatternEmitter wide_patterns_;
  ValuEmitter valu_;
  Prefetcher prefetcher_;
  StreamEmitter streams_;
  PatternAccessEmitter pattern_accesses_;
  MemoryEmitter memory_;
  MatrixOperands matrix_operands_;
  CoarseSums coarse_sums_;
  MatrixEmitter matrix_;

  std::map<uint32_t, llvm::BasicBlock*> blocks_; // by point index
  std::vector<FlowPoint> todo_;
};

} // namespace hip::engine::compile
