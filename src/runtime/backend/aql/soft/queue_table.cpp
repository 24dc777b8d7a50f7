#include "runtime/backend/aql/soft/queue_table.h"

#include "runtime/backend/aql/cpu_relax.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <sched.h>

namespace hip::aql::soft {

QueueTable::~QueueTable() {
  for (std::atomic<Chunk*>& chunk : chunks_) delete chunk.load(std::memory_order_relaxed);
}

Result<QueueTable::Entry*> QueueTable::add(SoftQueue& queue, unsigned priority) {
  std::lock_guard guard(mutex_);
  if (free_.empty()) {
    const uint32_t count = chunk_count_.load(std::memory_order_relaxed);
    if (count == chunks_.size())
      return error(ErrorCode::OutOfMemory, "The software GPUs hold {} queues, which is the most.", kMostQueues);
    free_.reserve(size_t(count + 1) * kPerChunk); // so that remove() need not allocate
    auto* const chunk = new Chunk;
    for (uint32_t k = 0; k < kPerChunk; ++k) {
      chunk->entries[k].number = count * kPerChunk + k;
      chunk->entries[k].chunk = chunk;
      free_.push_back(count * kPerChunk + kPerChunk - 1 - k);
    }
    chunks_[count].store(chunk, std::memory_order_release);
    chunk_count_.store(count + 1, std::memory_order_release);
  }
  Entry& entry = entry_of(free_.back());
  free_.pop_back();
  entry.generation = entry.generation % kMostGenerations + 1;
  entry.tag.store(entry.generation << 16 | entry.number, std::memory_order_relaxed);
  entry.priority.store(priority, std::memory_order_relaxed);
  entry.queue = &queue;
  entry.state.store(0, std::memory_order_release);
  count_.fetch_add(1, std::memory_order_relaxed);
  return &entry;
}

void QueueTable::remove(Entry& entry) noexcept {
  retire_tag(entry);
  // The queue's packets are done, but a thread may still be on its way out of the queue, or about to set the ready bit.
  for (unsigned looks = 0; (entry.state.load(std::memory_order_seq_cst) & (kQueued | kRunning)) != 0; ++looks) {
    if (take_bit(entry)) entry.state.fetch_and(~uint32_t(kQueued), std::memory_order_seq_cst);
    if (looks % 64 == 63) ::sched_yield();
    cpu_relax();
  }
  std::lock_guard guard(mutex_);
  entry.state.store(0, std::memory_order_release);
  entry.queue = nullptr;
  count_.fetch_sub(1, std::memory_order_relaxed);
  free_.insert(std::upper_bound(free_.begin(), free_.end(), entry.number, std::greater<>()), entry.number);
}

QueueTable::Entry& QueueTable::entry_of(uint32_t number) noexcept {
  return chunks_[number / kPerChunk].load(std::memory_order_acquire)->entries[number % kPerChunk];
}

QueueTable::Entry* QueueTable::find(uint32_t tag) noexcept {
  const uint32_t number = tag % kMostQueues;
  if (tag == 0 || number >= chunk_count_.load(std::memory_order_acquire) * kPerChunk) return nullptr;
  Entry& entry = entry_of(number);
  return tag_of(entry) == tag ? &entry : nullptr;
}

// ---- ready bits --------------------------------------------------------------------------------------------------

// The bit is that of the priority which the queue had when it became ready.
bool QueueTable::take_bit(Entry& entry) noexcept {
  const uint64_t bit = uint64_t(1) << entry.number % kPerChunk;
  for (std::atomic<uint64_t>& word : entry.chunk->ready)
    if ((word.load(std::memory_order_relaxed) & bit) != 0 &&
        (word.fetch_and(~bit, std::memory_order_seq_cst) & bit) != 0)
      return true;
  return false;
}

void QueueTable::set_bit(Entry& entry) noexcept {
  const uint32_t priority = entry.priority.load(std::memory_order_relaxed);
  entry.chunk->changes.fetch_add(1, std::memory_order_relaxed);
  entry.chunk->ready[priority].fetch_or(uint64_t(1) << entry.number % kPerChunk, std::memory_order_seq_cst);
}

bool QueueTable::set_priority(Entry& entry, unsigned priority) noexcept {
  entry.priority.store(priority, std::memory_order_relaxed);
  if (!take_bit(entry)) return false;
  set_bit(entry); // kQueued stays: nobody else sets the bit, and remove() waits for it
  return true;
}

bool QueueTable::any_ready() const noexcept {
  const uint32_t count = chunk_count_.load(std::memory_order_acquire);
  for (uint32_t c = 0; c < count; ++c)
    for (const std::atomic<uint64_t>& word : chunks_[c].load(std::memory_order_acquire)->ready)
      if (word.load(std::memory_order_seq_cst) != 0) return true;
  return false;
}

uint32_t QueueTable::changes() const noexcept {
  const uint32_t count = chunk_count_.load(std::memory_order_acquire);
  uint32_t sum = 0;
  for (uint32_t c = 0; c < count; ++c)
    sum += chunks_[c].load(std::memory_order_acquire)->changes.load(std::memory_order_relaxed);
  return sum;
}

SoftQueue* QueueTable::take_ready() noexcept {
  const uint32_t count = chunk_count_.load(std::memory_order_acquire);
  if (count == 0) return nullptr;
  const uint32_t turn = turn_.load(std::memory_order_relaxed) % (count * kPerChunk);
  for (unsigned priority = 0; priority < kPriorities; ++priority)
    for (uint32_t c = 0; c <= count; ++c) { // the first chunk twice: first from the turn on, last what is before it
      Chunk& chunk = *chunks_[(turn / kPerChunk + c) % count].load(std::memory_order_acquire);
      const uint64_t from_turn = ~uint64_t(0) << turn % kPerChunk;
      const uint64_t looked_at = c == 0 ? from_turn : c == count ? ~from_turn : ~uint64_t(0);
      for (uint64_t ready; (ready = chunk.ready[priority].load(std::memory_order_relaxed) & looked_at) != 0;) {
        Entry& entry = chunk.entries[static_cast<size_t>(std::countr_zero(ready))];
        if (!take_bit(entry)) continue;
        turn_.store(entry.number + 1, std::memory_order_relaxed);
        // Another thread may have claimed the queue since it became ready; that thread looks for new packets itself.
        if (SoftQueue* const queue = claim(entry, kQueued)) return queue;
      }
    }
  return nullptr;
}

// ---- claims ------------------------------------------------------------------------------------------------------

SoftQueue* QueueTable::claim(Entry& entry, uint32_t also_clear) noexcept {
  uint32_t state = entry.state.load(std::memory_order_relaxed), wanted;
  bool claimed;
  do {
    claimed = (state & kRunning) == 0 && (state & kNotified) != 0;
    if (!claimed && also_clear == 0) return nullptr;
    wanted = (claimed ? (state | kRunning) & ~uint32_t(kNotified) : state) & ~also_clear;
  } while (!entry.state.compare_exchange_weak(state, wanted, std::memory_order_seq_cst));
  return claimed ? entry.queue : nullptr;
}

bool QueueTable::notify(Entry& entry) noexcept {
  uint32_t state = entry.state.load(std::memory_order_relaxed), wanted;
  do {
    wanted = state | kNotified | ((state & (kQueued | kRunning)) != 0 ? 0u : uint32_t(kQueued));
  } while (!entry.state.compare_exchange_weak(state, wanted, std::memory_order_seq_cst));
  if ((state & kQueued) != 0 || (wanted & kQueued) == 0) return false;
  set_bit(entry);
  return true;
}

// Also clears the queue's ready bit: once the queue is claimed, nobody needs to find it there.
SoftQueue* QueueTable::try_claim(Entry& entry) noexcept {
  const uint32_t state = entry.state.load(std::memory_order_relaxed);
  if ((state & kRunning) != 0 || (state & kNotified) == 0) return nullptr;
  return claim(entry, take_bit(entry) ? uint32_t(kQueued) : 0u);
}

bool QueueTable::take_notification(Entry& entry) noexcept {
  return (entry.state.fetch_and(~uint32_t(kNotified), std::memory_order_seq_cst) & kNotified) != 0;
}

bool QueueTable::give_back(Entry& entry, Rest rest) noexcept {
  uint32_t state = entry.state.load(std::memory_order_relaxed), wanted;
  do {
    wanted = state & ~uint32_t(kRunning);
    if (rest == Rest::More) wanted |= kNotified;
    if ((wanted & kNotified) != 0) wanted |= kQueued;
  } while (!entry.state.compare_exchange_weak(state, wanted, std::memory_order_seq_cst));
  if ((state & kQueued) != 0 || (wanted & kQueued) == 0) return false;
  set_bit(entry);
  return true;
}

} // namespace hip::aql::soft
