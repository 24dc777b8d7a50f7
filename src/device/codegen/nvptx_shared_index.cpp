// A pass for device code of NVIDIA GPUs that takes the constant out of indices of 32 bits into shared memory: of
// s[i + 4] it makes s[i] and 16 bytes behind that, which is part of the load or store itself.
//
// Addresses have 64 bits, so that an unsigned i is widened, and i + 4, which may wrap around, is widened as a whole:
// each such access has an address of its own, computed and kept in a register. nvcc has addresses of 32 bits for shared
// memory, where nothing is lost. Here the limit of what shared memory holds does as much. An index v of what is there
// is less than 2^31, so i = v - 4 is, as a signed number, exactly v - 4, whether the sum wrapped or not.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Vectorize/LoadStoreVectorizer.h>

#include <vector>

#include "passes.h"

namespace omnihip::codegen {
namespace {

namespace pattern = llvm::PatternMatch;
using llvm::PatternMatch::m_Add;
using llvm::PatternMatch::m_ConstantInt;
using llvm::PatternMatch::m_DisjointOr;
using llvm::PatternMatch::m_Value;
using llvm::PatternMatch::m_ZExt;

constexpr unsigned kShared = 3;             // the address space
constexpr int64_t kLargestOffset = 1 << 20; // far above what shared memory holds, far below 2^31

bool is_shared(const llvm::Value& pointer) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(&pointer, 0));
  return variable && variable->getAddressSpace() == kShared;
}

// The address is of something in the variable: the language says so, or it is accessed there and nothing else.
bool stays_inside(const llvm::GetElementPtrInst& address) {
  if (address.isInBounds()) return true;
  for (const llvm::User* user : address.users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    const bool accesses = llvm::isa<llvm::LoadInst>(user) || (store && store->getValueOperand() != &address);
    if (!accesses) return false;
  }
  return true;
}

// One that is behind the constant of an index; `index` is the part of 32 bits that varies.
struct Split {
  llvm::Value* index;
  int64_t constant;
};
bool split(llvm::Value* wide, Split& result) {
  llvm::Value* narrow = nullptr;
  if (!pattern::match(wide, m_ZExt(m_Value(narrow))) || !narrow->getType()->isIntegerTy(32)) return false;
  result = {narrow, 0};
  llvm::Value* rest = nullptr;
  llvm::ConstantInt* constant = nullptr;
  const bool sum = pattern::match(narrow, m_Add(m_Value(rest), m_ConstantInt(constant))) ||
                   pattern::match(narrow, m_DisjointOr(m_Value(rest), m_ConstantInt(constant)));
  if (sum && std::abs(constant->getSExtValue()) < kLargestOffset) result = {rest, constant->getSExtValue()};
  return true;
}

} // namespace

llvm::PreservedAnalyses NvptxSharedIndexPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!function.getParent()->getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  std::vector<llvm::GetElementPtrInst*> addresses;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    Split parts;
    if (address && !address->getType()->isVectorTy() && split(*std::prev(address->op_end()), parts) &&
        is_shared(*address) && stays_inside(*address))
      addresses.push_back(address);
  }
  bool changed = false;
  for (llvm::GetElementPtrInst* address : addresses) {
    Split parts;
    llvm::Value* const wide = *std::prev(address->op_end());
    if (!split(wide, parts)) continue;
    llvm::IRBuilder<> build(address);
    auto* const begin = llvm::cast<llvm::GetElementPtrInst>(address->clone());
    begin->setNoWrapFlags(llvm::GEPNoWrapFlags::none()); // it may lie before the variable
    begin->setOperand(begin->getNumOperands() - 1, build.CreateSExt(parts.index, wide->getType()));
    build.Insert(begin);
    llvm::Value* const behind = parts.constant == 0
                                    ? static_cast<llvm::Value*>(begin)
                                    : build.CreateGEP(address->getResultElementType(), begin,
                                                      llvm::ConstantInt::getSigned(wide->getType(), parts.constant));
    begin->takeName(address);
    address->replaceAllUsesWith(behind);
    address->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(wide);
    changed = true;
  }
  return kept_with_branches(changed);
}

// LLVM's own pass does this in the code generator, too, but behind one that computes addresses from each other, so that
// what they are multiples of cannot be seen any more.
llvm::PreservedAnalyses NvptxWideAccessPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!function.getParent()->getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass()); // neighbours are seen by their common address
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::LoadStoreVectorizerPass());
  return passes.run(function, analyses);
}

} // namespace omnihip::codegen
