// runtime/engine/compile/quick/quick_code.cpp - see quick_code.h: select, allocate, assemble.
#include "runtime/engine/compile/quick/quick_code.h"

#include "runtime/engine/compile/quick/assemble.h"
#include "runtime/engine/compile/quick/select.h"

#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace hip::engine::compile {
namespace {

bool has(const HostCpu& host, std::string_view feature) { return host.features.find(feature) != std::string::npos; }

} // namespace

bool has_quick_code(const HostCpu& host) { return host.isa == HostIsa::Avx512; }

Result<std::vector<std::byte>> generate_quickly(llvm::Module& module, const HostCpu& host) {
  const quick::HostFeatures features{.vbmi2 = has(host, "+avx512vbmi2"),
                                     .popcnt = has(host, "+avx512vpopcntdq"),
                                     .bf16 = has(host, "+avx512bf16"),
                                     .fp16 = has(host, "+avx512fp16")};
  quick::ConstantPool constants;
  quick::Assembler assembler;
  try {
    for (llvm::Function& f : module) {
      if (f.isDeclaration()) continue;
      const llvm::DominatorTree dominators(f);
      const llvm::LoopInfo loops(dominators);
      const llvm::BranchProbabilityInfo probabilities(f, loops);
      const llvm::BlockFrequencyInfo runs(f, probabilities, loops);
      const quick::Function selected = quick::Selector(f, runs, constants, features).select();
      assembler.add(selected, quick::allocate(selected));
    }
  } catch (const quick::Unsupported& unsupported) {
    return error(ErrorCode::NotSupported, "Quick code has no form for: {}.", unsupported.what);
  }
  return assembler.object(constants);
}

} // namespace hip::engine::compile
