// runtime/core/graph/leaving.h - executable graphs that were destroyed while their work is under way. They live until it ends:
// their commands are in use, and so may be what their users' objects stand for.
#pragma once

#include "runtime/core/graph/graph_exec.h"

#include <memory>

namespace hip::core {

// Drops the executable as soon as none of its work is under way and no other thread is about to launch it, also when the program
// makes no further call: it may wait for the destructor of a user's object, which a thread of the runtime calls then. Thread
// safety: any thread.
void drop_when_idle(std::shared_ptr<GraphExec> exec);

} // namespace hip::core
