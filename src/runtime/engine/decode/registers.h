// runtime/engine/decode/registers.h - LLVM's register numbers as operands: one table row per register, made once per
// decoder from register names, encodings and class sizes.
#pragma once

#include "runtime/engine/decode/raw_inst.h"
#include "runtime/engine/target/target.h"

#include <vector>

namespace llvm {
class MCRegisterInfo;
}

namespace hip::engine {

// Row n is LLVM's register n; rows of registers that no operand names have Bank::None. Scalar registers have the index at
// which a wave's block keeps those of `target`.
std::vector<Operand> make_register_table(const llvm::MCRegisterInfo& registers, const Target& target);

} // namespace hip::engine
