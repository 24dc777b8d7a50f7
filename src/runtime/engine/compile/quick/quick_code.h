// runtime/engine/compile/quick/quick_code.h - host code in a few microseconds an instruction: what a translation runs
// until it has earned LLVM's code generator, which makes better code in twenty times the time. For hosts with AVX-512.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/store/host_cpu.h"

#include <cstddef>
#include <vector>

namespace llvm {
class Module;
}

namespace hip::engine::compile {

bool has_quick_code(const HostCpu& host);

// The object of all functions of a module. hipErrorNotSupported, with the instruction, where it has one that quick code
// has no form for: then LLVM's code generator has to.
Result<std::vector<std::byte>> generate_quickly(llvm::Module& module, const HostCpu& host);

} // namespace hip::engine::compile
