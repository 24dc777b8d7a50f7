// runtime/engine/compile/quick/select.cpp - see select.h: blocks, edges and branches.
#include "runtime/engine/compile/quick/select.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace hip::engine::compile::quick {

// Blocks that run so much more rarely than the function's entry lie behind all others.
constexpr float kRare = 1.0f / 16;

Selector::Selector(const llvm::Function& function, const llvm::BlockFrequencyInfo& runs, ConstantPool& pool,
                   const HostFeatures& features)
    : function_(function), runs_(runs), layout_(function.getParent()->getDataLayout()), pool_(pool),
      features_(features) {}

void Selector::refuse(const llvm::Value& v) const {
  std::string what;
  llvm::raw_string_ostream stream(what);
  v.print(stream);
  throw Unsupported{what};
}

// Numbers blocks and memory's epochs, and places allocas.
void Selector::number() {
  const auto entry = float(runs_.getBlockFreq(&function_.getEntryBlock()).getFrequency());
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<const llvm::Function*>(&function_)) {
    indices_[block] = uint32_t(order_.size());
    order_.push_back(block);
    Draft draft;
    draft.runs = std::max(float(runs_.getBlockFreq(block).getFrequency()) / std::max(entry, 1.0f), 1e-6f);
    drafts_.push_back(std::move(draft));
    uint32_t epoch = 0;
    for (const llvm::Instruction& i : *block) {
      epochs_[&i] = epoch;
      epoch += i.mayWriteToMemory();
      if (auto* room = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
        const auto size = room->getAllocationSize(layout_);
        if (!size || size->isScalable() || block != &function_.getEntryBlock()) refuse(i);
        const auto align = uint32_t(std::max<uint64_t>(room->getAlign().value(), 8));
        if (align > 64) refuse(i);
        out_.frame_bytes = (out_.frame_bytes + align - 1) & ~(align - 1);
        frame_[room] = out_.frame_bytes;
        out_.frame_bytes += uint32_t(size->getFixedValue());
      }
    }
  }
}

Function Selector::select() {
  out_.name = function_.getName().str();
  out_.is_global = !function_.hasLocalLinkage();
  out_.saves_registers = function_.getCallingConv() != llvm::CallingConv::PreserveNone;
  if (function_.isVarArg()) refuse(function_);
  number();
  for (size_t k = order_.size(); k-- > 0;) select_block(*order_[k], uint32_t(k));
  return arrange();
}

// Appends what the instruction at hand has become to its block, which grows backwards.
void Selector::flush() {
  auto& block = drafts_[draft_].backwards;
  block.insert(block.end(), sequence_.rbegin(), sequence_.rend());
  sequence_.clear();
}

void Selector::select_block(const llvm::BasicBlock& block, uint32_t index) {
  draft_ = index;
  for (const llvm::Instruction& i : llvm::reverse(block)) {
    if (llvm::isa<llvm::PHINode>(i)) continue;
    at_ = &i;
    line_ = i.getDebugLoc() ? i.getDebugLoc().getLine() : 0;
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&i)) {
      select_branch(*branch);
    } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&i)) {
      select_switch(*choice);
    } else {
      select_instruction(i);
    }
    draft_ = index;
    flush();
  }
  for (const llvm::PHINode& phi : block.phis()) {
    const Shape shape = shape_of(*phi.getType());
    for (uint32_t part = 0; part < shape.parts; ++part) out_.parameters.emplace_back(defined(phi, part), index);
  }
  if (&block == &function_.getEntryBlock()) {
    line_ = 0;
    enter();
    flush();
  }
}

// What the block parameters of `to` receive on the way from `from`, at the end of the sequence at hand.
void Selector::select_phis_of(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  std::vector<Move> moves;
  for (const llvm::PHINode& phi : to.phis()) {
    const llvm::Value& value = *phi.getIncomingValueForBlock(&from);
    const Shape shape = shape_of(*phi.getType());
    for (uint32_t part = 0; part < shape.parts; ++part) moves.push_back({defined(phi, part), reg(value, part)});
  }
  if (moves.empty()) return;
  add(Op::ParallelCopy, 0).imm = int64_t(out_.moves.size());
  out_.moves.push_back(std::move(moves));
}

// The block that a jump from `from` to `to` goes to: `to` itself, or a new one in between that fills its parameters.
uint32_t Selector::edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  const uint32_t target = indices_.lookup(&to), mine = draft_;
  if (to.phis().empty()) return target;
  const auto index = uint32_t(drafts_.size());
  Draft draft;
  draft.runs = std::min(drafts_[mine].runs, drafts_[target].runs) * 0.5f;
  draft.after = mine;
  draft.to.push_back(target);
  drafts_.push_back(std::move(draft));
  std::vector<Inst> before = std::exchange(sequence_, {});
  draft_ = index;
  select_phis_of(from, to);
  add(Op::Jump, 0).imm = target;
  flush();
  draft_ = mine;
  sequence_ = std::move(before);
  return index;
}

void Selector::select_branch(const llvm::BranchInst& branch) {
  const llvm::BasicBlock& from = *branch.getParent();
  auto& to = drafts_[draft_].to;
  if (branch.isUnconditional() || branch.getSuccessor(0) == branch.getSuccessor(1)) {
    select_phis_of(from, *branch.getSuccessor(0));
    const uint32_t target = indices_.lookup(branch.getSuccessor(0));
    add(Op::Jump, 0).imm = target;
    to.push_back(target);
    return;
  }
  const uint32_t yes = edge(from, *branch.getSuccessor(0)), no = edge(from, *branch.getSuccessor(1));
  const Condition condition = compare(*branch.getCondition());
  Inst& jump = add(Op::JumpIf, 0);
  jump.imm = yes, jump.condition = condition;
  add(Op::Jump, 0).imm = no;
  drafts_[draft_].to = {yes, no};
}

void Selector::select_switch(const llvm::SwitchInst& branch) {
  const llvm::BasicBlock& from = *branch.getParent();
  const uint32_t bytes = shape_of(*branch.getCondition()->getType()).bytes;
  std::vector<uint32_t> to;
  const Reg value = reg(*branch.getCondition());
  for (const auto& choice : branch.cases()) {
    const uint32_t target = edge(from, *choice.getCaseSuccessor());
    if (const auto imm = immediate(*choice.getCaseValue())) {
      add(Op::CmpImm, bytes, kNoReg, value).imm = *imm;
    } else {
      const Reg number = reg(*choice.getCaseValue());
      add(Op::Cmp, bytes, kNoReg, value, number);
    }
    Inst& jump = add(Op::JumpIf, 0);
    jump.imm = target, jump.condition = Condition::Equal;
    to.push_back(target);
  }
  const uint32_t target = edge(from, *branch.getDefaultDest());
  add(Op::Jump, 0).imm = target;
  to.push_back(target);
  drafts_[draft_].to = std::move(to);
}

void Selector::select_instruction(const llvm::Instruction& i) {
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) return select_call(*call);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) return select_store(*store);
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&i)) {
    if (fence->getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent &&
        fence->getSyncScopeID() != llvm::SyncScope::SingleThread)
      add(Op::Mfence, 0);
    return;
  }
  if (auto* ret = llvm::dyn_cast<llvm::ReturnInst>(&i)) return select_return(*ret);
  if (llvm::isa<llvm::UnreachableInst>(i)) return void(add(Op::Unreachable, 0));
  if (i.isTerminator()) refuse(i);
  if (!is_wanted(i)) {
    if (i.mayHaveSideEffects()) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
      if (!load) refuse(i);
      if (load->isVolatile()) select_load(*load); // of an atomic load that nobody wants, nothing is seen
    }
    return;
  }
  const Shape shape = shape_of(*i.getType());
  const bool is_scalar = shape.elements == 0;
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) {
    if (is_scalar && shape.reg_class == RegClass::General) return select_scalar_binary(*binary);
    if (shape.reg_class == RegClass::Mask) return select_mask_binary(*binary);
    return select_vector_binary(*binary);
  }
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return select_cast(*cast);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return select_load(*load);
  if (auto* compared = llvm::dyn_cast<llvm::CmpInst>(&i)) {
    if (shape.reg_class == RegClass::Mask) return select_vector_compare(*compared, defined(i), kNoReg);
    if (llvm::isa<llvm::FCmpInst>(i)) {
      const Reg mask = make(RegClass::Mask), bits = make(RegClass::General);
      select_vector_compare(*compared, mask, kNoReg);
      add(Op::KmovwTo, 8, bits, mask);
      copy(defined(i), bits);
      add(Op::AndImm, 4, defined(i)).imm = 1;
      return;
    }
    const Condition condition = compare(i);
    const Reg byte = make(RegClass::General);
    add(Op::SetIf, 1, byte).condition = condition;
    add(Op::MovZx8, 4, defined(i), byte);
    return;
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
    if (shape.reg_class == RegClass::General) return select_scalar_select(*select);
    return select_vector_select(*select);
  }
  if (auto* pointer = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) {
    if (!is_scalar) { // of each lane: by a constant that all share
      llvm::APInt offset(64, 0);
      if (!pointer->getPointerOperandType()->isVectorTy() || !pointer->accumulateConstantOffset(layout_, offset))
        refuse(i);
      const uint64_t number = offset.getZExtValue();
      for (uint32_t part = 0; part < shape.parts; ++part) {
        const Reg from = reg(*pointer->getPointerOperand(), part);
        add(Op::Vpaddq, shape.bytes, defined(i, part), from, everywhere(number, 8));
      }
      return;
    }
    const Memory memory = address(*pointer);
    add(Op::Address, 8, defined(i)).memory = memory;
    return;
  }
  if (llvm::isa<llvm::AllocaInst>(i)) {
    const Memory memory = address(i);
    add(Op::Address, 8, defined(i)).memory = memory;
    return;
  }
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) return select_shuffle(*shuffle);
  if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&i)) return select_extract(*extract);
  if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&i)) return select_insert(*insert);
  if (auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&i); unary && unary->getOpcode() == llvm::Instruction::FNeg) {
    if (is_scalar) {
      const uint64_t sign = i.getType()->isDoubleTy()  ? uint64_t{1} << 63
                            : i.getType()->isFloatTy() ? 0x80000000
                                                       : 0x8000;
      return void(add(Op::Vpxorq, 16, defined(i), reg(*unary->getOperand(0)), everywhere(sign, 8)));
    }
    const bool is_wide = shape.element_bits == 64;
    const uint64_t sign = is_wide ? uint64_t{1} << 63 : shape.element_bits == 32 ? 0x80000000 : 0x80008000;
    for (uint32_t part = 0; part < shape.parts; ++part) {
      const Reg number = reg(*unary->getOperand(0), part);
      add(is_wide ? Op::Vpxorq : Op::Vpxord, shape.bytes, defined(i, part), number, everywhere(sign, is_wide ? 8 : 4));
    }
    return;
  }
  refuse(i);
}

// Puts the drafts in the order of their code: rare ones last, edges behind the blocks that they leave.
Function Selector::arrange() {
  std::vector<std::vector<uint32_t>> edges(order_.size());
  for (auto k = uint32_t(order_.size()); k < drafts_.size(); ++k) edges[drafts_[k].after].push_back(k);
  std::vector<uint32_t> order, rare;
  for (uint32_t k = 0; k < order_.size(); ++k) {
    auto& where = k != 0 && drafts_[k].runs < kRare ? rare : order;
    where.push_back(k);
    for (const uint32_t edge : edges[k]) (drafts_[edge].runs < kRare ? rare : where).push_back(edge);
  }
  order.insert(order.end(), rare.begin(), rare.end());
  std::vector<uint32_t> place(drafts_.size());
  for (uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  size_t count = 0;
  for (const Draft& draft : drafts_) count += draft.backwards.size();
  out_.insts.reserve(count);
  out_.blocks.resize(order.size());
  for (uint32_t k = 0; k < order.size(); ++k) {
    Draft& draft = drafts_[order[k]];
    Block& block = out_.blocks[k];
    block.first = uint32_t(out_.insts.size());
    out_.insts.insert(out_.insts.end(), draft.backwards.rbegin(), draft.backwards.rend());
    block.end = uint32_t(out_.insts.size());
    block.runs = draft.runs;
    for (const uint32_t to : draft.to) {
      if (std::ranges::find(block.to, place[to]) != block.to.end()) continue;
      block.to.push_back(place[to]);
      out_.blocks[place[to]].from.push_back(k);
    }
    for (uint32_t n = block.first; n < block.end; ++n) {
      Inst& inst = out_.insts[n];
      if (inst.op == Op::Jump || inst.op == Op::JumpIf) inst.imm = place[size_t(inst.imm)];
    }
  }
  for (auto& [parameter, block] : out_.parameters) block = place[block];
  return std::move(out_);
}

} // namespace hip::engine::compile::quick
