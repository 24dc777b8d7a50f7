// runtime/engine/compile/read/loops.h - which nodes of a function are in loops.
#pragma once

#include "runtime/engine/compile/read/code.h"

namespace hip::engine::compile {

// Sets Node::comes_back and Node::loop of all nodes, in a time that is proportional to their number.
void find_loops(Code& code);

} // namespace hip::engine::compile
