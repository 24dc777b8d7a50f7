// runtime/engine/store/line_table.h - which source line the code at an address comes from, read straight out of
// .debug_line (DWARF 2 to 5, sections 6.2.2 to 6.2.5). Every lookup runs the line number programs until it has found
// the address, which is fast enough for fault reports, and no index has to be built or kept. This reader is our own because
// LLVM's needs its whole object file library (1.4 MB of code in the engine), and because this one accepts untrusted bytes.
#pragma once

#include "runtime/codeobject/bytes.h"

namespace hip::engine {

// The line of `address` in `debug_line`, whose addresses have been relocated; 0 when it has none or the bytes are malformed.
// Neither allocates nor locks, so that a signal handler may call it.
uint32_t line_at(codeobject::Bytes debug_line, uint64_t address) noexcept;

} // namespace hip::engine
