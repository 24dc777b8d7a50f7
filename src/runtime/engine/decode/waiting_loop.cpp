// runtime/engine/decode/waiting_loop.cpp - see waiting_loop.h.
#include "runtime/engine/decode/waiting_loop.h"

namespace hip::engine {

LoopStep::LoopStep(const ResolvedInst& inst) : writes(inst.writes), addressing(inst.addressing) {
  const OpcodeRow& row = row_of(inst.opcode);
  const MemoryKind kind = row.memory.kind;
  const bool may_be_private = row.unit == Unit::Scratch || row.unit == Unit::Flat || row.unit == Unit::Buffer;
  reads_memory = (kind == MemoryKind::Load || kind == MemoryKind::Atomic) && inst.vdst && row.unit != Unit::Scratch;
  reads_shared = reads_memory && row.unit != Unit::Lds;
  writes_shared = kind == MemoryKind::Store && row.unit != Unit::Lds && row.unit != Unit::Scratch;
  writes_private = kind == MemoryKind::Store && may_be_private;
  is_coherent = reads_shared && (inst.coherent || kind == MemoryKind::Atomic);
  lets_others_run = row.unit == Unit::Barrier || row.unit == Unit::Yield;
  is_call = row.unit == Unit::Jump;
}

void WaitingLoop::add(const WaitingLoop& other) {
  written.add(other.written);
  writes_private |= other.writes_private;
  calls |= other.calls;
}

std::optional<WaitingLoop> find_waiting_loop(std::span<const LoopStep> body) {
  WaitingLoop loop;
  bool stores = false;
  for (const LoopStep& step : body) {
    if (step.lets_others_run) return std::nullopt;
    loop.written.add(step.writes);
    loop.writes_private |= step.writes_private;
    loop.calls |= step.is_call;
    stores |= step.writes_shared;
  }
  const Registers& written = loop.written;
  const bool waits = std::ranges::any_of(body, [&](const LoopStep& step) {
    if (step.is_coherent) return true;
    const bool moves = (step.addressing.v & written.v).any() || (step.addressing.s & written.s).any();
    return step.reads_memory && !moves && !(stores && step.reads_shared);
  });
  if (!waits && !loop.calls) return std::nullopt;
  return loop;
}

std::vector<StateRange> state_of(const WaitingLoop& loop) {
  std::vector<StateRange> out;
  auto add_runs = [&](const auto& set, uint32_t count, uint32_t bytes, auto offset_of) {
    for (uint32_t r = 0; r < count; ++r) {
      if (!set[r] && !loop.calls) continue;
      const uint32_t first = r;
      while (r + 1 < count && (set[r + 1] || loop.calls)) ++r;
      out.push_back({offset_of(first), (r + 1 - first) * bytes});
    }
  };
  add_runs(loop.written.s, kSgprCount, 4, Wave::sgpr_offset); // SCC is not among them: it follows from what the others were
  add_runs(loop.written.v, kMaxVgprs, kRowBytes, Wave::vgpr_offset);
  if (loop.writes_private || loop.calls) out.push_back({StateRange::kPrivateMemory, 0});
  return out;
}

} // namespace hip::engine
