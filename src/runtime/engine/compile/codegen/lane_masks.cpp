// runtime/engine/compile/codegen/lane_masks.cpp - see lane_masks.h.
#include "runtime/engine/compile/codegen/lane_masks.h"

#include <array>
#include <map>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>
#include <numeric>
#include <vector>

namespace hip::engine::compile {
namespace {

using namespace llvm::PatternMatch;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kStripBits = 16;

llvm::Type* strip_type(llvm::Type* any) {
  return llvm::FixedVectorType::get(llvm::Type::getInt1Ty(any->getContext()), kStripBits);
}
bool is_strip(const Value* v) { return v->getType() == strip_type(v->getType()); }

// Bits [16 q, 16 q + 16) of a number, as a strip.
class Splitter {
public:
  explicit Splitter(Instruction* before) : builder_(before) {}
  // Null when nothing is known of them but that they are those bits.
  Value* strip(Value* v, unsigned q, unsigned depth = 0) {
    llvm::Type* type = strip_type(v->getType());
    const unsigned width = v->getType()->getScalarSizeInBits();
    if (width % kStripBits != 0) return nullptr;
    if (q >= width / kStripBits) return llvm::Constant::getNullValue(type);
    const llvm::APInt* number;
    if (match(v, m_APInt(number))) {
      std::vector<llvm::Constant*> lanes;
      for (unsigned l = 0; l < kStripBits; ++l) lanes.push_back(builder_.getInt1((*number)[q * kStripBits + l]));
      return llvm::ConstantVector::get(lanes);
    }
    Value *a, *b;
    uint64_t bits;
    if (match(v, m_BitCast(m_Value(a))) && is_strip(a)) {
      found_ = true;
      return a;
    }
    if (depth == kDeepest) return nullptr;
    if (match(v, m_CombineOr(m_ZExt(m_Value(a)), m_Trunc(m_Value(a))))) return strip(a, q, depth + 1);
    if (match(v, m_Shl(m_Value(a), m_ConstantInt(bits))) && bits % kStripBits == 0)
      return q < bits / kStripBits ? llvm::Constant::getNullValue(type)
                                   : strip(a, q - unsigned(bits) / kStripBits, depth + 1);
    if (match(v, m_LShr(m_Value(a), m_ConstantInt(bits))) && bits % kStripBits == 0)
      return strip(a, q + unsigned(bits) / kStripBits, depth + 1);
    if (!match(v, m_BitwiseLogic(m_Value(a), m_Value(b)))) return nullptr;
    Value *left = strip(a, q, depth + 1), *right = strip(b, q, depth + 1);
    if (!left) left = bits_of(a, q);
    if (!right) right = bits_of(b, q);
    return builder_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(v)->getOpcode(), left, right);
  }
  // Whether there was a strip to be found.
  bool found() const { return found_; }

private:
  static constexpr unsigned kDeepest = 12;
  Value* bits_of(Value* v, unsigned q) {
    if (q) v = builder_.CreateLShr(v, q * kStripBits);
    return builder_.CreateBitCast(builder_.CreateTrunc(v, builder_.getInt16Ty()), strip_type(v->getType()));
  }

  llvm::IRBuilder<> builder_;
  bool found_ = false;
};

// A number that is an or of strips, each at its place, and of other things.
struct Parts {
  std::array<Value*, 4> strips{};
  std::vector<Value*> others;
  uint32_t count = 0; // of the strips

  void add(Value* v, bool whole) {
    Value *a, *b;
    if (match(v, m_Or(m_Value(a), m_Value(b))) && (whole || v->hasOneUse())) {
      add(a, false);
      add(b, false);
      return;
    }
    uint64_t bits = 0;
    Value* number = v;
    if (match(v, m_Shl(m_Value(a), m_ConstantInt(bits)))) number = a;
    const uint64_t q = bits / kStripBits;
    if (match(number, m_ZExt(m_BitCast(m_Value(a)))) && is_strip(a) && bits % kStripBits == 0 && q < strips.size() &&
        !strips[q]) {
      strips[q] = a;
      ++count;
    } else {
      others.push_back(v);
    }
  }
};

} // namespace

llvm::PreservedAnalyses SplitLaneMasks::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<Instruction*> casts;
  for (llvm::BasicBlock& block : function)
    for (Instruction& i : block)
      if (i.getOpcode() == Instruction::BitCast && is_strip(&i)) casts.push_back(&i);
  for (Instruction* cast : casts) {
    Splitter splitter(cast);
    Value* strip = splitter.strip(cast->getOperand(0), 0);
    if (strip && splitter.found()) cast->replaceAllUsesWith(strip);
    // What was made in vain or is no longer used goes with the next passes.
  }
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses JoinLaneMasks::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<llvm::WeakTrackingVH> roots;
  for (llvm::BasicBlock& block : function)
    for (Instruction& i : block)
      if (i.getOpcode() == Instruction::Or && i.getType()->isIntegerTy(64) &&
          !(i.hasOneUse() && match(i.user_back(), m_Or(m_Value(), m_Value()))))
        roots.push_back(&i);
  const auto join = [&](llvm::IRBuilder<>& builder, const std::array<Value*, 4>& strips) {
    std::array<int, 2 * kStripBits> lanes;
    std::iota(lanes.begin(), lanes.end(), 0);
    auto number = [&](uint32_t k) {
      Value* pair = builder.CreateShuffleVector(strips[k], strips[k + 1], lanes);
      return builder.CreateZExt(builder.CreateBitCast(pair, builder.getInt32Ty()), builder.getInt64Ty());
    };
    return builder.CreateOr(number(0), builder.CreateShl(number(2), 2 * kStripBits));
  };
  std::map<Value*, std::array<Value*, 4>> joined; // numbers that are strips alone
  for (const llvm::WeakTrackingVH& root : roots) {
    auto* number = llvm::cast_or_null<Instruction>(root);
    if (!number) continue;
    Parts parts;
    parts.add(number, true);
    if (parts.count != parts.strips.size()) continue;
    llvm::IRBuilder<> builder(number);
    Value* all = join(builder, parts.strips);
    for (Value* other : parts.others) all = builder.CreateOr(all, other);
    if (parts.others.empty()) joined[all] = parts.strips;
    number->replaceAllUsesWith(all);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(number);
  }
  // (Blocks in any order: what was not seen yet is computed from numbers.)
  for (llvm::BasicBlock& block : function)
    for (Instruction& i : llvm::make_early_inc_range(block)) {
      if (!i.isBitwiseLogicOp() || !i.getType()->isIntegerTy(64)) continue;
      const auto a = joined.find(i.getOperand(0)), b = joined.find(i.getOperand(1));
      if (a == joined.end() || b == joined.end()) continue;
      llvm::IRBuilder<> builder(&i);
      std::array<Value*, 4> strips;
      for (uint32_t q = 0; q < strips.size(); ++q)
        strips[q] = builder.CreateBinOp(llvm::cast<llvm::BinaryOperator>(i).getOpcode(), a->second[q], b->second[q]);
      Value* all = join(builder, strips);
      joined[all] = strips;
      i.replaceAllUsesWith(all);
      i.eraseFromParent();
    }
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ExpandLaneMasks::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<Instruction*> casts;
  for (llvm::BasicBlock& block : function)
    for (Instruction& i : block)
      if (i.getOpcode() == Instruction::BitCast && is_strip(&i) && i.getOperand(0)->getType()->isIntegerTy(kStripBits)) casts.push_back(&i);
  std::vector<uint32_t> lane_bits;
  for (uint32_t l = 0; l < kStripBits; ++l) lane_bits.push_back(1u << l);
  llvm::Constant* bits = llvm::ConstantDataVector::get(function.getContext(), lane_bits);
  for (Instruction* cast : casts) {
    std::map<llvm::BasicBlock*, Value*> strips; // by the block that uses it
    const auto strip_in = [&](llvm::BasicBlock* block) {
      Value*& strip = strips[block];
      if (strip) return strip;
      llvm::IRBuilder<> builder(block == cast->getParent() ? cast : &*block->getFirstInsertionPt());
      Value* number = builder.CreateZExt(cast->getOperand(0), builder.getInt32Ty());
      strip = builder.CreateICmpEQ(builder.CreateAnd(builder.CreateVectorSplat(kStripBits, number), bits), bits);
      return strip;
    };
    for (llvm::Use& use : llvm::make_early_inc_range(cast->uses())) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      use.set(strip_in(phi ? phi->getIncomingBlock(use) : user->getParent()));
    }
    cast->eraseFromParent();
  }
  return casts.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace hip::engine::compile
