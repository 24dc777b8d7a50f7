// runtime/backend/aql/soft/engine_library.h - finds and opens the engine's shared object. It stays loaded: threads may
// be inside it until the process ends.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/engine.h"

#include <memory>

namespace hip::aql::soft {

// OMNIHIP_ENGINE when set; else libomnihip_engine.so beside the object that holds this code; else wherever the dynamic
// linker finds one. hipErrorSharedObjectInitFailed names what was tried.
Result<std::unique_ptr<engine::Engine>> open_engine(const engine::AddressSpace& space);

} // namespace hip::aql::soft
