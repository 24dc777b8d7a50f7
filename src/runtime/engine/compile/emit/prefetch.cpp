// runtime/engine/compile/emit/prefetch.cpp - see prefetch.h.
#include "runtime/engine/compile/emit/prefetch.h"

#include "runtime/engine/compile/codegen/merge_exits.h"
#include "runtime/engine/compile/emit/prefetch_notes.h"

namespace hip::engine::compile {
namespace {

// How far ahead: about what a core takes from memory while a line comes from there, twice.
constexpr uint64_t kBytesAhead = 16384, kMostGroupsAhead = 8;
// Host instructions of an iteration that a core does not look beyond, and of how many it is worth to look ahead: what a core does while
// a line comes from memory, twice.
constexpr uint32_t kLongIteration = 448, kInstructionsAhead = 2048, kMostIterationsAhead = 4;

void hint(llvm::StoreInst* store) { store->setMetadata(kHintMetadata, llvm::MDNode::get(store->getContext(), {})); }

} // namespace

Prefetcher::Prefetcher(const EmitContext& context, AddressEmitter& addresses, PrefetchPlan& prefetches)
    : InstructionEmitter(context), prefetches_(prefetches), runs_once_(code_.instrs.size(), false),
      iterations_ahead_(code_.instrs.size(), 0) {
  if (plan_.instrumented() || !plan_.is_kernel()) return;
  find_what_runs_once(addresses);
  find_loops();
}

// Finds the instructions that a wave executes at most once, and how many groups ahead to fetch.
void Prefetcher::find_what_runs_once(AddressEmitter& addresses) {
  const std::array<uint32_t, 3>& items = facts_.start().items;
  const bool pauses =
      std::any_of(code_.instrs.begin(), code_.instrs.end(), [](const Instr& i) { return i.kind == Kind::Barrier; });
  // For other kernels the host's prefetchers do better: with this one vector_add loses a fifth of its speed.
  if (!plan_.batches() || !(pauses || items[1] * items[2] > 1)) return;
  uint64_t bytes = 0; // of one wave
  for (uint32_t start : plan_.region().nodes) {
    State state = facts_.at({start, Version::Full});
    if (!state.reached) continue;
    uint64_t here = 0;
    bool accesses = false;
    for (uint32_t k = code_.nodes[start].first; k <= code_.nodes[start].last; ++k) {
      const Instr& i = code_.instrs[k];
      if (is_fetched_ahead(i)) {
        accesses = true;
        if (!i.memory->stores) // what lanes share counts once
          here += uint64_t(addresses.elements_of(i, Version::Full, state).op.bytes) * ir_.lanes();
      }
      facts_.step(i, Version::Full, state);
    }
    if (!accesses || code_.nodes[start].comes_back) continue;
    for (uint32_t k = code_.nodes[start].first; k <= code_.nodes[start].last; ++k) runs_once_[k] = true;
    bytes += here;
  }
  bytes *= std::max(1u, items[0] * items[1] * items[2] / ir_.lanes());
  groups_ahead_ = std::clamp<uint64_t>(bytes ? kBytesAhead / bytes : 1, 1, kMostGroupsAhead);
}

// Where the wave's notes are, for the group at hand and for the one ahead of it. With columns the notes of the column ahead are from
// the row before, or from this row where the group ahead is in the next one; either way what this column has moved by since its last
// note takes them to the group ahead. Without columns there is one row of notes.
void Prefetcher::find_notes(PrefetchPlan::When when) {
  llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  llvm::BasicBlock* const begin = ir_.begin();
  if (llvm::Instruction* end = begin->getTerminator())
    builder_.SetInsertPoint(end);
  else
    builder_.SetInsertPoint(begin);
  const uint32_t ahead = uint32_t(groups_ahead_) + (when == PrefetchPlan::When::InTheNext ? 1 : 0);
  Value* columns = wave_.load(ir_.i32(), offsetof(Wave, columns));
  Value* column = wave_.load(ir_.i32(), offsetof(Wave, column));
  // Its own column, in the next row, where there are not so many columns.
  Value* next = builder_.CreateAdd(column, ir_.constant(ahead));
  next = builder_.CreateSelect(builder_.CreateICmpULT(next, columns), next, builder_.CreateSub(next, columns));
  next = builder_.CreateSelect(builder_.CreateICmpULT(next, columns), next, column);
  const auto row = [&](Value* of) {
    Value* offset = builder_.CreateMul(builder_.CreateZExt(of, ir_.i64()), builder_.getInt64(kRowBytes));
    return builder_.CreateGEP(builder_.getInt8Ty(), wave_.field(kSeenOffset), offset);
  };
  here_ = row(column), ahead_ = row(next);
  factor_ = builder_.CreateSelect(builder_.CreateICmpEQ(columns, ir_.constant(0)), builder_.getInt64(ahead),
                                  builder_.getInt64(1));
}

// Finds the loads of loops of one long node. (Loops over tiles with a barrier gain nothing, and those with matrix instructions have
// tile_prefetch.h.)
void Prefetcher::find_loops() {
  for (uint32_t n = 0; n < code_.nodes.size(); ++n)
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k)
      if (code_.instrs[k].multiplies() || (code_.instrs[k].kind == Kind::Barrier && code_.nodes[n].comes_back)) return;
  for (uint32_t start : plan_.region().nodes) {
    const Node& node = code_.nodes[start];
    uint32_t iteration = 0; // host instructions, about
    for (uint32_t k = node.first; k <= node.last; ++k) {
      const Instr& i = code_.instrs[k];
      const bool lane_by_lane = i.kind == Kind::Memory && i.memory->atomic();
      iteration += lane_by_lane ? 2 * ir_.lanes() : i.kind == Kind::Valu || i.kind == Kind::Memory ? ir_.strips() : 1;
    }
    if (iteration < kLongIteration || !code_.nodes[start].comes_back) continue;
    for (uint32_t k = node.first; k <= node.last; ++k)
      if (is_fetched_ahead(code_.instrs[k]) && !code_.instrs[k].memory->stores)
        iterations_ahead_[k] = std::clamp(kInstructionsAhead / iteration, 1u, kMostIterationsAhead);
  }
}

// Lines to be written have to be fetched, too: a group's stores come all at once, more than the host's store queue
// holds.
void Prefetcher::fetch_next(const Instr& i, uint32_t q, Value* address, uint32_t bytes) {
  const uint32_t iterations = iterations_ahead_[number_of(i)];
  if ((!runs_once_[number_of(i)] && !iterations) || !is_fetched_ahead(i)) return;
  uint32_t number = 0;
  for (const Instr* other = code_.instrs.data(); other != &i; ++other) number += is_fetched_ahead(*other);
  if (number >= kMostSeen) return;
  const uint32_t header = plan_.header();
  const PrefetchPlan::When when = iterations ? PrefetchPlan::When::Now : prefetches_.when(header);
  if (q == 0 && iterations) { // other parts of the wave take the same step
    Value* slot = wave_.field(kSeenOffset + 8 * number);
    Value* moved = builder_.CreateSub(address, builder_.CreateLoad(ir_.i64(), slot));
    hint(builder_.CreateStore(address, slot));
    step_ahead_ = builder_.CreateMul(moved, builder_.getInt64(iterations));
  } else if (q == 0) {
    if (!here_) find_notes(when);
    Value* slot = ir_.byte_at(here_, 8 * number);
    Value* before = builder_.CreateLoad(ir_.i64(), slot);
    hint(builder_.CreateStore(address, slot));
    Value* from = builder_.CreateLoad(ir_.i64(), ir_.byte_at(ahead_, 8 * number)); // which may be the same note
    Value* moved = builder_.CreateMul(builder_.CreateSub(address, before), factor_);
    step_ahead_ = builder_.CreateAdd(builder_.CreateSub(from, address), moved);
  }
  Value* ahead = builder_.CreateAdd(address, step_ahead_);
  if (when != PrefetchPlan::When::Now) {
    const uint32_t note = number * kMaxStrips + q;
    hint(builder_.CreateStore(ahead, wave_.field(kLinesOffset + 8 * note)));
    return prefetches_.add(header, note, bytes);
  }
  for (uint32_t k = 0; k < bytes; k += kLineBytes)
    fetch_line(builder_, builder_.CreateIntToPtr(builder_.CreateAdd(ahead, builder_.getInt64(k)), builder_.getPtrTy()));
}

} // namespace hip::engine::compile
