// runtime/engine/compile/read/float_mode.h - what MODE is at each instruction, as far as it follows from what it is at
// the entry and from instructions that set it; and what floating-point instructions do under it. Denormals are flushed
// beside the strips; what rounds otherwise than to nearest does so by the host's control word (emit/float_control.h).
// What has another rule for NaNs, limits overflows of f16, and what may be executed under more than one MODE, is left
// to the elements that look at MODE (interpret/by_mode.h).
#pragma once

#include "runtime/engine/compile/read/code.h"

namespace hip::engine::compile {

// Fills in Instr::mode, flushes and rounding, Code::rounds and usual_mode, and makes instructions Called or Foreign. To
// be called before nodes are built. `at_entry`: kFloatMode of waves where they enter the function; functions that it
// calls are taken to hand MODE back as it was (waves that come back with another one do not enter the translation).
void follow_float_mode(const Library& library, Code& code, uint32_t at_entry);

} // namespace hip::engine::compile
