// runtime/backend/aql/soft/parking.h - where threads and queues wait for signals. Signals hash to buckets; who waits
// announces itself in the bucket, then looks at the signal once more; who changes a signal looks at the bucket
// afterwards. Thread safety: any thread. Memory ordering: the signal's change and the announcement are sequentially
// consistent read-modify-writes, so at least one side sees the other. Signals that no queue waits for take no lock.
#pragma once

#include "runtime/backend/aql/agent.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>

namespace hip::aql::soft {

class SoftQueue;

class Parking {
public:
  // A queue's place in a bucket. Belongs to the queue; linked while the queue waits.
  struct Ticket {
    SoftQueue* queue = nullptr;
    const Signal* signal = nullptr; // null: not parked
    Ticket* previous = nullptr;
    Ticket* next = nullptr;
  };

  // The signal's value has changed: wakes the threads and notifies the queues that wait for it.
  void changed(const Signal& signal) noexcept;
  // Sleeps until changed() is called for a signal of this bucket, the value is below `below`, or the time is over. The
  // caller looks at the signal again.
  void sleep(const Signal& signal, int64_t below, uint64_t timeout_ns) noexcept;
  // The same while the value is `seen`.
  void sleep_while(const Signal& signal, int64_t seen, uint64_t timeout_ns) noexcept;
  // The same while all of the signals are what was seen of them.
  void sleep_while_all(std::span<const Agent::SeenSignal> signals, uint64_t timeout_ns) noexcept;
  // From here on changed(signal) notifies ticket.queue. The caller looks at the signal once more afterwards.
  void park(Ticket& ticket, const Signal& signal) noexcept;
  // No notification through this ticket is under way or will come. Does nothing when it is not parked.
  void unpark(Ticket& ticket) noexcept;

  // Every queue that is parked looks at its signals again.
  void notify_queues() noexcept;
  // Every sleeping thread looks at its signal again.
  void wake_all() noexcept;

private:
  template<class Asleep> void sleep_if(const Signal& signal, uint64_t timeout_ns, const Asleep& asleep) noexcept;

  struct alignas(64) Bucket {
    std::atomic<uint32_t> waiters{0}; // threads and tickets
    std::atomic<uint32_t> epoch{0};   // futex of the threads
    std::atomic<uint32_t> threads{0};
    std::atomic<uint32_t> threads_of_many{0}; // that wait for signals of other buckets too, at epoch_of_many_
    std::atomic<uint32_t> tickets{0};
    std::mutex mutex;
    Ticket* first = nullptr;
  };
  static size_t bucket_number(const Signal& signal) noexcept {
    return (reinterpret_cast<uintptr_t>(&signal) >> 6) * 0x9e3779b97f4a7c15u >> 58;
  }
  Bucket& bucket(const Signal& signal) noexcept { return buckets_[bucket_number(signal)]; }
  std::array<Bucket, 64> buckets_;
  alignas(64) std::atomic<uint32_t> epoch_of_many_{0};
};

} // namespace hip::aql::soft
