// runtime/engine/compile/emit/function_builder.cpp - see function_builder.h.
#include "runtime/engine/compile/emit/function_builder.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

namespace hip::engine::compile {

using llvm::Value;

FunctionBuilder::FunctionBuilder(llvm::Module& module, const std::string& name, llvm::DISubprogram* scope,
                                 uint32_t lanes)
    : builder_(module.getContext()), lanes_(lanes) {
  llvm::Type* pointer = builder_.getPtrTy();
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  function_->setCallingConv(llvm::CallingConv::PreserveNone);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  if (scope) // one subprogram per function, all in one "file"
    function_->setSubprogram(llvm::DISubprogram::getDistinct(
        module.getContext(), scope->getScope(), name, name, scope->getFile(), 1, scope->getType(), 1, nullptr, 0, 0,
        llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized,
        scope->getUnit()));
  entry_ = new_block("entry"), begin_ = new_block("begin"), failed_ = new_block("failed");
  builder_.SetInsertPoint(failed_);
  builder_.CreateRetVoid();
  builder_.SetInsertPoint(entry_);
}

llvm::BasicBlock* FunctionBuilder::new_block(const char* name) {
  return llvm::BasicBlock::Create(builder_.getContext(), name, function_);
}

void FunctionBuilder::set_instruction(uint32_t number) {
  if (llvm::DISubprogram* scope = function_->getSubprogram())
    builder_.SetCurrentDebugLocation(llvm::DILocation::get(builder_.getContext(), number + 1, 0, scope));
}

llvm::AllocaInst* FunctionBuilder::frame_slot(llvm::Type* type) {
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(entry_, entry_->begin());
  llvm::AllocaInst* slot = builder_.CreateAlloca(type);
  slot->setAlignment(llvm::Align(64));
  return slot;
}

void FunctionBuilder::fence() {
  builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
}

void FunctionBuilder::must_hold(Value* ok) {
  llvm::BasicBlock* on = new_block("on");
  builder_.CreateCondBr(ok, on, failed_);
  builder_.SetInsertPoint(on);
}

Value* FunctionBuilder::iota() {
  std::vector<uint32_t> numbers(kStripLanes);
  for (uint32_t l = 0; l < kStripLanes; ++l) numbers[l] = l;
  return llvm::ConstantDataVector::get(builder_.getContext(), numbers);
}

Value* FunctionBuilder::strip_mask(Value* mask64, uint32_t strip) {
  return builder_.CreateTrunc(builder_.CreateLShr(mask64, strip * kStripLanes), builder_.getInt16Ty());
}

Value* FunctionBuilder::bools(Value* mask16) { return builder_.CreateBitCast(mask16, mask_type()); }

Value* FunctionBuilder::all_true(Value* bools) {
  return builder_.CreateICmpEQ(builder_.CreateBitCast(bools, builder_.getInt16Ty()), builder_.getInt16(0xffff));
}

Value* FunctionBuilder::joined(Value* low, Value* high) {
  if (!low->getType()->isVectorTy())
    return builder_.CreateOr(builder_.CreateZExt(low, i64()), builder_.CreateShl(builder_.CreateZExt(high, i64()), 32));
  std::array<int, 2 * kStripLanes> order;
  for (uint32_t k = 0; k < order.size(); ++k) order[k] = int(k / 2 + k % 2 * kStripLanes);
  return builder_.CreateBitCast(builder_.CreateShuffleVector(low, high, order),
                                llvm::FixedVectorType::get(i64(), kStripLanes));
}

Value* FunctionBuilder::half_of(Value* joined, uint32_t dword) {
  if (!joined->getType()->isVectorTy())
    return builder_.CreateTrunc(dword ? builder_.CreateLShr(joined, 32) : joined, i32());
  std::array<int, kStripLanes> order;
  for (uint32_t k = 0; k < order.size(); ++k) order[k] = int(2 * k + dword);
  return builder_.CreateShuffleVector(
      builder_.CreateBitCast(joined, llvm::FixedVectorType::get(i32(), 2 * kStripLanes)), order);
}

llvm::Constant* FunctionBuilder::constant_array(llvm::ArrayRef<uint32_t> numbers) {
  llvm::Constant* array = llvm::ConstantDataArray::get(builder_.getContext(), numbers);
  return new llvm::GlobalVariable(*function_->getParent(), array->getType(), true, llvm::GlobalValue::PrivateLinkage, array);
}

// Of the bits of an f32.
llvm::Value* FunctionBuilder::without_denormals(Value* single, uint32_t smallest_normal) {
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(single->getType(), n); };
  llvm::Value* small = builder_.CreateICmpULT(builder_.CreateAnd(single, number(0x7fffffff)), number(smallest_normal));
  return builder_.CreateSelect(small, builder_.CreateAnd(single, number(0x80000000)), single);
}

void FunctionBuilder::flush(std::span<llvm::Value*> dwords, FloatKind kind) {
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(dwords[0]->getType(), n); };
  const auto unless = [&](llvm::Value* v, uint32_t exponent, uint32_t otherwise) {
    llvm::Value* small = builder_.CreateICmpEQ(builder_.CreateAnd(v, number(exponent)), number(0));
    return builder_.CreateSelect(small, builder_.CreateAnd(v, number(otherwise)), v);
  };
  switch (kind) {
  case FloatKind::Single:
    for (llvm::Value*& v : dwords) v = without_denormals(v, 0x00800000);
    return;
  case FloatKind::Half:
    dwords[0] = unless(unless(dwords[0], 0x7c00, 0xffff8000), 0x7c000000, 0x8000ffff);
    return;
  case FloatKind::Double: {
    llvm::Value* small = builder_.CreateICmpEQ(builder_.CreateAnd(dwords[1], number(0x7ff00000)), number(0));
    dwords[0] = builder_.CreateSelect(small, number(0), dwords[0]);
    dwords[1] = unless(dwords[1], 0x7ff00000, 0x80000000);
    return;
  }
  case FloatKind::None:
    return;
  }
}

} // namespace hip::engine::compile
