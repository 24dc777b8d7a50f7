// runtime/engine/compile/analysis/flow.h - the graph that translated code follows: every node in up to three versions, by what is
// known of EXEC in it. Where an instruction writes EXEC, the code looks which version goes on.
#pragma once

#include "runtime/engine/compile/read/code.h"

namespace hip::engine::compile {

enum class Version : uint32_t {
  Full,    // all 64 lanes are active
  Empty,   // none is
  Partial, // some are; or all, and nothing is made of it
};
inline constexpr uint32_t kVersions = 3;
inline constexpr Version kAllVersions[kVersions] = {Version::Full, Version::Empty, Version::Partial};

// A node in a version: what analyses know, they know of its start.
struct FlowPoint {
  uint32_t node = 0;
  Version version = Version::Full;
  uint32_t index() const { return node * kVersions + uint32_t(version); }
};

// Which ways a node's last instruction can go in a version.
struct Ways {
  bool next = false, taken = false;
};
inline Ways ways(const Code& code, const FlowPoint& at) {
  const Node& node = code.nodes[at.node];
  const Instr& last = code.last(node);
  if (last.kind == Kind::Branch) return {false, true};
  if (last.kind == Kind::CondBranch && (last.condition == BranchCondition::Execz || last.condition == BranchCondition::Execnz)) {
    const bool jumps = (at.version == Version::Empty) == (last.condition == BranchCondition::Execz);
    return {!jumps, jumps};
  }
  return {!last.ends, last.kind == Kind::CondBranch};
}

// Whether a wave can be in version `to` after an instruction that it started in version `from`.
inline bool follows(const Instr& i, Version from, Version to) {
  if (!i.writes_exec) return from == to;
  switch (i.exec_effect) {
  case ExecEffect::None:
  case ExecEffect::Any: return true;
  case ExecEffect::Shrinks: return from == Version::Full || to == Version::Empty || (from == Version::Partial && to == from);
  case ExecEffect::Grows: return from == Version::Empty || to == Version::Full || (from == Version::Partial && to == from);
  }
  return true;
}

// Calls f(FlowPoint) for every successor inside the function.
template <class F> void for_successors(const Code& code, const FlowPoint& at, F f) {
  const Node& node = code.nodes[at.node];
  const Ways way = ways(code, at);
  for (uint32_t to : {way.next ? node.next : kNoNode, way.taken ? node.taken : kNoNode}) {
    if (to == kNoNode) continue;
    for (Version v : kAllVersions)
      if (follows(code.last(node), at.version, v)) f(FlowPoint{to, v});
  }
}

} // namespace hip::engine::compile
