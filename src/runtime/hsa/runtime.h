// runtime/hsa/runtime.h - all that is there between the first hsa_init and the last hsa_shut_down of a process. Handles
// of the interface are addresses of objects that this one owns; find() says whether a handle is one of them. Thread
// safety: any thread.
#pragma once

#include "runtime/hsa/callbacks.h"
#include "runtime/hsa/copies.h"
#include "runtime/hsa/executables.h"
#include "runtime/hsa/mappings.h"
#include "runtime/hsa/memory.h"
#include "runtime/hsa/queues.h"
#include "runtime/hsa/shared_memory.h"
#include "runtime/hsa/shared_signals.h"
#include "runtime/hsa/shared_virtual_memory.h"
#include "runtime/hsa/tools.h"

namespace hip::hsa {

class Runtime {
public:
  // Counts references: the first acquire() makes the object, the last release() destroys it.
  static hsa_status_t acquire();
  static hsa_status_t release();
  static Runtime* current() noexcept; // null: not initialised

  ~Runtime();

  const std::vector<std::unique_ptr<Agent>>& agents() const noexcept { return agents_; } // the host first
  Agent& host() noexcept { return *agents_[0]; }
  Agent* first_gpu() noexcept { return agents_.size() > 1 ? agents_[1].get() : nullptr; }

  // Null for handles of nothing.
  Agent* find(hsa_agent_t handle) const noexcept;
  const Pool* find_pool(uint64_t handle) const noexcept;
  const Isa* find(hsa_isa_t handle) const noexcept;
  UserQueue* find(const hsa_queue_t* queue) const;

  // Of a runtime with a GPU; where there is none no handle leads here.
  Signals& signals() noexcept { return *signals_; }
  Callbacks& callbacks() noexcept { return *callbacks_; }
  Memory& memory() noexcept { return *memory_; }
  Copies& copies() noexcept { return *copies_; }
  Mappings& mappings() noexcept { return *mappings_; }
  SharedMemory& shared_memory() noexcept { return *shared_memory_; }
  SharedSignals& shared_signals() noexcept { return *shared_signals_; }
  SharedVirtualMemory& shared_virtual_memory() noexcept { return *shared_virtual_memory_; }
  bool has_memory() const noexcept { return memory_ != nullptr; }

  void add(std::unique_ptr<UserQueue> queue);
  hsa_status_t destroy(hsa_queue_t* queue);

  // Executables and readers: by their handles.
  Executable* add(std::unique_ptr<Executable> executable);
  Reader* add(std::unique_ptr<Reader> reader);
  Executable* find(hsa_executable_t handle) const;
  Reader* find(hsa_code_object_reader_t handle) const;
  hsa_status_t destroy(hsa_executable_t handle);
  hsa_status_t destroy(hsa_code_object_reader_t handle);
  // Calls `what` for each executable until it returns another status than success, which is the result.
  hsa_status_t for_each_executable(const std::function<hsa_status_t(Executable&)>& what) const;

  // What a system-event handler is told; called on the thread of callbacks.
  using EventHandler = hsa_amd_system_event_callback_t;
  void add_event_handler(EventHandler handler, void* data);
  void memory_fault(Agent& agent, const Status& fault);

private:
  Runtime() = default;
  Status initialize();

  std::vector<std::unique_ptr<Agent>> agents_;
  std::unique_ptr<Signals> signals_;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<SharedVirtualMemory> shared_virtual_memory_;
  std::unique_ptr<Mappings> mappings_;
  std::unique_ptr<SharedMemory> shared_memory_;
  std::unique_ptr<SharedSignals> shared_signals_;
  std::unique_ptr<Copies> copies_;
  std::unique_ptr<Callbacks> callbacks_;
  Tools tools_;

  mutable std::mutex mutex_; // guards what follows
  std::map<const hsa_queue_t*, std::unique_ptr<UserQueue>> queues_;
  std::map<uint64_t, std::unique_ptr<Executable>> executables_;
  std::map<uint64_t, std::unique_ptr<Reader>> readers_;
  std::vector<std::pair<EventHandler, void*>> event_handlers_;
};

} // namespace hip::hsa
