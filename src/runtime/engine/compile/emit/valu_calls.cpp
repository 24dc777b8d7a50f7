// runtime/engine/compile/emit/valu_calls.cpp - see valu_calls.h.
#include "runtime/engine/compile/emit/valu_calls.h"

#include "runtime/engine/interpret/alu/sdwa.h"
#include "runtime/engine/interpret/inst.h"

namespace hip::engine::compile {
namespace {

constexpr uint32_t kSmallestNormalHalf = 0x38800000; // as an f32

} // namespace

// Dword `dword` of parameter k with the instruction's input modifiers; `lo` and `hi` are the operand's dwords (of
// strips or of one lane).
llvm::Value* ValuCalls::modified(const ValuOp& op, const ResolvedInst& raw, uint32_t k, uint32_t dword, Value* lo,
                                 Value* hi) {
  const uint32_t kind = op.kind(k);
  const bool neg = raw.neg >> k & 1, abs = (raw.abs | raw.neg_hi) >> k & 1;
  const bool high = raw.op_sel >> k & 1, high_hi = raw.op_sel_hi >> k & 1;
  llvm::Type* type = lo->getType();
  auto number = [&](uint32_t v) { return llvm::ConstantInt::get(type, v); };
  auto sign = [&](Value* v, bool clear, bool flip, uint32_t bit) {
    if (clear) v = builder_.CreateAnd(v, number(~bit));
    if (flip) v = builder_.CreateXor(v, number(bit));
    return v;
  };
  constexpr uint32_t kSign = 0x80000000u, kHalfSign = 0x8000u;
  switch (kind) {
  case kKind16:
    return sign(high ? builder_.CreateLShr(lo, 16) : lo, abs, neg, kHalfSign);
  case kKindPack: {
    if (!high && high_hi && !neg && !abs) return lo;
    Value* a = sign(high ? builder_.CreateLShr(lo, 16) : lo, false, neg, kHalfSign);
    Value* b = sign(high_hi ? builder_.CreateLShr(lo, 16) : lo, false, abs, kHalfSign);
    return builder_.CreateOr(builder_.CreateAnd(a, number(0xffff)), builder_.CreateShl(b, 16));
  }
  case kKindPair:
    return dword == 0 ? sign(high ? hi : lo, false, neg, kSign) : sign(high_hi ? hi : lo, false, abs, kSign);
  case kKind64: {
    if (!neg && !abs) return dword == 0 ? lo : hi;
    Value* v = ir_.joined(lo, hi); // the sign of the whole, which LLVM folds into what takes it
    llvm::Type *whole = v->getType(), *real = builder_.getDoubleTy();
    if (whole->isVectorTy()) real = llvm::FixedVectorType::get(real, kStripLanes);
    v = builder_.CreateBitCast(v, real);
    if (abs) v = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v);
    if (neg) v = builder_.CreateFNeg(v);
    return ir_.half_of(builder_.CreateBitCast(v, whole), dword);
  }
  case kKindMix: {
    Value* v = lo;
    if (high_hi) { // this operand is an f16
      llvm::Type *i16 = builder_.getInt16Ty(), *half = builder_.getHalfTy(), *single = builder_.getFloatTy();
      if (type->isVectorTy())
        i16 = llvm::FixedVectorType::get(i16, kStripLanes), half = llvm::FixedVectorType::get(half, kStripLanes),
        single = llvm::FixedVectorType::get(single, kStripLanes);
      Value* bits = builder_.CreateTrunc(high ? builder_.CreateLShr(lo, 16) : lo, i16);
      v = builder_.CreateBitCast(builder_.CreateFPExt(builder_.CreateBitCast(bits, half), single), type);
    }
    return sign(v, abs, neg, kSign);
  }
  case kKindQuad:
    return lo;
  default:
    return sign(lo, abs, neg, kSign);
  }
}

llvm::Value* ValuCalls::selected(const ResolvedInst& raw, uint32_t k, Value* v) {
  const SdwaPart part(k == 0 ? raw.src0_sel : raw.src1_sel);
  if (part.width == 32) return v;
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(v->getType(), n); };
  v = builder_.CreateShl(v, number(32 - part.width - part.shift));
  return raw.sext >> k & 1 ? builder_.CreateAShr(v, number(32 - part.width))
                           : builder_.CreateLShr(v, number(32 - part.width));
}

llvm::Value* ValuCalls::placed(const ResolvedInst& raw, Value* v, Value* old) {
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

std::vector<llvm::Value*> ValuCalls::arguments(const Instr& i, const State& state, uint32_t q, Width width,
                                         const PermutedOperand* permuted) {
  std::vector<Value*> out;
  const ResolvedInst& raw = i.raw;
  const ValuOp& op = *i.valu;
  uint32_t flags = 0;
  if (raw.clamp && op.result & kResultFloat) flags |= kClamp;
  flags |= uint32_t(raw.omod & 3) << kOmodShift;
  out.push_back(ir_.constant(flags));
  auto fetch = [&](const Operand& o, uint32_t dword) {
    return width == Width::Lane ? vectors_.operand_lane(o, dword, q, state)
                                : vectors_.operand_strip(o, dword, q, state);
  };
  std::vector<Value*> masks;
  for (uint32_t k = 0; k < op.parameters(); ++k) {
    const uint32_t kind = op.kind(k);
    if (kind == kKindLane) {
      out.push_back(builder_.CreateAdd(ir_.iota(), ir_.splat(ir_.constant(q * kStripLanes))));
      continue;
    }
    if (kind == kKindField) {
      out.push_back(width == Width::Lane ? ir_.constant(raw.field) : ir_.splat(ir_.constant(raw.field)));
      continue;
    }
    if (kind == kKindMask && width == Width::Lane && carries_[q] && is_sgpr(raw.src[k]) && raw.src[k].index == carries_of_) {
      masks.push_back(builder_.CreateZExt(carries_[q], builder_.getInt16Ty()));
      continue;
    }
    if (kind == kKindMask) {
      masks.push_back(
          ir_.strip_mask(scalars_.operand_lanes(raw.src[k]), q));
      continue;
    }
    const Operand& o = raw.src[k];
    const uint32_t count = op.dwords(k);
    if (i.is_quotient && k == 0) { // the estimate: not read, and in no register of this region where that begins behind it
      llvm::Type* const dword = width == Width::Lane ? static_cast<llvm::Type*>(builder_.getInt32Ty()) : ir_.strip_type();
      out.insert(out.end(), count, llvm::PoisonValue::get(dword));
      continue;
    }
    const bool moved = permuted && k == 0;
    Value* lo = moved ? permuted->dwords[q][0] : fetch(o, 0);
    Value* hi = count == 2 ? (moved ? permuted->dwords[q][1] : fetch(o, 1)) : nullptr;
    if (raw.variant == Variant::Sdwa && k < 2 && k < raw.named_count) lo = selected(raw, k, lo);
    for (uint32_t d = 0; d < count; ++d)
      out.push_back(modified(op, raw, k, d, kind == kKindQuad && d ? fetch(o, d) : lo, hi));
    if (!(i.flushes >> k & 1)) continue;
    const std::span<Value*> operand = std::span(out).last(count);
    if (kind == kKindMix && raw.op_sel_hi >> k & 1)
      operand[0] = ir_.without_denormals(operand[0], kSmallestNormalHalf);
    else
      ir_.flush(operand, kind == kKindMix ? FloatKind::Single : op.float_kind(k));
  }
  out.insert(out.end(), masks.begin(), masks.end());
  return out;
}

ValuResult ValuCalls::call(llvm::Function* function, std::vector<Value*> arguments, uint32_t rows, bool mask,
                           Width width) {
  ValuResult out;
  llvm::Type* returned = function->getReturnType();
  llvm::Type* dword = width == Width::Lane ? ir_.i32() : ir_.strip_type();
  llvm::Type* memory_type = returned->isVoidTy() ? function->getParamStructRetType(0) : returned;
  if (rows + mask == 1 && !returned->isVoidTy()) {
    llvm::CallInst* result = builder_.CreateCall(function, arguments);
    if (rows)
      out.rows.push_back(result);
    else
      out.mask = result;
    return out;
  }
  // A structure, through memory that SROA removes: the rows, then the mask.
  llvm::AllocaInst* memory = ir_.frame_slot(memory_type);
  if (returned->isVoidTy()) {
    arguments.insert(arguments.begin(), memory);
    builder_.CreateCall(function, arguments);
  } else {
    builder_.CreateStore(builder_.CreateCall(function, arguments), memory);
  }
  const uint32_t row_bytes = width == Width::Lane ? 4 : 4 * kStripLanes;
  auto field = [&](uint32_t offset) { return ir_.byte_at(memory, offset); };
  for (uint32_t k = 0; k < rows; ++k)
    out.rows.push_back(builder_.CreateAlignedLoad(dword, field(k * row_bytes), llvm::Align(row_bytes)));
  if (mask) out.mask = builder_.CreateLoad(builder_.getInt16Ty(), field(rows * row_bytes));
  return out;
}

ValuResult ValuCalls::quotient(const std::vector<Value*>& arguments, uint32_t rows) {
  llvm::Type *dword = arguments[1]->getType(), *real = rows == 2 ? builder_.getDoubleTy() : builder_.getFloatTy();
  if (dword->isVectorTy()) real = llvm::FixedVectorType::get(real, kStripLanes);
  auto number = [&](uint32_t k) {
    Value* v = arguments[1 + k * rows];
    return builder_.CreateBitCast(rows == 2 ? ir_.joined(v, arguments[2 + k * rows]) : v, real);
  };
  Value* q = builder_.CreateFDiv(number(2), number(1));
  ValuResult out;
  if (rows == 1) {
    out.rows = {builder_.CreateBitCast(q, dword)};
  } else {
    q = builder_.CreateBitCast(q, dword->isVectorTy() ? llvm::FixedVectorType::get(ir_.i64(), kStripLanes) : ir_.i64());
    out.rows = {ir_.half_of(q, 0), ir_.half_of(q, 1)};
  }
  return out;
}

} // namespace hip::engine::compile
