// runtime/engine/compile/read/renames.h - temporaries get registers of their own. Compilers compute an address into the
// register that the load then writes. Where EXEC is partial that register's inactive lanes stay what they were, so
// nothing is known of it, and the access goes lane by lane. In a register that nobody else uses, all lanes may be
// written, and the address has facts.
#pragma once

#include "runtime/engine/compile/read/code.h"

namespace hip::engine::compile {

// Renames what can be, and says so in `code.renames`: who leaves the code in between has to put things right.
void rename_temporaries(Code& code);

} // namespace hip::engine::compile
