// hipcc/ptx.h - what has to be mended in the PTX that clang writes before ptxas or the driver reads it.
#pragma once

#include <string>

namespace hip::hipcc {

// Mends a PTX file in place. Throws DriverError when it cannot be read or written.
void mend_ptx(const std::string& path);

// The same for PTX in memory:
// - clang calls the storage of a managed variable "name.managed", which is no PTX identifier; it becomes
// "name$managed".
// - LLVM keeps floating-point values in untyped registers (.b64) and stores their low bytes directly
//   ("mul.f64 %rd4, ...; st.global.b8 [a], %rd4"). ptxas (13.0, and the driver's) knows from the multiplication that
//   the register holds a number and converts it to an integer of the stored width instead of taking its low bits.
//   Behind a "mov.b64" it does not, so each store of less than its register goes through one; the move takes no
//   instruction.
std::string mended_ptx(const std::string& text);

} // namespace hip::hipcc
