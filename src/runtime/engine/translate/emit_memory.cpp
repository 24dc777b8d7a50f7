// runtime/engine/translate/emit_memory.cpp - loads and stores as calls of the library's functions, chosen by what is known
// of the addresses: consecutive, equal, or anything.
#include "runtime/engine/exec/inst.h"
#include "runtime/engine/translate/emit.h"
#include "runtime/engine/translate/support.h"

#include <llvm/IR/Module.h>

namespace hip::engine::translate {

void RegionEmitter::must_hold(Value* ok) {
  llvm::BasicBlock* on = new_block("on");
  builder_.CreateCondBr(ok, on, failed_);
  builder_.SetInsertPoint(on);
}

void RegionEmitter::emit_memory(const Instr& i, Version version, const State& before, const State& after) {
  std::vector<Loaded> loaded;
  if (i.coherent) fence();
  for (uint32_t which = 0; which < i.accesses; ++which) {
    const MemoryOp& op = *i.memory;
    const MemoryOp* word = library_.memory(op.space == library::Space::Lds ? "read_b32" : "load_dword");
    if (version == Version::Full && !op.stores && op.bytes == 4 * op.dwords && op.dwords > 1 && word &&
        address_stride(i, before) == 4) { // elements overlap: dword k of all lanes is one stretch
      for (uint32_t k = 0; k < op.dwords; ++k)
        emit_access(i, *word, i.offset[which] + 4 * k, which * op.dwords + k, which, version, before, after, loaded);
      continue;
    }
    emit_access(i, op, i.offset[which], which * op.dwords, which, version, before, after, loaded);
  }
  // As tier 0 does (mem_global.cpp): the host lets only loads overtake earlier stores.
  if (i.memory->stores && i.raw.sc1())
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  else if (i.coherent)
    fence();
  // Only now, for the destination may hold the address.
  for (const Loaded& l : loaded) {
    if (!after.v[l.v].any())
      set_lane(l.v, l.strip, l.value);
    else
      set_strip(l.v, l.strip, l.value);
  }
}

// Bytes from lane to lane, where that is known; else 0.
int32_t RegionEmitter::address_stride(const Instr& i, const State& state) {
  if (i.memory->space == library::Space::Global && !i.raw.saddr) {
    const PairFact f = pair_fact(state, i.raw.vaddr);
    return f.known ? f.stride : 0;
  }
  const Fact f = operand_fact(state, i.raw.vaddr, 0);
  return f.kind == Fact::Kind::Affine ? f.stride : 0;
}

// One access of the instruction: elements of `op` at `offset`, to or from the registers that start at `row` of its data.
void RegionEmitter::emit_access(const Instr& i, const MemoryOp& op, uint32_t offset, uint32_t row, uint32_t which, Version version,
                                const State& before, const State& after, std::vector<Loaded>& loaded) {
  const RawInst& raw = i.raw;
  const bool lds = op.space == library::Space::Lds;
  const bool wide_address = !lds && !raw.saddr;
  // What is known of the addresses.
  enum class Lie { Linear, Uniform, Any } lie = Lie::Any;
  bool same_in_strips = false, span = false; // strips follow each other
  if (wide_address) {
    const PairFact f = pair_fact(before, raw.vaddr);
    if (f.known) lie = f.stride == 0 ? Lie::Uniform : uint32_t(f.stride) == op.bytes ? Lie::Linear : Lie::Any;
    same_in_strips = f.known && f.wave, span = f.known && f.span;
  } else {
    const Fact f = operand_fact(before, raw.vaddr, 0);
    if (f.uniform())
      lie = Lie::Uniform;
    else if (f.kind == Fact::Kind::Affine && uint32_t(f.stride) == op.bytes && (lds || f.disjoint()))
      lie = Lie::Linear;
    same_in_strips = f.wave();
    span = f.span && (lds || f.stride == 0 || f.align >= std::countr_zero(uint32_t(f.stride)) + 6);
  }
  if (op.atomic()) lie = Lie::Any;
  const bool masked = version == Version::Partial && lie == Lie::Linear && op.masked;
  if (version == Version::Partial && !masked) lie = Lie::Any;
  const uint32_t vdst = !op.loads() ? 0 : vgpr_of(raw.vdst, row);
  const bool lane_result = !op.stores && version == Version::Full && !after.v[vdst].any();
  if (lie == Lie::Uniform && !op.stores && !lane_result) lie = Lie::Any;
  const bool once = version == Version::Full && !op.stores && lie != Lie::Any && same_in_strips && !op.merges;
  // All strips in one access.
  const bool whole = version == Version::Full && lie == Lie::Linear && span && !once && !op.merges && op.wave;
  Value* base = builder_.getInt64(uint64_t(int64_t(int32_t(offset))));
  if (raw.saddr) base = builder_.CreateAdd(base, sgpr64(raw.saddr.index));
  Value* exec = version == Version::Partial ? sgpr64(kExecLo) : nullptr;
  Value* pc = builder_.getInt64(raw.address | (raw.format == Format::Flat ? kAtFlat : 0));
  llvm::Type* strip_type = llvm::FixedVectorType::get(i32(), kStripLanes);
  llvm::Type* buffer_type = llvm::ArrayType::get(lane_result ? i32() : strip_type, whole ? 4 * kStripCount : 4);
  llvm::AllocaInst* buffer = place_for(buffer_type);
  Value *room_base = lds ? lds_base_ : arena_base_, *room_bytes = lds ? lds_bytes_ : arena_bytes_;
  llvm::Type* element = lane_result ? i32() : strip_type;
  auto slot = [&](uint32_t k) { return builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k); };

  auto address_of = [&](uint32_t q) {
    Value* address = builder_.CreateZExt(operand_lane(raw.vaddr, 0, q, before), i64());
    if (wide_address)
      address = builder_.CreateOr(address, builder_.CreateShl(builder_.CreateZExt(operand_lane(raw.vaddr, 1, q, before), i64()), 32));
    return builder_.CreateAdd(address, base);
  };
  const Operand& data = which ? raw.data1 : raw.vdata;
  std::vector<Value*> results(kStripCount * op.dwords);
  if (whole) {
    for (uint32_t n = 0; op.stores && n < results.size(); ++n)
      builder_.CreateStore(operand_strip(data, n % op.dwords, n / op.dwords, before), slot(n));
    must_hold(builder_.CreateCall(op.wave, std::vector<Value*>{wave_, room_base, room_bytes, address_of(0), pc, buffer}));
    for (uint32_t n = 0; op.loads() && n < results.size(); ++n) results[n] = builder_.CreateLoad(element, slot(n));
  }
  for (uint32_t q = 0; q < kStripCount && !whole; ++q) {
    if (once && q > 0) {
      for (uint32_t k = 0; k < op.dwords; ++k) results[q * op.dwords + k] = results[k];
      continue;
    }
    Value* number = constant(q);
    if (op.stores) {
      for (uint32_t k = 0; k < op.dwords; ++k) builder_.CreateStore(operand_strip(data, k, q, before), slot(k));
    } else if (op.merges) {
      builder_.CreateStore(lane_result ? lane_value(vdst, q, before) : strip_value(vdst, q, before), slot(0));
    }
    Value* ok = nullptr;
    if (lie == Lie::Any) {
      Value* low = operand_strip(raw.vaddr, 0, q, before);
      Value* high = wide_address ? operand_strip(raw.vaddr, 1, q, before) : llvm::Constant::getNullValue(strip_type);
      Value* lanes = exec ? strip_mask(exec, q) : builder_.getInt16(0xffff);
      llvm::CallInst* access = builder_.CreateCall(op.any, std::vector<Value*>{wave_, room_base, room_bytes, base, low, high, lanes, number, pc, buffer});
      if (exec) access->addFnAttr(llvm::Attribute::NoInline); // not worth its size
      ok = access;
    } else {
      std::vector<Value*> arguments{wave_, room_base, room_bytes, address_of(q), number, pc, buffer};
      if (masked) arguments.insert(arguments.begin() + 4, strip_mask(exec, q));
      ok = builder_.CreateCall(masked ? op.masked : lie == Lie::Linear ? op.linear : op.uniform, arguments);
    }
    must_hold(ok);
    if (!op.loads()) continue;
    for (uint32_t k = 0; k < op.dwords; ++k) {
      Value* v = builder_.CreateLoad(element, slot(k));
      if (exec) v = builder_.CreateSelect(bools(strip_mask(exec, q)), v, strip_value(vgpr_of(raw.vdst, row + k), q, before));
      results[q * op.dwords + k] = v;
    }
  }
  if (!op.loads()) return;
  for (uint32_t q = 0; q < kStripCount; ++q)
    for (uint32_t k = 0; k < op.dwords; ++k)
      loaded.push_back({vgpr_of(raw.vdst, row + k), q, results[q * op.dwords + k]});
}

void RegionEmitter::emit_scalar_load(const Instr& i, const State& before) {
  const RawInst& raw = i.raw;
  const uint32_t count = raw.sdst.dwords;
  Value* offset = builder_.getInt64(uint64_t(int64_t(raw.offset)));
  if (raw.soffset) offset = builder_.CreateAdd(offset, builder_.CreateZExt(scalar(raw.soffset, 0), i64()));
  Value* address = builder_.CreateAdd(sgpr64(raw.sbase.index), offset);
  llvm::Type* buffer_type = llvm::ArrayType::get(i32(), 16);
  llvm::AllocaInst* buffer = place_for(buffer_type);
  must_hold(builder_.CreateCall(library_.scalar_load(count), std::vector<Value*>{wave_, arena_base_, arena_bytes_, address, builder_.getInt64(raw.address), buffer}));
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t known;
    Value* v = builder_.CreateLoad(i32(), builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k));
    if (facts_.known_argument(i, before, k, known)) v = constant(known);
    set_sgpr(raw.sdst.index + k, v);
  }
}

} // namespace hip::engine::translate
