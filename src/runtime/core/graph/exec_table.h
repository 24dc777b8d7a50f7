// runtime/core/graph/exec_table.h - the handles of executable graphs (hipGraphExec_t), and the executables that were
// destroyed while their work was under way, which stay until it has ended.
// Thread safety: all functions may be called from any thread that holds no lock of the runtime, because the destructor
// of an executable may call destructors of users' objects. The locks of the table and of the list of executables that
// are leaving are leaves, and no executable is destroyed under them. Whether an executable's work has ended is asked
// under the executable's own lock; destroy_exec() marks it as destroyed under graph_mutex().
#pragma once

#include "runtime/core/graph/graph_exec.h"

namespace hip::core {

// A new executable, known by its handle until destroy_exec. Errors: as GraphExec::create.
Result<Handle> instantiate(Handle graph, uint64_t flags, Handle& error_node);
// The executable of a handle. Error: InvalidValue for what is none, or was destroyed.
Result<std::shared_ptr<GraphExec>> find_exec(Handle exec);
// Work of the executable that is under way runs to its end. Error: InvalidValue.
Status destroy_exec(Handle exec);
// Executables that were destroyed while their work was under way go with the next call that finds it done: a part
// of after_host_query(), for a program may wait for the destructor of a user's object next.
void drop_ended_execs() noexcept;

} // namespace hip::core
