// runtime/engine/compile/read/divisions.h - compilers write a floating-point division as ten instructions and more: both
// numbers scaled (v_div_scale), a reciprocal, steps that refine it and the quotient, scaling back (v_div_fmas), special
// cases (v_div_fixup). The end of such a sequence is the quotient rounded once, special cases included, which hosts have
// one instruction for; what only led there is dead then.
#pragma once

#include "runtime/engine/compile/read/code.h"

namespace hip::engine::compile {

// Marks (Instr::is_quotient) every v_div_fixup that ends a whole sequence for its own numerator and denominator: each step
// is looked at, so one that is made differently keeps its own result. Lanes that are inactive play no part, for EXEC does not
// change within a sequence that counts.
void find_divisions(Code& code);

} // namespace hip::engine::compile
