// runtime/engine/decode/catch_up.cpp - see catch_up.h.
#include "runtime/engine/decode/catch_up.h"

#include <algorithm>

namespace hip::engine {

void CatchUpSearch::found_store() {
  if (last_read_ != kNone) places_.push_back(last_read_);
  last_read_ = kNone;
}

// Whether a wave that goes back to `address` may store to LDS before it comes to a barrier.
bool CatchUpSearch::stores_first(uint64_t address) const {
  const auto next = std::ranges::lower_bound(events_, address, {}, &Event::address);
  return next != events_.end() && next->stores;
}

void CatchUpSearch::add(const ResolvedInst& inst) {
  const uint32_t number = count_++;
  const OpcodeRow& row = row_of(inst.opcode);
  switch (row.unit) {
  case Unit::Barrier:
    events_.push_back({inst.address, false});
    behind_barrier_ = true;
    last_read_ = kNone;
    return;
  case Unit::Branch:
  case Unit::ConditionalBranch:
    if (inst.simm16 < 0 && stores_first(inst.address + 4 + uint64_t(int64_t(inst.simm16) * 4))) found_store();
    behind_barrier_ = false;
    return;
  case Unit::Jump:
  case Unit::EndWave:
    behind_barrier_ = false;
    return;
  case Unit::VectorIndexed: // up to s_set_gpr_idx_off, instructions are executed as one
    behind_barrier_ = false;
    break;
  case Unit::Lds:
    if (row.memory.kind == MemoryKind::Load && behind_barrier_ && inst.vaddr.bank == Bank::Vgpr &&
        same_[vgpr_of(inst.vaddr)])
      last_read_ = number;
    if (row.memory.kind == MemoryKind::Store) {
      events_.push_back({inst.address, true});
      found_store();
    }
    break;
  default:
    break;
  }
  same_ &= ~inst.writes.v;
  if (inst.opcode == Opcode::v_mov_b32 && inst.variant != Variant::Dpp && inst.variant != Variant::Sdwa &&
      inst.vdst.bank == Bank::Vgpr && (inst.src[0].is_constant() || is_sgpr(inst.src[0])))
    same_.set(vgpr_of(inst.vdst));
}

} // namespace hip::engine
