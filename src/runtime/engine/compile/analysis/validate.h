// runtime/engine/compile/analysis/validate.h - whether what a pass hands on is what its reader takes for granted. Debug
// builds ask between the passes (translator.cpp), so that a broken pass shows itself and not the code that comes of it.
// Each function returns an error that names the object, or success.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/compile/analysis/facts.h"
#include "runtime/engine/compile/analysis/regions.h"

namespace hip::engine::compile {

// Behind reading: nodes follow each other through all instructions, edges lead where branches do, predecessors are
// those that lead there; instructions have the operation of their kind, and say that they read and write what their
// operands name; renames are of temporaries inside a node.
Status validate_code(const Code& code);
// Behind the facts: pairs have both halves, and every point's state allows for what comes to it.
Status validate_facts(const Code& code, const Facts& facts);
// Behind liveness: what is live at a point is what its instructions read, and what is live behind them.
Status validate_liveness(const Code& code, const Liveness& liveness);
// Behind regions: all that the entry reaches, but for foreign nodes, is in a region; regions are left through headers,
// foreign nodes and barriers alone.
Status validate_regions(const Code& code, const Regions& regions);

} // namespace hip::engine::compile
