// runtime/hsa/memory.h - what memory there is: allocations of pools, host memory that agents may use, and addresses of
// virtual memory. Agents and host reach all of it at the same addresses. Thread safety: any thread.
#pragma once

#include "runtime/hsa/agents.h"
#include "runtime/hsa/status.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>

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
    uint32_t locks = 0;     // of locked memory: hsa_amd_memory_lock less hsa_amd_memory_unlock
    bool announced = false; // of locked memory: to the agent, by this very block
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
  // Host memory becomes memory that agents may use, as often as it is unlocked again.
  hsa_status_t lock(void* base, size_t bytes);
  hsa_status_t unlock(void* base);

  // Notes and forgets memory that others made: mapped virtual memory and memory of other processes.
  void add(void* base, Block block);
  bool remove(void* base);

  // The block that the address lies in.
  std::optional<Found> find(const void* address) const;
  // Changes the block that begins at `base`, or holds it when `anywhere`; false: there is none.
  bool change(const void* address, bool anywhere, const std::function<void(Block&)>& how);

private:
  using Blocks = std::map<uint64_t, Block>;
  Blocks::iterator holding(uint64_t address);
  Blocks::const_iterator holding(uint64_t address) const { return const_cast<Memory*>(this)->holding(address); }

  aql::Agent& agent_;
  const Pool &device_, &host_;
  mutable std::mutex mutex_;
  Blocks blocks_; // by their first address, disjoint but for locked parts of locked memory
};

} // namespace hip::hsa
