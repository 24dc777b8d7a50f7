// runtime/engine/compile/codegen/host_code.h - from LLVM IR to an x86-64 object: the host's target, the passes over the
// IR, and LLVM's code generator. The translator uses it for regions, the build for the library's functions that are
// called out of line (library_code.cpp).
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/compile/translator.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <memory>

namespace llvm {
class Module;
class TargetMachine;
}

namespace hip::engine::compile {

class HostCode {
public:
  static Result<HostCode> create(const HostCpu& host);
  ~HostCode();
  HostCode(HostCode&&) noexcept;

  // Before code is added to the module.
  void set_target(llvm::Module& module) const;
  // The module's code is for this host; all functions but regions are its own, and inlined unless they say otherwise.
  void prepare(llvm::Module& module) const;
  // `cancelled`: then the rest is left out. `quick`: by few passes, which cost half as much; of the code they make
  // LLVM's generator makes 1 % more instructions.
  void optimise(llvm::Module& module, Optimise how, bool rounds, llvm::function_ref<bool()> cancelled,
                bool quick = false) const;
  Result<std::vector<std::byte>> generate(llvm::Module& module) const;

private:
  HostCode(std::unique_ptr<llvm::TargetMachine> machine, HostIsa isa);
  std::unique_ptr<llvm::TargetMachine> machine_;
  HostIsa isa_;
};

} // namespace hip::engine::compile
