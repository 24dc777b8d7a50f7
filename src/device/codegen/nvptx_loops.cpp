// Passes for device code of NVIDIA GPUs that look at loops.
//
// LLVM unrolls loops whose number of rounds is known at run time alone, and computes that number before each. For a
// step like blockDim.x it takes a division, twenty instructions and more. In front of a kernel's only loop that is paid
// once. A loop inside another one pays for each of its own beginnings, and often has a round or two: the sum of a block
// in shared memory does. Those stay as they are.
//
// Others LLVM would leave alone although they take no division: their number of rounds has several parts. Those that
// load, inside another loop, are unrolled by four, as nvcc does, so that four loads are on their way at once. LLVM's
// own choice of eight would leave short loops to the remainder, one load at a time. What LLVM is told to unroll it
// marks as done, which NVIDIA's assembler obeys, too; it would go on, and does where the mark is replaced.
//
// And where the number of rounds is a constant, the assembler unrolls further, if it sees the number: if what is
// compared is what is counted, and the branch behind it goes back to the loop's beginning. LLVM counts in 32 bits and
// addresses in 64, and its code generator keeps the address alone and compares a part of it, which costs nothing and
// shows nothing. Small loops get a counter of their own here, as nvcc has it. An expectation, which is no instruction,
// hides from the code generator that counter and address are related.
//
// LLVM leaves loops where a condition is true, else goes back. Where the block behind the loop is not the next one when
// instructions are selected, that becomes two branches in PTX, a conditional one that leaves and one that goes back
// always, since the code generator cannot turn conditions of NVPTX around later. ptxas then does not see a counted loop
// and does not unroll it: a loop of one multiply-add took twice as long as nvcc's.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "passes.h"

namespace omnihip::codegen {
namespace {

constexpr unsigned kCopies = 4;
constexpr unsigned kCheap = 4;          // up to which LLVM takes a number of rounds for free to compute
constexpr size_t kLargest = 60;         // instructions of a loop that becomes four
constexpr size_t kLargestCounted = 140; // of one that is counted apart; larger ones gain little when unrolled further

bool divides(const llvm::SCEV* expression) {
  return llvm::SCEVExprContains(expression, [](const llvm::SCEV* part) {
    const auto* division = llvm::dyn_cast<llvm::SCEVUDivExpr>(part);
    return division && !llvm::isa<llvm::SCEVConstant>(division->getRHS());
  });
}

// A loop of one block that loads, without what must not be copied.
bool is_small_and_loads(const llvm::Loop& loop) {
  if (loop.getNumBlocks() != 1 || !loop.getLoopPredecessor() || loop.getHeader()->size() > kLargest) return false;
  bool loads = false;
  for (const llvm::Instruction& instruction : *loop.getHeader()) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && (call->isConvergent() || call->cannotDuplicate() || call->isInlineAsm())) return false;
    loads |= llvm::isa<llvm::LoadInst>(instruction);
  }
  return loads;
}

// Tells LLVM to unroll, and what the unrolled loop is marked with instead of "done".
void unroll(llvm::Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  const auto text = [&](const char* name) -> llvm::Metadata* { return llvm::MDString::get(context, name); };
  llvm::Metadata* const count =
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), kCopies));
  llvm::Metadata* const progress = llvm::MDNode::get(context, {text("llvm.loop.mustprogress")});
  loop.setLoopID(llvm::makePostTransformationMetadata(
      context, loop.getLoopID(), {"llvm.loop.unroll."},
      {llvm::MDNode::get(context, {text("llvm.loop.unroll.count"), count}),
       llvm::MDNode::get(context, {text("llvm.loop.unroll.followup_unrolled"), progress})}));
}

// The comparison that a conditional branch alone depends on; null: another condition.
llvm::CmpInst* comparison_of(llvm::BasicBlock* block) {
  auto* const branch = block ? llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional()) return nullptr;
  auto* const compare = llvm::dyn_cast<llvm::CmpInst>(branch->getCondition());
  return compare && compare->hasOneUse() ? compare : nullptr;
}

// A counter of 32 bits that is extended to 64, as an address wants it.
bool is_extended(const llvm::Value& counter) {
  return llvm::any_of(counter.users(), [](const llvm::User* user) {
    return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(user) && user->getType()->isIntegerTy(64);
  });
}

size_t size_of(const llvm::Loop& loop) {
  size_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
  return size;
}

bool count_apart(llvm::Loop& loop, unsigned rounds) {
  llvm::BasicBlock* const latch = loop.getLoopLatch();
  if (!latch || loop.getExitingBlock() != latch || size_of(loop) > kLargestCounted) return false;
  auto* const compare = llvm::dyn_cast_or_null<llvm::ICmpInst>(comparison_of(latch));
  if (!compare || !llvm::isa<llvm::ConstantInt>(compare->getOperand(1))) return false;
  auto* const counter = llvm::dyn_cast<llvm::Instruction>(compare->getOperand(0));
  if (!counter || !counter->getType()->isIntegerTy(32)) return false;
  bool addresses = is_extended(*counter);
  for (llvm::Value* operand : counter->operands()) // what it was in this round
    addresses |= llvm::isa<llvm::PHINode>(operand) && is_extended(*operand);
  if (!addresses) return false;
  llvm::BasicBlock* const header = loop.getHeader();
  llvm::IRBuilder<> build(header, header->begin());
  llvm::PHINode* const done = build.CreatePHI(build.getInt32Ty(), 2);
  build.SetInsertPoint(latch->getTerminator());
  llvm::Value* const sum = build.CreateAdd(done, build.getInt32(1));
  llvm::Value* const next =
      build.CreateIntrinsic(llvm::Intrinsic::expect, {sum->getType()}, {sum, build.getInt32(rounds)});
  for (llvm::BasicBlock* before : llvm::predecessors(header))
    done->addIncoming(before == latch ? next : build.getInt32(0), before);
  auto* const branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
  const bool ends = branch->getSuccessor(0) != header;
  branch->setCondition(
      build.CreateICmp(ends ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE, next, build.getInt32(rounds)));
  compare->eraseFromParent();
  return true;
}

// Makes the branch go to its second successor where its condition is true.
void turn_around(llvm::BranchInst& branch) {
  llvm::Value* const condition = branch.getCondition();
  auto* const comparison = llvm::dyn_cast<llvm::CmpInst>(condition);
  if (comparison && comparison->hasOneUse())
    comparison->setPredicate(comparison->getInversePredicate());
  else
    branch.setCondition(llvm::IRBuilder<>(&branch).CreateNot(condition));
  branch.swapSuccessors();
}

bool branch_back_if_true(const llvm::Loop& loop) {
  bool changed = false;
  llvm::SmallVector<llvm::BasicBlock*, 2> latches;
  loop.getLoopLatches(latches);
  for (llvm::BasicBlock* latch : latches) {
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
    if (!branch || !branch->isConditional()) continue;
    if (branch->getSuccessor(1) != loop.getHeader() || branch->getSuccessor(0) == loop.getHeader()) continue;
    turn_around(*branch);
    changed = true;
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses NvptxUnrollPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!function.getParent()->getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::SCEVExpander expander(evolution, "");
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    // What the program says of a loop stays.
    if (loop->getLoopDepth() < 2 || llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified) continue;
    const llvm::SCEV* rounds = evolution.getBackedgeTakenCount(loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute, llvm::SCEVConstant>(rounds)) continue;
    if (divides(rounds))
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
    else if (is_small_and_loads(*loop) &&
             expander.isHighCostExpansion(rounds, loop, kCheap, &costs, loop->getLoopPredecessor()->getTerminator()))
      unroll(*loop);
  }
  return llvm::PreservedAnalyses::all(); // metadata alone
}

llvm::PreservedAnalyses NvptxLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!function.getParent()->getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (const unsigned rounds = evolution.getSmallConstantTripCount(loop)) changed |= count_apart(*loop, rounds);
    changed |= branch_back_if_true(*loop);
  }
  return kept_with_branches(changed);
}

} // namespace omnihip::codegen
