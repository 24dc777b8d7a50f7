// runtime/engine/decode/catch_up.cpp - see catch_up.h.
#include "runtime/engine/decode/catch_up.h"

#include <algorithm>
#include <iterator>

namespace hip::engine {

void CatchUpSearch::note(const ResolvedInst& inst, uint32_t number, What what) {
  const uint64_t target = inst.address + 4 + uint64_t(int64_t(inst.simm16) * 4);
  events_.push_back({inst.address, target, number, what, may_stop_});
}

void CatchUpSearch::found_store() {
  if (last_read_ != kNone) places_.push_back(last_read_);
  last_read_ = kNone;
}

// The first event at `address` or behind it.
uint32_t CatchUpSearch::event_at(uint64_t address) const {
  const auto found = std::ranges::lower_bound(events_, address, {}, &Event::address);
  return found == events_.end() ? kNone : uint32_t(found - events_.begin());
}

// Whether a wave that goes back to `address` may store to LDS before it comes to a barrier.
bool CatchUpSearch::stores_first(uint64_t address) const {
  for (uint32_t at = event_at(address); at != kNone && at < events_.size(); ++at) {
    if (events_[at].what == What::Store) return true;
    if (events_[at].what == What::Barrier) return false;
  }
  return false;
}

void CatchUpSearch::add(const ResolvedInst& inst) {
  const uint32_t number = count_++;
  const OpcodeRow& row = row_of(inst.opcode);
  bool may_stop = !is_indexing_;
  switch (row.unit) {
  case Unit::Barrier:
    note(inst, number, What::Barrier);
    behind_barrier_ = true;
    last_read_ = kNone;
    may_stop = false;
    break;
  case Unit::Branch:
  case Unit::ConditionalBranch:
    note(inst, number, row.unit == Unit::Branch ? What::Branch : What::ConditionalBranch);
    if (inst.simm16 < 0 && stores_first(events_.back().target)) found_store();
    behind_barrier_ = false;
    may_stop = false;
    break;
  case Unit::Jump:
  case Unit::EndWave:
    note(inst, number, What::End);
    behind_barrier_ = false;
    may_stop = false;
    break;
  case Unit::VectorIndexed:
    if (inst.opcode == Opcode::s_set_gpr_idx_on) is_indexing_ = true;
    if (inst.opcode == Opcode::s_set_gpr_idx_off) is_indexing_ = false;
    behind_barrier_ = false;
    may_stop = false;
    break;
  case Unit::Lds:
    if (row.memory.kind == MemoryKind::Load && !is_indexing_ && inst.vaddr.bank == Bank::Vgpr &&
        same_[vgpr_of(inst.vaddr)]) {
      note(inst, number, What::Read);
      if (behind_barrier_) last_read_ = number;
    }
    if (row.memory.kind == MemoryKind::Store) {
      note(inst, number, What::Store);
      found_store();
    }
    break;
  default:
    break;
  }
  may_stop_ = may_stop;
  same_ &= ~inst.writes.v;
  if (inst.opcode == Opcode::v_mov_b32 && inst.variant != Variant::Dpp && inst.variant != Variant::Sdwa &&
      inst.vdst.bank == Bank::Vgpr && (inst.src[0].is_constant() || is_sgpr(inst.src[0])))
    same_.set(vgpr_of(inst.vdst));
}

CatchUpSearch::Next CatchUpSearch::next_of(uint32_t at) const {
  const Event& event = events_[at];
  const uint32_t behind = at + 1 < events_.size() ? at + 1 : kNone;
  switch (event.what) {
  case What::Branch:
    return {kNone, event_at(event.target)};
  case What::ConditionalBranch:
    return {behind, event_at(event.target)};
  case What::End:
    return {kNone, kNone};
  default:
    return {behind, kNone};
  }
}

// Whether a wave may come from a store to the same one without a barrier between.
bool CatchUpSearch::comes_again(uint32_t store) const {
  std::vector<bool> seen(events_.size(), false);
  std::vector<uint32_t> todo{store};
  while (!todo.empty()) {
    const Next next = next_of(todo.back());
    todo.pop_back();
    for (const uint32_t to : {next.behind, next.taken}) {
      if (to == store) return true;
      if (to == kNone || seen[to] || events_[to].what == What::Barrier) continue;
      seen[to] = true;
      todo.push_back(to);
    }
  }
  return false;
}

// The operations in front of stores that follow a read on some path without a barrier or a stop between.
std::vector<uint32_t> CatchUpSearch::stores_behind_reads() const {
  std::vector<uint32_t> found;
  if (events_.empty()) return found;
  constexpr uint8_t kUnknown = 2;
  std::vector<uint8_t> stops(events_.size(), kUnknown);
  std::vector<Since> before(events_.size(), Since::Start);
  std::vector<bool> seen(events_.size(), false);
  std::vector<uint32_t> todo{0};
  seen[0] = true;
  while (!todo.empty()) {
    const uint32_t at = todo.back();
    todo.pop_back();
    const Event& event = events_[at];
    Since since = before[at];
    if (event.what == What::Barrier) {
      since = Since::Barrier;
    } else if (event.what == What::Read && since == Since::Barrier) {
      if (!std::ranges::binary_search(places_, event.operation)) since = Since::Read;
    } else if (event.what == What::Store && since == Since::Read) {
      if (stops[at] == kUnknown) stops[at] = event.may_stop && !comes_again(at);
      if (stops[at]) since = Since::Start; // one stop between two barriers is what it may cost
    }
    const Next next = next_of(at);
    for (const uint32_t to : {next.behind, next.taken}) {
      if (to == kNone || (seen[to] && before[to] >= since)) continue;
      before[to] = std::max(before[to], since);
      seen[to] = true;
      todo.push_back(to);
    }
  }
  for (uint32_t at = 0; at < events_.size(); ++at)
    if (stops[at] == 1) found.push_back(events_[at].operation - 1);
  return found;
}

std::vector<uint32_t> CatchUpSearch::places() const {
  const std::vector<uint32_t> others = stores_behind_reads();
  std::vector<uint32_t> all;
  std::ranges::set_union(places_, others, std::back_inserter(all));
  return all;
}

} // namespace hip::engine
