// runtime/engine/decode/llvm_memory.h - what LLVM does when it gets no memory.
#pragma once

namespace hip::engine {

// From now on LLVM throws std::bad_alloc where it would end the process. It is compiled without exceptions: what it holds on the way
// out stays allocated. Concerns the LLVM of this shared object; further calls do nothing. Thread safety: any thread.
void let_llvm_throw();

} // namespace hip::engine
