// runtime/hsa_check/book.h - what the checks know: signals, queues, memory, kernels, and the work under way. Everything
// is noted from the calls that pass by; how far the work is, from signals' values and queues' read indices. Thread
// safety: hold lock() around the use of everything else.
#pragma once

#include "runtime/hsa_check/report.h"

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hip::hsa_check {

struct Range {
  uint64_t begin = 0, bytes = 0;
  bool touches(const Range& other) const noexcept {
    return bytes != 0 && other.bytes != 0 && begin < other.begin + other.bytes && other.begin < begin + bytes;
  }
};
inline Range range_of(const void* base, uint64_t bytes) noexcept { return {reinterpret_cast<uint64_t>(base), bytes}; }

// A packet or a copy that was given to the runtime.
struct Work {
  std::string what;                   // "packet 5 of queue 3"
  const hsa_queue_t* queue = nullptr; // of a packet
  uint64_t packet = 0;                // its index
  uint64_t completion = 0;            // a signal; 0: none
  std::vector<uint64_t> waits_for;    // signals
  std::vector<Range> memory;          // that it uses
  uint64_t executable = 0;            // of its kernel
  bool complete = false;              // its signal has shown it
  bool barrier = false;               // a packet that starts when those before it are complete
};

struct Kernel {
  std::string name;
  uint64_t agent = 0, executable = 0;
  uint32_t kernarg_bytes = 0, kernarg_alignment = 16, group_bytes = 0, private_bytes = 0;
  bool dynamic_stack = false;
};

struct Signal {
  int64_t expected = 0;      // the value, if no work of `pending` had completed it
  std::deque<Work*> pending; // work that completes it, oldest first
  unsigned waiting = 0;      // threads and handlers
  const hsa_queue_t* doorbell_of = nullptr;
};

struct QueueError {
  void (*callback)(hsa_status_t, hsa_queue_t*, void*);
  void* data;
};

struct Queue {
  hsa_queue_t* handle = nullptr;
  hsa_agent_t agent{};
  uint32_t packets = 0;
  hsa_queue_type32_t type = 0;
  uint32_t features = 0;
  void* base = nullptr;
  uint64_t id = 0;
  uint64_t checked = 0; // packets before this index were looked at, but for
  // those whose headers were not there, not yet or not any more; and whether the doorbell was rung for one itself
  std::map<uint64_t, bool> not_written;
  uint64_t told = 0; // the runtime knows of packets before this index
  bool lost = false;
  std::optional<hsa_status_t> error; // that the callback told
  QueueError user{};
};

struct Allocation {
  uint64_t bytes = 0;
  std::optional<hsa_amd_memory_pool_t> pool; // nothing: of a region
  std::set<uint64_t> allowed;                // agents of hsa_amd_agents_allow_access
};

struct AgentFacts {
  hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
  uint32_t max_group_items = 0;
  uint16_t max_group[3] = {};
  uint64_t group_pool_bytes = 0;
};

class Book {
public:
  void begin();
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  std::unordered_map<uint64_t, Signal> signals;
  std::unordered_set<uint64_t> destroyed_signals;
  std::map<const hsa_queue_t*, std::unique_ptr<Queue>> queues;
  std::map<uint64_t, Allocation> allocations;   // by their first address
  std::map<uint64_t, unsigned> locked;          // host memory: how often
  std::unordered_map<uint64_t, Kernel> kernels; // by kernel object
  std::map<uint64_t, bool> executables;         // frozen?
  std::unordered_map<uint64_t, AgentFacts> agents;
  // The runtime takes no packet before it was told of it or of a later one, so one that is not there was not taken.
  bool waits_for_doorbell = false;

  // Work goes under way, after its completion signal was looked at.
  void add(Work work);
  // Forgets work that has ended.
  void sweep();
  // Work of the queue is not waited for any more: the queue has gone or is lost.
  void drop(const hsa_queue_t* queue);
  // The signal goes: whether work that completes it is under way cannot be told any more.
  void forget_signal(uint64_t handle);
  const std::list<Work>& under_way() const noexcept { return work_; }
  // The host is about to change the signal's value, or has done it.
  void before_change(Signal& signal, uint64_t handle);
  void after_change(Signal& signal, uint64_t handle);

  // The signal when it can be used; else a finding is written. 0 is for the caller to look at.
  Signal* usable(uint64_t handle, std::string_view where);
  Queue* usable(const hsa_queue_t* handle, std::string_view where);

  // The allocation (or locked memory) that the address lies in, as the runtime tells.
  struct Place {
    Range range;
    hsa_amd_pointer_type_t type = HSA_EXT_POINTER_TYPE_UNKNOWN;
    hsa_agent_t owner{};
    uint32_t flags = 0;
  };
  Place place_of(const void* address) const;
  const Allocation* allocation_at(uint64_t address) const;
  bool may_access(hsa_agent_t agent, const Place& place) const;

private:
  void observe(Signal& signal, uint64_t handle);
  bool ended(const Work& work) const;

  std::mutex mutex_;
  std::list<Work> work_;
};

Book& book() noexcept;

// Looks at the packets that the doorbell's new value tells of. Returns what the runtime is to be told in its place;
// nothing while a packet before it was not seen, or when the runtime knows. The book is locked.
std::optional<uint64_t> check_packets(Book& book, Queue& queue, uint64_t rung, std::string_view where);

} // namespace hip::hsa_check
