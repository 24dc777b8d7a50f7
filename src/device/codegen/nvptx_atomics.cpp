// A pass for device code of NVIDIA GPUs that gives read-modify-write operations their order and their scope.
//
// LLVM 22's code generator writes atomicrmw as PTX's atom without either, which is a relaxed operation at the device's
// scope: no order with other memory, and additions of the host in between are lost. (Loads, stores and compare-and-swap
// have both, so operations that it makes a loop of are right.) Here fences carry the order, as LLVM's own do for
// compare-and-swap, and operations at system scope are written as atom.sys, which there is from sm_60 on.
// clang 22 gives every atomic operation system scope on these GPUs. The functions of <hip/detail/atomics.h> that act at
// less than that are known by their namespace, and NvptxScopesPass gives them their scope before they are inlined;
// __hip_atomic_* and C++'s own have system scope, which is right for any and costs more than less would.
// Increments and decrements that wrap are left alone: clang has them for CUDA's atomicInc and atomicDec only, which are
// relaxed and at the device's scope.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <string>
#include <vector>

#include "passes.h"

namespace omnihip::codegen {
namespace {

using Rmw = llvm::AtomicRMWInst;

// PTX's operation and the letter of its type; null for those that LLVM makes a compare-and-swap loop of.
struct Operation {
  const char* name;
  char type;
};
Operation operation_of(const Rmw& rmw) {
  const llvm::Type* const type = rmw.getType();
  const bool is_whole = type->isIntegerTy(32) || type->isIntegerTy(64);
  const bool is_floating = type->isFloatTy() || type->isDoubleTy();
  switch (rmw.getOperation()) {
  case Rmw::Xchg:
    return is_whole || is_floating || type->isPointerTy() ? Operation{"exch", 'b'} : Operation{};
  case Rmw::Add:
  case Rmw::Sub:
    return is_whole ? Operation{"add", 'u'} : Operation{};
  case Rmw::And:
    return is_whole ? Operation{"and", 'b'} : Operation{};
  case Rmw::Or:
    return is_whole ? Operation{"or", 'b'} : Operation{};
  case Rmw::Xor:
    return is_whole ? Operation{"xor", 'b'} : Operation{};
  case Rmw::Max:
    return is_whole ? Operation{"max", 's'} : Operation{};
  case Rmw::Min:
    return is_whole ? Operation{"min", 's'} : Operation{};
  case Rmw::UMax:
    return is_whole ? Operation{"max", 'u'} : Operation{};
  case Rmw::UMin:
    return is_whole ? Operation{"min", 'u'} : Operation{};
  case Rmw::FAdd:
    return is_floating ? Operation{"add", 'f'} : Operation{};
  default:
    return {};
  }
}

// Moves the order of the operation into fences around it.
void order_by_fences(Rmw& rmw) {
  const llvm::AtomicOrdering order = rmw.getOrdering();
  llvm::IRBuilder<> build(&rmw);
  if (order == llvm::AtomicOrdering::SequentiallyConsistent)
    build.CreateFence(order, rmw.getSyncScopeID());
  else if (llvm::isReleaseOrStronger(order))
    build.CreateFence(llvm::AtomicOrdering::Release, rmw.getSyncScopeID());
  if (llvm::isAcquireOrStronger(order)) {
    build.SetInsertPoint(rmw.getNextNode());
    build.CreateFence(llvm::AtomicOrdering::Acquire, rmw.getSyncScopeID());
  }
  rmw.setOrdering(llvm::AtomicOrdering::Monotonic);
}

bool has_system_scope(const llvm::Function& function) {
  llvm::StringRef cpu = function.getFnAttribute("target-cpu").getValueAsString();
  unsigned number = 0;
  return cpu.consume_front("sm_") && !cpu.consumeInteger(10, number) && number >= 60;
}

void write_with_system_scope(Rmw& rmw, Operation operation) {
  llvm::IRBuilder<> build(&rmw);
  llvm::Type* const type = rmw.getType();
  const unsigned bits = static_cast<unsigned>(rmw.getModule()->getDataLayout().getTypeSizeInBits(type));
  llvm::Value* value = rmw.getValOperand();
  if (rmw.getOperation() == Rmw::Sub) value = build.CreateNeg(value);
  llvm::Type* moved = type;
  if (operation.type != 'f') {
    moved = build.getIntNTy(bits);
    value = build.CreateBitOrPointerCast(value, moved);
  }
  llvm::Value* const address = rmw.getPointerOperand();
  const unsigned space = address->getType()->getPointerAddressSpace();
  const std::string code = std::string("atom") +
                           (space == 1   ? ".global"
                            : space == 3 ? ".shared"
                                         : "") +
                           ".sys." + operation.name + "." + operation.type + std::to_string(bits) + " \t$0, [$1], $2;";
  const char* const letter = operation.type == 'f' ? (bits == 32 ? "f" : "d") : (bits == 32 ? "r" : "l");
  const std::string constraints = std::string("=") + letter + (space == 3 ? ",r," : ",l,") + letter + ",~{memory}";
  auto* const assembly = llvm::InlineAsm::get(llvm::FunctionType::get(moved, {address->getType(), moved}, false), code,
                                              constraints, /*hasSideEffects=*/true);
  llvm::CallInst* const call = build.CreateCall(assembly, {address, value});
  call->addFnAttr(llvm::Attribute::NoUnwind);
  rmw.replaceAllUsesWith(build.CreateBitOrPointerCast(call, type));
  rmw.eraseFromParent();
}

// The scope of operations in this function, as LLVM calls it; null: as they are.
const char* scope_of(llvm::StringRef mangled) {
  if (mangled.contains("14__hip_internal13atomic_device")) return "device";
  if (mangled.contains("14__hip_internal12atomic_block")) return "block";
  return nullptr;
}

} // namespace

llvm::PreservedAnalyses NvptxScopesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  if (!module.getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  for (llvm::Function& function : module) {
    const char* const name = scope_of(function.getName());
    if (!name) continue;
    const llvm::SyncScope::ID scope = module.getContext().getOrInsertSyncScopeID(name);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* const rmw = llvm::dyn_cast<Rmw>(&instruction)) rmw->setSyncScopeID(scope);
      if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) exchange->setSyncScopeID(scope);
    }
  }
  return kept_with_branches(true);
}

llvm::PreservedAnalyses NvptxAtomicsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!function.getParent()->getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  const bool system_scope = has_system_scope(function);
  std::vector<Rmw*> all;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* const rmw = llvm::dyn_cast<Rmw>(&instruction))
      if (operation_of(*rmw).name) all.push_back(rmw);
  for (Rmw* rmw : all) {
    order_by_fences(*rmw);
    if (system_scope && rmw->getSyncScopeID() == llvm::SyncScope::System && !rmw->isVolatile())
      write_with_system_scope(*rmw, operation_of(*rmw));
  }
  return kept_with_branches(!all.empty());
}

} // namespace omnihip::codegen
