// runtime/hsa/signals.h - signals: 64 bytes in memory that agents see (aql/packets.h), recycled and never unmapped, so
// that a late look at one is harmless. A waiting thread looks for a while and then sleeps until somebody who knows of
// it changes the signal; kernels change signals by plain stores, so sleeps are short. Thread safety: any thread. Memory
// ordering: what the caller asks for; changes are at least release where a waiter has to see them.
#pragma once

#include "runtime/backend/aql/agent.h"

#include <hsa/hsa_ext_amd.h>

#include <array>
#include <atomic>
#include <mutex>
#include <span>
#include <vector>

namespace hip::hsa {

inline aql::Signal* to_signal(hsa_signal_t handle) noexcept { return aql::to_signal(handle.handle); }
inline bool is_doorbell(const aql::Signal& signal) noexcept { return signal.kind == aql::Signal::kDoorbell; }

bool satisfies(int64_t value, hsa_signal_condition_t condition, int64_t compare) noexcept;

class Signals {
public:
  // `memory` gives the signals' memory and sleeps for the waiters; it outlives this object.
  explicit Signals(aql::Agent& memory) noexcept : agent_(memory) {}
  ~Signals();

  Result<aql::Signal*> create(int64_t value);
  void destroy(aql::Signal& signal) noexcept;
  // The handle is one of these signals, alive or not; what a user's packet names may be anything. Takes no lock.
  bool owns(uint64_t handle) const noexcept { return has_made(handle) || has_adopted(handle); }
  // The same without those of other processes (adopt()), to which what is said of queues here means others.
  bool has_made(uint64_t handle) const noexcept;
  // A signal in memory of somebody else (shared_signals.h) is, or is not any more, one of these.
  bool adopt(aql::Signal& signal) noexcept; // false: there are too many
  void forget(aql::Signal& signal) noexcept;

  // The value of `signal` has been changed by this process.
  void changed(aql::Signal& signal) noexcept { agent_.signal_changed(signal); }
  // The value that satisfied the condition, or the last one seen when timeout_ns is over. A thread that waits without a
  // limit for a packet (UserQueue::ring) executes what the packet waits for meanwhile.
  int64_t wait(aql::Signal& signal, hsa_signal_condition_t condition, int64_t compare, uint64_t timeout_ns,
               hsa_wait_state_t hint) noexcept;

  struct Condition {
    aql::Signal* signal = nullptr;
    hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_EQ;
    int64_t compare = 0;
    int64_t seen = 0; // out
    bool holds() noexcept;
  };
  // The index of the first condition that holds; conditions.size() when the time is over.
  size_t wait_any(std::span<Condition> conditions, uint64_t timeout_ns);
  // False: the time is over.
  bool wait_all(std::span<Condition> conditions, uint64_t timeout_ns) noexcept;
  // Sleeps until one of the signals, one at least, is not what was seen of it any more, or a moment has passed.
  void doze(std::span<const aql::Agent::SeenSignal> signals) noexcept { agent_.sleep_on_any_signal(signals, kDozeNs); }

private:
  bool has_adopted(uint64_t handle) const noexcept;

  static constexpr uint64_t kDozeNs = 1'000'000; // how late a change by a kernel is seen at most

  aql::Agent& agent_;
  static constexpr size_t kSlabSignals = 1024, kMostSlabs = 4096, kMostAdopted = 1024;
  std::mutex mutex_;                                      // guards growth and free_
  std::array<std::atomic<uint64_t>, kMostSlabs> slabs_{}; // their addresses
  std::atomic<size_t> slab_count_{0};
  std::vector<aql::Signal*> free_;
  std::array<std::atomic<uint64_t>, kMostAdopted> adopted_{}; // 0: a free place
  std::atomic<size_t> adopted_count_{0};                      // places that were ever used
};

} // namespace hip::hsa
