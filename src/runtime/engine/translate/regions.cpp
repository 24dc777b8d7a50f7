// runtime/engine/translate/regions.cpp - see regions.h.
#include "runtime/engine/translate/regions.h"

#include <algorithm>

namespace hip::engine::translate {
namespace {

// Each node's header: the one through which every way from outside leads; nodes with several become headers themselves.
// Optimistic: a node not seen yet does not speak against its successors.
std::vector<uint32_t> headers(const Code& code, std::vector<bool>& is_header) {
  const uint32_t count = uint32_t(code.nodes.size());
  for (;;) {
    std::vector<uint32_t> owner(count, kNoNode);
    bool again = false, changed = true;
    while (changed && !again) {
      changed = false;
      for (uint32_t n = 0; n < count && !again; ++n) {
        if (code.is_foreign(n)) continue;
        uint32_t want = kNoNode;
        if (is_header[n]) {
          want = n;
        } else {
          for (uint32_t from : code.nodes[n].from) {
            if (code.is_foreign(from)) {
              is_header[n] = again = true;
              break;
            }
            if (owner[from] == kNoNode) continue;
            if (want == kNoNode) want = owner[from];
            if (want != owner[from]) {
              is_header[n] = again = true;
              break;
            }
          }
        }
        if (!again && want != owner[n]) owner[n] = want, changed = true;
      }
    }
    if (!again) return owner;
  }
}

} // namespace

Regions find_regions(const Code& code, uint32_t limit) {
  Regions out;
  const uint32_t count = uint32_t(code.nodes.size());
  std::vector<bool> is_header(count, false);
  if (count == 0) return out;
  is_header[0] = true;
  for (uint32_t n = 0; n < count; ++n) // there a wave can stop and go on
    if (code.instrs[code.nodes[n].first].counts_turns) is_header[n] = true;
  for (;;) {
    const std::vector<uint32_t> owner = headers(code, is_header);
    std::vector<uint32_t> size(count, 0);
    bool split = false;
    for (uint32_t n = 0; n < count; ++n) {
      if (owner[n] == kNoNode) continue;
      const uint32_t length = code.nodes[n].last - code.nodes[n].first + 1;
      if (size[owner[n]] && size[owner[n]] + length > limit && !is_header[n]) {
        is_header[n] = split = true;
        break;
      }
      size[owner[n]] += length;
    }
    if (split) continue;
    out.owner.assign(count, kNoNode);
    std::vector<uint32_t> region_of(count, kNoNode);
    for (uint32_t n = 0; n < count; ++n) {
      if (owner[n] == kNoNode) continue;
      uint32_t& region = region_of[owner[n]];
      if (region == kNoNode) {
        region = uint32_t(out.regions.size());
        out.regions.push_back({owner[n], {}, 0});
      }
      out.owner[n] = region;
      out.regions[region].nodes.push_back(n);
      out.regions[region].instructions += code.nodes[n].last - code.nodes[n].first + 1;
    }
    return out;
  }
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

Registers Liveness::out(const Code& code, const Place& place) const {
  if (leaves(code, code.nodes[place.node])) return everything();
  Registers live;
  for_successors(code, place, [&](const Place& to) { live.add(in_[to.index()]); });
  return live;
}

Registers Liveness::before(const Code& code, const Place& place, uint32_t instruction) const {
  Registers live = out(code, place);
  for (uint32_t k = code.nodes[place.node].last + 1; k-- > instruction;) step_back(code.instrs[k], place.version, live);
  return live;
}

void Liveness::find(const Code& code) {
  for (Registers& in : in_) in = {};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = uint32_t(code.nodes.size()); n-- > 0;)
      for (Version version : kAllVersions) {
        const Place place{n, version};
        const Registers now = before(code, place, code.nodes[n].first);
        Registers& known = in_[place.index()];
        if (now.v != known.v || now.s != known.s) known = now, changed = true;
      }
  }
}

// Of which VGPRs somebody may still read lanes that are inactive at a place: those that are live where lanes become
// active again, and those that are read across lanes. Who writes another one where EXEC is partial may write all of its
// lanes. Returns whether that changed anything.
bool Liveness::find_spreads(Code& code) {
  bool changed_any = false;
  using Vgprs = std::bitset<kMaxVgprs>;
  std::vector<Vgprs> held(in_.size());
  auto before_place = [&](const Place& place, bool mark) {
    const Node& node = code.nodes[place.node];
    const Instr& last = code.last(node);
    Vgprs now;
    if (leaves(code, node)) now.set();
    const bool wakes = last.writes_exec && last.exec_change != ExecChange::Shrinks;
    for_successors(code, place, [&](const Place& to) {
      now |= held[to.index()];
      if (wakes) now |= in_[to.index()].v;
    });
    for (uint32_t k = node.last + 1; k-- > node.first;) {
      Instr& i = code.instrs[k];
      const bool lanes = lane_wise(i);
      if (mark && place.version == Version::Partial) {
        const bool spreads = may_spread(i) && (now & i.writes.v).none();
        changed_any |= spreads != i.spreads;
        i.spreads = spreads;
      }
      if ((lanes && place.version == Version::Full) || i.kind == Kind::Matrix) now &= ~i.writes.v;
      now |= i.crosses.v;
    }
    return now;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = uint32_t(code.nodes.size()); n-- > 0;)
      for (Version version : kAllVersions) {
        const Place place{n, version};
        const Vgprs now = before_place(place, false);
        if (now != held[place.index()]) held[place.index()] = now, changed = true;
      }
  }
  for (uint32_t n = 0; n < code.nodes.size(); ++n) before_place({n, Version::Partial}, true);
  return changed_any;
}

Liveness::Liveness(Code& code) : in_(code.nodes.size() * kVersions) {
  // What spreads makes less live, and what is live makes less spread. From the assumption that everything spreads, both
  // only get worse until they agree; any agreement is right, for the last writer before somebody who reads inactive
  // lanes does not spread, so the one before it does not, and so on.
  constexpr uint32_t kRounds = 8;
  for (Instr& i : code.instrs) i.spreads = may_spread(i);
  for (uint32_t round = 0; round < kRounds; ++round) {
    find(code);
    if (!find_spreads(code)) return;
  }
  // From the other end, where every step is right.
  for (Instr& i : code.instrs) i.spreads = false;
  find(code);
  find_spreads(code);
  find(code);
}

} // namespace hip::engine::translate
