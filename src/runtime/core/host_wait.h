// runtime/core/host_wait.h - what is given back when the host has waited for work.
#pragma once

#include "runtime/core/graph/graph_exec.h"
#include "runtime/core/memory_pool.h"

namespace hip::core {

// To be called behind every wait. Thread safety: any thread, without locks of the runtime, for users' destructors may be called.
inline void after_host_wait() {
  release_pool_surplus();
  drop_ended_execs();
}

} // namespace hip::core
