// runtime/core/host_wait.h - what is given back when the host has waited for work, or asked whether it is done.
#pragma once

#include "runtime/core/graph/exec_table.h"
#include "runtime/core/pool_list.h"

namespace hip::core {

// To be called when work was found to be done. Thread safety of both: any thread, without locks of the runtime, for
// users' destructors may be called.
inline void after_host_query() noexcept {
  drop_ended_execs();
  give_back_graph_memory();
}
// To be called behind every wait.
inline void after_host_wait() noexcept {
  release_pool_surplus();
  after_host_query();
}

} // namespace hip::core
