// runtime/engine/compile/emit/region_plan.cpp - see region_plan.h.
#include "runtime/engine/compile/emit/region_plan.h"

#include "runtime/engine/compile/read/factors.h"

#include <algorithm>

namespace hip::engine::compile {

namespace {

// Factors that only loads write and only matrix instructions read, as they are: loads leave them in the block, products
// take them from there, and nothing has to be stored at a barrier or loaded behind it. Products wait for more of their
// kind, and those whose factors would be overwritten meanwhile are better off with copies.
std::bitset<kMaxVgprs> find_factors(const Code& code, const Region& region) {
  std::bitset<kMaxVgprs> factors, others;
  for (uint32_t n : region.nodes) {
    std::bitset<kMaxVgprs> multiplied;
    const auto look_at = [&](const Instr& i) {
      std::bitset<kMaxVgprs> here;
      for (uint32_t operand = 0; i.kind == Kind::Matrix && operand < 2; ++operand)
        if (takes_as_it_is(i, operand)) here |= factor_registers(i, operand);
      factors |= here;
      others |= (i.reads.v & ~here) | (i.writes.v & multiplied);
      if (i.kind != Kind::Memory) others |= i.writes.v;
      multiplied |= here;
    };
    for (uint32_t k = code.nodes[n].first; k <= code.nodes[n].last; ++k)
      if (code.instrs[k].kind != Kind::Barrier) look_at(code.instrs[k]);
    for (const Instr& i : code.nodes[n].ahead) look_at(i);
  }
  return factors & ~others;
}

// Those of `rows` without operands that have only some of them: loads write all of an operand's rows, and products read
// them, one after the other.
std::bitset<kMaxVgprs> whole_operands(const Code& code, const Region& region, std::bitset<kMaxVgprs> rows) {
  const auto leave_out = [&](const std::bitset<kMaxVgprs>& operand) {
    if ((operand & rows) != operand) rows &= ~operand;
  };
  for (std::bitset<kMaxVgprs> before; before != rows;) {
    before = rows;
    for (uint32_t n : region.nodes) {
      const auto look_at = [&](const Instr& i) {
        leave_out(i.writes.v);
        for (uint32_t operand = 0; i.kind == Kind::Matrix && operand < 2; ++operand)
          leave_out(factor_registers(i, operand));
      };
      for (uint32_t k = code.nodes[n].first; k <= code.nodes[n].last; ++k) look_at(code.instrs[k]);
      for (const Instr& i : code.nodes[n].ahead) look_at(i);
    }
  }
  return rows;
}

} // namespace

RegionPlan::RegionPlan(const FunctionAnalysis& function, uint32_t number)
    : code_(function.code), facts_(function.facts), liveness_(function.liveness),
      region_(function.regions.regions[number]), form_(function.form), is_kernel_(function.is_kernel), inside_(code_.nodes.size(), false) {
  for (uint32_t n : region_.nodes) {
    inside_[n] = true;
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      touched_.add(i.reads);
      touched_.add(i.writes);
      if (i.kind == Kind::Matrix || i.kind == Kind::Barrier) in_block_ |= i.writes.v; // (a barrier's: Node::ahead)
      if (i.kind == Kind::Memory && code_.last(code_.nodes[n]).kind == Kind::Barrier) loaded_to_block_ |= i.writes.v;
      calls_handlers_ |= i.kind == Kind::Called || i.kind == Kind::Scratch || instrumented() ||
                         (i.kind == Kind::ScalarLoad && facts_.start().without_facts);
    }
  }
  const std::bitset<kMaxVgprs> factors = find_factors(code_, region_);
  in_block_ |= factors;
  in_frame_ = whole_operands(code_, region_, factors & ~live_around());
  constexpr uint32_t kMostRows = 64; // of the frame
  uint32_t first = 0, last = kMaxVgprs;
  while (first < last && !in_frame_[first]) ++first;
  while (first < last && !in_frame_[last - 1]) --last;
  if (last - first > kMostRows) in_frame_.reset();
  find_initial();
  touch_pairs();
  changes_ = find_changes(initial_);
  writes_ = starts_ ? changes_ : find_changes({});
  in_block_ |= find_passing();
}

// Where a kernel starts the blocks of a batch's waves hold nothing: SGPRs are in the first one's, ids in a table, and
// EXEC is full. Code that may read all SGPRs loads them wave by wave instead, which costs no more.
void RegionPlan::find_initial() {
  for (Version v : kAllVersions)
    if (batches()) initial_.v |= short_rows({header(), v});
  if (batches() && always_full(header())) initial_.s.set(kExecLo), initial_.s.set(kExecHi);
  constexpr size_t kMostSgprs = 48;
  const Registers& live = liveness_.in({0, Version::Full});
  starts_ =
      batches() && is_kernel_entry(header()) && facts_.at({0, Version::Full}).reached && live.s.count() <= kMostSgprs;
  if (!starts_) return touched_.add(initial_);
  initial_.v.reset();
  initial_.s = live.s;
  initial_.s.reset(kScc); // undefined
  initial_.s.set(kExecLo), initial_.s.set(kExecHi);
  for (uint32_t k = 0; k < item_id_vgprs(); ++k) initial_.v[k] = live.v[k];
  touched_.add(initial_);
}

// Reading half of a pair reads both halves, so the region needs variables for both.
void RegionPlan::touch_pairs() {
  for (uint32_t n : region_.nodes)
    for (Version v : kAllVersions) {
      const State& state = facts_.at({n, v});
      for (uint32_t r = 0; state.reached && r + 1 < kMaxVgprs; ++r) {
        if (!state.v[r].is_pair_low() && !state.v[r].is_wide_pattern()) continue;
        const uint32_t high = state.v[r].is_pair_low() ? state.v[r].partner() : r + 1;
        if (touched_.v[r] || touched_.v[high]) touched_.v.set(r), touched_.v.set(high);
      }
    }
}

void RegionPlan::add_writes(const Instr& i, Version version, Registers& changed) {
  changed.s |= i.writes.s;
  if (version != Version::Empty || i.ignores_exec()) changed.v |= i.writes.v;
}

// Registers that may have changed between the region's entry and a point's start, by point index; `before`: on entry.
std::map<uint32_t, Registers> RegionPlan::find_changes(const Registers& before) const {
  std::map<uint32_t, Registers> changes;
  std::vector<FlowPoint> todo;
  for (Version v : kAllVersions) {
    if (!facts_.at({header(), v}).reached) continue;
    changes[FlowPoint{header(), v}.index()] = before;
    todo.push_back({header(), v});
  }
  while (!todo.empty()) {
    const FlowPoint point = todo.back();
    todo.pop_back();
    Registers out = changes[point.index()];
    const Node& node = code_.nodes[point.node];
    for (uint32_t k = node.first; k <= node.last; ++k) add_writes(code_.instrs[k], point.version, out);
    for_successors(code_, point, [&](const FlowPoint& to) {
      if (!holds(to.node) || code_.last(node).kind == Kind::Barrier) return;
      auto [it, fresh] = changes.try_emplace(to.index());
      const Registers known = it->second;
      it->second.add(out);
      if (fresh || it->second.v != known.v || it->second.s != known.s) todo.push_back(to);
    });
  }
  return changes;
}

// VGPRs that are live where the region is entered or left.
std::bitset<kMaxVgprs> RegionPlan::live_around() const {
  std::bitset<kMaxVgprs> live;
  for (uint32_t n : region_.nodes)
    for (Version v : kAllVersions) {
      if (n == header()) live |= liveness_.in({n, v}).v;
      const Node& node = code_.nodes[n];
      const bool stops = code_.last(node).kind == Kind::Barrier;
      for (uint32_t to : {node.next, node.taken})
        if (to != kNoNode && (stops || !holds(to))) live |= liveness_.in({to, v}).v;
      if (node.next == kNoNode && code_.last(node).kind != Kind::Branch && !code_.last(node).ends) live.set();
    }
  return live;
}

// Whether some way through the region leads from a node back to it.
bool RegionPlan::loops(uint32_t node) const {
  std::vector<bool> seen(code_.nodes.size(), false);
  std::vector<uint32_t> todo{node};
  while (!todo.empty()) {
    const Node& from = code_.nodes[todo.back()];
    todo.pop_back();
    if (code_.last(from).kind == Kind::Barrier) continue;
    for (uint32_t to : {from.next, from.taken}) {
      if (to == kNoNode || !holds(to) || seen[to]) continue;
      if (to == node) return true;
      seen[to] = true;
      todo.push_back(to);
    }
  }
  return false;
}

// In a region with matrix instructions: registers that one instruction reads, or one loads, or that one reads and another
// one loads anew, as those of a tile on its way from memory to LDS. Around calls of the library's functions a host has no
// vector registers, so values that the region loaded on entry would go to its frame and from there to their only use.
std::bitset<kMaxVgprs> RegionPlan::find_passing() const {
  const auto multiplies = [&](uint32_t n) {
    if (!code_.nodes[n].ahead.empty()) return true;
    const auto first = code_.instrs.begin() + code_.nodes[n].first, end = code_.instrs.begin() + code_.nodes[n].last + 1;
    return std::any_of(first, end, [](const Instr& i) { return i.multiplies(); });
  };
  if (starts_ || instrumented() || std::none_of(region_.nodes.begin(), region_.nodes.end(), multiplies)) return {};
  std::bitset<kMaxVgprs> read, written, others;
  for (uint32_t n : region_.nodes) {
    const bool again = loops(n);
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      const bool loads = (i.kind == Kind::Memory && !i.memory->merges) || i.buffer;
      others |= (i.reads.v & read) | (i.writes.v & written) | i.only_tier0_reads;
      if (again) others |= i.reads.v;
      if (!loads) others |= i.writes.v;
      read |= i.reads.v, written |= i.writes.v;
    }
    for (Version v : kAllVersions) { // what is read where it may have been loaded
      const auto before = writes_.find(FlowPoint{n, v}.index());
      if (before == writes_.end()) continue;
      Registers changed = before->second;
      for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
        others |= code_.instrs[k].reads.v & changed.v;
        add_writes(code_.instrs[k], v, changed);
      }
    }
  }
  for (const Rename& rename : code_.renames) others.set(rename.guest), others.set(rename.instead);
  return (read | written) & ~others;
}

Registers RegionPlan::wanted(const FlowPoint& to) const {
  Registers out = liveness_.in(to);
  const State& state = facts_.at(to);
  for (uint32_t r = 0; state.reached && r < kMaxVgprs; ++r) {
    const uint32_t high = state.v[r].partner();
    if (state.v[r].is_pair_low() && (out.v[r] || out.v[high])) out.v.set(r), out.v.set(high);
  }
  return out;
}

std::bitset<kMaxVgprs> RegionPlan::short_rows(const FlowPoint& behind) const {
  std::bitset<kMaxVgprs> out;
  const State& state = facts_.at(behind);
  if (!state.reached) return out;
  const std::bitset<kMaxVgprs>& live = liveness_.in(behind).v;
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!live[r] || state.v[r].is_any()) continue;
    out.set(r);
    if (state.v[r].is_pair_low() || state.v[r].is_pair_high()) out.set(state.v[r].partner());
  }
  return out;
}

bool RegionPlan::always_full(uint32_t node) const {
  return !facts_.at({node, Version::Partial}).reached && !facts_.at({node, Version::Empty}).reached;
}

} // namespace hip::engine::compile
