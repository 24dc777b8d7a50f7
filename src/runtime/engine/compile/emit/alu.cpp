// runtime/engine/compile/emit/alu.cpp - VALU and SALU instructions as calls of the library's functions, which are inlined
// afterwards. Modifiers, EXEC and the destination's rules are applied here, as interpret/alu/valu.h does for the handlers.
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/compile/emit/emit.h"

#include <llvm/IR/Module.h>

namespace hip::engine::compile {
// Two dwords as a 64-bit value and back, as the library's functions do it, so that LLVM sees one undo the other.
llvm::Value* RegionEmitter::joined(Value* lo, Value* hi) {
  if (!lo->getType()->isVectorTy())
    return builder_.CreateOr(builder_.CreateZExt(lo, i64()), builder_.CreateShl(builder_.CreateZExt(hi, i64()), 32));
  std::array<int, 2 * kStripLanes> order;
  for (uint32_t k = 0; k < order.size(); ++k) order[k] = int(k / 2 + k % 2 * kStripLanes);
  return builder_.CreateBitCast(builder_.CreateShuffleVector(lo, hi, order), llvm::FixedVectorType::get(i64(), kStripLanes));
}
llvm::Value* RegionEmitter::half_of(Value* joined, uint32_t dword) {
  if (!joined->getType()->isVectorTy())
    return builder_.CreateTrunc(dword ? builder_.CreateLShr(joined, 32) : joined, i32());
  std::array<int, kStripLanes> order;
  for (uint32_t k = 0; k < order.size(); ++k) order[k] = int(2 * k + dword);
  return builder_.CreateShuffleVector(builder_.CreateBitCast(joined, llvm::FixedVectorType::get(i32(), 2 * kStripLanes)), order);
}

// Dword `dword` of parameter k with the instruction's input modifiers; `lo` and `hi` are the operand's dwords (of strips or
// of one lane).
llvm::Value* RegionEmitter::modified(const ValuOp& op, const RawInst& raw, uint32_t k, uint32_t dword, Value* lo, Value* hi) {
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
  case kKind16: return sign(high ? builder_.CreateLShr(lo, 16) : lo, abs, neg, kHalfSign);
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
    Value* v = joined(lo, hi); // the sign of the whole, which LLVM folds into what takes it
    llvm::Type *whole = v->getType(), *real = builder_.getDoubleTy();
    if (whole->isVectorTy()) real = llvm::FixedVectorType::get(real, kStripLanes);
    v = builder_.CreateBitCast(v, real);
    if (abs) v = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v);
    if (neg) v = builder_.CreateFNeg(v);
    return half_of(builder_.CreateBitCast(v, whole), dword);
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
  case kKindQuad: return lo;
  default: return sign(lo, abs, neg, kSign);
  }
}

void RegionEmitter::append_arguments(const Instr& i, const State& state, uint32_t strip, bool lane, const Permuted* permuted,
                                     std::vector<Value*>& out) {
  const RawInst& raw = i.raw;
  const ValuOp& op = *i.valu;
  uint32_t flags = 0;
  if (raw.clamp && op.result & kResultFloat) flags |= kClamp;
  flags |= uint32_t(raw.omod & 3) << kOmodShift;
  out.push_back(constant(flags));
  auto fetch = [&](const Operand& o, uint32_t dword) {
    return lane ? operand_lane(o, dword, strip, state) : operand_strip(o, dword, strip, state);
  };
  std::vector<Value*> masks;
  for (uint32_t k = 0; k < op.parameters(); ++k) {
    const uint32_t kind = op.kind(k);
    if (kind == kKindLane) {
      out.push_back(builder_.CreateAdd(iota(), builder_.CreateVectorSplat(kStripLanes, constant(strip * kStripLanes))));
      continue;
    }
    if (kind == kKindMask) {
      masks.push_back(strip_mask(k < raw.source_count ? scalar64(raw.src[k]) : sgpr64(kVccLo), strip));
      continue;
    }
    const Operand& o = k < raw.source_count ? raw.src[k] : raw.vdst;
    const uint32_t count = op.dwords(k);
    const bool moved = permuted && k == 0;
    Value* lo = moved ? permuted->dwords[strip][0] : fetch(o, 0);
    Value* hi = count == 2 ? (moved ? permuted->dwords[strip][1] : fetch(o, 1)) : nullptr;
    if (raw.variant == Variant::Sdwa && k < 2 && k < raw.source_count) lo = selected(raw, k, lo);
    for (uint32_t d = 0; d < count; ++d)
      out.push_back(modified(op, raw, k, d, kind == kKindQuad && d ? fetch(o, d) : lo, hi));
  }
  out.insert(out.end(), masks.begin(), masks.end());
}

RegionEmitter::Outcome RegionEmitter::call(llvm::Function* function, std::vector<Value*> arguments, uint32_t rows, bool mask, bool lane) {
  Outcome out;
  llvm::Type* returned = function->getReturnType();
  llvm::Type* dword = lane ? i32() : llvm::FixedVectorType::get(i32(), kStripLanes);
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
  llvm::AllocaInst* memory = place_for(memory_type);
  if (returned->isVoidTy()) {
    arguments.insert(arguments.begin(), memory);
    builder_.CreateCall(function, arguments);
  } else {
    builder_.CreateStore(builder_.CreateCall(function, arguments), memory);
  }
  const uint32_t row_bytes = lane ? 4 : 4 * kStripLanes;
  auto field = [&](uint32_t offset) { return builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), memory, offset); };
  for (uint32_t k = 0; k < rows; ++k)
    out.rows.push_back(builder_.CreateAlignedLoad(dword, field(k * row_bytes), llvm::Align(row_bytes)));
  if (mask) out.mask = builder_.CreateLoad(builder_.getInt16Ty(), field(rows * row_bytes));
  return out;
}

// The arguments are those of v_div_fixup's function: flags, an estimate, denominator, numerator.
RegionEmitter::Outcome RegionEmitter::quotient(const std::vector<Value*>& arguments, uint32_t rows) {
  llvm::Type *dword = arguments[1]->getType(), *real = rows == 2 ? builder_.getDoubleTy() : builder_.getFloatTy();
  if (dword->isVectorTy()) real = llvm::FixedVectorType::get(real, kStripLanes);
  auto number = [&](uint32_t k) {
    Value* v = arguments[1 + k * rows];
    return builder_.CreateBitCast(rows == 2 ? joined(v, arguments[2 + k * rows]) : v, real);
  };
  Value* q = builder_.CreateFDiv(number(2), number(1));
  Outcome out;
  if (rows == 1) {
    out.rows = {builder_.CreateBitCast(q, dword)};
  } else {
    q = builder_.CreateBitCast(q, dword->isVectorTy() ? llvm::FixedVectorType::get(i64(), kStripLanes) : i64());
    out.rows = {half_of(q, 0), half_of(q, 1)};
  }
  return out;
}

void RegionEmitter::remember(uint32_t k, const State& before) {
  const auto wanted = remembered_.find(k);
  if (wanted == remembered_.end()) return;
  for (uint32_t q = 0; q < kStripCount; ++q) wanted->second[q] = operand_strip(code_.instrs[k].raw.src[0], 0, q, before);
}

RegionEmitter::Outcome RegionEmitter::instead(const Instr& i, uint32_t strip, bool lane) {
  Value* of = remembered_.at(i.instead_from)[strip];
  if (lane) of = builder_.CreateExtractElement(of, uint64_t(0));
  return call(lane ? i.instead->lane : i.instead->strip, {constant(0), of}, 1, false, lane);
}

void RegionEmitter::write_mask(const Instr& i, Value* lanes) {
  set_sgpr64(i.raw.sdst.index, lanes);
  if (i.writes_exec) set_exec(lanes);
}

void RegionEmitter::emit_valu(const Instr& i, Version version, const State& before, const State& after) {
  const RawInst& raw = i.raw;
  const ValuOp& op = *i.valu;
  const uint32_t rows = op.rows();
  if (version == Version::Empty) {
    if (op.mask()) write_mask(i, builder_.getInt64(0));
    return;
  }
  if (rows == 0 && raw.variant != Variant::Dpp && raw.variant != Variant::Sdwa) {
    Value* lanes = compare_ends(i, before);
    if (!lanes) lanes = compare_lanes(i, before);
    return write_mask(i, version == Version::Partial ? builder_.CreateAnd(lanes, sgpr64(kExecLo)) : lanes);
  }
  // On lane 0 of each part of the wave (of one, where they agree), when that says it all.
  const Operands operands = operands_of(i, before);
  bool on_lane = rows ? facts_.whole(i, version) && (!op.mask() || operands.uniform) : operands.uniform;
  uint32_t run = (rows && !op.mask()) || operands.wave ? kStripCount : operands.run; // of so many strips one says it all
  for (uint32_t k = 0; k < rows; ++k) {
    const Fact& fact = after.v[vgpr_of(raw.vdst, k)];
    on_lane &= !fact.any();
    run = std::min<uint32_t>(run, fact.wave() ? kStripCount : fact.run);
  }
  const bool dpp = raw.variant == Variant::Dpp, sdwa = raw.variant == Variant::Sdwa;
  Permuted permuted;
  if (dpp) {
    on_lane = false;
    permuted = permute(i, version, op.dwords(0), before);
  }
  const bool to_high = !sdwa && rows == 1 && !(op.result & kResultCarry) && (raw.op_sel & 8);
  Value* exec = version == Version::Partial ? sgpr64(kExecLo) : nullptr;
  Value* all_lanes = builder_.getInt64(0);
  // All strips are computed before any is written, for a source may be the destination.
  Patterned patterned;
  if (rows == 1 && after.v[vgpr_of(raw.vdst)].any() && after.v[vgpr_of(raw.vdst)].pattern) patterned = compute_pattern(i, before);
  std::vector<Value*> results(kStripCount * std::max(rows, 1u));
  Outcome out;
  for (uint32_t q = 0; q < kStripCount; ++q) {
    if (!on_lane || q % run == 0) {
      std::vector<Value*> arguments;
      append_arguments(i, before, q, on_lane, dpp ? &permuted : nullptr, arguments);
      if (i.is_quotient)
        out = quotient(arguments, rows);
      else if (i.instead)
        out = instead(i, q, on_lane);
      else
        out = call(on_lane ? op.lane : op.strip, std::move(arguments), rows, op.mask(), on_lane);
      if (out.mask && on_lane) out.mask = builder_.CreateSExt(builder_.CreateTrunc(out.mask, builder_.getInt1Ty()), builder_.getInt16Ty());
    }
    if (out.mask && permuted.writable[q])
      out.mask = builder_.CreateAnd(out.mask, builder_.CreateBitCast(permuted.writable[q], builder_.getInt16Ty()));
    if (out.mask)
      all_lanes = builder_.CreateOr(all_lanes, builder_.CreateShl(builder_.CreateZExt(out.mask, i64()), q * kStripLanes));
    for (uint32_t k = 0; k < rows && (!on_lane || q % run == 0); ++k) {
      Value* v = out.rows[k];
      if (sdwa) {
        Value* old = raw.dst_sel == 6 ? nullptr : on_lane ? lane_value(vgpr_of(raw.vdst, k), q, before) : strip_value(vgpr_of(raw.vdst, k), q, before);
        v = placed(raw, v, old);
      } else if (to_high || op.keep) {
        const uint32_t keep = to_high ? 0xffffu : op.keep;
        Value* old = on_lane ? lane_value(vgpr_of(raw.vdst, k), q, before) : strip_value(vgpr_of(raw.vdst, k), q, before);
        if (to_high) v = builder_.CreateShl(v, 16);
        v = builder_.CreateOr(v, builder_.CreateAnd(old, llvm::ConstantInt::get(v->getType(), keep)));
      }
      Value* active = exec && !i.spreads ? bools(strip_mask(exec, q)) : nullptr;
      if (Value* writable = permuted.writable[q]) active = active ? builder_.CreateAnd(active, writable) : writable;
      if (active) v = builder_.CreateSelect(active, v, strip_value(vgpr_of(raw.vdst, k), q, before));
      results[q * rows + k] = v;
    }
  }
  if (rows == 2 && after.v[vgpr_of(raw.vdst)].wide) set_wide_pattern(i, before);
  if (patterned.pattern) {
    set_pattern(vgpr_of(raw.vdst), patterned);
    // Its strips, too, are one addition each, however many instructions led here.
    for (uint32_t q = 0; q < kStripCount && !(exec && !i.spreads); ++q)
      results[q] = builder_.CreateAdd(builder_.CreateVectorSplat(kStripLanes, patterned.first[q]), patterned.pattern);
  }
  // Where only some of the rows have facts: the low half of a product.
  for (uint32_t k = 0; k < rows && !on_lane; ++k)
    for (uint32_t q = 0; q < kStripCount && !after.v[vgpr_of(raw.vdst, k)].any(); ++q) {
      if (!after.v[vgpr_of(raw.vdst, k)].holds(q)) continue;
      std::vector<Value*> arguments;
      append_arguments(i, before, q, true, nullptr, arguments);
      results[q * rows + k] = call(op.lane, std::move(arguments), rows, op.mask(), true).rows[k];
    }
  for (uint32_t q = 0; q < kStripCount; q += on_lane ? run : 1)
    for (uint32_t k = 0; k < rows; ++k) {
      if (after.v[vgpr_of(raw.vdst, k)].any())
        set_strip(vgpr_of(raw.vdst, k), q, results[q * rows + k]);
      else if (after.v[vgpr_of(raw.vdst, k)].holds(q))
        set_lane(vgpr_of(raw.vdst, k), q, results[q * rows + k]);
    }
  if (op.mask()) write_mask(i, exec ? builder_.CreateAnd(all_lanes, exec) : all_lanes);
}

void RegionEmitter::emit_salu(const Instr& i) {
  using library::SaluRead;
  const RawInst& raw = i.raw;
  const SaluOp& op = *i.salu;
  std::vector<Value*> arguments{salu_out_};
  for (uint32_t k = 0; k < op.parameters; ++k) {
    Value* v = nullptr;
    const bool wide = op.read(k) == SaluRead::Qword;
    if (op.read(k) == SaluRead::Scc)
      v = builder_.CreateZExt(scc(), i64());
    else if (op.read(k) == SaluRead::Exec)
      v = sgpr64(kExecLo);
    else if (k < raw.source_count)
      v = wide ? scalar64(raw.src[k]) : builder_.CreateZExt(scalar(raw.src[k], 0), i64());
    else if (raw.format == Format::Sopk && k == raw.source_count) { // the 16-bit constant; s_cmpk_*_u32 zero-extends it
      const bool zero = row_of(raw.opcode).zero_extends_constant;
      v = builder_.getInt64(zero ? uint64_t(raw.simm16 & 0xffff) : uint64_t(uint32_t(raw.simm16)));
    } else
      v = wide ? sgpr64(raw.sdst.index) : builder_.CreateZExt(sgpr(raw.sdst.index), i64());
    arguments.push_back(v);
  }
  builder_.CreateCall(op.function, arguments);
  auto field = [&](llvm::Type* type, uint32_t offset) {
    return builder_.CreateLoad(type, builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), salu_out_, offset));
  };
  if (op.writes & library::kWritesValue) {
    Value* v = field(i64(), offsetof(library::SaluOut, value));
    const uint32_t to = raw.sdst.index;
    const bool wide = op.writes & library::kWritesValue64;
    if (op.writes & library::kWritesMaybe) {
      Value* write = builder_.CreateICmpNE(field(i32(), offsetof(library::SaluOut, write)), constant(0));
      v = builder_.CreateSelect(write, v, wide ? sgpr64(to) : builder_.CreateZExt(sgpr(to), i64()));
    }
    if (wide)
      set_sgpr64(to, v);
    else
      set_sgpr(to, builder_.CreateTrunc(v, i32()));
  }
  if (op.writes & library::kWritesScc) builder_.CreateStore(field(i32(), offsetof(library::SaluOut, scc)), scc_);
  if (op.writes & library::kWritesExec) set_exec(field(i64(), offsetof(library::SaluOut, exec)));
}

} // namespace hip::engine::compile
