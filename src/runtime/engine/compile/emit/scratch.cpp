// runtime/engine/compile/emit/scratch.cpp - see scratch.h.
#include "runtime/engine/compile/emit/scratch.h"

namespace hip::engine::compile {

llvm::Value* ScratchEmitter::common_offset(const Instr& i, uint32_t q, const State& state) {
  const ResolvedInst& raw = i.raw;
  if (raw.vaddr && !operand_fact(state, raw.vaddr, 0).is_uniform()) return nullptr;
  Value* offset = ir_.constant(uint32_t(raw.offset));
  if (raw.saddr) offset = builder_.CreateAdd(offset, scalars_.operand(raw.saddr, 0));
  return raw.vaddr ? builder_.CreateAdd(offset, vectors_.operand_lane(raw.vaddr, 0, q, state)) : offset;
}

void ScratchEmitter::emit(const Instr& i, Version version, const State& before) {
  const ResolvedInst& raw = i.raw;
  const ScratchOp& op = *i.scratch;
  if (is_fixed(raw) && !is_in_slot(raw.offset, op.bytes)) return handlers_.emit(i, version, before);
  const bool whole_dwords = op.bytes % 4 == 0;
  Value* exec = version == Version::Partial ? scalars_.exec() : nullptr;
  llvm::Type* strip = ir_.strip_type();
  llvm::Type* buffer_type = llvm::ArrayType::get(strip, 4);
  llvm::AllocaInst* buffer = ir_.frame_slot(buffer_type);
  auto slot = [&](uint32_t k) { return builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k); };
  const bool same = !raw.vaddr || operand_fact(before, raw.vaddr, 0).same_in_wave();
  std::vector<Value*> results;
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    Value* lanes = exec ? ir_.strip_mask(exec, q) : builder_.getInt16(0xffff);
    Value* one = common_offset(i, q, before);
    // The offset of a strip without an active lane has not been checked.
    if (one && exec && !same)
      one = builder_.CreateSelect(builder_.CreateICmpEQ(lanes, builder_.getInt16(0)), ir_.constant(0), one);
    auto row = [&](uint32_t k) {
      Value* at = builder_.CreateShl(builder_.CreateZExt(builder_.CreateLShr(one, 2), ir_.i64()), 8);
      at = builder_.CreateAdd(builder_.CreateAdd(wave_.scratch_base(), at),
                              builder_.getInt64(k * kRowBytes + q * kStripLanes * 4));
      return builder_.CreateIntToPtr(at, builder_.getPtrTy());
    };
    for (uint32_t k = 0; op.stores && k < op.dwords; ++k) {
      Value* v = vectors_.operand_strip(raw.vdata, k, q, before);
      if (!one || !whole_dwords)
        builder_.CreateStore(v, slot(k));
      else if (exec)
        builder_.CreateMaskedStore(v, row(k), llvm::Align(64), ir_.bools(lanes));
      else
        builder_.CreateAlignedStore(v, row(k), llvm::Align(64));
    }
    if (op.merges) builder_.CreateStore(vectors_.strip(vgpr_of(raw.vdst), q, before), slot(0));
    if (!one) {
      Value* fixed = ir_.constant(uint32_t(raw.offset));
      if (raw.saddr) fixed = builder_.CreateAdd(fixed, scalars_.operand(raw.saddr, 0));
      Value* offsets = builder_.CreateAdd(vectors_.operand_strip(raw.vaddr, 0, q, before), ir_.splat(fixed));
      ir_.must_hold(ir_.call(op.any, wave_.pointer(), wave_.scratch_base(), wave_.scratch_bytes(), offsets, lanes,
                             ir_.constant(q), builder_.getInt64(raw.address), buffer));
    } else if (!whole_dwords) {
      ir_.call(op.slot, wave_.scratch_base(), one, lanes, ir_.constant(q), buffer);
    }
    for (uint32_t k = 0; !op.stores && k < op.dwords; ++k) {
      Value* v = one && whole_dwords ? builder_.CreateAlignedLoad(strip, row(k), llvm::Align(64))
                                     : builder_.CreateLoad(strip, slot(k));
      if (!facts_.whole(i, version))
        v = builder_.CreateSelect(ir_.bools(lanes), v, vectors_.strip(vgpr_of(raw.vdst, k), q, before));
      results.push_back(v);
    }
  }
  // The results are written last, for the destination may hold the offsets.
  for (uint32_t n = 0; n < results.size(); ++n)
    vectors_.set_strip(vgpr_of(raw.vdst, n % op.dwords), n / op.dwords, results[n]);
}

} // namespace hip::engine::compile
