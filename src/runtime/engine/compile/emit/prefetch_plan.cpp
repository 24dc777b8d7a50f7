// runtime/engine/compile/emit/prefetch_plan.cpp - see prefetch_plan.h.
#include "runtime/engine/compile/emit/prefetch_plan.h"

#include "runtime/engine/compile/emit/prefetch_notes.h"
#include "runtime/engine/compile/emit/region_plan.h"

namespace hip::engine::compile {
namespace {

// Fewer pauses than this are not worth waiting for.
constexpr size_t kFewestPauses = 4;

} // namespace

PrefetchPlan::PrefetchPlan(const Code& code, const Regions& regions) {
  if (std::any_of(code.instrs.begin(), code.instrs.end(), [](const Instr& i) { return i.multiplies(); }))
    return;
  for (const Region& region : regions.regions)
    if (region.batches && region.header != 0 && !code.nodes[region.header].comes_back) pauses_.push_back({region.header});
  if (pauses_.size() < kFewestPauses) pauses_.clear();
  std::sort(pauses_.begin(), pauses_.end(), [](const Pause& a, const Pause& b) { return a.header < b.header; });
}

PrefetchPlan::When PrefetchPlan::when(uint32_t header) const {
  if (pauses_.empty()) return When::Now;
  return first_behind(header) + kFewestPauses <= pauses_.size() ? When::InThisGroup : When::InTheNext;
}

size_t PrefetchPlan::first_behind(uint32_t header) const {
  return size_t(std::upper_bound(pauses_.begin(), pauses_.end(), header,
                                 [](uint32_t h, const Pause& pause) { return h < pause.header; }) -
                pauses_.begin());
}

void PrefetchPlan::add(uint32_t header, uint32_t note, uint32_t bytes) {
  Noted& noted = notes_[note];
  noted = {header, std::max(noted.bytes, bytes)};
}

void PrefetchPlan::begins(uint32_t header, llvm::BasicBlock* block, llvm::Value* wave) {
  for (Pause& pause : pauses_)
    if (pause.header == header) pause.block = block, pause.wave = wave;
}

// All lines in the order of their notes, evenly over the pauses that are for them.
void PrefetchPlan::emit(llvm::IRBuilder<>& builder) const {
  struct Line {
    uint32_t note, offset;
  };
  std::map<size_t, std::vector<Line>> lines; // by the first pause that they may be fetched in; of 0, in all
  for (const auto& [note, noted] : notes_)
    for (uint32_t offset = 0; offset < noted.bytes; offset += kLineBytes)
      lines[when(noted.header) == When::InThisGroup ? first_behind(noted.header) : 0].push_back({note, offset});
  for (const auto& [first, these] : lines)
    for (size_t k = 0; k < these.size(); ++k) {
      const Pause& pause = pauses_[first + k * (pauses_.size() - first) / these.size()];
      if (!pause.block) continue;
      builder.SetInsertPoint(pause.block, pause.block->getFirstInsertionPt());
      llvm::Value* const note =
          builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), pause.wave, kLinesOffset + 8 * these[k].note);
      llvm::Value* const noted = builder.CreateLoad(builder.getInt64Ty(), note);
      llvm::Value* const address = builder.CreateAdd(noted, builder.getInt64(these[k].offset));
      fetch_line(builder, builder.CreateIntToPtr(address, builder.getPtrTy()));
    }
}

} // namespace hip::engine::compile
