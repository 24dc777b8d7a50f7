#include "runtime/engine/decode/llvm_memory.h"

#include <llvm/Support/ErrorHandling.h>
#include <mutex>
#include <new>

namespace hip::engine {

void let_llvm_throw() {
  static std::once_flag once; // LLVM takes one handler
  std::call_once(once, [] {
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); });
  });
}

} // namespace hip::engine
