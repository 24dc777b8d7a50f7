// runtime/engine/compile/emit/wide_patterns.cpp - see wide_patterns.h.
#include "runtime/engine/compile/emit/wide_patterns.h"

#include "runtime/engine/compile/analysis/patterns.h"

#include <llvm/IR/MDBuilder.h>
#include <span>

namespace hip::engine::compile {
namespace {

constexpr uint32_t kNearPattern = 1 << 20; // mostly patterns are below, and indices far from their end
constexpr uint32_t kFarPattern = 1 << 24;  // beyond that an address's pattern might overflow

} // namespace

// Whether an index plus its pattern stays the same number in 64 bits, in all lanes (i1).
llvm::Value* WidePatternEmitter::index_stays(Value* pattern, const std::array<Value*, kMaxStrips>& first) {
  Value* near = ir_.all_true(builder_.CreateICmpULT(pattern, ir_.splat(ir_.constant(kNearPattern))));
  for (Value* f : std::span(first).first(ir_.strips())) near = builder_.CreateAnd(near, builder_.CreateICmpULT(f, ir_.constant(0u - kNearPattern)));
  llvm::BasicBlock *look = ir_.new_block("far_index"), *on = ir_.new_block("on"), *from = builder_.GetInsertBlock();
  builder_.CreateCondBr(near, on, look, llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights());
  builder_.SetInsertPoint(look);
  Value* stays = builder_.CreateICmpULT(builder_.CreateAdd(pattern, ir_.splat(ir_.constant(kFarPattern))),
                                        ir_.splat(ir_.constant(2 * kFarPattern)));
  Value* back = builder_.CreateICmpSLT(pattern, ir_.splat(ir_.constant(0)));
  for (Value* f : std::span(first).first(ir_.strips())) { // a sum is below lane 0 where the pattern's number is negative, and only there
    Value* sum = builder_.CreateAdd(ir_.splat(f), pattern);
    stays = builder_.CreateAnd(stays, builder_.CreateICmpEQ(builder_.CreateICmpULT(sum, ir_.splat(f)), back));
  }
  stays = ir_.all_true(stays);
  look = builder_.GetInsertBlock();
  builder_.CreateBr(on);
  builder_.SetInsertPoint(on);
  llvm::PHINode* out = builder_.CreatePHI(builder_.getInt1Ty(), 2);
  out->addIncoming(builder_.getTrue(), from);
  out->addIncoming(stays, look);
  return out;
}

void WidePatternEmitter::set_result(const Instr& i, const State& before) {
  const ResolvedInst& raw = i.raw;
  const WideIndex index = wide_index(raw, before);
  const Operand& operand = raw.src[index.operand];
  Value *pattern = vectors_.pattern_of(operand, before), *fits = nullptr;
  std::array<Value*, kMaxStrips> first{}, low{}, high{};
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    std::vector<Value*> arguments = calls_.arguments(i, before, q, Width::Lane);
    const ValuResult out = calls_.call(i.valu->lane, std::move(arguments), 2, false, Width::Lane);
    low[q] = out.rows[0], high[q] = out.rows[1];
    first[q] = vectors_.operand_lane(operand, 0, q, before);
  }
  if (index.wide)
    fits = vectors_.wide_pattern_fits(vgpr_of(operand));
  else
    fits = index_stays(pattern, first);
  Value* shifted = builder_.CreateShl(pattern, ir_.splat(ir_.constant(index.shift)));
  vectors_.set_wide_pattern(vgpr_of(raw.vdst), {low, shifted}, high, fits);
}

void WidePatternEmitter::begin_sum(const Instr& i, const State& before) {
  sum_fits_ = nullptr;
  for (uint32_t k = 0; k < 2; ++k)
    if (is_vector(i.raw.src[k]) && before.v[vgpr_of(i.raw.src[k])].is_wide_pattern())
      sum_fits_ = vectors_.wide_pattern_fits(vgpr_of(i.raw.src[k]));
}

void WidePatternEmitter::complete_sum(const Instr& i, const State& before) {
  std::array<Value*, kMaxStrips> high{};
  for (uint32_t q = 0; q < ir_.strips(); ++q) // with the carries of lane 0s that ValuCalls remembers
    high[q] = calls_.call(i.valu->lane, calls_.arguments(i, before, q, Width::Lane), 1, true, Width::Lane).rows[0];
  vectors_.set_wide_half(before.low_sum.vdst, high, sum_fits_);
}

bool WidePatternEmitter::applies(const MemoryAccess& access, const AddressShape& shape) const {
  const auto& [i, op, offset, row, which, point, state, after] = access;
  if (point.version == Version::Empty || shape.addressing != Addressing::Any || !op.dword() || op.atomic() ||
      op.space != library::Space::Global)
    return false;
  if (i.raw.vaddr.bank != Bank::Vgpr && i.raw.vaddr.bank != Bank::Agpr) return false;
  const Fact& low = state.v[vgpr_of(i.raw.vaddr)];
  return i.raw.saddr ? low.has_pattern() : low.is_wide_pattern();
}

void WidePatternEmitter::emit(const MemoryAccess& access, LaneByLane lane_by_lane, std::vector<LoadedStrip>& loaded) {
  const auto& [i, op, offset, row, which, point, before, after] = access;
  const ResolvedInst& raw = i.raw;
  llvm::Type* strip_type = ir_.strip_type();
  Value* pattern = vectors_.pattern_of(raw.vaddr, before);
  std::array<Value*, kMaxStrips> index{}, address{};
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    index[q] = vectors_.operand_lane(raw.vaddr, 0, q, before);
    Value* first = raw.saddr
                       ? builder_.CreateAdd(scalars_.sgpr64(raw.saddr.index), builder_.CreateZExt(index[q], ir_.i64()))
                       : ir_.joined(index[q], vectors_.operand_lane(raw.vaddr, 1, q, before));
    address[q] = builder_.CreateAdd(first, builder_.getInt64(uint64_t(int64_t(int32_t(offset)))));
  }
  Value* fits = raw.saddr ? index_stays(pattern, index) : vectors_.wide_pattern_fits(vgpr_of(raw.vaddr));
  Value* consecutive =
      builder_.CreateICmpEQ(pattern, builder_.CreateMul(ir_.iota(), ir_.splat(ir_.constant(op.bytes))));
  Value* vectors = builder_.CreateAnd(fits, ir_.all_true(consecutive));
  Value* most = builder_.CreateSub(wave_.arena_bytes(), builder_.getInt64(kStripLanes * op.bytes));
  for (Value* a : std::span(address).first(ir_.strips()))
    vectors = builder_.CreateAnd(vectors, builder_.CreateICmpULE(builder_.CreateSub(a, wave_.arena_base()), most));

  llvm::BasicBlock *fast = ir_.new_block("vectors"), *slow = ir_.new_block("lanes"), *join = ir_.new_block("accessed");
  builder_.CreateCondBr(vectors, fast, slow, llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights());
  builder_.SetInsertPoint(slow);
  std::vector<LoadedStrip> by_lanes;
  lane_by_lane(by_lanes);
  slow = builder_.GetInsertBlock();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(fast);
  std::array<Value*, kMaxStrips> values{};
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    Value* pointer = builder_.CreateIntToPtr(address[q], builder_.getPtrTy());
    Value* lanes = access.partial() ? ir_.bools(ir_.strip_mask(scalars_.exec(), q)) : nullptr;
    if (op.stores) {
      Value* data = vectors_.operand_strip(access.data(), 0, q, before);
      if (lanes)
        builder_.CreateMaskedStore(data, pointer, llvm::Align(1), lanes);
      else
        builder_.CreateAlignedStore(data, pointer, llvm::Align(1));
    } else if (lanes) { // never 0, as in MemoryEmitter::access_dword
      Value* old = facts_.whole(i, point.version) ? llvm::Constant::getAllOnesValue(strip_type)
                                                  : vectors_.strip(vgpr_of(raw.vdst, row), q, before);
      values[q] = builder_.CreateMaskedLoad(strip_type, pointer, llvm::Align(1), lanes, old);
    } else {
      values[q] = builder_.CreateAlignedLoad(strip_type, pointer, llvm::Align(1));
    }
  }
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
  for (const LoadedStrip& l : by_lanes) {
    llvm::PHINode* value = builder_.CreatePHI(strip_type, 2);
    value->addIncoming(values[l.strip], fast);
    value->addIncoming(l.value, slow);
    loaded.push_back({l.v, l.strip, value});
  }
}

} // namespace hip::engine::compile
