// runtime/engine/compile/emit/memory.cpp - see memory.h.
#include "runtime/engine/compile/emit/memory.h"

#include "runtime/engine/compile/library/support.h"

namespace hip::engine::compile {

// How an access is made.
struct MemoryEmitter::Plan {
  const MemoryAccess& access;
  AddressShape shape;
  bool lds, whole;
  bool lane_result = false; // the result is the same in all lanes of a strip, and kept as one
  bool of_block = false;    // the library takes the data from the wave's block
  bool to_block = false;    // and leaves what it loads there
  uint32_t alike = 1;       // neighbouring strips that load the same
  uint32_t vdst = 0;
  Value* exec = nullptr; // null: all lanes are active
  llvm::Type *element = nullptr, *buffer_type = nullptr, *rows_type = nullptr;
  Value *buffer = nullptr, *rows = nullptr; // of one strip; of four, where the library looks at addresses itself
  bool any() const { return shape.addressing == Addressing::Any; }
  bool uniform() const { return shape.addressing == Addressing::Uniform; }
  bool partial() const { return access.partial(); }
};

void MemoryEmitter::emit(const Instr& i, const FlowPoint& point, const State& before, const State& after) {
  std::vector<LoadedStrip> loaded;
  if (i.raw.fences && !i.memory->stores)
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  else if (i.coherent)
    ir_.fence();
  if (const MemoryOp* both = parts_.addresses.both_elements(i, point.version, before)) {
    access({i, *both, i.offset[0], 0, 0, point, before, after}, Known::Shape, loaded);
  } else {
    const auto [op, parts] = parts_.addresses.elements_of(i, point.version, before);
    for (uint32_t which = 0; which < i.accesses; ++which)
      for (uint32_t k = 0; k < parts; ++k)
        access({i, op, i.offset[which] + op.bytes * k, (which * parts + k) * op.dwords, which, point, before, after},
               Known::Shape, loaded);
  }
  // As tier 0 does (interpret/memory/global.cpp): the host lets only loads overtake earlier stores.
  if (i.raw.fences && i.memory->stores)
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  else if (i.coherent)
    ir_.fence();
  // The results are written last, for the destination may hold the address.
  vectors_.set_loaded(loaded, after);
}

MemoryEmitter::Plan MemoryEmitter::plan(const MemoryAccess& access, const AddressShape& shape) {
  const auto& [i, op, offset, row, which, point, before, after] = access;
  const bool partial = access.partial();
  Plan out{access, shape, op.space == library::Space::Lds, facts_.whole(i, point.version)};
  out.vdst = !op.loads() ? 0 : vgpr_of(i.raw.vdst, row);
  out.lane_result = !op.stores && out.whole && !after.v[out.vdst].is_any();
  out.exec = partial ? scalars_.exec() : nullptr;
  out.element = out.lane_result ? ir_.i32() : ir_.strip_type();
  out.buffer_type = llvm::ArrayType::get(out.element, 4);
  out.buffer = ir_.frame_slot(out.buffer_type);
  if (!op.stores && !op.merges && !out.any() && (!partial || (out.whole && out.uniform())))
    out.alike = shape.same_in_wave ? kMaxStrips : out.uniform() ? shape.part_strips : 1;
  out.of_block = out.any() && op.stores && !op.loads() && lies_in_block(access.data(), op.dwords, before);
  out.to_block = out.any() && !op.stores && stays_in_block(access, out.vdst);
  out.rows_type = llvm::ArrayType::get(ir_.strip_type(), 4 * kMaxStrips);
  if (out.of_block || out.to_block)
    out.rows = vectors_.row(out.to_block ? out.vdst : vgpr_of(access.data()));
  else if (out.any())
    out.rows = ir_.frame_slot(out.rows_type);
  return out;
}

// Where dword k of strip q's data lies.
llvm::Value* MemoryEmitter::slot(const Plan& plan, uint32_t q, uint32_t k) {
  return plan.rows ? builder_.CreateConstInBoundsGEP2_32(plan.rows_type, plan.rows, 0, k * kMaxStrips + q)
                   : builder_.CreateConstInBoundsGEP2_32(plan.buffer_type, plan.buffer, 0, k);
}

void MemoryEmitter::store_data(const Plan& plan, uint32_t q) {
  for (uint32_t k = 0; k < plan.access.op.dwords; ++k) {
    const MemoryAccess& access = plan.access;
    Value* data = vectors_.operand_strip(access.data_of(k), access.row_of_data(k), q, access.before);
    builder_.CreateStore(data, slot(plan, q, k));
  }
}

// Stores the destination's old value where the library's function merges its result into it.
void MemoryEmitter::store_merged(const Plan& plan, uint32_t q) {
  Value* old = vectors_.strip(plan.vdst, q, plan.access.before);
  builder_.CreateStore(old, slot(plan, q, 0));
}

// Where lane 0 of strip q is accessed.
llvm::Value* MemoryEmitter::pointer_to(const Plan& plan, uint32_t q) {
  const AddressShape& shape = plan.shape;
  const MemoryAccess& access = plan.access;
  Value* first = parts_.addresses.first_lane(access.i, q, shape, access.before);
  Value* address = builder_.CreateAdd(first, builder_.getInt64(uint64_t(int64_t(int32_t(access.offset)))));
  if (shape.seldom_inside) {
    Value* end = builder_.CreateAdd(builder_.CreateZExt(builder_.CreateTrunc(address, ir_.i32()), ir_.i64()),
                                    builder_.getInt64(access.op.bytes));
    Value* inside = builder_.CreateICmpULE(end, wave_.lds_bytes());
    Value* there = builder_.CreateIntToPtr(builder_.CreateAdd(address, wave_.lds_base()), builder_.getPtrTy());
    return builder_.CreateSelect(inside, there, ir_.constant_array({0, 0, 0, 0}));
  }
  if (plan.lds) address = builder_.CreateAdd(address, wave_.lds_base());
  if (plan.partial() && plan.uniform() && shape.covers < ir_.strips()) {
    // The address of a part without an active lane has not been checked; the wave's block can be read in its place.
    Value* active = parts_.addresses.active_in(q - q % shape.part_strips, shape.part_strips);
    address = builder_.CreateSelect(active, address, builder_.CreatePtrToInt(wave_.pointer(), ir_.i64()));
  }
  Value* pointer = builder_.CreateIntToPtr(address, builder_.getPtrTy());
  if (!plan.lds && access.row == 0 && shape.addressing == Addressing::Linear && q % shape.part_strips == 0)
    parts_.prefetcher.fetch_next(access.i, q, address, shape.lanes * shape.stride);
  return pointer;
}

void MemoryEmitter::access(const MemoryAccess& access, Known known, std::vector<LoadedStrip>& loaded) {
  const auto& [i, op, offset, row, which, point, before, after] = access;
  const AddressShape shape = parts_.addresses.shape_of(i, op, point.version, before);
  if (parts_.streams.emit(i, shape, point.version, before)) return;
  const Plan plan = this->plan(access, shape);
  if (known == Known::Shape && parts_.wide_patterns.applies(access, plan.shape)) {
    const auto lane_by_lane = [&](std::vector<LoadedStrip>& lanes) { this->access(access, Known::Nothing, lanes); };
    return parts_.wide_patterns.emit(access, lane_by_lane, loaded);
  }
  if (parts_.patterns.applies(i, point.version, before)) return parts_.patterns.emit(access, loaded);
  if (plan.any() && op.wave) return access_wave(access, loaded);
  const bool at_once = plan.any() && (op.atomic_wave || op.near);
  if (at_once && op.near)
    load_near(plan);
  else if (at_once)
    access_atomic(plan);
  std::vector<Value*> results(kMaxStrips * op.dwords);
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    if (q % plan.alike != 0) {
      for (uint32_t k = 0; k < op.dwords; ++k)
        results[q * op.dwords + k] = results[(q - q % plan.alike) * op.dwords + k];
      continue;
    }
    Value* lanes = plan.exec ? ir_.strip_mask(plan.exec, q) : nullptr;
    Value* pointer = plan.any() ? nullptr : pointer_to(plan, q);
    Value* direct[4] = {};
    bool blended = false; // inactive lanes are as they have to be
    if (plan.any()) {
      if (!at_once) access_any(plan, q, lanes);
    } else if (plan.uniform() && op.stores) {
      store_uniform(plan, q, pointer, lanes);
    } else if (plan.uniform()) {
      load_uniform(plan, q, pointer, direct);
    } else if (plan.shape.addressing == Addressing::Linear && op.dword()) {
      direct[0] = access_dword(plan, q, pointer, lanes), blended = plan.partial();
    } else {
      access_elements(plan, q, pointer);
    }
    if (!op.loads()) continue;
    for (uint32_t k = 0; k < op.dwords; ++k) {
      Value* v = direct[k] ? direct[k] : builder_.CreateLoad(plan.element, slot(plan, q, k));
      if (plan.exec && !plan.whole && !blended)
        v = builder_.CreateSelect(ir_.bools(lanes), v, vectors_.strip(vgpr_of(i.raw.vdst, row + k), q, before));
      results[q * op.dwords + k] = v;
    }
  }
  if (!op.loads()) return;
  for (uint32_t k = 0; plan.to_block && k < op.dwords; ++k) parts_.rows.set_stored(plan.vdst + k);
  for (uint32_t q = 0; q < ir_.strips(); ++q)
    for (uint32_t k = 0; k < op.dwords; ++k)
      loaded.push_back({vgpr_of(i.raw.vdst, row + k), q, results[q * op.dwords + k]});
}

// The library looks at all strips at once where the lanes of the first one are near each other, else strip by strip.
void MemoryEmitter::load_near(const Plan& plan) {
  const auto& [i, op, offset, row, which, point, before, after] = plan.access;
  std::array<Value*, kMaxStrips> low{}, high{};
  for (uint32_t q = 0; q < kMaxStrips; ++q) {
    std::tie(low[q], high[q]) = address_strips(plan, q % ir_.strips());
    if (op.merges && q < ir_.strips()) store_merged(plan, q);
  }
  Value* base = base_of(plan);
  Value* exec = plan.exec ? plan.exec : builder_.getInt64(~0ull);
  llvm::BasicBlock *near = ir_.new_block("near"), *strips = ir_.new_block("strips"), *on = ir_.new_block("loaded");
  builder_.CreateCondBr(ir_.call(op.looks_near, low[0], ir_.strip_mask(exec, 0)), near, strips);
  builder_.SetInsertPoint(near);
  Value* done = ir_.call(op.near, wave_.pointer(), base, low[0], low[1], low[2], low[3], high[0], high[1], high[2],
                         high[3], exec, builder_.getInt64(i.raw.address), slot(plan, 0, 0));
  builder_.CreateCondBr(done, on, strips);
  builder_.SetInsertPoint(strips);
  for (uint32_t q = 0; q < ir_.strips(); ++q) access_any(plan, q, plan.exec ? ir_.strip_mask(plan.exec, q) : nullptr);
  builder_.CreateBr(on);
  builder_.SetInsertPoint(on);
}

// The two halves of what lanes add to base_of().
std::pair<llvm::Value*, llvm::Value*> MemoryEmitter::address_strips(const Plan& plan, uint32_t q) {
  const ResolvedInst& raw = plan.access.i.raw;
  Value* low = vectors_.operand_strip(raw.vaddr, 0, q, plan.access.before);
  if (plan.lds || raw.saddr) return {low, llvm::Constant::getNullValue(ir_.strip_type())};
  return {low, vectors_.operand_strip(raw.vaddr, 1, q, plan.access.before)};
}

llvm::Value* MemoryEmitter::base_of(const Plan& plan) {
  Value* offset = builder_.getInt64(uint64_t(int64_t(int32_t(plan.access.offset))));
  const ResolvedInst& raw = plan.access.i.raw;
  return raw.saddr ? builder_.CreateAdd(offset, scalars_.sgpr64(raw.saddr.index)) : offset;
}

// The library looks at each lane's address.
void MemoryEmitter::access_any(const Plan& plan, uint32_t q, Value* lanes) {
  const auto& [i, op, offset, row, which, point, before, after] = plan.access;
  const ResolvedInst& raw = i.raw;
  if (op.stores && !plan.of_block)
    store_data(plan, q);
  else if (op.merges)
    store_merged(plan, q);
  const auto [low, high] = address_strips(plan, q);
  Value* base = base_of(plan);
  const bool fetched = !plan.lds && parts_.tiles.note_lines(i, q, point.version, base, low, high);
  const uint64_t at = raw.address | (raw.format == Format::Flat ? kAtFlat : 0) | (fetched ? kFetchedAhead : 0);
  Value* memory = plan.lds ? wave_.lds_base() : wave_.arena_base();
  Value* bytes = plan.lds ? wave_.lds_bytes() : wave_.arena_bytes();
  if (!lanes) lanes = builder_.getInt16(0xffff);
  llvm::CallInst* call = ir_.call(op.any, wave_.pointer(), memory, bytes, base, low, high, lanes, ir_.constant(q),
                                  builder_.getInt64(at), slot(plan, q, 0));
  if (plan.exec) call->addFnAttr(llvm::Attribute::NoInline); // not worth its size
  ir_.must_hold(call);
}

// Writes down where the atomic's lanes are, and those of atomics that follow at once: the later they are read the better.
void MemoryEmitter::find_places(const Plan& plan) {
  const uint32_t first = number_of(plan.access.i), last = code_.nodes[plan.access.point.node].last;
  std::bitset<kMaxVgprs> written;
  places_.clear();
  for (uint32_t k = first; k <= last && places_.size() < kMostPlaces; ++k) {
    const Instr& i = code_.instrs[k];
    if (i.kind == Kind::Nothing || (i.kind == Kind::Salu && k > first && !i.writes.s[kExecLo])) continue;
    if (i.kind != Kind::Memory || !i.memory->atomic_places || i.accesses != 1 || i.memory != plan.access.i.memory) return;
    if (written[vgpr_of(i.raw.vaddr)]) return;
    written |= i.writes.v;
    Places& places = places_[&i];
    for (uint32_t q = 0; q < kMaxStrips; ++q)
      places.at[q] = vectors_.operand_strip(i.raw.vaddr, 0, q % ir_.strips(), plan.access.before);
    places.slot = ir_.frame_slot(llvm::ArrayType::get(ir_.strip_type(), kMaxStrips));
    const auto& at = places.at;
    places.good = ir_.call(i.memory->atomic_places, wave_.lds_bytes(), builder_.getInt64(i.offset[0]), at[0], at[1], at[2], at[3],
                           plan.exec ? plan.exec : static_cast<Value*>(ir_.all_lanes()), places.slot);
  }
}

// An atomic on LDS, of all strips at once.
void MemoryEmitter::access_atomic(const Plan& plan) {
  const auto& [i, op, offset, row, which, point, before, after] = plan.access;
  if (!places_.contains(&i)) find_places(plan);
  const Places places = places_.at(&i);
  places_.erase(&i);
  for (uint32_t q = 0; q < ir_.strips() && !plan.of_block; ++q) store_data(plan, q);
  const auto& at = places.at;
  llvm::CallInst* call =
      ir_.call(op.atomic_wave, wave_.pointer(), wave_.lds_base(), wave_.lds_bytes(), builder_.getInt64(offset), at[0], at[1], at[2],
               at[3], plan.exec ? plan.exec : static_cast<Value*>(ir_.all_lanes()), builder_.getInt64(i.raw.address), slot(plan, 0, 0),
               places.slot, places.good);
  if (plan.exec) call->addFnAttr(llvm::Attribute::NoInline); // not worth its size
  ir_.must_hold(call);
}

// All active lanes store to one address, and the highest one's value stays.
void MemoryEmitter::store_uniform(const Plan& plan, uint32_t q, Value* pointer, Value* lanes) {
  store_data(plan, q);
  Value* lane = ir_.constant(kStripLanes - 1);
  if (plan.partial()) {
    Value* some = builder_.CreateOr(builder_.CreateZExt(lanes, ir_.i32()), ir_.constant(1));
    Value* above = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, some, builder_.getInt1(false));
    lane = builder_.CreateSub(ir_.constant(31), above);
  }
  llvm::BasicBlock *on = ir_.new_block("stored"), *store = plan.partial() ? ir_.new_block("store") : nullptr;
  if (plan.partial()) {
    builder_.CreateCondBr(builder_.CreateICmpNE(lanes, builder_.getInt16(0)), store, on);
    builder_.SetInsertPoint(store);
  }
  ir_.call(plan.access.op.store_uniform, pointer, plan.buffer, lane);
  builder_.CreateBr(on);
  builder_.SetInsertPoint(on);
}

void MemoryEmitter::load_uniform(const Plan& plan, uint32_t q, Value* pointer, Value* (&direct)[4]) {
  const MemoryOp& op = plan.access.op;
  // The library reads 64 and 128 bits at once, as coherent loads have to.
  const bool plain = op.bytes == 4 * op.dwords && !(plan.access.i.coherent && op.dwords > 1);
  llvm::AllocaInst* words = ir_.frame_slot(llvm::ArrayType::get(ir_.i32(), 4));
  auto word = [&](uint32_t k) { return builder_.CreateConstInBoundsGEP1_32(ir_.i32(), words, k); };
  if (!plain) {
    if (op.merges) {
      Value* old = plan.lane_result ? vectors_.lane(plan.vdst, q, plan.access.before) : ir_.constant(0);
      builder_.CreateStore(old, word(0));
    }
    ir_.call(op.load_uniform, pointer, words);
  }
  for (uint32_t k = 0; k < op.dwords; ++k) {
    Value* v = plain ? builder_.CreateAlignedLoad(ir_.i32(), ir_.byte_at(pointer, 4 * k), llvm::Align(1))
                     : builder_.CreateLoad(ir_.i32(), word(k));
    direct[k] = plan.lane_result ? v : op.merges ? merged_uniform(plan, q, v) : ir_.splat(v);
  }
}

// A loaded half, the same for all lanes, beside the halves that the destination keeps.
llvm::Value* MemoryEmitter::merged_uniform(const Plan& plan, uint32_t q, Value* loaded) {
  const Extend extend = row_of(plan.access.i.raw.opcode).memory.extend;
  const uint32_t written = extend == Extend::High16 || extend == Extend::SignHigh16 ? 0xffff0000u : 0xffffu;
  Value* old = vectors_.strip(plan.vdst, q, plan.access.before);
  return builder_.CreateOr(builder_.CreateAnd(old, ir_.splat(ir_.constant(~written))),
                           ir_.splat(builder_.CreateAnd(loaded, ir_.constant(written))));
}

// The lanes' dwords lie one after the other: one host vector. Null for a store, which has no result.
llvm::Value* MemoryEmitter::access_dword(const Plan& plan, uint32_t q, Value* pointer, Value* lanes) {
  const State& before = plan.access.before;
  if (plan.access.op.stores) {
    Value* v = vectors_.operand_strip(plan.access.data(), 0, q, before);
    if (plan.partial())
      builder_.CreateMaskedStore(v, pointer, llvm::Align(1), ir_.bools(lanes));
    else
      builder_.CreateAlignedStore(v, pointer, llvm::Align(1));
    return nullptr;
  }
  // What inactive lanes get is named here, and never 0: InstCombine (LLVM 22) makes one load of a masked load of 0 and
  // a select with its mask, where the select stands, even behind stores.
  Value* old = plan.whole ? llvm::Constant::getAllOnesValue(ir_.strip_type()) : vectors_.strip(plan.vdst, q, before);
  if (plan.partial())
    return builder_.CreateMaskedLoad(ir_.strip_type(), pointer, llvm::Align(1), ir_.bools(lanes), old);
  return builder_.CreateAlignedLoad(ir_.strip_type(), pointer, llvm::Align(1));
}

// Elements of other sizes, one after the other or at a stride: the library accesses them.
void MemoryEmitter::access_elements(const Plan& plan, uint32_t q, Value* pointer) {
  const MemoryOp& op = plan.access.op;
  const bool strided = plan.shape.addressing == Addressing::Strided;
  if (op.stores)
    store_data(plan, q);
  else if (op.merges && !strided)
    store_merged(plan, q);
  if (strided)
    ir_.call(op.strided, pointer, builder_.getInt64(plan.shape.stride), plan.buffer);
  else
    ir_.call(op.linear, pointer, plan.buffer);
}

// Whether `dwords` registers have not changed since the region was entered, whole rows of the wave's block as they are.
bool MemoryEmitter::lies_in_block(const Operand& data, uint32_t dwords, const State& state) const {
  if (plan_.starts() || (data.bank != Bank::Vgpr && data.bank != Bank::Agpr)) return false;
  for (uint32_t k = 0; k < dwords; ++k) {
    const uint32_t r = vgpr_of(data, k);
    if (r >= kMaxVgprs || !parts_.rows.is_current(r) || !state.v[r].is_any()) return false;
  }
  return true;
}

// Whether the region keeps what the access loads in the block.
bool MemoryEmitter::lies_there(const MemoryAccess& access, uint32_t vdst) const {
  if (access.version() != Version::Full || access.i.memory->merges || access.i.accesses != 1) return false;
  for (uint32_t k = 0; k < access.op.dwords; ++k)
    if (!plan_.in_block()[vdst + k] || !access.after.v[vdst + k].is_any() || access.i.address.v[vdst + k]) return false;
  return true;
}

// Whether what the access loads is next wanted behind the barrier at its node's end, or kept in the block: then it
// belongs there at once.
bool MemoryEmitter::stays_in_block(const MemoryAccess& access, uint32_t vdst) const {
  const Node& node = code_.nodes[access.point.node];
  if (lies_there(access, vdst)) return true;
  if (access.version() != Version::Full || code_.last(node).kind != Kind::Barrier || node.next == kNoNode ||
      access.i.memory->merges)
    return false;
  const Registers& live = liveness_.in({node.next, access.version()});
  const uint32_t dwords = access.op.dwords;
  for (uint32_t k = 0; k < dwords; ++k)
    if (plan_.in_block()[vdst + k] || !access.after.v[vdst + k].is_any() || !live.v[vdst + k]) return false;
  for (uint32_t n = number_of(access.i) + 1; n <= node.last; ++n)
    for (uint32_t k = 0; k < dwords; ++k)
      if (code_.instrs[n].reads.v[vdst + k] || code_.instrs[n].writes.v[vdst + k]) return false;
  return true;
}

// Nothing is known of the addresses, and the library makes the access of all strips at once.
void MemoryEmitter::access_wave(const MemoryAccess& access, std::vector<LoadedStrip>& loaded) {
  const auto& [i, op, offset, row, which, point, before, after] = access;
  llvm::Type* buffer_type = llvm::ArrayType::get(ir_.strip_type(), kMaxStrips * op.dwords);
  const uint32_t first = op.stores ? 0 : vgpr_of(i.raw.vdst, row);
  const bool to_block = !op.stores && stays_in_block(access, first),
             of_block = op.stores && lies_in_block(access.data(), op.dwords, before);
  Value* buffer = to_block   ? vectors_.row(first)
                  : of_block ? vectors_.row(vgpr_of(access.data()))
                             : ir_.frame_slot(buffer_type);
  auto slot = [&](uint32_t q, uint32_t k) { return builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k * kMaxStrips + q); };
  for (uint32_t k = 0; k < op.dwords; ++k)
    for (uint32_t q = 0; op.stores && !of_block && q < ir_.strips(); ++q) {
      Value* data = vectors_.operand_strip(access.data(), k, q, before);
      builder_.CreateStore(data, slot(q, k));
    }
  for (uint32_t q = 0; op.merges && q < ir_.strips(); ++q)
    builder_.CreateStore(vectors_.strip(vgpr_of(i.raw.vdst, row), q, before), slot(q, 0));
  std::array<Value*, kMaxStrips> at{};
  // The library's functions take four strips and look at those that the wave has.
  for (uint32_t q = 0; q < kMaxStrips; ++q) at[q] = vectors_.operand_strip(i.raw.vaddr, 0, q % ir_.strips(), before);
  ir_.call(op.wave, wave_.pointer(), wave_.lds_base(), wave_.lds_bytes(), builder_.getInt64(offset), at[0], at[1], at[2], at[3],
           scalars_.exec(), buffer);
  if (op.stores) return;
  for (uint32_t k = 0; to_block && k < op.dwords; ++k) parts_.rows.set_stored(first + k);
  for (uint32_t q = 0; q < ir_.strips(); ++q)
    for (uint32_t k = 0; k < op.dwords; ++k) {
      const uint32_t vdst = vgpr_of(i.raw.vdst, row + k);
      Value* v = builder_.CreateLoad(ir_.strip_type(), slot(q, k));
      if (access.partial() && !facts_.whole(i, point.version))
        v = builder_.CreateSelect(ir_.bools(ir_.strip_mask(scalars_.exec(), q)), v, vectors_.strip(vdst, q, before));
      loaded.push_back({vdst, q, v});
    }
}

} // namespace hip::engine::compile
