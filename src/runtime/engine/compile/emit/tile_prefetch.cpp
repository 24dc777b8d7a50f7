// runtime/engine/compile/emit/tile_prefetch.cpp - see tile_prefetch.h.
#include "runtime/engine/compile/emit/tile_prefetch.h"

#include "runtime/engine/compile/emit/prefetch_notes.h"

#include <bit>

namespace hip::engine::compile {
namespace {

constexpr uint32_t kLinesOfLoad = 4 * kMaxStrips;

} // namespace

TilePrefetcher::TilePrefetcher(const EmitContext& context) : InstructionEmitter(context) {
  const auto is_matrix = [](const Instr& i) { return i.multiplies(); };
  if (plan_.instrumented() || std::none_of(code_.instrs.begin(), code_.instrs.end(), is_matrix)) return;
  find_buffer_loads();
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

// So many at a time that the loop's products fetch all that its loads leave.
void TilePrefetcher::find_buffer_loads() {
  constexpr uint32_t kFewest = 4, kMost = 16; // lines that a core can have on their way
  std::vector<bool> counted(code_.nodes.size(), false);
  for (uint32_t start = 0; start < code_.nodes.size(); ++start) {
    const auto loads = [&](const Node& node) {
      return std::any_of(code_.instrs.begin() + node.first, code_.instrs.begin() + node.last + 1, [](const Instr& i) {
        return i.buffer && row_of(i.raw.opcode).memory.kind == MemoryKind::Load;
      });
    };
    if (counted[start] || !code_.nodes[start].comes_back || !loads(code_.nodes[start])) continue;
    uint32_t lines = 0, products = 0;
    std::vector<const Instr*> loads_of_loop;
    for (uint32_t n = 0; n < code_.nodes.size(); ++n) {
      if (code_.nodes[n].loop != code_.nodes[start].loop) continue;
      std::bitset<kMaxVgprs> sums;
      for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
        const Instr& i = code_.instrs[k];
        if (i.multiplies()) sums.set(vgpr_of(i.raw.vdst));
        if (!i.buffer || row_of(i.raw.opcode).memory.kind != MemoryKind::Load) continue;
        loads_of_loop.push_back(&i);
        lines += std::max(row_of(i.raw.opcode).memory.bytes * kMaxLanes / kLineBytes, kMaxStrips);
      }
      counted[n] = true;
      products += uint32_t(sums.count());
    }
    if (!products) continue;
    buffer_loads_.insert(loads_of_loop.begin(), loads_of_loop.end());
    part_of_buffers_ = std::max(part_of_buffers_, std::clamp((lines + products - 1) / products, kFewest, kMost));
  }
}

void TilePrefetcher::begin_point(const FlowPoint& point) {
  std::bitset<kMaxVgprs> firsts;
  const Node& node = code_.nodes[point.node];
  for (uint32_t k = node.first; k <= node.last; ++k)
    if (code_.instrs[k].multiplies()) firsts.set(vgpr_of(code_.instrs[k].raw.vdst));
  for (const Instr& i : node.ahead) firsts.set(vgpr_of(i.raw.vdst));
  sums_ = uint32_t(firsts.count()), fetched_parts_ = 0;
  passed_.reset();
}

void TilePrefetcher::pass_over(const Instr& i) {
  const uint32_t sums = vgpr_of(i.raw.vdst);
  if (!passed_[sums]) fetch_part();
  passed_.set(sums);
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
  if (!buffer_loads_.empty()) fetch_of_buffers();
}

// The last ones first.
void TilePrefetcher::fetch_of_buffers() {
  Value* count = wave_.field(kLinesOffset + 8 * kLineCountPlace);
  // (What lies there may be anything, where others have used the row.)
  static_assert(std::has_single_bit(kMostLines));
  Value* left = builder_.CreateAnd(builder_.CreateLoad(ir_.i64(), count), builder_.getInt64(kMostLines - 1));
  llvm::BasicBlock *fetch = ir_.new_block("fetch"), *fetched = ir_.new_block("fetched");
  builder_.CreateCondBr(builder_.CreateICmpNE(left, builder_.getInt64(0)), fetch, fetched);
  builder_.SetInsertPoint(fetch);
  left = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, left, builder_.getInt64(part_of_buffers_));
  builder_.CreateStore(left, count);
  Value* lines = builder_.CreateGEP(builder_.getInt64Ty(), wave_.field(kLinesOffset), left);
  for (uint32_t k = 0; k < part_of_buffers_; ++k)
    fetch_line(builder_, builder_.CreateLoad(builder_.getPtrTy(),
                                             builder_.CreateConstInBoundsGEP1_32(builder_.getInt64Ty(), lines, k)));
  builder_.CreateBr(fetched);
  builder_.SetInsertPoint(fetched);
}

} // namespace hip::engine::compile
