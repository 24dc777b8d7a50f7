// runtime/hsa/mappings.h - virtual memory of HSA's users: memory without an address (hsa_amd_vmem_alloc_handle_t), and
// where it is mapped. Mappings are blocks of the list of memory, so that pointers into them are known. Thread safety:
// any thread.
#pragma once

#include "runtime/hsa/shared_virtual_memory.h"

#include "runtime/backend/virtual_memory.h"

#include <map>
#include <mutex>

namespace hip::hsa {

class Mappings {
public:
  // `gpu`: whose memory it is; all outlive this object.
  Mappings(Agent& gpu, Memory& memory, SharedVirtualMemory& shared) noexcept
      : gpu_(gpu), virtual_(*gpu.device().virtual_memory()), memory_(memory), shared_(shared) {}
  ~Mappings();

  hsa_status_t reserve(size_t bytes, uint64_t wish, uint64_t alignment, void** out);
  // Memory of the process, which agents reach once they are given access (SharedVirtualMemory).
  hsa_status_t allocate_process_memory(size_t bytes, uint64_t wish, uint64_t alignment, void** out);
  hsa_status_t release(void* base, size_t bytes);
  // The reserved addresses that `address` is one of, as a block.
  std::optional<Memory::Found> reservation(const void* address) const;
  hsa_status_t create(const Pool& pool, size_t bytes, hsa_amd_memory_type_t type, uint64_t* handle);
  hsa_status_t import(int descriptor, uint64_t* handle);
  hsa_status_t export_to(uint64_t handle, int* descriptor);
  // Ends a reference. After the last one the memory lives as long as it is mapped; its handle can be used again once
  // handle_at() has given another reference.
  hsa_status_t drop(uint64_t handle);
  hsa_status_t map(void* base, size_t bytes, size_t offset, uint64_t handle);
  hsa_status_t unmap(void* base, size_t bytes);
  // The permissions of other agents stay what they are. Pages have one protection, though, which allows what the agent
  // with the widest permission needs: others may do the same.
  hsa_status_t set_access(void* base, size_t bytes, Agent& agent, hsa_access_permission_t permission);
  hsa_status_t access(const void* address, const Agent& agent, hsa_access_permission_t* permission);
  hsa_status_t handle_at(const void* address, uint64_t* handle);
  hsa_status_t properties(uint64_t handle, const Pool** pool, hsa_amd_memory_type_t* type);

private:
  struct Piece {
    Ref<backend::PhysicalMemory> memory;
    const Pool* pool = nullptr;
    hsa_amd_memory_type_t type = MEMORY_TYPE_NONE;
    uint32_t references = 1; // that the user has: from create(), import() and handle_at(), until drop()
    uint32_t mappings = 0;   // how often it is mapped
  };
  struct Mapping {
    size_t bytes = 0;
    uint64_t handle = 0;
    std::map<const Agent*, hsa_access_permission_t> access; // as it was asked for
  };
  uint64_t add(Piece piece);
  // Null: no piece has this handle, or the user has no reference to it.
  Piece* find(uint64_t handle);
  // Forgets the piece once it has neither references nor mappings.
  void erase_if_unused(std::map<uint64_t, Piece>::iterator piece);
  Mapping* holding(const void* address);

  Agent& gpu_;
  backend::VirtualMemory& virtual_;
  Memory& memory_;
  SharedVirtualMemory& shared_;
  mutable std::mutex mutex_;
  uint64_t next_ = 1;
  std::map<uint64_t, Piece> pieces_;
  std::map<uint64_t, Mapping> mappings_; // by address
  struct Reservation {
    size_t bytes;
    bool process_memory;
  };
  std::map<uint64_t, Reservation> reservations_; // by address
};

} // namespace hip::hsa
