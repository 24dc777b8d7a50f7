// runtime/engine/compile/analysis/roots.h - compilers write a square root as a dozen instructions: tiny numbers scaled up,
// v_sqrt, its neighbours tried, scaled back, 0 and infinity apart; and 1 / sqrt as v_rsq between two scalings. Where
// v_sqrt is rounded correctly and both take denormals, the end of such a sequence is one of these two instructions on
// the number that it started from; what only led there is dead then.
#pragma once

#include "runtime/engine/compile/analysis/facts.h"

namespace hip::engine::compile {

// Sets Instr::instead of every v_cndmask that ends a whole sequence; each step is looked at, so one that is made
// differently keeps its own result. A sequence lies within a node, so EXEC does not change in it.
void find_roots(Code& code, const Library& library, const Facts& facts);

} // namespace hip::engine::compile
