// runtime/engine/compile/emit/wide_patterns.cpp - 64-bit addresses with a pattern (Fact::wide): an index of 32 bits
// that is widened and added to what is the same in all lanes. Whether it wraps around in 32 bits only running code
// knows; it is kept beside the address, and where an access finds that it does not, and that the pattern is consecutive
// dwords, each strip is one vector. All other accesses go lane by lane as if nothing were known.
#include "runtime/engine/compile/emit/emit.h"
#include "runtime/engine/compile/analysis/patterns.h"

#include <llvm/IR/MDBuilder.h>

namespace hip::engine::compile {
namespace {

constexpr uint32_t kNearPattern = 1 << 20; // mostly patterns are below, and indices far from their end
constexpr uint32_t kFarPattern = 1 << 24;  // beyond that an address's pattern might overflow

} // namespace

// Whether an index plus its pattern stays the same number in 64 bits, in all lanes (i1).
llvm::Value* RegionEmitter::index_stays(Value* pattern, const std::array<Value*, kStripCount>& first) {
  llvm::Type* bits = builder_.getInt16Ty();
  const auto splat = [&](Value* v) { return builder_.CreateVectorSplat(kStripLanes, v); };
  const auto all = [&](Value* lanes) {
    return builder_.CreateICmpEQ(builder_.CreateBitCast(lanes, bits), builder_.getInt16(0xffff));
  };
  Value* near = all(builder_.CreateICmpULT(pattern, splat(constant(kNearPattern))));
  for (Value* f : first) near = builder_.CreateAnd(near, builder_.CreateICmpULT(f, constant(0u - kNearPattern)));
  llvm::BasicBlock *look = new_block("far_index"), *on = new_block("on"), *from = builder_.GetInsertBlock();
  builder_.CreateCondBr(near, on, look, llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights());
  builder_.SetInsertPoint(look);
  Value* stays = builder_.CreateICmpULT(builder_.CreateAdd(pattern, splat(constant(kFarPattern))),
                                        splat(constant(2 * kFarPattern)));
  Value* back = builder_.CreateICmpSLT(pattern, splat(constant(0)));
  for (Value* f : first) { // a sum is below lane 0 where the pattern's number is negative, and only there
    Value* sum = builder_.CreateAdd(splat(f), pattern);
    stays = builder_.CreateAnd(stays, builder_.CreateICmpEQ(builder_.CreateICmpULT(sum, splat(f)), back));
  }
  stays = all(stays);
  look = builder_.GetInsertBlock();
  builder_.CreateBr(on);
  builder_.SetInsertPoint(on);
  llvm::PHINode* out = builder_.CreatePHI(builder_.getInt1Ty(), 2);
  out->addIncoming(builder_.getTrue(), from);
  out->addIncoming(stays, look);
  return out;
}

// The result of v_lshl_add_u64, beside its strips.
void RegionEmitter::set_wide_pattern(const Instr& i, const State& before) {
  const RawInst& raw = i.raw;
  const WideIndex index = wide_index(raw, before);
  Value *pattern = pattern_of(raw.src[0], before), *fits = nullptr;
  std::array<Value*, kStripCount> first{}, low{}, high{};
  for (uint32_t q = 0; q < kStripCount; ++q) {
    std::vector<Value*> arguments;
    append_arguments(i, before, q, true, nullptr, arguments);
    const Outcome out = call(i.valu->lane, std::move(arguments), 2, false, true);
    low[q] = out.rows[0], high[q] = out.rows[1];
    first[q] = operand_lane(raw.src[0], 0, q, before);
  }
  if (index.wide)
    fits = builder_.CreateLoad(builder_.getInt1Ty(), fits_[vgpr_of(raw.src[0])]);
  else
    fits = index_stays(pattern, first);
  const uint32_t to = vgpr_of(raw.vdst);
  set_pattern(to, {low, builder_.CreateShl(pattern, builder_.CreateVectorSplat(kStripLanes, constant(index.shift)))});
  for (uint32_t q = 0; q < kStripCount; ++q) builder_.CreateStore(high[q], lanes_[to + 1][q]);
  builder_.CreateStore(fits, fits_[to]);
}

bool RegionEmitter::by_wide_pattern(const Instr& i, const MemoryOp& op, const Layout& layout, Version version,
                                    const State& state) const {
  if (lane_by_lane_ || version == Version::Empty || layout.lie != Lie::Any || !op.dword() || op.atomic() ||
      op.space != library::Space::Global)
    return false;
  if (i.raw.vaddr.bank != Bank::Vgpr && i.raw.vaddr.bank != Bank::Agpr) return false;
  const Fact& low = state.v[vgpr_of(i.raw.vaddr)];
  return i.raw.saddr ? low.kind == Fact::Kind::Any && low.pattern : low.wide;
}

void RegionEmitter::emit_wide_pattern_access(const Access& access, std::vector<Loaded>& loaded) {
  const auto& [i, op, offset, row, which, version, before, after] = access;
  const RawInst& raw = i.raw;
  const bool partial = version == Version::Partial;
  llvm::Type* strip_type = llvm::FixedVectorType::get(i32(), kStripLanes);
  Value* pattern = pattern_of(raw.vaddr, before);
  std::array<Value*, kStripCount> index{}, address{};
  for (uint32_t q = 0; q < kStripCount; ++q) {
    index[q] = operand_lane(raw.vaddr, 0, q, before);
    Value* first = raw.saddr ? builder_.CreateAdd(sgpr64(raw.saddr.index), builder_.CreateZExt(index[q], i64()))
                             : joined(index[q], operand_lane(raw.vaddr, 1, q, before));
    address[q] = builder_.CreateAdd(first, builder_.getInt64(uint64_t(int64_t(int32_t(offset)))));
  }
  Value* fits =
      raw.saddr ? index_stays(pattern, index) : builder_.CreateLoad(builder_.getInt1Ty(), fits_[vgpr_of(raw.vaddr)]);
  Value* consecutive = builder_.CreateICmpEQ(
      pattern, builder_.CreateMul(iota(), builder_.CreateVectorSplat(kStripLanes, constant(op.bytes))));
  Value* vectors =
      builder_.CreateAnd(fits, builder_.CreateICmpEQ(builder_.CreateBitCast(consecutive, builder_.getInt16Ty()),
                                                     builder_.getInt16(0xffff)));
  Value* most = builder_.CreateSub(arena_bytes_, builder_.getInt64(kStripLanes * op.bytes));
  for (Value* a : address)
    vectors = builder_.CreateAnd(vectors, builder_.CreateICmpULE(builder_.CreateSub(a, arena_base_), most));

  llvm::BasicBlock *fast = new_block("vectors"), *slow = new_block("lanes"), *join = new_block("accessed");
  builder_.CreateCondBr(vectors, fast, slow, llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights());
  builder_.SetInsertPoint(slow);
  std::vector<Loaded> by_lanes;
  lane_by_lane_ = true;
  emit_access(i, op, offset, row, which, version, before, after, by_lanes);
  lane_by_lane_ = false;
  slow = builder_.GetInsertBlock();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(fast);
  std::array<Value*, kStripCount> values{};
  for (uint32_t q = 0; q < kStripCount; ++q) {
    Value* pointer = builder_.CreateIntToPtr(address[q], builder_.getPtrTy());
    Value* lanes = partial ? bools(strip_mask(sgpr64(kExecLo), q)) : nullptr;
    if (op.stores) {
      Value* data = operand_strip(which ? raw.data1 : raw.vdata, 0, q, before);
      if (lanes)
        builder_.CreateMaskedStore(data, pointer, llvm::Align(1), lanes);
      else
        builder_.CreateAlignedStore(data, pointer, llvm::Align(1));
    } else if (lanes) { // (never 0, as in emit_access)
      Value* old = facts_.whole(i, version) ? llvm::Constant::getAllOnesValue(strip_type)
                                            : strip_value(vgpr_of(raw.vdst, row), q, before);
      values[q] = builder_.CreateMaskedLoad(strip_type, pointer, llvm::Align(1), lanes, old);
    } else {
      values[q] = builder_.CreateAlignedLoad(strip_type, pointer, llvm::Align(1));
    }
  }
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
  for (const Loaded& l : by_lanes) {
    llvm::PHINode* value = builder_.CreatePHI(strip_type, 2);
    value->addIncoming(values[l.strip], fast);
    value->addIncoming(l.value, slow);
    loaded.push_back({l.v, l.strip, value});
  }
}

} // namespace hip::engine::compile
