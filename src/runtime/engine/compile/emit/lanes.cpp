// runtime/engine/compile/emit/lanes.cpp - what crosses lanes or selects parts of them: DPP, SDWA, v_readlane and its kin.
#include "runtime/engine/interpret/alu/dpp.h"
#include "runtime/engine/interpret/alu/sdwa.h"
#include "runtime/engine/compile/emit/emit.h"

namespace hip::engine::compile {

// Lane l is lane from[l] of the wave, in as many strips as there are; 0 where that is negative.
llvm::Value* RegionEmitter::gather_lanes(const std::array<int, kStripLanes>& from, llvm::function_ref<Value*(uint32_t)> strip_of,
                                         llvm::Type* type) {
  Value* all = llvm::Constant::getNullValue(type);
  for (uint32_t s = 0; s < kStripCount; ++s) {
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

// Operand 0 as DPP permutes it. A lane without a source, or whose source is inactive, reads 0 and, unless bound_ctrl says
// otherwise, is not written.
RegionEmitter::Permuted RegionEmitter::permute(const Instr& i, Version version, uint32_t dwords, const State& state) {
  const RawInst& raw = i.raw;
  Permuted out;
  Value* exec = version == Version::Partial ? sgpr64(kExecLo) : nullptr;
  llvm::Type* bool_strip = llvm::FixedVectorType::get(builder_.getInt1Ty(), kStripLanes);
  for (uint32_t q = 0; q < kStripCount; ++q) {
    std::array<int, kStripLanes> from{};
    std::vector<llvm::Constant*> in_range, enabled;
    for (uint32_t l = 0; l < kStripLanes; ++l) {
      from[l] = dpp_source_lane(raw.dpp_ctrl, int(q * kStripLanes + l));
      in_range.push_back(builder_.getInt1(from[l] >= 0));
      enabled.push_back(builder_.getInt1((raw.row_mask >> q & 1) && (raw.bank_mask >> (l / 4) & 1)));
    }
    Value* valid = llvm::ConstantVector::get(in_range);
    if (exec) valid = gather_lanes(from, [&](uint32_t s) { return bools(strip_mask(exec, s)); }, bool_strip);
    for (uint32_t d = 0; d < dwords; ++d) {
      Value* v = gather_lanes(from, [&](uint32_t s) { return strip_value(vgpr_of(raw.src[0], d), s, state); },
                              llvm::FixedVectorType::get(i32(), kStripLanes));
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

llvm::Value* RegionEmitter::selected(const RawInst& raw, uint32_t k, Value* v) {
  const SdwaPart part(k == 0 ? raw.src0_sel : raw.src1_sel);
  if (part.width == 32) return v;
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(v->getType(), n); };
  v = builder_.CreateShl(v, number(32 - part.width - part.shift));
  return raw.sext >> k & 1 ? builder_.CreateAShr(v, number(32 - part.width)) : builder_.CreateLShr(v, number(32 - part.width));
}

llvm::Value* RegionEmitter::placed(const RawInst& raw, Value* v, Value* old) {
  const SdwaPart part(raw.dst_sel);
  if (part.width == 32) return v;
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(v->getType(), n); };
  const uint32_t field = ((1u << part.width) - 1) << part.shift;
  v = builder_.CreateAnd(builder_.CreateShl(v, number(part.shift)), number(field));
  if (raw.dst_unused == 1) { // sign-extended above
    const uint32_t above = 32 - part.width - part.shift;
    v = builder_.CreateAShr(builder_.CreateShl(v, number(above)), number(above));
  }
  if (raw.dst_unused == 2) v = builder_.CreateOr(v, builder_.CreateAnd(old, number(~field)));
  return v;
}

void RegionEmitter::emit_read_lane(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  const uint32_t v = vgpr_of(raw.src[0]);
  const bool first = raw.opcode == Opcode::v_readfirstlane_b32;
  if (state.v[v].uniform() && state.v[v].wave()) return set_sgpr(raw.sdst.index, lane_value(v, 0, state));
  Value* lane = nullptr; // i32
  if (!first)
    lane = builder_.CreateAnd(scalar(raw.src[1], 0), constant(kMaxLanes - 1));
  else if (version_ != Version::Partial)
    lane = constant(0);
  else // the lowest active lane
    lane = builder_.CreateTrunc(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, sgpr64(kExecLo), builder_.getInt1(false)), i32());
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(lane)) {
    const uint64_t n = known->getZExtValue();
    return set_sgpr(raw.sdst.index, builder_.CreateExtractElement(strip_value(v, uint32_t(n / kStripLanes), state), n % kStripLanes));
  }
  llvm::Type* row_type = llvm::ArrayType::get(llvm::FixedVectorType::get(i32(), kStripLanes), kStripCount);
  llvm::AllocaInst* row = place_for(row_type);
  for (uint32_t q = 0; q < kStripCount; ++q)
    builder_.CreateStore(strip_value(v, q, state), builder_.CreateConstInBoundsGEP2_32(row_type, row, 0, q));
  set_sgpr(raw.sdst.index, builder_.CreateLoad(i32(), builder_.CreateInBoundsGEP(i32(), row, lane)));
}

void RegionEmitter::emit_write_lane(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  const uint32_t v = vgpr_of(raw.vdst);
  Value* value = scalar(raw.src[0], 0);
  Value* lane = builder_.CreateAnd(scalar(raw.src[1], 0), constant(kMaxLanes - 1));
  std::vector<Value*> strips;
  for (uint32_t q = 0; q < kStripCount; ++q) {
    Value* numbers = builder_.CreateAdd(iota(), builder_.CreateVectorSplat(kStripLanes, constant(q * kStripLanes)));
    Value* here = builder_.CreateICmpEQ(numbers, builder_.CreateVectorSplat(kStripLanes, lane));
    strips.push_back(builder_.CreateSelect(here, builder_.CreateVectorSplat(kStripLanes, value), strip_value(v, q, state)));
  }
  for (uint32_t q = 0; q < kStripCount; ++q) set_strip(v, q, strips[q]);
}

} // namespace hip::engine::compile
