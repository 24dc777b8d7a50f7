// runtime/engine/compile/read/ahead.h - matrix instructions behind a barrier whose factors were loaded in front of it, as hand-written
// kernels have them whose loads wait for a barrier: they are computed in front of it, together with those there that add to the
// same sums, so that sums are taken into host registers once for all. A wave that faults in between shows sums with them.
#pragma once

#include "runtime/engine/compile/read/code.h"

namespace hip::engine::compile {

struct Ahead {
  bool is_kernel; // its begin is the kernel's
  bool computes;  // else it only knows that others do
};
// Sets Instr::may_be_ahead and is_ahead, Node::ahead, and what barriers read and write then.
void find_ahead(Code& code, Ahead ahead);

} // namespace hip::engine::compile
