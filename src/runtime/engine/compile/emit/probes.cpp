// runtime/engine/compile/emit/probes.cpp - see probes.h.
#include "runtime/engine/compile/emit/probes.h"

#include "runtime/engine/interpret/memory/describe.h"
#include <llvm/IR/Module.h>

namespace hip::engine::compile {

void Probes::before(uint32_t k, const FlowPoint& point, const State& state) {
  if (!plan_.instrumented()) return;
  const Instr& i = code_.instrs[k];
  const OpcodeRow& row = row_of(i.raw.opcode);
  if (!i.continues) ++pending_[size_t(class_of(row.unit))];
  const bool accesses = accesses_memory(row);
  if (!accesses && i.kind != Kind::Called && k != code_.nodes[point.node].last) return;
  add_pending();
  pending_ = {};
  if (!accesses) return;
  handlers_.offer(i, point.version, state);
}

void Probes::add_pending() {
  if (!plan_.instrumented()) return;
  auto count = module_.getOrInsertFunction("omnihip_t1_count", builder_.getVoidTy(), builder_.getPtrTy(),
                                           builder_.getPtrTy(), ir_.i64());
  builder_.CreateCall(count, {wave_.pointer(), ir_.constant_array(pending_), scalars_.exec()});
}

} // namespace hip::engine::compile
