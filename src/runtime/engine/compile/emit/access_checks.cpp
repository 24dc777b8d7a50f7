// runtime/engine/compile/emit/access_checks.cpp - see access_checks.h.
#include "runtime/engine/compile/emit/access_checks.h"

#include <algorithm>

namespace hip::engine::compile {

// Whether the 32-bit index that the instruction widens grows from lane to lane without overflow (i1). Null: it cannot
// overflow, or no fact depends on it.
llvm::Value* AccessChecks::index_fits(const Instr& i, const State& state) {
  if (!i.extends_sign) return nullptr;
  const uint32_t v = vgpr_of(i.raw.src[1]);
  const Fact fact = operand_fact(state, i.raw.src[1], 0);
  if (!fact.is_affine() || fact.is_uniform()) return nullptr;
  if (fact.is_disjoint_in_part()) return nullptr;
  Value* all = builder_.getTrue();
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    if (!fact.is_source_strip(q)) continue;
    Value* first = vectors_.lane(v, q, state);
    Value* last =
        builder_.CreateAdd(first, ir_.constant(uint32_t(fact.stride()) * (fact.part_strips() * kStripLanes - 1)));
    all = builder_.CreateAnd(all, fact.stride() > 0 ? builder_.CreateICmpSGE(last, first)
                                                    : builder_.CreateICmpSLE(last, first));
  }
  return all;
}

void AccessChecks::begin_point(const FlowPoint& point) {
  const Node& node = code_.nodes[point.node];
  first_ = node.first;
  checked_.assign(node.last - node.first + 1, false);
  checked_fixed_ = false;
}

llvm::Value* AccessChecks::before(const FlowPoint& point, uint32_t k, const State& state) {
  const Instr& at = code_.instrs[k];
  Value* all = nullptr;
  auto also = [&](Value* ok) { all = all ? builder_.CreateAnd(all, ok) : ok; };
  if (point.version != Version::Empty && at.extends_sign && facts_.whole(at, point.version))
    if (Value* fits = index_fits(at, state)) also(fits);
  if (point.version != Version::Empty && at.kind == Kind::Scratch && !checked_[k - first_])
    if (Value* fits = scratch_fits(point, k, state)) also(fits);
  const bool loads = at.kind == Kind::ScalarLoad && !facts_.start().without_facts;
  if (checked_[k - first_] || (at.kind != Kind::Memory && !loads)) return all;
  for (const Group& g : group_accesses(point, k, state)) {
    if (g.first->kind == Kind::Memory)
      also(reachable(*g.first, g.shape, g.low, g.high, point.version, state));
    else
      also(in_arena(addresses_.scalar_address(*g.first, g.low), uint64_t(g.high - g.low + 4)));
  }
  return all;
}

llvm::Value* AccessChecks::loads_from_arena(const Instr& i) {
  return in_arena(addresses_.scalar_address(i, i.raw.offset), 4 * i.raw.sdst.dwords);
}

llvm::Value* AccessChecks::reachable(const Instr& i, const AddressShape& shape, int64_t low, int64_t high,
                                     Version version, const State& state) {
  const bool lds = i.memory->space == library::Space::Lds, partial = version == Version::Partial;
  const uint64_t span = uint64_t(shape.lanes - 1) * shape.stride;
  Value* all = builder_.getTrue();
  auto also = [&](Value* ok, uint32_t q) {
    if (partial && shape.covers < ir_.strips())
      ok = builder_.CreateOr(ok, builder_.CreateNot(addresses_.active_in(q, shape.covers)));
    all = builder_.CreateAnd(all, ok);
  };
  if (lds && partial && shape.addressing == Addressing::Linear) { // inactive lanes may be anywhere
    Value* end =
        builder_.CreateTrunc(builder_.CreateSub(wave_.lds_bytes(), builder_.getInt64(uint64_t(high))), ir_.i32());
    all = builder_.CreateICmpUGE(wave_.lds_bytes(), builder_.getInt64(uint64_t(high)));
    for (uint32_t q = 0; q < ir_.strips(); ++q) {
      Value* inside = builder_.CreateICmpULE(vectors_.operand_strip(i.raw.vaddr, 0, q, state), ir_.splat(end));
      Value* outside = builder_.CreateAnd(builder_.CreateNot(inside), ir_.bools(ir_.strip_mask(scalars_.exec(), q)));
      all = builder_.CreateAnd(
          all, builder_.CreateICmpEQ(builder_.CreateBitCast(outside, builder_.getInt16Ty()), builder_.getInt16(0)));
    }
    return all;
  }
  for (uint32_t q = 0; q < ir_.strips(); q += shape.covers) {
    if (lds) {
      Value* first = builder_.CreateZExt(vectors_.operand_lane(i.raw.vaddr, 0, q, state), ir_.i64());
      also(builder_.CreateICmpULE(builder_.CreateAdd(first, builder_.getInt64(span + uint64_t(high))),
                                  wave_.lds_bytes()),
           q);
      continue;
    }
    Value* first = builder_.CreateAdd(addresses_.first_lane(i, q, shape, state), builder_.getInt64(uint64_t(low)));
    Value* ok = in_arena(first, span + uint64_t(high - low));
    if (shape.may_wrap)
      ok = builder_.CreateAnd(ok, builder_.CreateICmpULE(vectors_.operand_lane(i.raw.vaddr, 0, q, state),
                                                         ir_.constant(~0u - uint32_t(span))));
    also(ok, q);
  }
  return all;
}

llvm::Value* AccessChecks::in_arena(Value* address, uint64_t bytes) {
  Value* offset = builder_.CreateSub(address, wave_.arena_base());
  return builder_.CreateICmpULE(offset, builder_.CreateSub(wave_.arena_bytes(), builder_.getInt64(bytes)));
}

// Whether instruction k's access to private memory, and those behind it at the same register plus a constant, are inside and in
// their slots, if each is at one offset in all lanes. Null: nothing has to be checked here.
llvm::Value* AccessChecks::scratch_fits(const FlowPoint& point, uint32_t k, const State& state) {
  const Instr& i = code_.instrs[k];
  auto ends_by = [&](uint64_t end) { return builder_.CreateICmpUGE(wave_.scratch_bytes(), builder_.getInt64(end)); };
  if (ScratchEmitter::is_fixed(i.raw)) { // one check for all of the region's
    if (checked_fixed_ || !ScratchEmitter::is_in_slot(i.raw.offset, i.scratch->bytes)) return nullptr;
    uint64_t end = uint64_t(uint32_t(i.raw.offset)) + i.scratch->bytes;
    if (plan_.instrumented()) return ends_by(end);
    checked_fixed_ = true;
    for (uint32_t n : plan_.region().nodes)
      for (uint32_t other = code_.nodes[n].first; other <= code_.nodes[n].last; ++other) {
        const Instr& o = code_.instrs[other];
        if (o.kind == Kind::Scratch && ScratchEmitter::is_fixed(o.raw))
          end = std::max(end, uint64_t(uint32_t(o.raw.offset)) + o.scratch->bytes);
      }
    return ends_by(end);
  }
  const ScratchSpan span = group_scratch(point, k);
  Value* all = nullptr;
  const bool same = !i.raw.vaddr || operand_fact(state, i.raw.vaddr, 0).same_in_wave();
  for (uint32_t q = 0; q < (same ? 1 : ir_.strips()); ++q) {
    Value* offset = scratch_.common_offset(i, q, state);
    if (!offset) return nullptr;
    Value* part = builder_.CreateAnd(offset, ir_.constant(3));
    Value* first = builder_.CreateAdd(offset, ir_.constant(uint32_t(span.low - i.raw.offset)));
    Value* inside = builder_.CreateICmpULE(
        builder_.CreateAdd(builder_.CreateZExt(first, ir_.i64()), builder_.getInt64(uint64_t(span.high - span.low))), wave_.scratch_bytes());
    Value* fits = builder_.CreateAnd(inside, span.widest >= 4 ? builder_.CreateICmpEQ(part, ir_.constant(0))
                                                              : builder_.CreateICmpULE(part, ir_.constant(4 - span.widest)));
    if (!same && point.version == Version::Partial)
      fits = builder_.CreateOr(fits, builder_.CreateICmpEQ(ir_.strip_mask(scalars_.exec(), q), builder_.getInt16(0)));
    all = all ? builder_.CreateAnd(all, fits) : fits;
  }
  return all;
}

// Structures that are copied are dozens of accesses at one register: each with a check, their ways out were most of the code.
AccessChecks::ScratchSpan AccessChecks::group_scratch(const FlowPoint& point, uint32_t k) {
  const Instr& first = code_.instrs[k];
  ScratchSpan span{first.raw.offset, int64_t(first.raw.offset) + first.scratch->bytes, first.scratch->bytes};
  const auto same = [](const Operand& a, const Operand& b) { return a.bank == b.bank && (!a || a.index == b.index); };
  const uint32_t last = plan_.instrumented() ? k : code_.nodes[point.node].last; // a tool is asked in front of each access
  Registers written;
  for (uint32_t n = k; n <= last; ++n) {
    const Instr& i = code_.instrs[n];
    if (n > k && first.raw.vaddr && written.v[vgpr_of(first.raw.vaddr)]) break;
    if (n > k && first.raw.saddr.bank == Bank::Sgpr && written.s[first.raw.saddr.index]) break;
    // What lies at another part of its dword is checked by itself.
    if (i.kind == Kind::Scratch && same(i.raw.vaddr, first.raw.vaddr) && same(i.raw.saddr, first.raw.saddr) &&
        (i.raw.offset - first.raw.offset) % 4 == 0) {
      span.low = std::min<int64_t>(span.low, i.raw.offset);
      span.high = std::max<int64_t>(span.high, int64_t(i.raw.offset) + i.scratch->bytes);
      span.widest = std::max(span.widest, i.scratch->bytes);
      checked_[n - first_] = true;
    }
    written.add(i.writes);
  }
  return span;
}

// Groups the accesses of instruction k and of those behind it whose address registers do not change in between;
// accesses with a common address are one group.
std::vector<AccessChecks::Group> AccessChecks::group_accesses(const FlowPoint& point, uint32_t k, const State& state) {
  std::vector<Group> groups;
  const auto cover = [&](const Group& access, auto same_address) {
    for (Group& g : groups)
      if (g.first->kind == access.first->kind && same_address(g)) {
        g.low = std::min(g.low, access.low), g.high = std::max(g.high, access.high);
        return;
      }
    groups.push_back(access);
  };
  Registers written;
  const uint32_t last = plan_.instrumented() ? k : code_.nodes[point.node].last; // a tool is asked in front of each access
  for (uint32_t n = k; n <= last; ++n) {
    const Instr& i = code_.instrs[n];
    const ResolvedInst& raw = i.raw;
    if (i.kind == Kind::ScalarLoad && !facts_.start().without_facts &&
        (raw.soffset ? n == k : !written.s[raw.sbase.index] && !written.s[raw.sbase.index + 1])) {
      cover({&i, {}, raw.offset, int64_t(raw.offset) + 4 * raw.sdst.dwords}, [&](const Group& g) {
        return g.first->raw.sbase.index == raw.sbase.index && !g.first->raw.soffset && !raw.soffset;
      });
      checked_[n - first_] = true;
    } else if (i.kind == Kind::Memory && point.version != Version::Empty && !(i.address.v & written.v).any() &&
               !(i.address.s & written.s).any()) {
      const MemoryOp& op = addresses_.elements_of(i, point.version, state).op;
      const AddressShape shape = addresses_.shape_of(i, op, point.version, state);
      checked_[n - first_] = true;
      for (uint32_t which = 0; which < i.accesses && shape.addressing != Addressing::Any && !shape.seldom_inside;
           ++which) {
        const int64_t low = int32_t(i.offset[which]);
        cover({&i, shape, low, low + i.memory->bytes}, [&](const Group& g) {
          return g.first->memory->space == op.space && vgpr_of(g.first->raw.vaddr) == vgpr_of(raw.vaddr) &&
                 g.first->raw.saddr.bank == raw.saddr.bank && g.first->raw.saddr.index == raw.saddr.index &&
                 g.shape.stride == shape.stride;
        });
      }
    }
    written.add(i.writes);
  }
  return groups;
}

} // namespace hip::engine::compile
