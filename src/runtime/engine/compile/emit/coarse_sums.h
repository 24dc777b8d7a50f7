// runtime/engine/compile/emit/coarse_sums.h - sums of matrix instructions of which code knows while it runs whether
// they are coarse, multiples of 2^-126 (library/entries.h): one flag for each run of registers that such instructions
// add to.
#pragma once

#include "runtime/engine/compile/emit/instruction_emitter.h"

namespace hip::engine::compile {

class CoarseSums : InstructionEmitter, public VgprObserver {
public:
  explicit CoarseSums(const EmitContext& context) : InstructionEmitter(context) {}

  // At the start of the begin block, for all sums of the region.
  void allocate();
  // The flag (i32, 0 or 1) of these sums; null: there is none.
  llvm::AllocaInst* flag_of(uint32_t first, uint32_t count) const;
  // Registers change: nothing is known of sums that they are part of.
  void set_unknown(uint32_t first, uint32_t count);
  void vgpr_changes(uint32_t v) override { set_unknown(v, 1); }

private:
  struct Sums {
    uint32_t first, count;
    llvm::AllocaInst* coarse;
  };
  std::vector<Sums> sums_;
};

} // namespace hip::engine::compile
