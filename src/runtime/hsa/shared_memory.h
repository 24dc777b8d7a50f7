// runtime/hsa/shared_memory.h - allocations that other processes map by a handle, and this one, at other addresses. A
// handle of HSA's has 32 bytes, one of the back end's (backend/virtual_memory.h) 64, so HSA's names a page of shared
// memory that holds the other one. Thread safety: any thread.
#pragma once

#include "runtime/hsa/memory.h"

#include "runtime/backend/virtual_memory.h"
#include "runtime/base/shared_file.h"

#include <map>
#include <mutex>

namespace hip::hsa {

class SharedMemory {
public:
  // Both outlive this object.
  SharedMemory(Agent& gpu, Memory& memory) noexcept
      : gpu_(gpu), virtual_(*gpu.device().virtual_memory()), memory_(memory) {}
  ~SharedMemory();

  // Of a whole allocation of a pool of a GPU; good while it and this process live.
  hsa_status_t create(void* base, size_t bytes, hsa_amd_ipc_memory_t* handle);
  // The allocation is freed: nobody opens its handle any more.
  void forget(void* base);
  // HSA_STATUS_ERROR_INVALID_ARGUMENT for what is no handle, or whose owner has gone.
  hsa_status_t attach(const hsa_amd_ipc_memory_t& handle, size_t bytes, void** out);
  hsa_status_t detach(void* base);

private:
  Agent& gpu_;
  backend::VirtualMemory& virtual_;
  Memory& memory_;
  std::mutex mutex_;
  std::map<void*, SharedPage> pages_; // of what was shared, by its first address
  std::map<void*, size_t> attached_;
};

} // namespace hip::hsa
