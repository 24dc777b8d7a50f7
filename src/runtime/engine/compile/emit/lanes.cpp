// runtime/engine/compile/emit/lanes.cpp - see lanes.h.
#include "runtime/engine/compile/emit/lanes.h"

#include "runtime/engine/interpret/alu/dpp.h"
#include "runtime/engine/interpret/memory/swizzle.h"

namespace hip::engine::compile {

// A strip whose lane l is lane from[l] of the wave, or 0 where from[l] is negative. `strip_of` gives the wave's strips.
llvm::Value* LanesEmitter::gather(const std::array<int, kStripLanes>& from,
                                  llvm::function_ref<Value*(uint32_t)> strip_of, llvm::Type* type) {
  Value* all = llvm::Constant::getNullValue(type);
  for (uint32_t s = 0; s < ir_.strips(); ++s) {
    std::vector<int> shuffle(kStripLanes);
    bool used = false;
    for (uint32_t l = 0; l < kStripLanes; ++l) {
      const bool here = from[l] >= 0 && uint32_t(from[l]) / kStripLanes == s;
      shuffle[l] = here ? int(kStripLanes) + from[l] % int(kStripLanes) : int(l);
      used |= here;
    }
    if (used) all = builder_.CreateShuffleVector(all, strip_of(s), shuffle);
  }
  return all;
}

// Operand 0 as DPP permutes it. A lane without a source, or whose source is inactive, reads 0 and, unless bound_ctrl
// says otherwise, is not written.
PermutedOperand LanesEmitter::permute(const Instr& i, Version version, uint32_t dwords, const State& state) {
  const ResolvedInst& raw = i.raw;
  PermutedOperand out;
  Value* exec = version == Version::Partial && !raw.fetch_inactive ? scalars_.exec() : nullptr;
  llvm::Type* bool_strip = ir_.mask_type();
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    std::array<int, kStripLanes> from{};
    std::vector<llvm::Constant*> in_range, enabled;
    for (uint32_t l = 0; l < kStripLanes; ++l) {
      const uint32_t lane = q * kStripLanes + l;
      from[l] = raw.has_dpp8 ? int(dpp8_source_lane(raw.dpp8, lane)) : dpp_source_lane(raw.dpp_ctrl, int(lane));
      in_range.push_back(builder_.getInt1(from[l] >= 0));
      enabled.push_back(builder_.getInt1((raw.row_mask >> q & 1) && (raw.bank_mask >> (l / 4) & 1)));
    }
    Value* valid = llvm::ConstantVector::get(in_range);
    if (exec)
      valid = gather(
          from, [&](uint32_t s) { return ir_.bools(ir_.strip_mask(exec, s)); }, bool_strip);
    for (uint32_t d = 0; d < dwords; ++d) {
      Value* v = gather(
          from, [&](uint32_t s) { return vectors_.strip(vgpr_of(raw.src[0], d), s, state); }, ir_.strip_type());
      if (exec) v = builder_.CreateSelect(valid, v, llvm::Constant::getNullValue(v->getType()));
      out.dwords[q].push_back(v);
    }
    Value* writable = llvm::ConstantVector::get(enabled);
    if (!raw.bound_ctrl) writable = builder_.CreateAnd(writable, valid);
    auto* known = llvm::dyn_cast<llvm::Constant>(writable);
    out.writable[q] = known && known->isAllOnesValue() ? nullptr : writable;
  }
  return out;
}

void LanesEmitter::read_lane(const Instr& i, Version version, const State& state) {
  const ResolvedInst& raw = i.raw;
  const uint32_t v = vgpr_of(raw.src[0]);
  const bool first = raw.opcode == Opcode::v_readfirstlane_b32;
  if (state.v[v].is_uniform() && state.v[v].same_in_wave()) return scalars_.set_sgpr(raw.sdst.index, vectors_.lane(v, 0, state));
  Value* lane = nullptr; // i32
  if (!first)
    lane = builder_.CreateAnd(scalars_.operand(raw.src[1], 0), ir_.constant(ir_.lanes() - 1));
  else if (version != Version::Partial)
    lane = ir_.constant(0);
  else // the lowest active lane
    lane = builder_.CreateTrunc(
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, scalars_.exec(), builder_.getInt1(false)), ir_.i32());
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(lane)) {
    const uint64_t n = known->getZExtValue();
    return scalars_.set_sgpr(raw.sdst.index, builder_.CreateExtractElement(
                                                 vectors_.strip(v, uint32_t(n / kStripLanes), state), n % kStripLanes));
  }
  llvm::Type* row_type = llvm::ArrayType::get(ir_.strip_type(), kMaxStrips);
  llvm::AllocaInst* row = ir_.frame_slot(row_type);
  for (uint32_t q = 0; q < ir_.strips(); ++q)
    builder_.CreateStore(vectors_.strip(v, q, state), builder_.CreateConstInBoundsGEP2_32(row_type, row, 0, q));
  scalars_.set_sgpr(raw.sdst.index, builder_.CreateLoad(ir_.i32(), builder_.CreateInBoundsGEP(ir_.i32(), row, lane)));
}

void LanesEmitter::write_lane(const Instr& i, const State& state) {
  const ResolvedInst& raw = i.raw;
  const uint32_t v = vgpr_of(raw.vdst);
  Value* value = scalars_.operand(raw.src[0], 0);
  Value* lane = builder_.CreateAnd(scalars_.operand(raw.src[1], 0), ir_.constant(ir_.lanes() - 1));
  std::vector<Value*> strips;
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    Value* numbers = builder_.CreateAdd(ir_.iota(), ir_.splat(ir_.constant(q * kStripLanes)));
    Value* here = builder_.CreateICmpEQ(numbers, ir_.splat(lane));
    strips.push_back(builder_.CreateSelect(here, ir_.splat(value), vectors_.strip(v, q, state)));
  }
  for (uint32_t q = 0; q < ir_.strips(); ++q) vectors_.set_strip(v, q, strips[q]);
}

// DS instructions that use only LDS's crossbar: lanes read other lanes. An inactive lane is read as 0.
void LanesEmitter::use_crossbar(const Instr& i, Version version, const State& before) {
  const ResolvedInst& raw = i.raw;
  const bool swizzles = raw.opcode == Opcode::ds_swizzle_b32; // its one operand decodes as the address
  Value* exec = version == Version::Partial ? scalars_.exec() : nullptr;
  llvm::Type* type = ir_.strip_type();
  std::array<Value*, kMaxStrips> data, results;
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    data[q] = vectors_.operand_strip(swizzles ? raw.vaddr : raw.vdata, 0, q, before);
    if (exec && !swizzles)
      data[q] = builder_.CreateSelect(ir_.bools(ir_.strip_mask(exec, q)), data[q], llvm::Constant::getNullValue(type));
  }
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    if (swizzles) {
      std::array<int, kStripLanes> from{};
      for (uint32_t l = 0; l < kStripLanes; ++l)
        from[l] = int(swizzle_source(uint32_t(raw.offset) & 0xffff, q * kStripLanes + l));
      results[q] = gather(
          from, [&](uint32_t s) { return data[s]; }, type);
      if (exec) { // (Of a shuffle of selected lanes, LLVM 22's code generator loses the select.)
        Value* active = gather(
            from, [&](uint32_t s) { return ir_.bools(ir_.strip_mask(exec, s)); }, ir_.mask_type());
        results[q] = builder_.CreateSelect(active, results[q], llvm::Constant::getNullValue(type));
      }
    } else {
      Value* offset = ir_.splat(ir_.constant(uint32_t(raw.offset) & 0xffff));
      Value* address = builder_.CreateAdd(vectors_.operand_strip(raw.vaddr, 0, q, before), offset);
      // A lane is read of the crossbar's group that the reading one is in, so other groups are this one once more.
      const uint32_t group = raw.crossbar_lanes / kStripLanes, first = q - q % group;
      const auto of = [&](uint32_t k) { return data[first + k % group]; };
      results[q] = ir_.call(library_.crossbar(), address, of(0), of(1), of(2), of(3));
    }
  }
  const uint32_t vdst = vgpr_of(raw.vdst);
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    if (!facts_.whole(i, version))
      results[q] =
          builder_.CreateSelect(ir_.bools(ir_.strip_mask(exec, q)), results[q], vectors_.strip(vdst, q, before));
    vectors_.set_strip(vdst, q, results[q]);
  }
}

} // namespace hip::engine::compile
