// runtime/engine/compile/emit/prefetch.cpp - memory that later work-groups access is fetched while this one computes.
// A kernel with barriers loads, then computes, and the host's own prefetchers do not look ahead over that pause; where
// a block has rows, a group takes a piece of each of many rows, and they do not follow so many. But the wave with the
// same number in the next group usually accesses everything at the same distance. So each access that a wave makes once
// leaves its address in the wave's block, where the next group's wave finds it. Kernels with several pauses fetch in these.
#include "runtime/engine/compile/emit/emit.h"

#include <llvm/IR/Module.h>

namespace hip::engine::compile {
namespace {

constexpr uint32_t kLineBytes = 64;
// How far ahead: about what a core takes from memory while a line comes from there, twice.
constexpr uint64_t kBytesAhead = 16384, kMostGroupsAhead = 8;
// Of the host's caches: what is fetched into the first one makes the loads at hand wait. Lines to be written are
// fetched as for reading, too, for the host takes those that it fetches for writing into its first one.
constexpr uint32_t kSecondLevel = 2;
// Notes in a wave's block, hints all of them: where accesses have been, in the last row, which is beyond what even the
// widest operand at the end of the file reaches; lines to be fetched, in those before it, which hardly any operand
// reaches.
constexpr uint32_t kNotesOfRow = kRowBytes / sizeof(uint64_t), kLastRow = kMaxVgprs + kWidestOperand - 1, kLineRows = 4;
constexpr uint32_t kSeenOffset = Wave::vgpr_offset(kLastRow), kMostSeen = kNotesOfRow;
constexpr uint32_t kLinesOffset = Wave::vgpr_offset(kLastRow - kLineRows), kMostLines = kLineRows * kNotesOfRow,
                   kLinesOfLoad = 4 * kStripCount;
static_assert(kMostLines >= kMostSeen * kStripCount); // kernels have lines of one kind or the other

// Fewer pauses than this are not worth waiting for.
constexpr size_t kFewestPauses = 4;

void fetch_line(llvm::IRBuilder<>& builder, llvm::Value* pointer) {
  builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::prefetch,
                          {pointer, builder.getInt32(0), builder.getInt32(kSecondLevel), builder.getInt32(1)});
}

bool accesses_memory(const Instr& i) {
  return i.kind == Kind::Memory && i.memory->space == library::Space::Global && !i.memory->atomic();
}

} // namespace

bool comes_back(const Code& code, uint32_t start) {
  std::vector<uint32_t> todo{start};
  std::vector<bool> seen(code.nodes.size(), false);
  while (!todo.empty()) {
    const Node& node = code.nodes[todo.back()];
    todo.pop_back();
    for (uint32_t to : {node.next, node.taken}) {
      if (to == start) return true;
      if (to != kNoNode && !seen[to]) seen[to] = true, todo.push_back(to);
    }
  }
  return false;
}

// A core has room for some 24 lines on their way to it, and loads that wait for theirs leave none for others. While the
// waves of a group compute between barriers nobody else needs it.
PrefetchPlan::PrefetchPlan(const Code& code, const Regions& regions) {
  if (std::any_of(code.instrs.begin(), code.instrs.end(), [](const Instr& i) { return i.kind == Kind::Matrix; })) return;
  for (const Region& region : regions.regions)
    if (region.batches && region.header != 0 && !comes_back(code, region.header)) pauses_.push_back({region.header});
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
      llvm::Value* const note = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), pause.wave, kLinesOffset + 8 * these[k].note);
      llvm::Value* const address = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), note), builder.getInt64(these[k].offset));
      fetch_line(builder, builder.CreateIntToPtr(address, builder.getPtrTy()));
    }
}

// Which nodes a wave runs through once at most, and how many groups ahead is far enough.
void RegionEmitter::plan_prefetches() {
  runs_once_.assign(code_.nodes.size(), false);
  const std::array<uint32_t, 3>& items = facts_.start().items;
  const bool pauses =
      std::any_of(code_.instrs.begin(), code_.instrs.end(), [](const Instr& i) { return i.kind == Kind::Barrier; });
  // Else the host's prefetchers do better: vector_add loses a fifth.
  if (!batches_ || !is_kernel_ || !(pauses || items[1] * items[2] > 1)) return;
  uint64_t bytes = 0; // of one wave
  for (uint32_t start : regions_.regions[number_].nodes) {
    State state = facts_.at({start, Version::Full});
    if (!state.reached) continue;
    uint64_t here = 0;
    bool accesses = false;
    for (uint32_t k = code_.nodes[start].first; k <= code_.nodes[start].last; ++k) {
      const Instr& i = code_.instrs[k];
      if (accesses_memory(i)) {
        accesses = true;
        uint32_t parts; // what lanes share counts once
        if (!i.memory->stores) here += uint64_t(element_of(i, Version::Full, state, parts).bytes) * kMaxLanes;
      }
      facts_.step(i, Version::Full, state);
    }
    if (!accesses || comes_back(code_, start)) continue;
    runs_once_[start] = true;
    bytes += here;
  }
  bytes *= std::max(1u, items[0] * items[1] * items[2] / kMaxLanes);
  groups_ahead_ = std::clamp<uint64_t>(bytes ? kBytesAhead / bytes : 1, 1, kMostGroupsAhead);
}

// `bytes` from `address` on (i64) are accessed now. Lines to be written have to be fetched, too: a group's stores come
// all at once, more than the host's store queue holds.
void RegionEmitter::prefetch_next(const Instr& i, uint32_t q, Value* address, uint32_t bytes) {
  if (!runs_once_[node_] || version_ != Version::Full || !accesses_memory(i)) return;
  uint32_t number = 0;
  for (const Instr* other = code_.instrs.data(); other != &i; ++other) number += accesses_memory(*other);
  if (number >= kMostSeen) return;
  const uint32_t header = regions_.regions[number_].header;
  const PrefetchPlan::When when = prefetches_.when(header);
  if (q == 0) { // other parts of the wave take the same step
    Value* slot = wave_field(kSeenOffset + 8 * number);
    Value* before = builder_.CreateLoad(i64(), slot);
    builder_.CreateStore(address, slot);
    const uint64_t ahead = groups_ahead_ + (when == PrefetchPlan::When::InTheNext ? 1 : 0);
    step_ahead_ = builder_.CreateMul(builder_.CreateSub(address, before), builder_.getInt64(ahead));
  }
  Value* ahead = builder_.CreateAdd(address, step_ahead_);
  if (when != PrefetchPlan::When::Now) {
    const uint32_t note = number * kStripCount + q;
    builder_.CreateStore(ahead, wave_field(kLinesOffset + 8 * note));
    return prefetches_.add(header, note, bytes);
  }
  for (uint32_t k = 0; k < bytes; k += kLineBytes) {
    fetch_line(builder_, builder_.CreateIntToPtr(builder_.CreateAdd(ahead, builder_.getInt64(k)), builder_.getPtrTy()));
  }
}

// Tiles of a matrix are loaded row by row, 64 bytes of each, and the next time round it is the rows' next lines. To
// fetch those while these are loaded makes the loads wait, for a core has room for some 24 lines on their way; while
// products are computed nobody else needs it. So loads in a loop with matrix instructions leave in the wave's block
// where the next lines lie, and products that follow fetch them.
void RegionEmitter::plan_lines() {
  lines_of_.clear(), lines_ = 0;
  const auto is_matrix = [](const Instr& i) { return i.kind == Kind::Matrix; };
  if (std::none_of(code_.instrs.begin(), code_.instrs.end(), is_matrix)) return;
  for (uint32_t n = 0; n < code_.nodes.size(); ++n) {
    const bool loops = comes_back(code_, n);
    for (uint32_t k = code_.nodes[n].first; loops && k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      if (!accesses_memory(i) || i.memory->stores || i.memory->bytes != 16 || lines_ + kLinesOfLoad > kMostLines)
        continue;
      lines_of_[&i] = lines_;
      lines_ += kLinesOfLoad;
    }
  }
}

// Strip q of load i reads at base + low and high now: of each four lanes, the line behind that of the first.
bool RegionEmitter::leave_lines(const Instr& i, uint32_t q, Version version, Value* base, Value* low, Value* high) {
  const auto lines = lines_of_.find(&i);
  if (lines == lines_of_.end() || version != Version::Full) return false;
  const auto firsts = [&](Value* v) {
    return builder_.CreateZExt(builder_.CreateShuffleVector(v, {0, 4, 8, 12}), llvm::FixedVectorType::get(i64(), 4));
  };
  Value* next = builder_.CreateVectorSplat(4, builder_.CreateAdd(base, builder_.getInt64(kLineBytes)));
  next = builder_.CreateAdd(next, builder_.CreateOr(firsts(low), builder_.CreateShl(firsts(high), 32)));
  builder_.CreateAlignedStore(next, wave_field(kLinesOffset + 8 * (lines->second + 4 * q)), llvm::Align(32));
  return true;
}

// Fetches some of the lines that loads have left, one part of `parts`.
void RegionEmitter::fetch_lines(uint32_t part, uint32_t parts) {
  for (uint32_t k = lines_ * part / parts; part < parts && k < lines_ * (part + 1) / parts; ++k)
    fetch_line(builder_, builder_.CreateLoad(builder_.getPtrTy(), wave_field(kLinesOffset + 8 * k)));
}

} // namespace hip::engine::compile
