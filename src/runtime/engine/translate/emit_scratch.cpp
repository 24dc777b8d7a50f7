// runtime/engine/translate/emit_scratch.cpp - private memory. What is known to lie at one offset for all lanes (spilled registers,
// fixed stack slots) are plain vector accesses; else the library looks at each lane's.
#include "runtime/engine/translate/emit.h"

namespace hip::engine::translate {

void RegionEmitter::emit_scratch(const Instr& i, Version version, const State& before) {
  const RawInst& raw = i.raw;
  const ScratchOp& op = *i.scratch;
  const Fact where = raw.vaddr ? operand_fact(before, raw.vaddr, 0) : Fact{};
  const bool one = !raw.vaddr || where.uniform();
  Value* fixed = constant(uint32_t(raw.offset));
  if (raw.saddr) fixed = builder_.CreateAdd(fixed, scalar(raw.saddr, 0));
  Value* exec = version == Version::Partial ? sgpr64(kExecLo) : nullptr;
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  llvm::Type* buffer_type = llvm::ArrayType::get(strip, 4);
  llvm::AllocaInst* buffer = place_for(buffer_type);
  auto slot = [&](uint32_t k) { return builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k); };
  std::vector<Value*> results;
  for (uint32_t q = 0; q < kStripCount; ++q) {
    if (op.stores)
      for (uint32_t k = 0; k < op.dwords; ++k) builder_.CreateStore(operand_strip(raw.vdata, k, q, before), slot(k));
    else if (op.merges)
      builder_.CreateStore(strip_value(vgpr_of(raw.vdst), q, before), slot(0));
    Value* lanes = exec ? strip_mask(exec, q) : builder_.getInt16(0xffff);
    Value* offset = fixed;
    if (!one)
      offset = builder_.CreateAdd(operand_strip(raw.vaddr, 0, q, before), builder_.CreateVectorSplat(kStripLanes, fixed));
    else if (raw.vaddr)
      offset = builder_.CreateAdd(operand_lane(raw.vaddr, 0, q, before), fixed);
    must_hold(builder_.CreateCall(one ? op.slot : op.any, {wave_, scratch_base_, scratch_bytes_, offset, lanes, constant(q),
                                                          builder_.getInt64(raw.address), buffer}));
    for (uint32_t k = 0; !op.stores && k < op.dwords; ++k) {
      Value* v = builder_.CreateLoad(strip, slot(k));
      if (!facts_.whole(i, version)) v = builder_.CreateSelect(bools(lanes), v, strip_value(vgpr_of(raw.vdst, k), q, before));
      results.push_back(v);
    }
  }
  // Only now, for the destination may hold the offsets.
  for (uint32_t n = 0; n < results.size(); ++n) set_strip(vgpr_of(raw.vdst, n % op.dwords), n / op.dwords, results[n]);
}

} // namespace hip::engine::translate
