// runtime/engine/compile/emit/scratch.cpp - private memory. What all lanes have at one offset (spilled registers, fixed stack
// slots, arrays that are indexed alike) are plain vector accesses, behind a check that sends the wave to tier 0; for the rest
// the library looks at each lane's offset.
#include "runtime/engine/compile/emit/emit.h"

namespace hip::engine::compile {
namespace {

bool is_fixed(const RawInst& raw) { return !raw.vaddr && !raw.saddr; }
// (interpret/memory/scratch.h has the same question for the handlers.)
bool in_slot(uint32_t offset, uint32_t bytes) { return bytes >= 4 ? offset % 4 == 0 : offset % 4 + bytes <= 4; }

} // namespace

// Where lane 0 of strip q has the element, when all lanes have it there; else null.
llvm::Value* RegionEmitter::scratch_offset(const Instr& i, uint32_t q, const State& state) {
  const RawInst& raw = i.raw;
  if (raw.vaddr && !operand_fact(state, raw.vaddr, 0).uniform()) return nullptr;
  Value* offset = constant(uint32_t(raw.offset));
  if (raw.saddr) offset = builder_.CreateAdd(offset, scalar(raw.saddr, 0));
  return raw.vaddr ? builder_.CreateAdd(offset, operand_lane(raw.vaddr, 0, q, state)) : offset;
}

// Whether an access at one offset is inside, and in its slot. Null: nothing has to be checked.
llvm::Value* RegionEmitter::scratch_fits(const Instr& i, Version version, const State& state) {
  const uint32_t bytes = i.scratch->bytes;
  auto ends_inside = [&](Value* offset) {
    return builder_.CreateICmpULE(builder_.CreateAdd(builder_.CreateZExt(offset, i64()), builder_.getInt64(bytes)), scratch_bytes_);
  };
  if (is_fixed(i.raw)) { // one check for all of the region's
    if (!in_slot(uint32_t(i.raw.offset), bytes)) return nullptr;
    uint64_t end = 0;
    for (uint32_t n : regions_.regions[number_].nodes)
      for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
        const Instr& other = code_.instrs[k];
        if (other.kind == Kind::Scratch && is_fixed(other.raw)) end = std::max<uint64_t>(end, uint64_t(uint32_t(other.raw.offset)) + other.scratch->bytes);
      }
    return builder_.CreateICmpUGE(scratch_bytes_, builder_.getInt64(end));
  }
  Value* all = nullptr;
  const bool same = !i.raw.vaddr || operand_fact(state, i.raw.vaddr, 0).wave();
  for (uint32_t q = 0; q < (same ? 1 : kStripCount); ++q) {
    Value* offset = scratch_offset(i, q, state);
    if (!offset) return nullptr;
    Value* part = builder_.CreateAnd(offset, constant(3));
    Value* fits = builder_.CreateAnd(ends_inside(offset), bytes >= 4 ? builder_.CreateICmpEQ(part, constant(0))
                                                                     : builder_.CreateICmpULE(part, constant(4 - bytes)));
    if (!same && version == Version::Partial)
      fits = builder_.CreateOr(fits, builder_.CreateICmpEQ(strip_mask(sgpr64(kExecLo), q), builder_.getInt16(0)));
    all = all ? builder_.CreateAnd(all, fits) : fits;
  }
  return all;
}

void RegionEmitter::emit_scratch(const Instr& i, Version version, const State& before) {
  const RawInst& raw = i.raw;
  const ScratchOp& op = *i.scratch;
  if (is_fixed(raw) && !in_slot(uint32_t(raw.offset), op.bytes)) return emit_called(i, version, before);
  const bool whole_dwords = op.bytes % 4 == 0;
  Value* exec = version == Version::Partial ? sgpr64(kExecLo) : nullptr;
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  llvm::Type* buffer_type = llvm::ArrayType::get(strip, 4);
  llvm::AllocaInst* buffer = place_for(buffer_type);
  auto slot = [&](uint32_t k) { return builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k); };
  const bool same = !raw.vaddr || operand_fact(before, raw.vaddr, 0).wave();
  std::vector<Value*> results;
  for (uint32_t q = 0; q < kStripCount; ++q) {
    Value* lanes = exec ? strip_mask(exec, q) : builder_.getInt16(0xffff);
    Value* one = scratch_offset(i, q, before);
    // (Where no lane of the strip is active its offset has not been checked.)
    if (one && exec && !same) one = builder_.CreateSelect(builder_.CreateICmpEQ(lanes, builder_.getInt16(0)), constant(0), one);
    auto row = [&](uint32_t k) {
      Value* at = builder_.CreateShl(builder_.CreateZExt(builder_.CreateLShr(one, 2), i64()), 8);
      at = builder_.CreateAdd(builder_.CreateAdd(scratch_base_, at), builder_.getInt64(k * kRowBytes + q * kStripLanes * 4));
      return builder_.CreateIntToPtr(at, builder_.getPtrTy());
    };
    for (uint32_t k = 0; op.stores && k < op.dwords; ++k) {
      Value* v = operand_strip(raw.vdata, k, q, before);
      if (!one || !whole_dwords)
        builder_.CreateStore(v, slot(k));
      else if (exec)
        builder_.CreateMaskedStore(v, row(k), llvm::Align(64), bools(lanes));
      else
        builder_.CreateAlignedStore(v, row(k), llvm::Align(64));
    }
    if (op.merges) builder_.CreateStore(strip_value(vgpr_of(raw.vdst), q, before), slot(0));
    if (!one) {
      Value* fixed = constant(uint32_t(raw.offset));
      if (raw.saddr) fixed = builder_.CreateAdd(fixed, scalar(raw.saddr, 0));
      Value* offsets = builder_.CreateAdd(operand_strip(raw.vaddr, 0, q, before), builder_.CreateVectorSplat(kStripLanes, fixed));
      must_hold(builder_.CreateCall(op.any, {wave_, scratch_base_, scratch_bytes_, offsets, lanes, constant(q), builder_.getInt64(raw.address), buffer}));
    } else if (!whole_dwords) {
      builder_.CreateCall(op.slot, {scratch_base_, one, lanes, constant(q), buffer});
    }
    for (uint32_t k = 0; !op.stores && k < op.dwords; ++k) {
      Value* v = one && whole_dwords ? builder_.CreateAlignedLoad(strip, row(k), llvm::Align(64)) : builder_.CreateLoad(strip, slot(k));
      if (!facts_.whole(i, version)) v = builder_.CreateSelect(bools(lanes), v, strip_value(vgpr_of(raw.vdst, k), q, before));
      results.push_back(v);
    }
  }
  // Only now, for the destination may hold the offsets.
  for (uint32_t n = 0; n < results.size(); ++n) set_strip(vgpr_of(raw.vdst, n % op.dwords), n / op.dwords, results[n]);
}

} // namespace hip::engine::compile
