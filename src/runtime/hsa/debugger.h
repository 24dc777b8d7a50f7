// runtime/hsa/debugger.h - what debuggers read of the process: `_amdgpu_r_debug`, the list of loaded code objects. It
// has the form of the dynamic linker's list (link.h) and ROCr's version of it: each entry tells where a code object's
// bytes are (its URI) and how far from its file's addresses it lies, and the function of `r_brk` is called before and
// after each change. Thread safety: any thread.
#pragma once

#include "runtime/hsa/executables.h"

namespace hip::hsa {

// An empty list, as hsa_init makes it.
void start_debugger_list() noexcept;
// The code of an executable that has been frozen, and of one that goes. Its entries are the code objects' own.
void show_to_debuggers(std::span<const std::unique_ptr<LoadedCode>> code) noexcept;
void hide_from_debuggers(std::span<const std::unique_ptr<LoadedCode>> code) noexcept;

} // namespace hip::hsa
