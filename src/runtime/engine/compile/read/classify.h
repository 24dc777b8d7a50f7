// runtime/engine/compile/read/classify.h - instructions that translated code has no way of its own for (Kind::Foreign).
#pragma once

#include "runtime/engine/compile/read/code.h"

namespace hip::engine::compile {

// Tier 0's handler executes it, between regions of translated code.
void set_foreign(Instr& i);
// Likewise, and it may do anything with the registers.
void set_anything(Instr& i);

} // namespace hip::engine::compile
