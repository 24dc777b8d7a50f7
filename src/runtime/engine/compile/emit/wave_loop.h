// runtime/engine/compile/emit/wave_loop.h - how a region's function ends, and the loop over the waves of a group that
// arrive in a region together (Region::batches, Wave::batch). Such a loop keeps in registers what is the same for all
// of its waves; a kernel without barriers is one loop that writes no wave block at all. A wave that reaches a barrier
// or its end makes room for the next one, and when all have reached the same barrier they go on together, too. A wave
// that leaves by another way is run by itself, until it stops. Between waves that arrive together nothing is decided,
// counted or called.
#pragma once

#include "runtime/engine/compile/emit/region_plan.h"
#include "runtime/engine/compile/emit/wave_block.h"

namespace hip::engine::compile {

// Where a region may continue, by index in the array that its element's imm[0] points to: counted from the function's
// first byte, and with Translation::kTierZero where tier 0 goes on.
using Exits = std::vector<uint64_t>;

class WaveLoop {
public:
  using Value = llvm::Value;
  WaveLoop(FunctionBuilder& ir, WaveBlock& wave, const RegionPlan& plan, llvm::Module& module);

  // In the entry block: what is read there of the batch.
  void load_batch();
  // At the start of the begin block: from here on the wave at hand is one after the other.
  void begin();
  void store_pc();
  // Ends the entry block.
  void end_entry();
  // Emits the rest of the loop, when all of its body is emitted.
  void end();

  // Where the rows of work-item ids of the wave at hand lie when waves start here; else null.
  Value* item_ids() const { return item_ids_; }
  // On a way back to `address`: counts one of the branches that a wave has for its turn. Where there are none left and the engine's
  // turn_is_over() says so, the wave goes on at `address` in its next turn. `loop`: what is repeated, if it may wait for other waves,
  // else null. `store_state` emits stores of what the wave's block has to hold then; the engine looks at it, too.
  void count_branch(uint64_t address, const WaitingLoop* loop, llvm::function_ref<void()> store_state);

  // Ways out, each of which ends the current block. The wave ends.
  void end_wave();
  // The wave reaches a barrier, or lets the others catch up (`why`), and goes on at `address`, where a region begins or not; a
  // region's waves go on together.
  enum class Behind { Region, Elsewhere };
  void stop_at_barrier(Stop why, uint64_t address, Behind behind);
  // The wave goes on at `address`.
  void leave(uint64_t address);

  // The number of an exit, the element there, and how the wave goes on at it, alone or one of a batch.
  uint32_t exit_number(uint64_t address);
  Value* exit_element(Value* number);
  void go_on_outside(Value* next);

  Exits take_exits() { return std::move(exits_); }

private:
  Value* element_at(uint64_t address) { return exit_element(ir_.constant(exit_number(address))); }
  Value* used_up_budget();
  Value* turn_is_over(const WaitingLoop* loop);
  void jump(Value* next);
  void stop_wave(Stop why, Value* next, uint32_t how);

  FunctionBuilder& ir_;
  llvm::IRBuilder<>& builder_;
  WaveBlock& wave_;
  const RegionPlan& plan_;
  llvm::Module& module_;
  Exits exits_;
  bool uses_budget_ = false;
  // Of a batch: the first wave, how many there are, whether this is one wave instead (i1).
  Value *first_, *count_ = nullptr, *alone_ = nullptr, *item_ids_ = nullptr;
  llvm::BasicBlock *end_ = nullptr, *enters_alone_ = nullptr;
  llvm::AllocaInst* stops_ =
      nullptr; // i32: how waves have stopped; bit 0: ended, bit k: at barriers_[k - 1], bit 31: else
  std::vector<uint64_t> barriers_; // where waves go on behind barriers, as in exits_
};

} // namespace hip::engine::compile
