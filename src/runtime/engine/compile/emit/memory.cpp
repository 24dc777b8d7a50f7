// runtime/engine/compile/emit/memory.cpp - loads and stores. Where facts say how the addresses lie (consecutive, or
// equal), one check in front covers all such accesses up to the next change of their address registers; a wave that
// fails it goes on in tier 0. What is known of no address calls the library, which looks when it runs.
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/compile/emit/emit.h"
#include "runtime/engine/compile/library/support.h"

#include <bit>
#include <llvm/IR/Module.h>

namespace hip::engine::compile {

void RegionEmitter::must_hold(Value* ok) {
  llvm::BasicBlock* on = new_block("on");
  builder_.CreateCondBr(ok, on, failed_);
  builder_.SetInsertPoint(on);
}

// What is known of the addresses of an access of elements of `op`, in a version.
RegionEmitter::Layout RegionEmitter::layout_of(const Instr& i, const MemoryOp& op, Version version,
                                               const State& state) {
  Layout out;
  const uint32_t bytes = op.bytes;
  const bool lds = op.space == library::Space::Lds;
  const auto lie_at = [&](int32_t stride) {
    out.stride = uint32_t(stride);
    if (stride == 0) return Lie::Uniform;
    return uint32_t(stride) == bytes ? Lie::Linear : stride > 0 && op.strided ? Lie::Strided : Lie::Any;
  };
  if (!lds && !i.raw.saddr) {
    const PairFact f = pair_fact(state, i.raw.vaddr);
    if (f.known) out.lie = lie_at(f.stride);
    out.same = f.known && f.wave, out.run = f.known ? f.run : 1;
  } else {
    const Fact f = operand_fact(state, i.raw.vaddr, 0);
    if (f.kind == Fact::Kind::Affine) out.lie = lie_at(f.stride);
    out.same = f.wave(), out.run = f.run;
    const bool carries = f.stride != 0 && !f.disjoint_in_part();
    out.may_wrap = !lds && carries;
  }
  if (op.atomic()) out.lie = Lie::Any;
  // (Where inactive lanes would access memory is their own affair.)
  if (version == Version::Partial && (out.lie == Lie::Strided || (out.lie == Lie::Linear && !op.dword())))
    out.lie = Lie::Any;
  if (out.lie == Lie::Any) return out;
  out.lanes = out.lie == Lie::Uniform ? 1 : out.run * kStripLanes;
  out.covers = out.same ? kStripCount : out.run;
  return out;
}

// Elements that overlap (wide ones, four bytes apart) are dwords: dword k of all lanes is one stretch.
const MemoryOp& RegionEmitter::element_of(const Instr& i, Version version, const State& state, uint32_t& parts) {
  const MemoryOp& op = *i.memory;
  parts = 1;
  if (version == Version::Empty || op.stores || op.bytes != 4 * op.dwords || op.dwords == 1) return op;
  const MemoryOp* word = library_.memory(op.space == library::Space::Lds ? Opcode::ds_read_b32 : Opcode::global_load_dword);
  if (!word || layout_of(i, *word, version, state).lie != Lie::Linear) return op;
  parts = op.dwords;
  return *word;
}

// Where lane 0 of strip q accesses memory, without the instruction's offset (i64); in LDS, from its beginning.
llvm::Value* RegionEmitter::first_address(const Instr& i, uint32_t q, const Layout& layout, const State& state) {
  const RawInst& raw = i.raw;
  const uint32_t held = q - q % layout.run;
  const uint64_t step = uint64_t(q - held) * kStripLanes * layout.stride;
  Value* address = operand_lane(raw.vaddr, 0, held, state);
  if (i.memory->space == library::Space::Lds) {
    address = builder_.CreateSExt(address, i64()); // inactive lanes may lie in front of it
  } else if (raw.saddr) {
    address = builder_.CreateAdd(sgpr64(raw.saddr.index), builder_.CreateZExt(address, i64()));
  } else {
    address = joined(address, operand_lane(raw.vaddr, 1, held, state));
  }
  return builder_.CreateAdd(address, builder_.getInt64(step));
}

// Of `strips` strips from q on, under a partial EXEC: whether any lane is active (i1).
llvm::Value* RegionEmitter::active_in(uint32_t q, uint32_t strips) {
  const uint64_t lanes = (strips == kStripCount ? ~0ull : (1ull << strips * kStripLanes) - 1) << q * kStripLanes;
  return builder_.CreateICmpNE(builder_.CreateAnd(sgpr64(kExecLo), builder_.getInt64(lanes)), builder_.getInt64(0));
}

// Whether all bytes from `low` to `high` of every active lane's address can be reached. (Bytes of one lane; offsets are
// small, and no arena is smaller than what they and a wave's lanes span.)
llvm::Value* RegionEmitter::reachable(const Instr& i, const Layout& layout, int64_t low, int64_t high, Version version,
                                      const State& state) {
  const bool lds = i.memory->space == library::Space::Lds, partial = version == Version::Partial;
  const uint64_t span = uint64_t(layout.lanes - 1) * layout.stride;
  Value* all = builder_.getTrue();
  auto also = [&](Value* ok, uint32_t q) {
    if (partial && layout.covers < kStripCount)
      ok = builder_.CreateOr(ok, builder_.CreateNot(active_in(q, layout.covers)));
    all = builder_.CreateAnd(all, ok);
  };
  if (lds && partial && layout.lie == Lie::Linear) { // inactive lanes may be anywhere
    Value* end = builder_.CreateTrunc(builder_.CreateSub(lds_bytes_, builder_.getInt64(uint64_t(high))), i32());
    all = builder_.CreateICmpUGE(lds_bytes_, builder_.getInt64(uint64_t(high)));
    for (uint32_t q = 0; q < kStripCount; ++q) {
      Value* inside =
          builder_.CreateICmpULE(operand_strip(i.raw.vaddr, 0, q, state), builder_.CreateVectorSplat(kStripLanes, end));
      Value* outside = builder_.CreateAnd(builder_.CreateNot(inside), bools(strip_mask(sgpr64(kExecLo), q)));
      all = builder_.CreateAnd(
          all, builder_.CreateICmpEQ(builder_.CreateBitCast(outside, builder_.getInt16Ty()), builder_.getInt16(0)));
    }
    return all;
  }
  for (uint32_t q = 0; q < kStripCount; q += layout.covers) {
    if (lds) {
      Value* first = builder_.CreateZExt(operand_lane(i.raw.vaddr, 0, q, state), i64());
      also(builder_.CreateICmpULE(builder_.CreateAdd(first, builder_.getInt64(span + uint64_t(high))), lds_bytes_), q);
      continue;
    }
    Value* first = builder_.CreateAdd(first_address(i, q, layout, state), builder_.getInt64(uint64_t(low)));
    Value* ok =
        builder_.CreateICmpULE(builder_.CreateSub(first, arena_base_),
                               builder_.CreateSub(arena_bytes_, builder_.getInt64(span + uint64_t(high - low))));
    if (layout.may_wrap)
      ok = builder_.CreateAnd(
          ok, builder_.CreateICmpULE(operand_lane(i.raw.vaddr, 0, q, state), constant(~0u - uint32_t(span))));
    also(ok, q);
  }
  return all;
}

// Whether the 32-bit index that the instruction widens grows from lane to lane without overflow; null: surely, or
// nothing is made of it.
llvm::Value* RegionEmitter::index_fits(const Instr& i, const State& state) {
  if (!i.extends_sign) return nullptr;
  const uint32_t v = vgpr_of(i.raw.src[1]);
  const Fact fact = operand_fact(state, i.raw.src[1], 0);
  if (fact.kind != Fact::Kind::Affine || fact.uniform()) return nullptr;
  if (fact.disjoint_in_part()) return nullptr;
  Value* all = builder_.getTrue();
  for (uint32_t q = 0; q < kStripCount; ++q) {
    if (!fact.holds(q)) continue;
    Value* first = lane_value(v, q, state);
    Value* last = builder_.CreateAdd(first, constant(uint32_t(fact.stride) * (fact.run * kStripLanes - 1)));
    all = builder_.CreateAnd(all, fact.stride > 0 ? builder_.CreateICmpSGE(last, first)
                                                  : builder_.CreateICmpSLE(last, first));
  }
  return all;
}

// Checks what instruction k of a place and those behind it take for granted, as far as that can be said now.
void RegionEmitter::check_ahead(const Place& place, uint32_t k, const State& state, const Registers& changed) {
  const Instr& at = code_.instrs[k];
  Value* all = nullptr;
  auto also = [&](Value* ok) { all = all ? builder_.CreateAnd(all, ok) : ok; };
  if (place.version != Version::Empty && at.extends_sign && facts_.whole(at, place.version))
    if (Value* fits = index_fits(at, state)) also(fits);
  if (place.version != Version::Empty && at.kind == Kind::Scratch)
    if (Value* fits = scratch_fits(at, place.version, state)) also(fits);
  const bool waits = !checked_[k] && (at.kind == Kind::Memory || at.kind == Kind::ScalarLoad);
  if (waits) {
    struct Group {
      const Instr* first;
      Layout layout;
      int64_t low, high;
    };
    std::vector<Group> groups;
    auto cover = [&](const Group& access, auto same_address) {
      for (Group& g : groups)
        if (g.first->kind == access.first->kind && same_address(g)) {
          g.low = std::min(g.low, access.low), g.high = std::max(g.high, access.high);
          return;
        }
      groups.push_back(access);
    };
    Registers written;
    for (uint32_t n = k; n <= code_.nodes[place.node].last; ++n) {
      const Instr& i = code_.instrs[n];
      const RawInst& raw = i.raw;
      if (i.kind == Kind::ScalarLoad &&
          (raw.soffset ? n == k : !written.s[raw.sbase.index] && !written.s[raw.sbase.index + 1])) {
        cover({&i, {}, raw.offset, int64_t(raw.offset) + 4 * raw.sdst.dwords}, [&](const Group& g) {
          return g.first->raw.sbase.index == raw.sbase.index && !g.first->raw.soffset && !raw.soffset;
        });
        checked_[n] = true;
      } else if (i.kind == Kind::Memory && place.version != Version::Empty && !(i.address.v & written.v).any() &&
                 !(i.address.s & written.s).any()) {
        uint32_t parts;
        const MemoryOp& op = element_of(i, place.version, state, parts);
        const Layout layout = layout_of(i, op, place.version, state);
        checked_[n] = true;
        for (uint32_t which = 0; which < i.accesses && layout.lie != Lie::Any; ++which) {
          const int64_t low = int32_t(i.offset[which]);
          cover({&i, layout, low, low + i.memory->bytes}, [&](const Group& g) {
            return g.first->memory->space == op.space && vgpr_of(g.first->raw.vaddr) == vgpr_of(raw.vaddr) &&
                   g.first->raw.saddr.bank == raw.saddr.bank && g.first->raw.saddr.index == raw.saddr.index &&
                   g.layout.stride == layout.stride;
          });
        }
      }
      written.add(i.writes);
    }
    for (const Group& g : groups) {
      if (g.first->kind == Kind::Memory) {
        also(reachable(*g.first, g.layout, g.low, g.high, place.version, state));
      } else {
        Value* first = scalar_address(*g.first, g.low);
        also(builder_.CreateICmpULE(builder_.CreateSub(first, arena_base_),
                                    builder_.CreateSub(arena_bytes_, builder_.getInt64(uint64_t(g.high - g.low + 4)))));
      }
    }
  }
  if (all) bail_unless(all, place, k, state, changed);
}

void RegionEmitter::emit_memory(const Instr& i, Version version, const State& before, const State& after) {
  std::vector<Loaded> loaded;
  if (i.coherent) fence();
  uint32_t parts;
  const MemoryOp& op = element_of(i, version, before, parts);
  for (uint32_t which = 0; which < i.accesses; ++which)
    for (uint32_t k = 0; k < parts; ++k)
      emit_access(i, op, i.offset[which] + op.bytes * k, (which * parts + k) * op.dwords, which, version, before, after,
                  loaded);
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

// One access of the instruction: elements of `op` at `offset`, to or from the registers that start at `row` of its
// data.
void RegionEmitter::emit_access(const Instr& i, const MemoryOp& op, uint32_t offset, uint32_t row, uint32_t which,
                                Version version, const State& before, const State& after, std::vector<Loaded>& loaded) {
  const RawInst& raw = i.raw;
  const bool lds = op.space == library::Space::Lds;
  Layout layout = layout_of(i, op, version, before);
  if (emit_stream(i, layout, version, before)) return;
  const bool partial = version == Version::Partial, whole = facts_.whole(i, version);
  const uint32_t vdst = !op.loads() ? 0 : vgpr_of(raw.vdst, row);
  const bool lane_result = !op.stores && whole && !after.v[vdst].any();
  Value* exec = partial ? sgpr64(kExecLo) : nullptr;
  llvm::Type* strip_type = llvm::FixedVectorType::get(i32(), kStripLanes);
  llvm::Type* element = lane_result ? i32() : strip_type;
  llvm::Type* buffer_type = llvm::ArrayType::get(element, 4);
  llvm::AllocaInst* buffer = place_for(buffer_type);
  const Operand& data = which ? raw.data1 : raw.vdata;
  if (layout.lie == Lie::Uniform && op.merges && !lane_result) layout.lie = Lie::Any;
  // So many strips load the same.
  uint32_t alike = 1;
  if (!op.stores && !op.merges && layout.lie != Lie::Any && (!partial || (whole && layout.lie == Lie::Uniform)))
    alike = layout.same ? kStripCount : layout.lie == Lie::Uniform ? layout.run : 1;
  // (The library reads 64 bits at once, as coherent loads have to.)
  const bool plain = op.bytes == 4 * op.dwords && !(i.coherent && op.dwords > 1);
  std::vector<Value*> results(kStripCount * op.dwords);
  // What the library looks at itself it may read or write where registers lie anyway.
  const bool any = layout.lie == Lie::Any,
             of_block = any && op.stores && !op.loads() && lies_in_block(data, op.dwords, before);
  const bool to_block = any && !op.stores && stays_in_block(i, vdst, op.dwords, version, after);
  llvm::Type* rows_type = llvm::ArrayType::get(strip_type, 4 * kStripCount);
  Value* rows = !any                   ? nullptr
                : of_block || to_block ? wave_field(Wave::vgpr_offset(to_block ? vdst : vgpr_of(data)))
                                       : place_for(rows_type);
  if (by_wide_pattern(i, op, layout, version, before))
    return emit_wide_pattern_access({i, op, offset, row, which, version, before, after}, loaded);
  if (by_pattern(i, version, before)) return emit_pattern_access(i, which, version, before, loaded);
  if (layout.lie == Lie::Any && op.wave) return emit_wave_access(i, op, offset, row, data, version, before, loaded);
  for (uint32_t q = 0; q < kStripCount; ++q) {
    if (q % alike != 0) {
      for (uint32_t k = 0; k < op.dwords; ++k) results[q * op.dwords + k] = results[(q - q % alike) * op.dwords + k];
      continue;
    }
    auto slot = [&](uint32_t k) {
      return rows ? builder_.CreateConstInBoundsGEP2_32(rows_type, rows, 0, k * kStripCount + q)
                  : builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k);
    };
    Value* lanes = exec ? strip_mask(exec, q) : nullptr;
    Value* pointer = nullptr;
    if (layout.lie != Lie::Any) {
      Value* address = builder_.CreateAdd(first_address(i, q, layout, before),
                                          builder_.getInt64(uint64_t(int64_t(int32_t(offset)))));
      if (lds) address = builder_.CreateAdd(address, lds_base_);
      // (Where no lane that it is for is active, something that can be read.)
      if (partial && layout.lie == Lie::Uniform && layout.covers < kStripCount)
        address = builder_.CreateSelect(active_in(q - q % layout.run, layout.run), address,
                                        builder_.CreatePtrToInt(wave_, i64()));
      pointer = builder_.CreateIntToPtr(address, builder_.getPtrTy());
      if (!lds && row == 0 && layout.lie == Lie::Linear && q % layout.run == 0)
        prefetch_next(i, q, address, layout.lanes * layout.stride);
    }
    auto dword_at = [&](uint32_t k) {
      return builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), pointer, 4 * k);
    };
    const auto store_data = [&] {
      for (uint32_t k = 0; k < op.dwords; ++k) builder_.CreateStore(operand_strip(data, k, q, before), slot(k));
    };
    Value* loaded_direct[4] = {};
    bool blended = false; // inactive lanes are as they have to be
    if (layout.lie == Lie::Any) {
      if (op.stores && !of_block)
        store_data();
      else if (op.merges)
        builder_.CreateStore(strip_value(vdst, q, before), slot(0));
      Value* low = operand_strip(raw.vaddr, 0, q, before);
      Value* high =
          !lds && !raw.saddr ? operand_strip(raw.vaddr, 1, q, before) : llvm::Constant::getNullValue(strip_type);
      Value* base = builder_.getInt64(uint64_t(int64_t(int32_t(offset))));
      if (raw.saddr) base = builder_.CreateAdd(base, sgpr64(raw.saddr.index));
      const bool fetched = !lds && leave_lines(i, q, version, base, low, high);
      const uint64_t at = raw.address | (raw.format == Format::Flat ? kAtFlat : 0) | (fetched ? kFetchedAhead : 0);
      llvm::CallInst* access = builder_.CreateCall(
          op.any,
          std::vector<Value*>{wave_, lds ? lds_base_ : arena_base_, lds ? lds_bytes_ : arena_bytes_, base, low, high,
                              lanes ? lanes : builder_.getInt16(0xffff), constant(q), builder_.getInt64(at), slot(0)});
      if (exec) access->addFnAttr(llvm::Attribute::NoInline); // not worth its size
      must_hold(access);
    } else if (layout.lie == Lie::Uniform && op.stores) {
      // The highest active lane's value stays.
      store_data();
      Value* lane = constant(kStripLanes - 1);
      if (partial)
        lane = builder_.CreateSub(constant(31), builder_.CreateBinaryIntrinsic(
                                                    llvm::Intrinsic::ctlz,
                                                    builder_.CreateOr(builder_.CreateZExt(lanes, i32()), constant(1)),
                                                    builder_.getInt1(false)));
      llvm::BasicBlock *on = new_block("stored"), *store = partial ? new_block("store") : nullptr;
      if (partial) {
        builder_.CreateCondBr(builder_.CreateICmpNE(lanes, builder_.getInt16(0)), store, on);
        builder_.SetInsertPoint(store);
      }
      builder_.CreateCall(op.uniform, std::vector<Value*>{pointer, buffer, lane});
      builder_.CreateBr(on);
      builder_.SetInsertPoint(on);
    } else if (layout.lie == Lie::Uniform) {
      llvm::AllocaInst* words = place_for(llvm::ArrayType::get(i32(), 4));
      auto word = [&](uint32_t k) { return builder_.CreateConstInBoundsGEP1_32(i32(), words, k); };
      if (!plain) {
        if (op.merges) builder_.CreateStore(lane_value(vdst, q, before), word(0));
        builder_.CreateCall(op.uniform, std::vector<Value*>{pointer, words});
      }
      for (uint32_t k = 0; k < op.dwords; ++k) {
        Value* v = plain ? builder_.CreateAlignedLoad(i32(), dword_at(k), llvm::Align(1))
                         : builder_.CreateLoad(i32(), word(k));
        loaded_direct[k] = lane_result ? v : builder_.CreateVectorSplat(kStripLanes, v);
      }
    } else if (layout.lie == Lie::Strided) {
      if (op.stores) store_data();
      builder_.CreateCall(op.strided, std::vector<Value*>{pointer, builder_.getInt64(layout.stride), buffer});
    } else if (op.dword() && op.stores) {
      Value* v = operand_strip(data, 0, q, before);
      if (partial)
        builder_.CreateMaskedStore(v, pointer, llvm::Align(1), bools(lanes));
      else
        builder_.CreateAlignedStore(v, pointer, llvm::Align(1));
    } else if (op.dword()) {
      // What inactive lanes get is named here, and never 0: InstCombine (LLVM 22) makes one load of a masked load of 0
      // and a select with its mask, where the select stands, even behind stores.
      Value* old = whole ? llvm::Constant::getAllOnesValue(strip_type) : strip_value(vdst, q, before);
      loaded_direct[0] =
          partial
              ? static_cast<Value*>(builder_.CreateMaskedLoad(strip_type, pointer, llvm::Align(1), bools(lanes), old))
              : builder_.CreateAlignedLoad(strip_type, pointer, llvm::Align(1));
      blended = partial;
    } else {
      if (op.stores)
        store_data();
      else if (op.merges)
        builder_.CreateStore(strip_value(vdst, q, before), slot(0));
      builder_.CreateCall(op.linear, std::vector<Value*>{pointer, buffer});
    }
    if (!op.loads()) continue;
    for (uint32_t k = 0; k < op.dwords; ++k) {
      Value* v = loaded_direct[k] ? loaded_direct[k] : builder_.CreateLoad(element, slot(k));
      if (exec && !whole && !blended)
        v = builder_.CreateSelect(bools(lanes), v, strip_value(vgpr_of(raw.vdst, row + k), q, before));
      results[q * op.dwords + k] = v;
    }
  }
  if (!op.loads()) return;
  for (uint32_t k = 0; to_block && k < op.dwords; ++k) stored_next_.set(vdst + k);
  for (uint32_t q = 0; q < kStripCount; ++q)
    for (uint32_t k = 0; k < op.dwords; ++k)
      loaded.push_back({vgpr_of(raw.vdst, row + k), q, results[q * op.dwords + k]});
}

// Whether `dwords` registers have not changed since the region was entered, whole rows of the wave's block as they are.
bool RegionEmitter::lies_in_block(const Operand& data, uint32_t dwords, const State& state) const {
  if (starts_ || (data.bank != Bank::Vgpr && data.bank != Bank::Agpr)) return false;
  for (uint32_t k = 0; k < dwords; ++k) {
    const uint32_t r = vgpr_of(data, k);
    if (r >= kMaxVgprs || (changed_->v[r] && !stored_[r] && !in_block_[r]) || !state.v[r].any()) return false;
  }
  return true;
}

// Whether what instruction i loads is next wanted behind the barrier at its node's end: then it belongs into the block
// at once.
bool RegionEmitter::stays_in_block(const Instr& i, uint32_t vdst, uint32_t dwords, Version version,
                                   const State& after) const {
  const Node& node = code_.nodes[node_];
  if (version != Version::Full || code_.last(node).kind != Kind::Barrier || node.next == kNoNode || i.memory->merges)
    return false;
  const Registers& live = liveness_.in({node.next, version});
  for (uint32_t k = 0; k < dwords; ++k)
    if (in_block_[vdst + k] || !after.v[vdst + k].any() || !live.v[vdst + k]) return false;
  for (size_t n = size_t(&i - code_.instrs.data()) + 1; n <= node.last; ++n)
    for (uint32_t k = 0; k < dwords; ++k)
      if (code_.instrs[n].reads.v[vdst + k] || code_.instrs[n].writes.v[vdst + k]) return false;
  return true;
}

// As emit_access, where nothing is known of the addresses and the library does all strips at once.
void RegionEmitter::emit_wave_access(const Instr& i, const MemoryOp& op, uint32_t offset, uint32_t row,
                                     const Operand& data, Version version, const State& before,
                                     std::vector<Loaded>& loaded) {
  const bool partial = version == Version::Partial;
  llvm::Type* strip_type = llvm::FixedVectorType::get(i32(), kStripLanes);
  llvm::Type* buffer_type = llvm::ArrayType::get(strip_type, kStripCount);
  llvm::AllocaInst* buffer = place_for(buffer_type);
  auto slot = [&](uint32_t q) { return builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, q); };
  for (uint32_t q = 0; op.stores && q < kStripCount; ++q)
    builder_.CreateStore(operand_strip(data, 0, q, before), slot(q));
  std::vector<Value*> arguments{wave_, lds_base_, lds_bytes_, builder_.getInt64(offset)};
  for (uint32_t q = 0; q < kStripCount; ++q) arguments.push_back(operand_strip(i.raw.vaddr, 0, q, before));
  arguments.insert(arguments.end(), {sgpr64(kExecLo), buffer});
  builder_.CreateCall(op.wave, arguments);
  if (op.stores) return;
  const uint32_t vdst = vgpr_of(i.raw.vdst, row);
  for (uint32_t q = 0; q < kStripCount; ++q) {
    Value* v = builder_.CreateLoad(strip_type, slot(q));
    if (partial && !facts_.whole(i, version))
      v = builder_.CreateSelect(bools(strip_mask(sgpr64(kExecLo), q)), v, strip_value(vdst, q, before));
    loaded.push_back({vdst, q, v});
  }
}

// Of a scalar load, with `offset` for the instruction's constant one. (The lowest two bits do not count.)
llvm::Value* RegionEmitter::scalar_address(const Instr& i, int64_t offset) {
  Value* all = builder_.getInt64(uint64_t(offset));
  if (i.raw.soffset) all = builder_.CreateAdd(all, builder_.CreateZExt(scalar(i.raw.soffset, 0), i64()));
  return builder_.CreateAnd(builder_.CreateAdd(sgpr64(i.raw.sbase.index), all), builder_.getInt64(~3ull));
}

void RegionEmitter::emit_scalar_load(const Instr& i, const State& before) {
  const RawInst& raw = i.raw;
  Value* from = builder_.CreateIntToPtr(scalar_address(i, i.raw.offset), builder_.getPtrTy());
  std::vector<Value*> values;
  uint32_t known;
  for (uint32_t k = 0; k < raw.sdst.dwords; ++k) {
    Value* at = builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), from, 4 * k);
    if (facts_.known_argument(i, before, k, known)) {
      values.push_back(constant(known));
    } else if (k % 2 == 0 && k + 1 < raw.sdst.dwords && !facts_.known_argument(i, before, k + 1, known)) {
      Value* both = builder_.CreateAlignedLoad(i64(), at, llvm::Align(4)); // mostly an address
      values.insert(values.end(), {half_of(both, 0), half_of(both, 1)});
      ++k;
    } else {
      values.push_back(builder_.CreateAlignedLoad(i32(), at, llvm::Align(4)));
    }
  }
  for (uint32_t k = 0; k < raw.sdst.dwords; ++k) set_sgpr(raw.sdst.index + k, values[k]);
}

} // namespace hip::engine::compile
