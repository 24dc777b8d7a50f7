// runtime/backend/aql/external.h - memory and semaphores of other interfaces for agents that eat AQL packets. Memory is
// the agent's doing. Semaphores are the host's: without a graphics driver, descriptors that processes synchronise by
// are
//   - an eventfd, as an opaque semaphore: a signal adds one to its counter, a wait reads it, which blocks while it is
//   zero
//     and then takes the counter (or one of it, of an eventfd made with EFD_SEMAPHORE);
//   - a file (memfd) of at least eight bytes, as a timeline semaphore: the first eight are its value, in the host's
//   byte
//     order; a signal raises it, a wait ends when it is reached.
// Thread safety: any thread. Memory ordering: what was done before a signal is seen behind the wait that it ends.
#pragma once

#include "runtime/backend/external.h"

#include <functional>

namespace hip::aql {

class Agent;

class HostSemaphore : public backend::ExternalSemaphore {
public:
  // Error: InvalidValue for a descriptor that is closed or of another kind.
  static Result<Ref<backend::ExternalSemaphore>> import(const backend::ExternalSemaphoreSource& source);
  // True: whoever is waited for may be gone, so the call returns with nothing done. Asked now and then.
  using GivesUp = std::function<bool()>;
  virtual void signal(uint64_t value, const GivesUp& gives_up) noexcept = 0; // blocks while an eventfd is full
  virtual void wait(uint64_t value, const GivesUp& gives_up) noexcept = 0;   // blocks
};

class External final : public backend::ExternalObjects {
public:
  explicit External(Agent& agent) noexcept : agent_(agent) {}
  Result<Ref<backend::ExternalMemory>> import_memory(const backend::ExternalMemorySource& source) override;
  Result<Ref<backend::ExternalSemaphore>> import_semaphore(const backend::ExternalSemaphoreSource& source) override {
    return HostSemaphore::import(source);
  }

private:
  Agent& agent_;
};

} // namespace hip::aql
