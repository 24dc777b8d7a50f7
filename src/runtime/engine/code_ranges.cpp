// runtime/engine/code_ranges.cpp - see code_ranges.h.
#include "runtime/engine/code_ranges.h"

#include <algorithm>

namespace hip::engine {

CodeRanges::CodeRanges() {
  constexpr size_t kFirstCapacity = 16;
  tables_.push_back(std::make_unique<Table>(kFirstCapacity));
  table_.store(tables_.back().get(), std::memory_order_release);
}

CodeRanges::Found CodeRanges::at(uint64_t address) const noexcept {
  for (;;) {
    const uint64_t before = sequence_.load(std::memory_order_acquire);
    if (before % 2 != 0) {
      __builtin_ia32_pause();
      continue;
    }
    // Of different states, when a change comes in between; the loads stay inside the table all the same.
    const Table& table = *table_.load(std::memory_order_acquire);
    size_t first = 0, count = std::min(count_.load(std::memory_order_acquire), table.capacity);
    while (count > 0) { // the first range that begins behind the address
      const size_t half = count / 2;
      if (table.slots[first + half].base.load(std::memory_order_acquire) <= address)
        first += half + 1, count -= half + 1;
      else
        count = half;
    }
    Found found;
    if (first > 0) {
      const Slot& slot = table.slots[first - 1];
      if (address < slot.end.load(std::memory_order_acquire))
        found = {slot.program.load(std::memory_order_acquire), slot.instrumented.load(std::memory_order_acquire)};
    }
    if (sequence_.load(std::memory_order_relaxed) == before)
      return found; // the loads above are acquires: it comes after them
  }
}

const Program* CodeRanges::overlapping(uint64_t base, uint64_t bytes) const noexcept {
  for (const Owned& other : owned_) {
    const CodeRange& range = other.program->range();
    if (base < range.base + range.bytes && range.base < base + bytes) return other.program.get();
  }
  return nullptr;
}

void CodeRanges::insert(std::shared_ptr<Program> program) {
  const uint64_t base = program->base();
  owned_.reserve(owned_.size() + 1);
  if (owned_.size() == tables_.back()->capacity) {
    tables_.reserve(tables_.size() + 1);
    tables_.push_back(std::make_unique<Table>(2 * owned_.size()));
  }
  const auto place = std::ranges::upper_bound(owned_, base, {}, [](const Owned& o) { return o.program->base(); });
  owned_.insert(place, Owned{std::move(program), nullptr});
  publish();
}

void CodeRanges::set_instrumented(uint64_t base, std::shared_ptr<Program> program) noexcept {
  for (Owned& owned : owned_)
    if (owned.program->base() == base) owned.instrumented = std::move(program);
  publish();
}

void CodeRanges::erase(uint64_t base) noexcept {
  const auto place = std::ranges::find(owned_, base, [](const Owned& o) { return o.program->base(); });
  if (place == owned_.end()) return;
  const Owned gone = std::move(*place); // destroyed when no lookup finds it any more
  owned_.erase(place);
  publish();
}

void CodeRanges::publish() noexcept {
  const uint64_t sequence = sequence_.load(std::memory_order_relaxed);
  sequence_.store(sequence + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release); // nothing below is seen before the odd number
  const Table& table = *tables_.back();
  for (size_t k = 0; k < owned_.size(); ++k) {
    const Owned& owned = owned_[k];
    const CodeRange& range = owned.program->range();
    table.slots[k].base.store(range.base, std::memory_order_relaxed);
    table.slots[k].end.store(range.base + range.bytes, std::memory_order_relaxed);
    table.slots[k].program.store(owned.program.get(), std::memory_order_release);
    table.slots[k].instrumented.store(owned.instrumented.get(), std::memory_order_release);
  }
  count_.store(owned_.size(), std::memory_order_relaxed);
  table_.store(&table, std::memory_order_release);
  sequence_.store(sequence + 2, std::memory_order_release);
}

} // namespace hip::engine
