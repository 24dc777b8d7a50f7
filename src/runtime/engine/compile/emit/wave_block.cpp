// runtime/engine/compile/emit/wave_block.cpp - see wave_block.h.
#include "runtime/engine/compile/emit/wave_block.h"

#include "runtime/engine/interpret/inst.h"

namespace hip::engine::compile {

WaveBlock::WaveBlock(FunctionBuilder& ir)
    : ir_(ir), pointer_(ir.function()->getArg(0)), element_(ir.function()->getArg(1)) {}

llvm::Value* WaveBlock::guest_begin() {
  constexpr uint32_t kOffset = offsetof(Inst, imm) + sizeof(uint64_t);
  llvm::IRBuilder<>& builder = ir_.builder();
  llvm::LoadInst* begin = builder.CreateLoad(ir_.i64(), ir_.byte_at(element_, kOffset));
  begin->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return begin;
}

void WaveBlock::load_group_fields() {
  arena_base_ = load(ir_.i64(), offsetof(Wave, arena_base));
  arena_bytes_ = load(ir_.i64(), offsetof(Wave, arena_bytes));
  lds_base_ = load(ir_.i64(), offsetof(Wave, lds));
  lds_bytes_ = ir_.builder().CreateZExt(load(ir_.i32(), offsetof(Wave, lds_bytes)), ir_.i64());
}

void WaveBlock::load_wave_fields() {
  scratch_base_ = load(ir_.i64(), offsetof(Wave, scratch_base));
  scratch_bytes_ = load(ir_.i64(), offsetof(Wave, scratch_bytes));
}

} // namespace hip::engine::compile
