// runtime/hsa/memory.h - what memory there is: allocations of pools, host memory that agents may use, and addresses of
// virtual memory. Agents and host reach all of it at the same addresses. Thread safety: any thread.
#pragma once

#include "runtime/hsa/agents.h"
#include "runtime/hsa/status.h"

#include <compare>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace hip::hsa {

class Memory {
public:
  // The pools are what memory that others allocated (HIP in this process) counts as.
  Memory(aql::Agent& agent, const Pool& device, const Pool& host) noexcept
      : agent_(agent), device_(device), host_(host) {}
  ~Memory();

  struct Block {
    size_t bytes = 0;
    hsa_amd_pointer_type_t type = HSA_EXT_POINTER_TYPE_HSA;
    const Pool* pool = nullptr; // of an allocation, and of mapped virtual memory
    bool from_pool = false;     // hsa_amd_memory_pool_allocate gave it
    void* user_data = nullptr;
    struct Farewell {
      const void* pointer; // that it was registered with
      hsa_amd_deallocation_callback_t callback;
      void* data;
    };
    std::vector<Farewell> farewells;
  };
  struct Found {
    uint64_t base = 0;
    Block block;
  };

  static constexpr size_t kGranule = 4096; // allocations are multiples of it

  hsa_status_t allocate(const Pool& pool, size_t bytes, void** out);
  // HSA_STATUS_ERROR_INVALID_ALLOCATION for what is no allocation of a pool.
  hsa_status_t free(void* base);
  // Host memory becomes memory that agents may use, as often as it is unlocked again. Locks may overlap: each byte is
  // the agents' as long as one of them holds it.
  hsa_status_t lock(void* base, size_t bytes);
  // Of several locks that begin there, the shortest ends first, so that nothing is unlocked too early.
  hsa_status_t unlock(void* base);

  // Notes and forgets memory that others made: mapped virtual memory and memory of other processes.
  void add(void* base, Block block);
  bool remove(void* base);

  // The block that the address lies in; of several locks that hold it, the one that begins last.
  std::optional<Found> find(const void* address) const;
  // Changes the block that find() gives a copy of; false: no block holds the address.
  bool change(const void* address, const std::function<void(Block&)>& how);

private:
  struct Range {
    uint64_t begin, end;
    auto operator<=>(const Range&) const = default;
  };
  struct Lock {
    Block block;
    uint32_t count = 1; // calls of lock() with this range less those of unlock()
  };
  using Locks = std::map<Range, Lock>;
  struct Held {
    uint64_t base = 0;
    Block* block = nullptr; // null: nothing holds the address
  };
  Held holding(uint64_t address);
  // The parts of the range that no lock holds, by address.
  std::vector<Range> unlocked_parts(const Range& range) const;
  // Ends a lock: the agent loses what no other lock holds.
  Status drop(Locks::iterator lock);
  Status withdraw(const Range& part);

  aql::Agent& agent_;
  const Pool &device_, &host_;
  mutable std::mutex mutex_;
  std::map<uint64_t, Block> blocks_; // by their first address, disjoint; those of locks are in locks_
  Locks locks_;                      // their union is registered with the agent, every byte once
  uint64_t longest_lock_bytes_ = 0;  // of all that there have been
};

} // namespace hip::hsa
