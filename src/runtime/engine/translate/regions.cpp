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

Regions find_regions(Code& code, uint32_t limit) {
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
    for (const Region& region : out.regions) code.instrs[code.nodes[region.header].first].extends_sign = false;
    return out;
  }
}

Liveness::Liveness(const Code& code) : in_(code.nodes.size() * kVersions) {
  Registers all;
  all.v.set(), all.s.set();
  // What a node does to the set behind it.
  auto before = [&](const Place& place, Registers live) {
    const Node& node = code.nodes[place.node];
    for (uint32_t k = node.last + 1; k-- > node.first;) {
      const Instr& i = code.instrs[k];
      const bool lanes = i.kind == Kind::Valu || i.kind == Kind::Memory || i.kind == Kind::Permute ||
                         i.kind == Kind::Called;
      live.s &= ~i.writes.s;
      if (lanes && place.version == Version::Full) live.v &= ~i.writes.v;
      // (v_writelane reads what it writes, and foreign instructions do too.)
      if (i.kind == Kind::Foreign && (i.writes_exec || i.anything)) live.v |= i.writes.v;
      live.s |= i.reads.s;
      if (!(lanes && place.version == Version::Empty)) live.v |= i.reads.v;
    }
    return live;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = uint32_t(code.nodes.size()); n-- > 0;)
      for (Version version : kAllVersions) {
        const Place place{n, version};
        Registers out;
        const Node& node = code.nodes[n];
        const bool leaves = !code.last(node).ends && code.last(node).kind != Kind::Branch && node.next == kNoNode;
        if (leaves) out = all;
        // (A full wave that turns cautious still overwrites whole registers, so it needs no more than it did.)
        for_successors(code, place, [&](const Place& to) { out.add(in_[to.index()]); }, false);
        const Registers now = before(place, out);
        Registers& known = in_[place.index()];
        if (now.v != known.v || now.s != known.s) known = now, changed = true;
      }
  }
}

} // namespace hip::engine::translate
