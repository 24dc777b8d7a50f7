// runtime/backend/aql/soft/queue_table.h - all queues of the software GPUs by their tags, and which of them are ready.
// The word that decides who may touch a queue lies here and not in the queue: entries outlive their queues, so a thread
// may try to claim by a tag that it found in a signal, whatever has become of the queue meanwhile. Entries are used
// again, tags are not: what a queue leaves in signals when it goes names none of the queues that come after it.
// Thread safety: any thread; add() and remove() take a lock, the others none. A queue is touched only by the thread
// that has claimed it, or by one that puts it on the ready list. Memory ordering: an entry's state and the ready bits
// change by sequentially consistent read-modify-writes. The thread that clears an entry's ready bit clears kQueued;
// until then remove() waits.
#pragma once

#include "runtime/base/status.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace hip::aql::soft {

class SoftQueue;

class QueueTable {
  struct Chunk;

public:
  static constexpr unsigned kPriorities = 3;
  static constexpr uint32_t kMostQueues = 1 << 16;

  struct alignas(64) Entry {
  private:
    friend class QueueTable;
    uint32_t number = 0;
    std::atomic<uint32_t> tag{0};      // 0: no queue, or one that completes no signal any more
    uint32_t generation = 0;           // of the tag; guarded by the table's lock
    std::atomic<uint32_t> priority{0}; // 0 is first
    std::atomic<uint32_t> state{0};
    SoftQueue* queue = nullptr;
    Chunk* chunk = nullptr;
  };

  QueueTable() noexcept = default;
  ~QueueTable();
  QueueTable(const QueueTable&) = delete;

  // By which signals name the queue that will complete them.
  static uint32_t tag_of(const Entry& entry) noexcept { return entry.tag.load(std::memory_order_relaxed); }
  // From here on tag_of() is 0, and find() knows the queue no more.
  static void retire_tag(Entry& entry) noexcept { entry.tag.store(0, std::memory_order_relaxed); }
  // Error: OutOfMemory when there are kMostQueues.
  Result<Entry*> add(SoftQueue& queue, unsigned priority);
  // Returns when no thread is in the queue or will come to it. The caller ensures that nobody notifies it any more.
  void remove(Entry& entry) noexcept;
  uint32_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  // Null when no queue has this tag.
  Entry* find(uint32_t tag) noexcept;
  // From now on, also where the queue is ready already. True: it has become ready by this call.
  bool set_priority(Entry& entry, unsigned priority) noexcept;

  // A thread is in the queue, or will come to it.
  static bool busy(const Entry& entry) noexcept {
    return (entry.state.load(std::memory_order_seq_cst) & (kQueued | kRunning | kNotified)) != 0;
  }

  // Says that the queue may have something to do. True: the queue has become ready by this call.
  bool notify(Entry& entry) noexcept;
  // Claims the queue when it has been notified and no thread has it; else null.
  SoftQueue* try_claim(Entry& entry) noexcept;
  // Takes back a notification that came since the claim; false: there was none.
  bool take_notification(Entry& entry) noexcept;
  // Gives the claim back. True: the queue has become ready, because there is more to do or a notification came. The
  // queue may be destroyed once this is false.
  enum class Rest { None, More };
  bool give_back(Entry& entry, Rest rest) noexcept;
  // Claims the next ready queue, by priority and then in turns; null: there is none.
  SoftQueue* take_ready() noexcept;
  bool any_ready() const noexcept;
  // A number that changes whenever a queue becomes ready.
  uint32_t changes() const noexcept;

private:
  enum State : uint32_t {
    kQueued = 1,   // its ready bit is set, or will be at once
    kRunning = 2,  // claimed
    kNotified = 4, // something may have happened since the last look
  };
  static constexpr uint32_t kPerChunk = 64;
  struct Chunk {
    alignas(64) std::array<std::atomic<uint64_t>, kPriorities> ready{};
    std::atomic<uint32_t> changes{0};
    std::array<Entry, kPerChunk> entries;
  };

  static constexpr uint32_t kMostGenerations = UINT16_MAX;
  static_assert(kMostQueues == 1 << 16); // the lower half of a tag is the entry's number, the upper its generation

  Entry& entry_of(uint32_t number) noexcept;
  // Clears the entry's ready bit; true: it was set, and this thread has to clear kQueued.
  static bool take_bit(Entry& entry) noexcept;
  static void set_bit(Entry& entry) noexcept;
  static SoftQueue* claim(Entry& entry, uint32_t also_clear) noexcept;

  std::array<std::atomic<Chunk*>, kMostQueues / kPerChunk> chunks_{};
  std::atomic<uint32_t> chunk_count_{0};
  std::atomic<uint32_t> turn_{0}; // where the next search begins
  std::atomic<uint32_t> count_{0};
  std::mutex mutex_;           // guards growth and free_
  std::vector<uint32_t> free_; // numbers given back, the lowest last
};

} // namespace hip::aql::soft
