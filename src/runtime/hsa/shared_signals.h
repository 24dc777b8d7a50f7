// runtime/hsa/shared_signals.h - signals that several processes have (HSA_AMD_SIGNAL_IPC): each lies in a page of
// memory without an address that every process maps. Who waits looks once a millisecond, for a change by another
// process wakes nobody. Thread safety: any thread.
#pragma once

#include "runtime/hsa/agents.h"
#include "runtime/hsa/signals.h"
#include "runtime/hsa/status.h"

#include "runtime/backend/virtual_memory.h"

#include <map>
#include <mutex>

namespace hip::hsa {

class SharedSignals {
public:
  // Both outlive this object.
  SharedSignals(Agent& gpu, Signals& signals) noexcept
      : gpu_(gpu), virtual_(*gpu.device().virtual_memory()), signals_(signals) {}
  ~SharedSignals();

  Result<aql::Signal*> create(int64_t value);
  // HSA_STATUS_ERROR_INVALID_ARGUMENT for a signal that was not created as a shared one.
  hsa_status_t handle_of(aql::Signal& signal, hsa_amd_ipc_signal_t* handle);
  // HSA_STATUS_ERROR_INVALID_ARGUMENT for what is no handle, or whose owner has gone.
  hsa_status_t attach(const hsa_amd_ipc_signal_t& handle, aql::Signal** signal);
  // False: it is none of these.
  bool destroy(aql::Signal& signal) noexcept;

private:
  struct Page {
    Ref<backend::PhysicalMemory> memory;
    int descriptor = -1; // what other processes open; -1 for an attached one
    bool mapped = false;
  };
  Result<aql::Signal*> map(Page page);
  void unmap(void* base, const Page& page) noexcept;

  Agent& gpu_;
  backend::VirtualMemory& virtual_;
  Signals& signals_;
  std::mutex mutex_;
  std::map<aql::Signal*, Page> pages_;
};

} // namespace hip::hsa
