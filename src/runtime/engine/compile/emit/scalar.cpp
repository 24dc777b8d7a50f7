// runtime/engine/compile/emit/scalar.cpp - see scalar.h.
#include "runtime/engine/compile/emit/scalar.h"

namespace hip::engine::compile {

void ScalarEmitter::allocate() {
  result_ = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), sizeof(library::SaluOut)));
  result_->setAlignment(llvm::Align(8));
}

void ScalarEmitter::compute(const Instr& i) {
  const ResolvedInst& raw = i.raw;
  const SaluOp& op = *i.salu;
  std::vector<Value*> arguments{result_};
  for (uint32_t k = 0; k < op.parameters(); ++k) {
    Value* v = nullptr;
    switch (op.kind(k)) {
    case kKindScc: v = builder_.CreateZExt(scalars_.scc(), ir_.i64()); break;
    case kKindExec: v = scalars_.exec(); break;
    case kKind64: v = scalars_.operand64(raw.src[k]); break;
    default:
      v = scalars_.operand(raw.src[k], 0);
      if (i.flushes >> k & 1) ir_.flush({&v, 1}, op.float_kind(k));
      v = builder_.CreateZExt(v, ir_.i64());
      break;
    }
    arguments.push_back(v);
  }
  builder_.CreateCall(op.function, arguments);
  auto field = [&](llvm::Type* type, uint32_t offset) {
    return builder_.CreateLoad(type, ir_.byte_at(result_, offset));
  };
  // Waves of 32 lanes have no EXEC_HI: what s_*_saveexec_b64 and s_*_wrexec_b64 write there is lost.
  const bool loses_exec_hi = op.result & kResultExec && op.rows() == 2 && ir_.lanes() < kMaxLanes;
  if (op.rows() && raw.sdst) {
    Value* v = field(ir_.i64(), offsetof(library::SaluOut, value));
    const uint32_t to = raw.sdst.index;
    const bool wide = op.rows() == 2;
    if (op.result & kResultMaybe) {
      Value* write = builder_.CreateICmpNE(field(ir_.i32(), offsetof(library::SaluOut, write)), ir_.constant(0));
      v = builder_.CreateSelect(write, v,
                                wide ? scalars_.sgpr64(to) : builder_.CreateZExt(scalars_.sgpr(to), ir_.i64()));
    }
    if (loses_exec_hi) v = builder_.CreateAnd(v, ir_.all_lanes());
    if (wide) {
      scalars_.set_sgpr64(to, v);
    } else {
      v = builder_.CreateTrunc(v, ir_.i32());
      if (i.flushes & Instr::kFlushesResult) ir_.flush({&v, 1}, op.float_result());
      scalars_.set_sgpr(to, v);
    }
  }
  if (op.result & kResultScc) scalars_.set_scc(field(ir_.i32(), offsetof(library::SaluOut, scc)));
  if (op.result & kResultExec) {
    Value* exec = field(ir_.i64(), offsetof(library::SaluOut, exec));
    if (loses_exec_hi) {
      exec = builder_.CreateAnd(exec, ir_.all_lanes());
      scalars_.set_scc(builder_.CreateZExt(builder_.CreateICmpNE(exec, builder_.getInt64(0)), ir_.i32()));
    }
    scalars_.set_exec(exec);
  }
}

void ScalarEmitter::get_pc(const Instr& i) {
  Value* begin = wave_.guest_begin();
  scalars_.set_sgpr64(i.raw.sdst.index, builder_.CreateAdd(begin, builder_.getInt64(i.raw.address + 4)));
}

// Whether two neighbouring SGPRs that are loaded together are wanted as one 64-bit number, which mostly is an address:
// by what the first instruction behind the load, in the code's order, that reads one of them makes of it. Halves of one
// load take instructions to part them; a dword that is loaded by itself is broadcast from memory.
bool ScalarEmitter::is_read_as_pair(const Instr& load, uint32_t first) const {
  for (uint32_t k = number_of(load) + 1; k < code_.instrs.size(); ++k) {
    const Instr& i = code_.instrs[k];
    const ResolvedInst& raw = i.raw;
    if (i.reads.s[first] || i.reads.s[first + 1]) {
      const auto names_both = [&](const Operand& o, uint32_t dwords) {
        return o.bank == Bank::Sgpr && o.index <= first && first + 1 < o.index + dwords;
      };
      bool both = names_both(raw.saddr, 2) || names_both(raw.sbase, 2);
      for (uint32_t s = 0; s < raw.source_count; ++s) // (a packed operand is two numbers)
        both |= names_both(raw.src[s], raw.src[s].dwords) && !(i.valu && i.valu->kind(s) == kKindPair);
      return both;
    }
    if (i.writes.s[first] || i.writes.s[first + 1]) break;
  }
  return true;
}

void ScalarEmitter::load(const Instr& i, const State& before) {
  const ResolvedInst& raw = i.raw;
  Value* from = builder_.CreateIntToPtr(addresses_.scalar_address(i, i.raw.offset), builder_.getPtrTy());
  std::vector<Value*> values;
  for (uint32_t k = 0; k < raw.sdst.dwords; ++k) {
    Value* at = ir_.byte_at(from, 4 * k);
    if (const std::optional<uint32_t> known = facts_.known_argument(i, before, k)) {
      values.push_back(ir_.constant(*known));
    } else if (k % 2 == 0 && k + 1 < raw.sdst.dwords && !facts_.known_argument(i, before, k + 1) &&
               is_read_as_pair(i, raw.sdst.index + k)) {
      Value* both = builder_.CreateAlignedLoad(ir_.i64(), at, llvm::Align(4));
      values.insert(values.end(), {ir_.half_of(both, 0), ir_.half_of(both, 1)});
      ++k;
    } else {
      values.push_back(builder_.CreateAlignedLoad(ir_.i32(), at, llvm::Align(4)));
    }
  }
  for (uint32_t k = 0; k < raw.sdst.dwords; ++k) scalars_.set_sgpr(raw.sdst.index + k, values[k]);
}

} // namespace hip::engine::compile
