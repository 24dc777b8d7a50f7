// runtime/engine/compile/codegen/order_chains.cpp - see order_chains.h.
#include "runtime/engine/compile/codegen/order_chains.h"

#include "runtime/engine/compile/codegen/merge_exits.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace hip::engine::compile {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr uint32_t kNowhere = ~0u;
constexpr uint32_t kRegisters = 30;     // of 32: what instructions want besides
constexpr uint32_t kShortWindow = 200;  // instructions; shorter code has little to gain
constexpr uint32_t kManyUsers = 48;     // a value with more results behind it does not tell them apart
constexpr size_t kMostVisits = 400'000; // bounds the search

// Host registers that a value takes: vectors of numbers, not of bits.
uint32_t weight(const Value& value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  if (!type || type->getElementType()->isIntegerTy(1) || llvm::isa<llvm::Constant>(value)) return 0;
  return uint32_t(type->getPrimitiveSizeInBits().getFixedValue() + 511) / 512;
}

const Value* without_casts(const Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value)) value = cast->getOperand(0);
  return value;
}

// A run of instructions of one block that write no memory, in any order.
struct Window {
  std::vector<Instruction*> instructions;
  llvm::DenseMap<const Value*, uint32_t> places;
  std::vector<bool> cheap; // a load, or a rearrangement of what is cheap: each group may have its own
  uint32_t place(const Value* value) const {
    const auto found = places.find(value);
    return found == places.end() ? kNowhere : found->second;
  }
};

bool writes(const Instruction& i) {
  if (i.hasMetadata(kHintMetadata)) return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      call && call->getIntrinsicID() == llvm::Intrinsic::prefetch)
    return false;
  return i.mayHaveSideEffects() || (llvm::isa<llvm::LoadInst>(i) && !llvm::cast<llvm::LoadInst>(i).isSimple());
}

bool is_load(const Instruction& i) {
  if (llvm::isa<llvm::LoadInst>(i)) return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return call && call->getIntrinsicID() == llvm::Intrinsic::masked_load;
}

bool rearranges(const Instruction& i) {
  return llvm::isa<llvm::ShuffleVectorInst, llvm::InsertElementInst, llvm::BitCastInst>(i);
}

void find_cheap(Window& window) {
  window.cheap.assign(window.instructions.size(), false);
  for (uint32_t k = 0; k < window.instructions.size(); ++k) {
    const Instruction& i = *window.instructions[k];
    const bool from_cheap = llvm::all_of(i.operands(), [&](const llvm::Use& use) {
      const uint32_t at = window.place(use.get());
      return at == kNowhere ? llvm::isa<llvm::Constant>(use.get()) || weight(*use.get()) == 0 : window.cheap[at];
    });
    window.cheap[k] = is_load(i) || (rearranges(i) && from_cheap);
  }
}

// Moves between registers and memory that an order costs, as if the farthest next use were always evicted.
class Registers {
public:
  Registers(const Window& window, llvm::ArrayRef<const Instruction*> order) : order_(order) {
    for (uint32_t k = 0; k < order.size(); ++k) {
      if (llvm::isa<llvm::BitCastInst>(order[k])) continue;
      for (const llvm::Use& use : order[k]->operands())
        if (weight(*use.get())) uses_of(*use.get()).push_back(k);
    }
    for (const Instruction* i : order) // what is used behind the window
      if (weight(*i) &&
          llvm::any_of(i->users(), [&](const llvm::User* user) { return window.place(user) == kNowhere; }))
        if (auto& all = uses_of(*i); all.empty() || all.back() < order.size()) all.push_back(uint32_t(order.size()));
  }

  uint32_t moves() {
    for (uint32_t k = 0; k < order_.size(); ++k) {
      const Instruction& i = *order_[k];
      if (llvm::isa<llvm::BitCastInst>(i)) continue;
      for (const llvm::Use& use : i.operands()) {
        if (!weight(*use.get())) continue;
        const uint32_t v = numbers_.lookup(without_casts(use.get()));
        Held& value = values_[v];
        if (value.next() != k) continue; // the same operand twice
        if (!value.here) cost_ += value.weight, value.stored = true;
        drop(v);
        while (value.next() == k) ++value.used;
        hold(v);
      }
      if (const auto found = numbers_.find(without_casts(&i)); found != numbers_.end()) hold(found->second);
    }
    return cost_;
  }

private:
  struct Held {
    std::vector<uint32_t> uses;
    uint32_t used = 0, weight = 0;
    uint32_t held_for = 0; // the next use when it was put into a register
    bool here = false, stored = false;
    uint32_t next() const { return used < uses.size() ? uses[used] : kNowhere; }
  };
  std::vector<uint32_t>& uses_of(const Value& value) {
    const auto [found, fresh] = numbers_.try_emplace(without_casts(&value), uint32_t(values_.size()));
    if (fresh) values_.emplace_back().weight = weight(value);
    return values_[found->second].uses;
  }
  void drop(uint32_t v) {
    if (!std::exchange(values_[v].here, false)) return;
    held_.erase({values_[v].held_for, v});
    full_ -= values_[v].weight;
  }
  void hold(uint32_t v) {
    const uint32_t next = values_[v].next();
    if (next == kNowhere) return;
    drop(v);
    values_[v].here = true;
    values_[v].held_for = next;
    held_.insert({next, v});
    full_ += values_[v].weight;
    while (full_ > kRegisters) {
      const uint32_t victim = held_.rbegin()->second;
      if (!std::exchange(values_[victim].stored, true)) cost_ += values_[victim].weight;
      drop(victim);
    }
  }

  llvm::ArrayRef<const Instruction*> order_;
  llvm::DenseMap<const Value*, uint32_t> numbers_; // in the order of their first uses, so that ties are always the same
  std::vector<Held> values_;
  std::set<std::pair<uint32_t, uint32_t>> held_; // next use, number
  uint32_t full_ = 0, cost_ = 0;
};

class Grouping {
public:
  explicit Grouping(Window& window) : window_(window) {}

  // False: there are not several results, or too much would have to be looked at.
  bool find_roots();
  // Results in groups of at most `limit` registers.
  std::vector<std::vector<uint32_t>> groups(uint32_t limit) const;
  // The order that groups give: places in the window, those of cheap instructions once for each group. `starts` is
  // where each group begins in it.
  std::vector<uint32_t> order(const std::vector<std::vector<uint32_t>>& groups, std::vector<uint32_t>& starts) const;

private:
  Window& window_;
  std::vector<uint32_t> roots_;               // places
  std::vector<std::vector<uint32_t>> slices_; // of each root, ascending
};

bool Grouping::find_roots() {
  size_t visits = 0;
  for (uint32_t k = 0; k < window_.instructions.size(); ++k) {
    const Instruction& i = *window_.instructions[k];
    if (window_.cheap[k] || !weight(i)) continue;
    if (llvm::any_of(i.users(), [&](const llvm::User* user) { return window_.place(user) == kNowhere; }))
      roots_.push_back(k);
  }
  if (roots_.size() < 4) return false;
  std::vector<uint32_t> seen(window_.instructions.size(), kNowhere);
  for (uint32_t r = 0; r < roots_.size(); ++r) {
    std::vector<uint32_t> todo{roots_[r]}, slice;
    seen[roots_[r]] = r;
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      slice.push_back(at);
      if (++visits > kMostVisits) return false;
      for (const llvm::Use& use : window_.instructions[at]->operands())
        if (const uint32_t from = window_.place(use.get()); from != kNowhere && seen[from] != r)
          seen[from] = r, todo.push_back(from);
    }
    std::ranges::sort(slice);
    slices_.push_back(std::move(slice));
  }
  return true;
}

std::vector<std::vector<uint32_t>> Grouping::groups(uint32_t limit) const {
  std::vector<std::vector<uint32_t>> users(window_.instructions.size());
  for (uint32_t r = 0; r < roots_.size(); ++r)
    for (const uint32_t at : slices_[r])
      if (weight(*window_.instructions[at])) users[at].push_back(r);
  std::vector<std::vector<uint32_t>> out;
  std::vector<bool> taken(roots_.size(), false);
  std::vector<uint32_t> shared(roots_.size());
  for (uint32_t seed = 0; seed < roots_.size(); ++seed) {
    if (taken[seed]) continue;
    std::ranges::fill(shared, 0);
    std::vector<uint32_t> group;
    uint32_t size = 0;
    for (uint32_t next = seed; next != kNowhere;) {
      taken[next] = true;
      group.push_back(next);
      size += weight(*window_.instructions[roots_[next]]);
      for (const uint32_t at : slices_[next])
        if (users[at].size() <= kManyUsers)
          for (const uint32_t other : users[at]) ++shared[other];
      next = kNowhere;
      for (uint32_t r = 0; r < roots_.size() && size < limit; ++r)
        if (!taken[r] && shared[r] && (next == kNowhere || shared[r] > shared[next])) next = r;
    }
    out.push_back(std::move(group));
  }
  return out;
}

std::vector<uint32_t> Grouping::order(const std::vector<std::vector<uint32_t>>& groups,
                                      std::vector<uint32_t>& starts) const {
  std::vector<uint32_t> out;
  const uint32_t count = uint32_t(window_.instructions.size());
  std::vector<bool> emitted(count, false);
  for (const std::vector<uint32_t>& group : groups) {
    starts.push_back(uint32_t(out.size()));
    std::vector<bool> wanted(count, false);
    std::vector<uint32_t> todo;
    const auto want = [&](uint32_t at) {
      if (!wanted[at] && !(emitted[at] && !window_.cheap[at])) wanted[at] = true, todo.push_back(at);
    };
    for (const uint32_t r : group) want(roots_[r]);
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      for (const llvm::Use& use : window_.instructions[at]->operands())
        if (const uint32_t from = window_.place(use.get()); from != kNowhere) want(from);
    }
    for (uint32_t at = 0; at < count; ++at)
      if (wanted[at]) out.push_back(at), emitted[at] = true;
  }
  starts.push_back(uint32_t(out.size()));
  for (uint32_t at = 0; at < count; ++at)
    if (!emitted[at]) out.push_back(at);
  return out;
}

// Brings the window into this order.
void apply(Window& window, const std::vector<uint32_t>& order, const std::vector<uint32_t>& starts,
           Instruction* behind) {
  std::vector<Instruction*> here(window.instructions.size(), nullptr); // the group's own of each cheap instruction
  std::vector<bool> used(window.instructions.size(), false);
  llvm::IRBuilder<> builder(behind);
  size_t group = 0;
  for (uint32_t k = 0; k < order.size(); ++k) {
    if (group < starts.size() && starts[group] == k) {
      // Loads of one group would be taken for those of another one, and for no store lies in between, rightly so.
      if (group != 0) builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
      std::ranges::fill(here, nullptr);
      ++group;
    }
    const uint32_t at = order[k];
    Instruction* i = window.instructions[at];
    if (window.cheap[at] && used[at]) {
      i = i->clone();
      i->insertBefore(behind->getIterator());
      window.places[i] = at; // what uses it, and is copied later, is to use a copy of its own
    } else {
      i->moveBefore(behind->getIterator());
    }
    used[at] = true;
    for (llvm::Use& use : i->operands())
      if (const uint32_t from = window.place(use.get()); from != kNowhere && here[from]) use.set(here[from]);
    if (window.cheap[at]) here[at] = i;
  }
}

bool reorder(Window& window, Instruction* behind) {
  if (window.instructions.size() < kShortWindow) return false;
  for (uint32_t k = 0; k < window.instructions.size(); ++k) window.places[window.instructions[k]] = k;
  find_cheap(window);
  std::vector<const Instruction*> now(window.instructions.begin(), window.instructions.end());
  const uint32_t before = Registers(window, now).moves();
  if (before * 8 < window.instructions.size()) return false;
  Grouping grouping(window);
  if (!grouping.find_roots()) return false;
  uint32_t best = before;
  std::vector<uint32_t> order, starts;
  for (const uint32_t limit : {20u, 12u, 6u}) {
    std::vector<uint32_t> its_starts;
    const auto groups = grouping.groups(limit);
    if (groups.size() < 2) continue;
    std::vector<uint32_t> its = grouping.order(groups, its_starts);
    // Copies are counted as if they were the instructions themselves, which are dropped at a group's end.
    uint32_t cost = 0;
    for (size_t g = 0; g < its_starts.size(); ++g) {
      const uint32_t first = its_starts[g], last = g + 1 < its_starts.size() ? its_starts[g + 1] : uint32_t(its.size());
      std::vector<const Instruction*> part;
      for (uint32_t k = first; k < last; ++k) part.push_back(window.instructions[its[k]]);
      cost += Registers(window, part).moves();
    }
    if (cost < best) best = cost, order = std::move(its), starts = std::move(its_starts);
  }
  if (order.empty() || best * 4 > before * 3) return false;
  apply(window, order, starts, behind);
  return true;
}

} // namespace

llvm::PreservedAnalyses OrderChains::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    Window window;
    for (Instruction& i : llvm::make_early_inc_range(block)) {
      if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(i)) continue;
      if (!i.isTerminator() && !writes(i)) {
        window.instructions.push_back(&i);
        continue;
      }
      changed |= reorder(window, &i);
      window = Window();
    }
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace hip::engine::compile
