// runtime/engine/compile/emit/pattern_access.cpp - see pattern_access.h.
#include "runtime/engine/compile/emit/pattern_access.h"

#include "runtime/engine/compile/analysis/patterns.h"

namespace hip::engine::compile {

bool PatternAccessEmitter::applies(const Instr& i, Version version, const State& state) const {
  if (i.kind != Kind::Memory || !i.memory->pattern || version == Version::Empty) return false;
  return operand_fact(state, i.raw.vaddr, 0).has_pattern();
}

// The access behind this one, if one call can make both; without an instruction: there is none.
PatternAccessEmitter::Which PatternAccessEmitter::next_to(const MemoryAccess& access) const {
  const auto& [i, op, offset, row, which, point, state, after] = access;
  if (which + 1 < i.accesses) return {&i, which + 1};
  if (plan_.instrumented()) return {}; // a tool is asked in front of the next instruction's access
  const uint32_t last = code_.nodes[point.node].last;
  uint32_t k = number_of(i) + 1;
  while (k <= last && code_.instrs[k].kind == Kind::Nothing) ++k;
  if (k > last) return {};
  const Instr& next = code_.instrs[k];
  if (next.memory != i.memory || !applies(next, point.version, state) || (next.reads.v & i.writes.v).any()) return {};
  const uint32_t pattern = operand_fact(state, i.raw.vaddr, 0).pattern();
  if (pattern == kSomePattern || pattern != operand_fact(state, next.raw.vaddr, 0).pattern()) return {};
  return {&next, 0};
}

void PatternAccessEmitter::emit(const MemoryAccess& access, std::vector<LoadedStrip>& loaded) {
  const Instr& i = access.i;
  const MemoryOp& op = *i.memory;
  const uint32_t which = access.which;
  const State& before = access.before;
  llvm::Type* strip_type = ir_.strip_type();
  std::array<Value*, kMaxStrips> values{};
  if (ahead_.at.instr == &i && ahead_.at.which == which) {
    values = ahead_.loaded; // (of a store nothing)
    ahead_.at = {};
  } else {
    const Which next = next_to(access);
    const uint32_t count = next.instr ? 2 : 1;
    const Which accesses[2] = {{&i, which}, next};
    const uint32_t kept = count == 2 ? library::kKeptRows : 0;
    llvm::Type* buffer_type = llvm::ArrayType::get(strip_type, count * kMaxStrips + kept);
    llvm::AllocaInst* buffer = ir_.frame_slot(buffer_type);
    auto slot = [&](uint32_t k, uint32_t q) {
      return builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k * kMaxStrips + q);
    };
    if (kept) { // from wave to wave
      llvm::IRBuilderBase::InsertPointGuard guard(builder_);
      builder_.SetInsertPoint(ir_.entry()->getTerminator());
      for (uint32_t q = 0; q < kept; ++q)
        builder_.CreateStore(llvm::Constant::getAllOnesValue(strip_type), slot(count, q));
    }
    std::array<Value*, kMaxStrips> first[2];
    for (uint32_t k = 0; k < count; ++k) {
      const Instr& part = *accesses[k].instr;
      const Operand& data = accesses[k].which ? part.raw.data1 : part.raw.vdata;
      for (uint32_t q = 0; q < kMaxStrips; ++q) {
        first[k][q] = builder_.CreateAdd(vectors_.operand_lane(part.raw.vaddr, 0, q % ir_.strips(), before),
                                         ir_.constant(part.offset[accesses[k].which]));
        if (!op.stores || q >= ir_.strips()) continue;
        Value* strip = vectors_.operand_strip(data, 0, q, before);
        builder_.CreateStore(strip, slot(k, q));
      }
    }
    Value* pattern = vectors_.pattern_of(i.raw.vaddr, before);
    const auto& [a, b] = first;
    if (count == 2)
      ir_.call(op.pattern_two, wave_.pointer(), wave_.lds_base(), wave_.lds_bytes(), a[0], a[1], a[2], a[3], b[0], b[1], b[2],
               b[3], pattern, scalars_.exec(), buffer);
    else
      ir_.call(op.pattern, wave_.pointer(), wave_.lds_base(), wave_.lds_bytes(), a[0], a[1], a[2], a[3], pattern,
               scalars_.exec(), buffer);
    for (uint32_t q = 0; !op.stores && q < ir_.strips(); ++q) {
      values[q] = builder_.CreateLoad(strip_type, slot(0, q));
      if (count == 2) ahead_.loaded[q] = builder_.CreateLoad(strip_type, slot(1, q));
    }
    ahead_.at = next;
  }
  if (op.stores) return;
  const uint32_t vdst = vgpr_of(i.raw.vdst, which);
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    Value* v = values[q];
    if (access.partial() && !facts_.whole(i, access.version()))
      v = builder_.CreateSelect(ir_.bools(ir_.strip_mask(scalars_.exec(), q)), v, vectors_.strip(vdst, q, before));
    loaded.push_back({vdst, q, v});
  }
}

} // namespace hip::engine::compile
