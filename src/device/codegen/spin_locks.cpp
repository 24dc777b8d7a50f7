// A pass for AMD GPUs that lets threads of a wave wait for each other, where each takes a lock or waits for its turn by
// itself.
//
// The threads of a wave run in step: those that have left a loop go on when all have left it. So a lock that is taken
// in a loop and released behind it is not released while another thread of the wave wants it, and the kernel does not
// end; likewise a turn that is waited for in a loop and passed on behind it. NVIDIA GPUs since Volta go on with the
// threads that have left. And LLVM makes no difference between
//   while (atomicCAS(lock, 0, 1) != 0);  ...  atomicExch(lock, 0);
// and the form for GPUs whose threads run in step, with the release inside of the loop:
//   for (bool done = false; !done;) if (atomicCAS(lock, 0, 1) == 0) { ... atomicExch(lock, 0); done = true; }
// It sees that nothing follows "done = true" in the loop, and leaves the loop from there.
//
// The pass gives both the second form: what lies between the loop's end and the write that releases becomes a part of
// the loop, and a mark that must not be duplicated (no instruction comes of it) keeps LLVM from finding the short way
// again. What a thread does, and in which order, stays the same. Where this cannot be done, because threads talk to
// each other on the way or the release is not on all ways, a warning says that the kernel may hang.
//
// Both is for what hangs for certain where two threads of a wave come to the loop together: the loop does nothing but
// ask one place in memory, ends by the answer alone, and nothing in front of it picks a single thread. Not seen: loops
// with a second way out (a limit of attempts), calls that are not inlined, and code without optimisation, where values
// are in memory: there the first form hangs and the second does not.
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "passes.h"

namespace omnihip::codegen {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned kDepth = 16; // of expressions that are looked through

uint64_t lanes_of(const llvm::Function& function) {
  const llvm::StringRef features = function.getFnAttribute("target-features").getValueAsString();
  if (features.contains("+wavefrontsize32")) return 32;
  if (features.contains("+wavefrontsize64")) return 64;
  const llvm::StringRef processor = function.getFnAttribute("target-cpu").getValueAsString();
  return processor.starts_with("gfx1") ? 32 : 64;
}

bool has_one_thread(const llvm::Function& function) {
  return function.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString().ends_with(",1");
}

// A thread's number in its block, in one dimension. In the first, neighbours are in one wave.
bool is_thread_number(const llvm::Value* value) {
  return match(value, m_Intrinsic<llvm::Intrinsic::amdgcn_workitem_id_x>());
}

// Differs between two neighbours, or two halves, of a wave of `lanes`: a thread's number, with what is the same in all
// threads, or without bits that leave some of those that count the lanes.
bool differs_in_wave(const llvm::Value* value, const llvm::UniformityInfo& uniformity, uint64_t lanes,
                     unsigned depth = 0) {
  if (depth > kDepth) return false;
  if (is_thread_number(value)) return lanes > 1;
  const auto inside = [&](const llvm::Value* part, uint64_t of) {
    return differs_in_wave(part, uniformity, of, depth + 1);
  };
  const llvm::Value *a, *b;
  const llvm::APInt* number;
  if (match(value, m_ZExtOrSExt(m_Value(a))) || match(value, m_Trunc(m_Value(a)))) return inside(a, lanes);
  if (match(value, m_LShr(m_Value(a), m_APInt(number))) || match(value, m_AShr(m_Value(a), m_APInt(number))))
    return number->ult(16) && inside(a, lanes >> number->getZExtValue());
  if (match(value, m_Shl(m_Value(a), m_APInt(number)))) return number->ult(16) && inside(a, lanes);
  if (match(value, m_And(m_Value(a), m_APInt(number)))) // the low bits, as of a remainder
    return (*number)[0] && inside(a, lanes);
  if (match(value, m_AddLike(m_Value(a), m_Value(b))) || match(value, m_Sub(m_Value(a), m_Value(b))) ||
      match(value, m_Xor(m_Value(a), m_Value(b))))
    return (uniformity.isUniform(a) && inside(b, lanes)) || (uniformity.isUniform(b) && inside(a, lanes));
  // A ticket: what each thread got when it counted.
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(value))
    return update->getOperation() == llvm::AtomicRMWInst::Add && match(update->getValOperand(), m_ConstantInt()) &&
           !match(update->getValOperand(), m_Zero()) && uniformity.isUniform(update->getPointerOperand());
  return false;
}

// Several threads of a wave may find the condition to be `truth` at the same time.
bool holds_for_several(const llvm::Value* condition, bool truth, const llvm::UniformityInfo& uniformity, uint64_t lanes,
                       unsigned depth = 0) {
  if (depth > kDepth) return false;
  if (uniformity.isUniform(condition)) return true;
  const llvm::Value *a, *b;
  if (match(condition, m_Not(m_Value(a)))) return holds_for_several(a, !truth, uniformity, lanes, depth + 1);
  if (truth ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
            : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return holds_for_several(a, truth, uniformity, lanes, depth + 1) &&
           holds_for_several(b, truth, uniformity, lanes, depth + 1);
  const auto* const compare = llvm::dyn_cast<llvm::CmpInst>(condition);
  if (!compare) return false;
  const llvm::CmpInst::Predicate predicate = truth ? compare->getPredicate() : compare->getInversePredicate();
  const llvm::Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  const llvm::APInt* number;
  if (predicate == llvm::CmpInst::ICMP_EQ) { // of one, but for a remainder that several threads of the wave have
    while (match(left, m_ZExtOrSExt(m_Value(a)))) left = a;
    const llvm::APInt* mask;
    return match(left, m_And(m_Value(a), m_APInt(mask))) && is_thread_number(a) &&
           (~mask->getZExtValue() & (lanes - 1)) != 0;
  }
  if (llvm::CmpInst::isEquality(predicate) || llvm::CmpInst::isRelational(predicate))
    return !(match(right, m_APInt(number)) && number->abs().ule(1)); // "less than one" is one thread
  return compare->isFPPredicate(predicate);
}

// The one place in memory that a condition asks.
struct Question {
  llvm::Instruction* access = nullptr;
  llvm::Value* pointer = nullptr;
};

llvm::Value* asked_pointer(llvm::Instruction& instruction) {
  if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && (load->isVolatile() || load->isAtomic()) ? load->getPointerOperand() : nullptr;
}

// Finds the question of a condition; false where it depends on anything else that `inside` computes.
template<class Inside>
bool take_apart(llvm::Value* value, const Inside& inside, Question& question, unsigned depth = 0) {
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !inside(instruction)) return true;
  if (llvm::Value* const pointer = asked_pointer(*instruction)) {
    if (question.access && question.access != instruction) return false;
    question = {instruction, pointer};
    return llvm::all_of(instruction->operands(), [&](llvm::Value* operand) {
      auto* const made = llvm::dyn_cast<llvm::Instruction>(operand);
      return !made || !inside(made);
    });
  }
  if (depth > kDepth || llvm::isa<llvm::PHINode, llvm::CallBase>(instruction) || instruction->mayReadOrWriteMemory())
    return false;
  return llvm::all_of(instruction->operands(),
                      [&](llvm::Value* operand) { return take_apart(operand, inside, question, depth + 1); });
}

// Intrinsics that say something to the compiler or the scheduler alone.
bool is_silent(const llvm::Instruction& instruction) {
  const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!intrinsic) return false;
  switch (intrinsic->getIntrinsicID()) {
  case llvm::Intrinsic::amdgcn_s_sleep:
  case llvm::Intrinsic::amdgcn_wave_barrier: // of a wave whose threads run in step
    return true;
  default:
    return intrinsic->isAssumeLikeIntrinsic();
  }
}

// The loop neither writes nor waits, but for the question.
bool only_asks(const llvm::Loop& loop, const Question& question) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (&instruction == question.access || llvm::isa<llvm::FenceInst>(instruction)) continue;
      if (is_silent(instruction)) continue;
      if (instruction.mayWriteToMemory() || instruction.mayThrow()) return false;
    }
  }
  return true;
}

// The value of an expression of the loop where the question was answered by `answer`; null where it is no constant.
llvm::Constant* value_with(llvm::Value* value, const Question& question, llvm::Constant* answer,
                           const llvm::DataLayout& layout, unsigned depth = 0) {
  if (auto* const constant = llvm::dyn_cast<llvm::Constant>(value)) return constant;
  if (value == question.access) return llvm::isa<llvm::AtomicCmpXchgInst>(value) ? nullptr : answer;
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth > kDepth) return nullptr;
  if (auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(instruction)) {
    auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand());
    if (exchange != question.access) return nullptr;
    if (part->getIndices()[0] == 0) return answer;
    return llvm::ConstantFoldCompareInstOperands(llvm::CmpInst::ICMP_EQ, answer,
                                                 llvm::cast<llvm::Constant>(exchange->getCompareOperand()), layout);
  }
  llvm::SmallVector<llvm::Constant*, 4> operands;
  for (llvm::Value* operand : instruction->operands()) {
    llvm::Constant* const constant = value_with(operand, question, answer, layout, depth + 1);
    if (!constant) return nullptr;
    operands.push_back(constant);
  }
  if (const auto* const compare = llvm::dyn_cast<llvm::CmpInst>(instruction))
    return llvm::ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0], operands[1], layout);
  return llvm::ConstantFoldInstOperands(instruction, operands, layout);
}

// A branch that ends the waiting, and the question that it depends on: of the loop, or of its first round in front of
// it.
struct Asking {
  llvm::BranchInst* branch = nullptr;
  bool leaves_if = false; // on this value of the condition
  Question question;

  llvm::BasicBlock* leaves_to() const { return branch->getSuccessor(leaves_if ? 0 : 1); }
  llvm::BasicBlock* stays_in() const { return branch->getSuccessor(leaves_if ? 1 : 0); }
};

class SpinLocks {
public:
  SpinLocks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function), layout_(function.getDataLayout()), lanes_(lanes_of(function)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        post_dominators_(analyses.getResult<llvm::PostDominatorTreeAnalysis>(function)),
        aliases_(analyses.getResult<llvm::AAManager>(function)),
        uniformity_(analyses.getResult<llvm::UniformityInfoAnalysis>(function)) {}

  // Changes one loop at most. True: it has, and the analyses are out of date.
  bool take_one_in() {
    for (const llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (hangs(*loop) && take_in(*loop)) return true;
    }
    return false;
  }
  void warn() {
    for (const llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (hangs(*loop) && several_ask(*askings_[0].question.pointer) && !writes_behind(*loop).empty())
        warn_of(*askings_[0].question.access);
    }
  }

private:
  // Several threads of a wave come to the loop, each leaves it by an answer of its own, and nothing is done in it that
  // the others may wait for. Sets askings_ and locks_.
  bool hangs(const llvm::Loop& loop) {
    askings_.clear();
    llvm::BasicBlock* const leaving = loop.getExitingBlock();
    if (!leaving) return false;
    const auto in_loop = [&](const llvm::Instruction* instruction) { return loop.contains(instruction); };
    if (!add_asking(leaving->getTerminator(), in_loop, [&](const llvm::BasicBlock* to) { return !loop.contains(to); }))
      return false;
    const Asking& asking = askings_[0];
    locks_ = is_lock(asking);
    if ((!locks_ && !is_turn(asking)) || !only_asks(loop, asking.question)) return false;
    const llvm::BasicBlock* front = loop.getHeader();
    if (llvm::BasicBlock* const first = first_round(loop)) front = first;
    return several_come(*front, loop);
  }

  template<class Inside, class Leaves>
  bool add_asking(llvm::Instruction* end, const Inside& inside, const Leaves& leaves) {
    Asking asking;
    asking.branch = llvm::dyn_cast<llvm::BranchInst>(end);
    if (!asking.branch || !asking.branch->isConditional()) return false;
    asking.leaves_if = leaves(asking.branch->getSuccessor(0));
    if (asking.leaves_if == leaves(asking.branch->getSuccessor(1))) return false;
    if (!take_apart(asking.branch->getCondition(), inside, asking.question) || !asking.question.access) return false;
    askings_.push_back(asking);
    return true;
  }

  // The block in front of a loop that LLVM has turned around, which asks first: null where there is none.
  llvm::BasicBlock* first_round(const llvm::Loop& loop) {
    llvm::BasicBlock* const behind = askings_[0].leaves_to();
    for (llvm::BasicBlock* block : llvm::predecessors(behind)) {
      if (loop.contains(block)) continue;
      const auto in_block = [&](const llvm::Instruction* instruction) { return instruction->getParent() == block; };
      if (!add_asking(block->getTerminator(), in_block, [&](const llvm::BasicBlock* to) { return to == behind; }))
        return nullptr;
      const Asking &first = askings_.back(), &other = askings_[0];
      if (askings_.size() == 2 && enters(*first.stays_in(), loop) && (locks_ ? is_lock(first) : is_turn(first)) &&
          first.question.access->isSameOperationAs(other.question.access) && asks_the_same(first, other))
        continue;
      askings_.truncate(1);
      return nullptr;
    }
    return askings_.size() == 2 ? askings_[1].branch->getParent() : nullptr;
  }
  static bool enters(const llvm::BasicBlock& block, const llvm::Loop& loop) {
    return &block == loop.getHeader() || (block.size() == 1 && block.getSingleSuccessor() == loop.getHeader());
  }
  bool asks_the_same(const Asking& one, const Asking& other) const {
    return aliases_.isMustAlias(llvm::MemoryLocation::get(one.question.access),
                                llvm::MemoryLocation::get(other.question.access));
  }

  // The first one that asks changes the answer of all others, so that they stay.
  bool is_lock(const Asking& asking) const {
    const Question& question = asking.question;
    llvm::Constant* taken = nullptr;
    if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(question.access)) {
      if (!llvm::isa<llvm::ConstantInt>(exchange->getCompareOperand())) return false;
      taken = llvm::dyn_cast<llvm::ConstantInt>(exchange->getNewValOperand());
      // The number of the one that holds it, for one: any but the compared.
      if (!taken) taken = llvm::ConstantExpr::getNot(llvm::cast<llvm::Constant>(exchange->getCompareOperand()));
    } else if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(question.access)) {
      if (update->getOperation() != llvm::AtomicRMWInst::Xchg && update->getOperation() != llvm::AtomicRMWInst::Or)
        return false;
      taken = llvm::dyn_cast<llvm::ConstantInt>(update->getValOperand());
      if (update->getOperation() == llvm::AtomicRMWInst::Or && taken && taken->isNullValue()) return false;
    }
    if (!taken) return false;
    const llvm::Constant* const stays = value_with(asking.branch->getCondition(), question, taken, layout_);
    return stays && (asking.leaves_if ? stays->isNullValue() : stays->isOneValue());
  }

  // Reads, and each thread waits for a value of its own.
  bool is_turn(const Asking& asking) const {
    const Question& question = asking.question;
    if (const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(question.access)) {
      const bool reads =
          update->getOperation() == llvm::AtomicRMWInst::Add || update->getOperation() == llvm::AtomicRMWInst::Or;
      if (!reads || !match(update->getValOperand(), m_Zero())) return false;
    } else if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(question.access)) {
      if (exchange->getCompareOperand() != exchange->getNewValOperand()) return false;
    }
    const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(asking.branch->getCondition());
    if (!compare) return false;
    const llvm::CmpInst::Predicate leaves = asking.leaves_if ? compare->getPredicate() : compare->getInversePredicate();
    return leaves == llvm::CmpInst::ICMP_EQ && (differs_in_wave(compare->getOperand(0), uniformity_, lanes_) ||
                                                differs_in_wave(compare->getOperand(1), uniformity_, lanes_));
  }

  // One place for all threads, or one that data chooses, so that two may have the same.
  bool several_ask(const llvm::Value& pointer) const {
    return uniformity_.isUniform(&pointer) || is_chosen_by_data(&pointer, 0);
  }
  static bool is_chosen_by_data(const llvm::Value* value, unsigned depth) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth > kDepth) return false;
    if (llvm::isa<llvm::LoadInst>(instruction)) return depth != 0;
    if (llvm::isa<llvm::PHINode, llvm::CallBase>(instruction)) return false;
    return llvm::any_of(instruction->operands(),
                        [&](const llvm::Value* operand) { return is_chosen_by_data(operand, depth + 1); });
  }

  // No branch in front of `front`, where the loop or its first round begins, lets a single thread through.
  bool several_come(const llvm::BasicBlock& front, const llvm::Loop& loop) const {
    for (const llvm::DomTreeNode* node = dominators_.getNode(&front)->getIDom(); node; node = node->getIDom()) {
      const llvm::Instruction* const end = node->getBlock()->getTerminator();
      if (uniformity_.isUniform(end) || loop.contains(end)) continue;
      if (const llvm::Loop* const before =
              loop_before(*node->getBlock(), front)) { // all come out of it at the same place
        if (before->getExitingBlock()) continue;
        return false;
      }
      const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(end);
      if (!branch || !branch->isConditional()) return false;
      for (const unsigned side : {0u, 1u}) {
        const llvm::BasicBlockEdge edge(node->getBlock(), branch->getSuccessor(side));
        if (!dominators_.dominates(edge, &front)) continue;
        if (!holds_for_several(branch->getCondition(), side == 0, uniformity_, lanes_)) return false;
      }
    }
    return true;
  }

  // The outermost loop that `block` is in and `front` is not.
  const llvm::Loop* loop_before(const llvm::BasicBlock& block, const llvm::BasicBlock& front) const {
    const llvm::Loop* found = nullptr;
    for (const llvm::Loop* around = loops_.getLoopFor(&block); around && !around->contains(&front);
         around = around->getParentLoop())
      found = around;
    return found;
  }

  // The writes to the place that the loop asks, in the order of the blocks behind it, without those that take the lock
  // once more.
  llvm::SmallVector<llvm::Instruction*, 4> writes_behind(const llvm::Loop& loop) const {
    llvm::SmallVector<llvm::Instruction*, 4> writes;
    llvm::SmallVector<llvm::BasicBlock*, 16> blocks{askings_[0].leaves_to()};
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen{blocks[0]};
    for (size_t i = 0; i < blocks.size(); ++i) {
      for (llvm::Instruction& instruction : *blocks[i]) {
        if (is_release(instruction)) writes.push_back(&instruction);
      }
      for (llvm::BasicBlock* next : llvm::successors(blocks[i])) {
        if (!loop.contains(next) && seen.insert(next).second) blocks.push_back(next);
      }
    }
    return writes;
  }
  bool is_release(llvm::Instruction& instruction) const {
    if (!llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) return false;
    const llvm::Instruction& access = *askings_[0].question.access;
    return !instruction.isIdenticalTo(&access) &&
           aliases_.isMustAlias(llvm::MemoryLocation::get(&instruction), llvm::MemoryLocation::get(&access));
  }

  // ---- taking in ---------------------------------------------------------------------------------------------------

  // What lies behind the loop up to the write: its blocks, the last of which ends with `last`, or which all go on to
  // `next` where the write is not on all ways.
  struct Section {
    llvm::SmallSetVector<llvm::BasicBlock*, 8> blocks;
    llvm::Instruction* last = nullptr;
    llvm::BasicBlock* next = nullptr;
  };

  bool take_in(const llvm::Loop& loop) {
    for (llvm::Instruction* write : writes_behind(loop)) {
      Section section;
      if (!find_section(*write, section) || !may_be_taken_in(section, loop)) continue;
      build(section, loop);
      return true;
    }
    return false;
  }

  bool find_section(llvm::Instruction& write, Section& section) const {
    llvm::BasicBlock* const begin = askings_[0].leaves_to();
    llvm::BasicBlock* const end = write.getParent();
    if (loops_.getLoopFor(end) == loops_.getLoopFor(begin) && post_dominators_.dominates(end, begin)) {
      section.last = &write;
    } else {
      const llvm::DomTreeNode* node = post_dominators_.getNode(end);
      while (node && (!node->getBlock() || !post_dominators_.dominates(node->getBlock(), begin) ||
                      loops_.getLoopFor(node->getBlock()) != loops_.getLoopFor(begin)))
        node = node->getBlock() ? node->getIDom() : nullptr;
      if (!node) return false;
      section.next = node->getBlock();
    }
    if (begin == section.next) return false;
    section.blocks.insert(begin);
    for (size_t i = 0; i < section.blocks.size(); ++i) {
      if (section.last && section.blocks[i] == end) continue;
      for (llvm::BasicBlock* next : llvm::successors(section.blocks[i])) {
        if (next != section.next) section.blocks.insert(next);
      }
    }
    return true;
  }

  bool may_be_taken_in(const Section& section, const llvm::Loop& loop) const {
    llvm::BasicBlock* const begin = section.blocks[0];
    for (llvm::BasicBlock* before : llvm::predecessors(begin)) {
      const bool asks =
          llvm::any_of(askings_, [&](const Asking& asking) { return asking.branch->getParent() == before; });
      if (!asks) return false;
    }
    // A loop whose first round is apart is entered elsewhere afterwards.
    if (askings_.size() > 1 &&
        llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) { return !block->phis().empty(); }))
      return false;
    for (llvm::BasicBlock* block : section.blocks) {
      const bool is_end = section.last && block == section.last->getParent();
      if (loop.contains(block) || (!is_end && llvm::succ_empty(block))) return false;
      if (block != begin && llvm::any_of(llvm::predecessors(block),
                                         [&](llvm::BasicBlock* before) { return !section.blocks.contains(before); }))
        return false;
      for (const llvm::Instruction& instruction : *block) {
        if (llvm::isa<llvm::AllocaInst>(instruction)) return false;
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call && (call->isConvergent() || call->cannotDuplicate()) && !is_silent(instruction)) return false;
        if (&instruction == section.last) break;
      }
    }
    return true;
  }

  // From   ask: leave or stay          to   ask
  //        section, next                    answer: leave or stay
  //                                         section (where it left)
  //                                         together: next (where it left) or stay
  void build(Section& section, const llvm::Loop& loop) {
    llvm::LLVMContext& context = function_.getContext();
    llvm::BasicBlock* const begin = section.blocks[0];
    llvm::BasicBlock* const stay = askings_[0].stays_in();
    if (section.last) {
      llvm::BasicBlock* const end = section.last->getParent();
      section.next = llvm::SplitBlock(end, section.last->getNextNode());
    }
    // Values that several blocks see are in memory meanwhile. What is in front of the loop, its first round included,
    // comes before all others afterwards, too.
    llvm::SmallVector<llvm::AllocaInst*, 16> slots;
    llvm::SmallVector<llvm::BasicBlock*, 16> blocks(section.blocks.begin(), section.blocks.end());
    llvm::append_range(blocks, loop.blocks());
    blocks.push_back(section.next);
    for (llvm::BasicBlock* block : blocks) {
      while (!block->phis().empty()) slots.push_back(llvm::DemotePHIToStack(&*block->phis().begin()));
    }
    for (llvm::BasicBlock* block : blocks) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        if (block != section.next && instruction.isUsedOutsideOfBlock(block))
          slots.push_back(llvm::DemoteRegToStack(instruction));
      }
    }

    llvm::BasicBlock* const answer = llvm::BasicBlock::Create(context, "", &function_, begin);
    llvm::BasicBlock* const together = llvm::BasicBlock::Create(context, "", &function_, section.next);
    llvm::IRBuilder<> build(answer);
    llvm::PHINode* const leaves = build.CreatePHI(build.getInt1Ty(), 2);
    build.CreateCondBr(leaves, begin, together);
    for (const Asking& asking : askings_) {
      build.SetInsertPoint(asking.branch);
      llvm::Value* const condition = asking.branch->getCondition();
      leaves->addIncoming(asking.leaves_if ? condition : build.CreateNot(condition), asking.branch->getParent());
      build.CreateBr(answer);
      asking.branch->eraseFromParent();
    }
    build.SetInsertPoint(together);
    llvm::PHINode* const left = build.CreatePHI(build.getInt1Ty(), 2);
    left->addIncoming(build.getFalse(), answer);
    for (llvm::BasicBlock* block : section.blocks) {
      if (!llvm::is_contained(llvm::successors(block), section.next)) continue;
      const auto count = llvm::count(llvm::successors(block), section.next);
      block->getTerminator()->replaceSuccessorWith(section.next, together);
      for (auto i = 0; i < count; ++i) left->addIncoming(build.getTrue(), block);
    }
    build.CreateIntrinsic(llvm::Intrinsic::amdgcn_wave_barrier, {});
    build.CreateCondBr(left, section.next, stay);

    llvm::EliminateUnreachableBlocks(function_); // the way into a loop whose first round is apart
    llvm::DominatorTree dominators(function_);
    llvm::erase_if(slots, [](const llvm::AllocaInst* slot) { return !slot; }); // of values without use
    llvm::PromoteMemToReg(slots, dominators);
  }

  void warn_of(const llvm::Instruction& access) const {
    const std::string text = "kernel " + llvm::demangle(function_.getName()) + ": each thread waits in a loop for " +
                             (locks_ ? "a lock, which another one of its wave releases"
                                     : "its turn, which another one of its wave passes on") +
                             " behind the loop. Threads of a wave run in step on AMD GPUs: those that wait keep the "
                             "others from going on, and "
                             "the kernel may not end";
    function_.getContext().diagnose(
        llvm::DiagnosticInfoUnsupported(function_, text, access.getDebugLoc(), llvm::DS_Warning));
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  const uint64_t lanes_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& post_dominators_;
  llvm::AAResults& aliases_;
  const llvm::UniformityInfo& uniformity_;
  llvm::SmallVector<Asking, 2> askings_; // of the loop, and of its first round
  bool locks_ = false;                   // else it waits for a turn
};

// Most functions have nothing of the kind, and are not analysed.
bool asks_in_loops(llvm::Function& function, const llvm::LoopInfo& loops) {
  if (loops.empty()) return false;
  return llvm::any_of(function, [&](llvm::BasicBlock& block) {
    return loops.getLoopFor(&block) &&
           llvm::any_of(block, [](llvm::Instruction& instruction) { return asked_pointer(instruction); });
  });
}

} // namespace

llvm::PreservedAnalyses SpinLocksPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const bool is_for_amd = function.getParent()->getTargetTriple().isAMDGCN();
  if (!is_for_amd || function.isDeclaration() || has_one_thread(function) ||
      !asks_in_loops(function, analyses.getResult<llvm::LoopAnalysis>(function)))
    return llvm::PreservedAnalyses::all();
  bool changed = false;
  while (SpinLocks(function, analyses).take_one_in()) {
    changed = true;
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
  // Who calls other functions, and how many threads do, is not known.
  if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL) SpinLocks(function, analyses).warn();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace omnihip::codegen
