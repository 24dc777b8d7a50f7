// runtime/engine/compile/emit/prefetch.h - memory that later work-groups access is fetched while this one computes. A
// kernel with barriers loads, then computes, and the host's own prefetchers do not look ahead over that pause; where a
// block has rows, a group takes a piece of each of many rows, and they do not follow so many. But the wave with the
// same number in the next group usually accesses everything at the same distance. So each access that a wave makes once
// leaves its address in the wave's block, where the next group's wave finds it. Where rows of the grid are short, the
// next group often is in the next row, at another distance: then there is a note for each column of groups. Kernels
// with several pauses fetch in these (prefetch_plan.h).
// Likewise loads of a loop whose iterations are so long that a core does not come to the next one's loads meanwhile: those
// of later iterations are fetched by how far the last one has moved, which the host's prefetchers do not follow beyond
// a page (a grid's work-items often go on by the grid's size).
#pragma once

#include "runtime/engine/compile/emit/address.h"
#include "runtime/engine/compile/emit/prefetch_plan.h"

namespace hip::engine::compile {

class Prefetcher : InstructionEmitter {
public:
  Prefetcher(const EmitContext& context, AddressEmitter& addresses, PrefetchPlan& prefetches);
  // The first lane of strip q accesses `bytes` from `address` on (i64) now; the strips of one instruction come in
  // order.
  void fetch_next(const Instr& i, uint32_t q, Value* address, uint32_t bytes);

private:
  void find_what_runs_once(AddressEmitter& addresses);
  void find_loops();
  void find_notes(PrefetchPlan::When when);

  PrefetchPlan& prefetches_;
  std::vector<bool> runs_once_; // by instruction
  uint64_t groups_ahead_ = 1;   // whose memory is fetched
  std::vector<uint32_t> iterations_ahead_; // by instruction, of loops: whose memory is fetched; 0: none's
  Value* step_ahead_ = nullptr; // from where the present access lies to where theirs do (i64)
  // Of the wave, found before its first access: where its notes lie and those of the column ahead, and how many times what the access
  // has moved by since the last note lies between the two (i64).
  Value *here_ = nullptr, *ahead_ = nullptr, *factor_ = nullptr;
};

} // namespace hip::engine::compile
