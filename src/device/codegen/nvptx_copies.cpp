// A pass for device code of NVIDIA GPUs that copies and fills structures in the widest pieces that their alignment
// allows, and loads before it stores.
//
// LLVM's code generator makes a loop of single bytes of a copy of more than 64 bytes, and of a smaller one loads of up
// to 8 bytes, each followed by its store, which the next load then waits behind: nothing tells the assembler that the
// two do not overlap. By the rules of memcpy they do not, so the loads come first, up to kGroupBytes of them; longer
// copies are a loop of such groups. It runs behind the passes that take copies apart.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <vector>

#include "passes.h"

namespace omnihip::codegen {
namespace {

constexpr uint64_t kWidestBytes = 16;   // of a load or store
constexpr uint64_t kGroupBytes = 128;   // of loads in a row: 32 registers
constexpr uint64_t kGroupPieces = 32;   // or so many
constexpr uint64_t kUnrolledGroups = 4; // more are a loop

// What a copy or a fill moves: a piece's type, and where the pieces are.
class Mover {
public:
  Mover(llvm::MemIntrinsic& call, const llvm::DataLayout& layout)
      : call_(call), copy_(llvm::dyn_cast<llvm::MemCpyInst>(&call)),
        bytes_(llvm::cast<llvm::ConstantInt>(call.getLength())->getZExtValue()) {
    align_ = std::max(call.getDestAlign().valueOrOne(), llvm::getKnownAlignment(call.getDest(), layout, &call));
    if (copy_)
      align_ = std::min(
          align_, std::max(copy_->getSourceAlign().valueOrOne(), llvm::getKnownAlignment(copy_->getSource(), layout)));
  }

  void run() {
    const uint64_t piece = std::min(kWidestBytes, align_.value());
    const uint64_t group = std::min(kGroupBytes, piece * kGroupPieces);
    uint64_t done = 0;
    if (bytes_ > group * kUnrolledGroups) done = make_loop(group);
    llvm::IRBuilder<> build(&call_);
    while (done < bytes_) {
      const uint64_t now = std::min(group, bytes_ - done);
      move(build, build.getInt64(0), done, now);
      done += now;
    }
    call_.eraseFromParent();
  }

private:
  // The bytes [from, from + bytes) behind `offset`.
  void move(llvm::IRBuilder<>& build, llvm::Value* offset, uint64_t from, uint64_t bytes) {
    struct Piece {
      uint64_t at;
      llvm::Value* value;
      llvm::Align align;
    };
    std::vector<Piece> pieces;
    for (uint64_t at = from; at < from + bytes;) {
      uint64_t size = std::min(kWidestBytes, llvm::commonAlignment(align_, at).value());
      while (size > from + bytes - at) size /= 2;
      const llvm::Align align = llvm::commonAlignment(align_, at);
      llvm::Type* const type = piece_type(build, size);
      pieces.push_back({at,
                        copy_ ? build.CreateAlignedLoad(type, address(build, copy_->getSource(), offset, at), align)
                              : filled(build, type),
                        align});
      at += size;
    }
    for (const Piece& piece : pieces)
      build.CreateAlignedStore(piece.value, address(build, call_.getDest(), offset, piece.at), piece.align);
  }

  // A loop of whole groups in front of the call; returns how many bytes it moves.
  uint64_t make_loop(uint64_t group) {
    const uint64_t all = bytes_ / group * group;
    llvm::BasicBlock* const before = call_.getParent();
    llvm::BasicBlock* const after = llvm::SplitBlock(before, &call_);
    llvm::BasicBlock* const body = llvm::BasicBlock::Create(call_.getContext(), "copy", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, body);
    llvm::IRBuilder<> build(body);
    build.SetCurrentDebugLocation(call_.getDebugLoc());
    llvm::PHINode* const offset = build.CreatePHI(build.getInt64Ty(), 2);
    move(build, offset, 0, group);
    llvm::Value* const next = build.CreateAdd(offset, build.getInt64(group));
    build.CreateCondBr(build.CreateICmpULT(next, build.getInt64(all)), body, after);
    offset->addIncoming(build.getInt64(0), before);
    offset->addIncoming(next, body);
    return all;
  }

  static llvm::Value* address(llvm::IRBuilder<>& build, llvm::Value* base, llvm::Value* offset, uint64_t at) {
    return build.CreatePtrAdd(build.CreatePtrAdd(base, offset), build.getInt64(at));
  }
  static llvm::Type* piece_type(llvm::IRBuilder<>& build, uint64_t size) {
    if (size <= 4) return build.getIntNTy(static_cast<unsigned>(size * 8));
    return llvm::FixedVectorType::get(build.getInt32Ty(), static_cast<unsigned>(size / 4));
  }
  // The byte that memset stores, in all bytes of `type`.
  llvm::Value* filled(llvm::IRBuilder<>& build, llvm::Type* type) {
    llvm::Value* const byte = llvm::cast<llvm::MemSetInst>(call_).getValue();
    llvm::Type* const element = type->getScalarType();
    const unsigned bits = element->getIntegerBitWidth();
    llvm::Value* value = build.CreateZExt(byte, element);
    value = build.CreateMul(value, llvm::ConstantInt::get(element, llvm::APInt::getSplat(bits, llvm::APInt(8, 1))));
    if (auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return build.CreateVectorSplat(vector->getNumElements(), value);
    return value;
  }

  llvm::MemIntrinsic& call_;
  llvm::MemCpyInst* copy_;
  uint64_t bytes_;
  llvm::Align align_;
};

// Three or four words, as HIP's vectors have them.
bool is_small(const llvm::MemIntrinsic& call) {
  const uint64_t bytes = llvm::cast<llvm::ConstantInt>(call.getLength())->getZExtValue();
  return (bytes == 12 || bytes == 16) && call.getDestAlign().valueOrOne() >= llvm::Align(4) &&
         llvm::cast<llvm::MemCpyInst>(call).getSourceAlign().valueOrOne() >= llvm::Align(4);
}

void copy_at_once(llvm::MemCpyInst& call) {
  llvm::IRBuilder<> build(&call);
  const uint64_t bytes = llvm::cast<llvm::ConstantInt>(call.getLength())->getZExtValue();
  auto* const type = llvm::FixedVectorType::get(build.getInt32Ty(), static_cast<unsigned>(bytes / 4));
  llvm::Value* const value = build.CreateAlignedLoad(type, call.getSource(), call.getSourceAlign());
  build.CreateAlignedStore(value, call.getDest(), call.getDestAlign());
  call.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses NvptxCopiesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!function.getParent()->getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  const bool is_small_only = which_ == Which::Small;
  std::vector<llvm::MemIntrinsic*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const call = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    if (!call || call->isVolatile() || !llvm::isa<llvm::ConstantInt>(call->getLength())) continue;
    const bool is_copy = llvm::isa<llvm::MemCpyInst>(call);
    if (is_small_only ? is_copy && is_small(*call) : is_copy || llvm::isa<llvm::MemSetInst>(call))
      calls.push_back(call);
  }
  for (llvm::MemIntrinsic* call : calls)
    if (is_small_only)
      copy_at_once(llvm::cast<llvm::MemCpyInst>(*call));
    else
      Mover(*call, function.getParent()->getDataLayout()).run();
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace omnihip::codegen
