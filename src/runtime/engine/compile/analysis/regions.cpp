// runtime/engine/compile/analysis/regions.cpp - see regions.h.
#include "runtime/engine/compile/analysis/regions.h"

#include "runtime/engine/compile/analysis/facts.h"
#include "runtime/engine/compile/analysis/held_lanes.h"

#include <algorithm>

namespace hip::engine::compile {
namespace {

// Nodes in several regions are compiled several times. Their copies may be a share of the function's instructions, or this
// many: larger functions gain little from more copies.
constexpr uint32_t kLeastCopied = 192, kCopiedShare = 4;

bool passes(const Code& code, uint32_t from, uint32_t to) {
  return !code.is_foreign(from) && !code.is_foreign(to) && code.last(code.nodes[from]).kind != Kind::Barrier;
}

std::vector<uint32_t> nodes_from(const Code& code, const std::vector<bool>& is_header, uint32_t header) {
  std::vector<uint32_t> nodes{header};
  std::vector<bool> seen(code.nodes.size(), false);
  seen[header] = true;
  for (size_t k = 0; k < nodes.size(); ++k)
    for (uint32_t to : {code.nodes[nodes[k]].next, code.nodes[nodes[k]].taken})
      if (to != kNoNode && !seen[to] && !is_header[to] && passes(code, nodes[k], to)) seen[to] = true, nodes.push_back(to);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

uint32_t length(const Node& node) { return node.last - node.first + 1; }

// Makes headers of nodes that several regions hold, as far as that is needed to keep the copies few; and of nodes at which
// regions become too large. Returns whether it did.
bool split(const Code& code, const std::vector<Region>& regions, uint32_t limit, std::vector<bool>& is_header) {
  std::vector<uint32_t> holders(code.nodes.size(), 0);
  bool any = false;
  for (const Region& region : regions) {
    uint32_t size = 0;
    for (uint32_t n : region.nodes) {
      size += length(code.nodes[n]);
      ++holders[n];
      if (size <= limit || n == region.header || size == length(code.nodes[n])) continue;
      any = is_header[n] = true;
      break;
    }
  }
  if (any) return true;
  uint32_t all = 0, copied = 0;
  for (uint32_t n = 0; n < holders.size(); ++n)
    if (holders[n]) all += length(code.nodes[n]), copied += (holders[n] - 1) * length(code.nodes[n]);
  if (copied <= std::max(kLeastCopied, all / kCopiedShare)) return false;
  // Where ways of different regions meet.
  std::vector<std::vector<uint32_t>> held(code.nodes.size());
  for (uint32_t r = 0; r < regions.size(); ++r)
    for (uint32_t n : regions[r].nodes) held[n].push_back(r);
  for (uint32_t n = 0; n < holders.size(); ++n) {
    if (holders[n] < 2 || is_header[n]) continue;
    for (uint32_t from : code.nodes[n].from)
      if (passes(code, from, n) && held[from] != held[n]) any = is_header[n] = true;
  }
  return any;
}

} // namespace

Regions find_regions(const Code& code, bool is_kernel, uint32_t limit) {
  Regions out;
  const uint32_t count = uint32_t(code.nodes.size());
  if (count == 0) return out;
  std::vector<bool> is_header(count, false), reached(count, false), behind_barrier(count, false);
  is_header[0] = reached[0] = true;
  for (uint32_t n = 0; n < count; ++n) {
    if (code.instrs[code.nodes[n].first].waiting_loop) is_header[n] = true; // there a wave can stop and go on
    for (uint32_t from : code.nodes[n].from) {
      reached[n] = true;
      if (!passes(code, from, n)) is_header[n] = true;
      if (code.last(code.nodes[from]).kind == Kind::Barrier) behind_barrier[n] = true;
    }
  }
  do {
    out.regions.clear();
    for (uint32_t n = 0; n < count; ++n) {
      if (!is_header[n] || !reached[n] || code.is_foreign(n)) continue;
      out.regions.push_back({n, nodes_from(code, is_header, n), 0, (n == 0 && is_kernel) || behind_barrier[n]});
    }
  } while (split(code, out.regions, limit, is_header));
  out.headed.assign(count, kNoNode);
  for (uint32_t r = 0; r < out.regions.size(); ++r) {
    out.headed[out.regions[r].header] = r;
    for (uint32_t n : out.regions[r].nodes) out.regions[r].instructions += length(code.nodes[n]);
  }
  return out;
}

namespace {

// Only active lanes are written.
bool lane_wise(const Instr& i) {
  return i.kind == Kind::Valu || i.kind == Kind::Memory || i.kind == Kind::Scratch || i.kind == Kind::Permute ||
         i.kind == Kind::Called;
}
bool may_spread(const Instr& i) { return lane_wise(i) && i.raw.variant != Variant::Dpp; }
// Whether the instruction writes whole VGPRs, as far as lanes are concerned.
bool covers(const Instr& i, Version version) {
  return lane_wise(i) && (version == Version::Full || (version == Version::Partial && i.spreads));
}
Registers everything() {
  Registers all;
  all.v.set(), all.s.set();
  return all;
}
// Control goes where nothing is known.
bool leaves(const Code& code, const Node& node) {
  return !code.last(node).ends && code.last(node).kind != Kind::Branch && node.next == kNoNode;
}

} // namespace

// What an instruction does to the set behind it.
void Liveness::step_back(const Instr& i, Version version, Registers& live) {
  live.s &= ~i.writes.s;
  if (covers(i, version) || i.kind == Kind::Matrix) live.v &= ~i.writes.v;
  // (v_writelane reads what it writes, and foreign instructions do too.)
  if (i.kind == Kind::Foreign && (i.writes_exec || i.anything)) live.v |= i.writes.v;
  live.s |= i.reads.s;
  if (!(lane_wise(i) && version == Version::Empty)) live.v |= i.reads.v;
}

Registers Liveness::out(const Code& code, const FlowPoint& point) const {
  if (leaves(code, code.nodes[point.node])) return everything();
  Registers live;
  for_successors(code, point, [&](const FlowPoint& to) {
    if (unreached_.empty() || !unreached_[to.index()]) live.add(in_[to.index()]);
  });
  return live;
}

Registers Liveness::before(const Code& code, const FlowPoint& point, uint32_t instruction) const {
  Registers live = out(code, point);
  for (uint32_t k = code.nodes[point.node].last + 1; k-- > instruction;) step_back(code.instrs[k], point.version, live);
  return live;
}

void Liveness::find(const Code& code) {
  for (Registers& in : in_) in = {};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = uint32_t(code.nodes.size()); n-- > 0;)
      for (Version version : kAllVersions) {
        const FlowPoint point{n, version};
        const Registers now = before(code, point, code.nodes[n].first);
        Registers& known = in_[point.index()];
        if (now.v != known.v || now.s != known.s) known = now, changed = true;
      }
  }
}

// Sets Instr::spreads from liveness: an instruction that writes a VGPR where EXEC is partial may write all lanes of it, if
// no inactive lane of it is held (held_lanes.h). Returns whether that changed anything.
bool Liveness::find_spreads(Code& code) {
  bool changed_any = false;
  std::vector<HeldLanes> held(in_.size());
  auto before_point = [&](const FlowPoint& point, bool mark) {
    const Node& node = code.nodes[point.node];
    const Instr& last = code.last(node);
    HeldLanes now;
    if (leaves(code, node)) now.set_all();
    for_successors(code, point, [&](const FlowPoint& to) { now.add(held[to.index()]); });
    for (uint32_t k = node.last + 1; k-- > node.first;) {
      Instr& i = code.instrs[k];
      const bool lanes = lane_wise(i);
      if (mark && point.version == Version::Partial) {
        const bool spreads = may_spread(i) && (now.all() & i.writes.v).none();
        changed_any |= spreads != i.spreads;
        i.spreads = spreads;
      }
      if ((lanes && point.version == Version::Full) || i.kind == Kind::Matrix) now.remove(i.writes.v);
      now.step_back_masks(i, code.lanes);
      if (k == node.last && last.writes_exec && last.exec_effect != ExecEffect::Shrinks)
        for_successors(code, point, [&](const FlowPoint& to) { now.add_woken(last, in_[to.index()].v, code.lanes); });
      now.add(i.crosses.v);
    }
    return now;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = uint32_t(code.nodes.size()); n-- > 0;)
      for (Version version : kAllVersions) {
        const FlowPoint point{n, version};
        HeldLanes now = before_point(point, false);
        if (now != held[point.index()]) held[point.index()] = std::move(now), changed = true;
      }
  }
  for (uint32_t n = 0; n < code.nodes.size(); ++n) before_point({n, Version::Partial}, true);
  return changed_any;
}

Liveness::Liveness(Code& code) : in_(code.nodes.size() * kVersions) {
  // Liveness and Instr::spreads depend on each other: an instruction that writes all lanes ends the life of its
  // register's old value, and a register whose inactive lanes are read later must not be written in all lanes. Starting
  // from the assumption that every instruction writes all lanes, each round makes more registers live and fewer
  // instructions write all lanes, until nothing changes. Any such state is right: the last writer in front of a reader
  // of inactive lanes writes active lanes only, therefore the register is live in front of it, therefore the writer
  // before it does, too.
  constexpr uint32_t kRounds = 8;
  for (Instr& i : code.instrs) i.spreads = may_spread(i);
  for (uint32_t round = 0; round < kRounds; ++round) {
    find(code);
    if (!find_spreads(code)) return;
  }
  // Else from the opposite assumption, from which the state is right after every round.
  for (Instr& i : code.instrs) i.spreads = false;
  find(code);
  find_spreads(code);
  find(code);
}

void Liveness::leave_out_unreached(const Code& code, const Facts& facts) {
  unreached_.resize(in_.size());
  for (uint32_t n = 0; n < code.nodes.size(); ++n)
    for (Version v : kAllVersions) unreached_[FlowPoint{n, v}.index()] = !facts.at({n, v}).reached;
  find(code);
}

} // namespace hip::engine::compile
