// runtime/engine/compile/emit/tile_prefetch.cpp - see tile_prefetch.h.
#include "runtime/engine/compile/emit/tile_prefetch.h"

#include "runtime/engine/compile/emit/prefetch_notes.h"

namespace hip::engine::compile {
namespace {

constexpr uint32_t kLinesOfLoad = 4 * kMaxStrips;

} // namespace

TilePrefetcher::TilePrefetcher(const EmitContext& context) : InstructionEmitter(context) {
  const auto is_matrix = [](const Instr& i) { return i.kind == Kind::Matrix; };
  if (plan_.instrumented() || std::none_of(code_.instrs.begin(), code_.instrs.end(), is_matrix)) return;
  for (uint32_t n = 0; n < code_.nodes.size(); ++n) {
    const bool loops = code_.nodes[n].comes_back;
    for (uint32_t k = code_.nodes[n].first; loops && k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      if (!is_fetched_ahead(i) || i.memory->stores || i.memory->bytes != 16 || lines_ + kLinesOfLoad > kMostLines)
        continue;
      lines_of_[&i] = lines_;
      lines_ += kLinesOfLoad;
    }
  }
}

void TilePrefetcher::begin_point(const FlowPoint& point) {
  std::bitset<kMaxVgprs> firsts;
  const Node& node = code_.nodes[point.node];
  for (uint32_t k = node.first; k <= node.last; ++k)
    if (code_.instrs[k].kind == Kind::Matrix) firsts.set(vgpr_of(code_.instrs[k].raw.vdst));
  sums_ = uint32_t(firsts.count()), fetched_parts_ = 0;
}

bool TilePrefetcher::note_lines(const Instr& i, uint32_t q, Version version, Value* base, Value* low, Value* high) {
  const auto lines = lines_of_.find(&i);
  if (lines == lines_of_.end() || version != Version::Full) return false;
  const auto firsts = [&](Value* v) {
    return builder_.CreateZExt(builder_.CreateShuffleVector(v, {0, 4, 8, 12}),
                               llvm::FixedVectorType::get(ir_.i64(), 4));
  };
  Value* next = builder_.CreateVectorSplat(4, builder_.CreateAdd(base, builder_.getInt64(kLineBytes)));
  next = builder_.CreateAdd(next, builder_.CreateOr(firsts(low), builder_.CreateShl(firsts(high), 32)));
  builder_.CreateAlignedStore(next, wave_.field(kLinesOffset + 8 * (lines->second + 4 * q)), llvm::Align(32));
  return true;
}

void TilePrefetcher::fetch_part() {
  const uint32_t part = fetched_parts_++, parts = std::max(sums_, 1u);
  for (uint32_t k = lines_ * part / parts; part < parts && k < lines_ * (part + 1) / parts; ++k)
    fetch_line(builder_, builder_.CreateLoad(builder_.getPtrTy(), wave_.field(kLinesOffset + 8 * k)));
}

} // namespace hip::engine::compile
