// runtime/engine/compile/analysis/validate.cpp - see validate.h.
#include "runtime/engine/compile/analysis/validate.h"

#include <algorithm>
#include <type_traits>

namespace hip::engine::compile {
namespace {

template<class... A> Status broken(ErrorFormat<std::type_identity_t<A>...> text, A&&... arguments) {
  return error(ErrorCode::Unknown, text, std::forward<A>(arguments)...);
}

bool has(const std::vector<uint32_t>& list, uint32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<bool> reached_from_entry(const Code& code) {
  std::vector<bool> reached(code.nodes.size(), false);
  std::vector<uint32_t> todo{0};
  reached[0] = true;
  while (!todo.empty()) {
    const Node& node = code.nodes[todo.back()];
    todo.pop_back();
    for (uint32_t to : {node.next, node.taken})
      if (to != kNoNode && !reached[to]) reached[to] = true, todo.push_back(to);
  }
  return reached;
}

Status validate_edges(const Code& code) {
  const uint32_t count = uint32_t(code.nodes.size());
  uint32_t expected = 0; // the next node's first instruction
  for (uint32_t n = 0; n < count; ++n) {
    const Node& node = code.nodes[n];
    if (node.first != expected || node.last < node.first || node.last >= code.instrs.size())
      return broken("Node {} holds instructions {} to {}, and its predecessor ends before {}.", n, node.first,
                    node.last, expected);
    expected = node.last + 1;
    for (uint32_t to : {node.next, node.taken})
      if (to != kNoNode && to >= count) return broken("Node {} leads to node {} of {}.", n, to, count);
    if (node.next != kNoNode && node.next != n + 1) return broken("Node {} falls through to node {}.", n, node.next);
    const uint32_t target = code.last(node).target;
    if (node.taken != kNoNode ? code.nodes[node.taken].first != target : target != kNoNode)
      return broken("Node {} ends with a branch to instruction {}, and leads elsewhere.", n, target);
    for (uint32_t k = node.first; k < node.last; ++k) {
      const Instr& i = code.instrs[k];
      if (i.ends || i.writes_exec || i.target != kNoNode || i.kind == Kind::Barrier || i.kind == Kind::Foreign)
        return broken("Instruction {} ends node {} and is not its last one.", k, n);
    }
  }
  if (expected != code.instrs.size()) return broken("Instructions from {} on are in no node.", expected);
  const std::vector<bool> reached = reached_from_entry(code);
  for (uint32_t n = 0; n < count; ++n) {
    for (uint32_t from : code.nodes[n].from)
      if (from >= count || (code.nodes[from].next != n && code.nodes[from].taken != n))
        return broken("Node {} has node {} as a predecessor, which does not lead there.", n, from);
    for (uint32_t to : {code.nodes[n].next, code.nodes[n].taken})
      if (to != kNoNode && reached[n] && !has(code.nodes[to].from, n))
        return broken("Node {} leads to node {}, which does not have it as a predecessor.", n, to);
  }
  return {};
}

bool has_operation(const Instr& i) {
  switch (i.kind) {
  case Kind::Valu:
    return i.valu;
  case Kind::Salu:
    return i.salu;
  case Kind::Memory:
    return i.memory && (i.address.v & ~i.reads.v).none() && (i.address.s & ~i.reads.s).none();
  case Kind::Scratch:
    return i.scratch;
  case Kind::Matrix:
    return i.matrix;
  default:
    return true;
  }
}

// Of VALU instructions, whose operands say it all.
Status validate_operands(uint32_t number, const Instr& i) {
  if (i.kind != Kind::Valu) return {};
  for (uint32_t k = 0; k < i.valu->rows(); ++k)
    if (!i.writes.v[vgpr_of(i.raw.vdst, k)])
      return broken("Instruction {} does not say that it writes its destination.", number);
  for (uint32_t k = 0; k < i.raw.source_count && !i.instead && !i.is_quotient; ++k) {
    const Operand& o = i.raw.src[k];
    if ((o.bank == Bank::Vgpr || o.bank == Bank::Agpr) && !i.reads.v[vgpr_of(o)])
      return broken("Instruction {} does not say that it reads source {}.", number, k);
    if (o.bank == Bank::Sgpr && o.index < kSgprCount && !i.reads.s[o.index])
      return broken("Instruction {} does not say that it reads source {}.", number, k);
  }
  return {};
}

Status validate_rename(const Code& code, const Rename& rename) {
  const auto wrong = [&] {
    return broken("The rename of v{} to v{} at instructions {} to {} is not one of a temporary.", rename.guest,
                  rename.instead, rename.first, rename.last);
  };
  if (rename.first >= rename.last || rename.last >= code.instrs.size() || rename.guest == rename.instead ||
      rename.guest >= kMaxVgprs || rename.instead >= kMaxVgprs)
    return wrong();
  for (const Node& node : code.nodes)
    if (node.first <= rename.first && rename.first <= node.last && rename.last > node.last) return wrong();
  if (!code.instrs[rename.first].writes.v[rename.instead] || !code.instrs[rename.last].writes.v[rename.guest])
    return wrong();
  for (uint32_t k = 0; k < code.instrs.size(); ++k) {
    const Instr& i = code.instrs[k];
    const bool inside = rename.first < k && k <= rename.last;
    if (k != rename.first && i.writes.v[rename.instead]) return wrong();
    if (!inside && i.reads.v[rename.instead]) return wrong();
    if (inside && (i.reads.v[rename.guest] || (k < rename.last && i.writes.v[rename.guest]))) return wrong();
  }
  return {};
}

} // namespace

Status validate_code(const Code& code) {
  if (code.nodes.empty()) return code.instrs.empty() ? Status() : broken("The code has instructions and no node.");
  RT_TRY(validate_edges(code));
  for (uint32_t k = 0; k < code.instrs.size(); ++k) {
    if (!has_operation(code.instrs[k])) return broken("Instruction {} has not the operation of its kind.", k);
    RT_TRY(validate_operands(k, code.instrs[k]));
  }
  for (const Rename& rename : code.renames) RT_TRY(validate_rename(code, rename));
  return {};
}

Status validate_facts(const Code& code, const Facts& facts) {
  for (uint32_t n = 0; n < code.nodes.size(); ++n)
    for (Version version : kAllVersions) {
      const FlowPoint point{n, version};
      State state = facts.at(point);
      if (!state.reached) continue;
      for (uint32_t r = 0; r < kMaxVgprs; ++r) {
        const Fact& fact = state.v[r];
        if (!fact.is_pair_low() && !fact.is_pair_high()) continue;
        const Fact& other = state.v[fact.partner()];
        if ((fact.is_pair_low() ? !other.is_pair_high() : !other.is_pair_low()) || other.partner() != r ||
            other.stride() != fact.stride())
          return broken("v{} is half of a pair of which v{} is not the other half, at node {}.", r, fact.partner(), n);
      }
      for (uint32_t k = code.nodes[n].first; k <= code.nodes[n].last; ++k) facts.step(code.instrs[k], version, state);
      Status result;
      for_successors(code, point, [&](const FlowPoint& to) {
        if (!result.ok() || !Facts::may_be(code.last(code.nodes[n]), state, to.version)) return;
        const State& there = facts.at(to);
        for (uint32_t r = 0; r < kMaxVgprs && result.ok(); ++r)
          if (!there.reached || Fact::joined(there.v[r], state.v[r]) != there.v[r])
            result = broken("Node {} leaves v{} to node {} as what it is not said to be there.", n, r, to.node);
        for (uint32_t r = 0; r < there.s.size() && result.ok(); ++r)
          if (ScalarFact::joined(there.s[r], state.s[r]) != there.s[r])
            result = broken("Node {} leaves s{} to node {} as what it is not said to be there.", n, r, to.node);
      });
      RT_TRY(result);
    }
  return {};
}

Status validate_liveness(const Code& code, const Liveness& liveness) {
  for (uint32_t n = 0; n < code.nodes.size(); ++n)
    for (Version version : kAllVersions) {
      const FlowPoint point{n, version};
      const Registers needed = liveness.before(code, point, code.nodes[n].first), &live = liveness.in(point);
      if ((needed.v & ~live.v).any() || (needed.s & ~live.s).any())
        return broken("Node {} needs registers that are not live there.", n);
    }
  return {};
}

Status validate_regions(const Code& code, const Regions& regions) {
  std::vector<bool> covered(code.nodes.size(), false);
  if (regions.headed.size() != code.nodes.size()) return broken("Regions are of other code.");
  for (uint32_t r = 0; r < regions.regions.size(); ++r) {
    const Region& region = regions.regions[r];
    if (regions.headed[region.header] != r || !has(region.nodes, region.header))
      return broken("Region {} does not hold its header, node {}.", r, region.header);
    uint32_t instructions = 0;
    for (uint32_t n : region.nodes) {
      const Node& node = code.nodes[n];
      covered[n] = true;
      instructions += node.last - node.first + 1;
      if (code.is_foreign(n)) return broken("Region {} holds node {}, which is foreign.", r, n);
      for (uint32_t to : {node.next, node.taken})
        if (to != kNoNode && !has(region.nodes, to) && regions.headed[to] == kNoNode && !code.is_foreign(to))
          return broken("Region {} leads to node {}, where no region begins.", r, to);
    }
    if (instructions != region.instructions)
      return broken("Region {} has {} instructions, not {}.", r, instructions, region.instructions);
  }
  const std::vector<bool> reached = reached_from_entry(code);
  for (uint32_t n = 0; n < code.nodes.size(); ++n)
    if (reached[n] && !covered[n] && !code.is_foreign(n)) return broken("Node {} is reached, and in no region.", n);
  return {};
}

} // namespace hip::engine::compile
