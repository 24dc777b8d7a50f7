// runtime/engine/compile/emit/prefetch_plan.h - when memory of later work-groups is fetched, for all regions of a
// function: where the access is, or spread over the pauses of a group, which are the segments behind barriers that are
// in no loop. A core has room for some 24 lines on their way to it, and loads that wait for theirs leave none for
// others; while the waves of a group compute between barriers nobody else needs it.
#pragma once

#include "runtime/engine/compile/analysis/regions.h"

#include <llvm/IR/IRBuilder.h>
#include <map>

namespace hip::engine::compile {

class PrefetchPlan {
public:
  PrefetchPlan(const Code& code, const Regions& regions);
  enum class When { Now, InThisGroup, InTheNext };
  // When memory is fetched for accesses in the region with this header.
  When when(uint32_t header) const;
  // An access there leaves in `note` where `bytes` are to be fetched.
  void add(uint32_t header, uint32_t note, uint32_t bytes);
  // Waves run through `block` when they come to the region.
  void begins(uint32_t header, llvm::BasicBlock* block, llvm::Value* wave);
  // Emits the fetches into the pauses, when all regions are emitted.
  void emit(llvm::IRBuilder<>& builder) const;

private:
  struct Pause {
    uint32_t header;
    llvm::BasicBlock* block = nullptr;
    llvm::Value* wave = nullptr;
  };
  struct Noted {
    uint32_t header = 0, bytes = 0;
  };
  size_t first_behind(uint32_t header) const;
  std::vector<Pause> pauses_; // ascending; none: all is fetched where it is accessed
  std::map<uint32_t, Noted> notes_;
};

} // namespace hip::engine::compile
