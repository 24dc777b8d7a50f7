// runtime/backend/aql/soft/shared_system.h - one set of threads, memory and engine for all libraries of the process
// that have software GPUs (libamdhip64 and libhsa-runtime64): the first that wants agents makes the system, the others
// get their agents from it. Each exports `__omnihipSoftwareGpus`, by which the others find it; a library of another
// build is left alone. The library that made the system is never unloaded. Thread safety: any thread; two libraries
// that begin at the same moment have a system each.
#pragma once

#include "runtime/backend/aql/agent.h"

namespace hip::aql::soft {

// What a library offers to others of the same build.
struct Offer {
  const char* build; // of what others see: types and compiler
  // Agents over the system of this library; nothing when it has none.
  Result<std::optional<std::vector<std::unique_ptr<Agent>>>> (*agents)();
};
const Offer& own_offer() noexcept;

// The same of another library of the process, if one has a system.
Result<std::optional<std::vector<std::unique_ptr<Agent>>>> agents_of_others();

} // namespace hip::aql::soft
