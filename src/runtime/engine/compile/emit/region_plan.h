// runtime/engine/compile/emit/region_plan.h - what the emitters of a region have to know of it as a whole before they
// begin: its nodes, the registers that it touches, which of them its waves' blocks do not hold on entry, and what may
// have changed at each point. Nothing here makes code.
#pragma once

#include "runtime/engine/compile/analysis/facts.h"
#include "runtime/engine/compile/analysis/regions.h"
#include "runtime/engine/tools/code_form.h"

#include <map>

namespace hip::engine::compile {

// What is known of the function that a region belongs to.
struct FunctionAnalysis {
  const Code& code;
  const Facts& facts;
  const Liveness& liveness;
  const Regions& regions;
  CodeForm form;
  bool is_kernel; // at node 0 only work-item ids have a defined value
};

class RegionPlan {
public:
  RegionPlan(const FunctionAnalysis& function, uint32_t number);

  const Region& region() const { return region_; }
  uint32_t header() const { return region_.header; }
  bool holds(uint32_t node) const { return inside_[node]; }
  // At the kernel's entry only work-item ids have a defined value, unless some way leads back there.
  bool is_kernel_entry(uint32_t node) const { return is_kernel_ && node == 0 && code_.nodes[0].from.empty(); }
  bool is_kernel() const { return is_kernel_; }
  // Instructions are counted, and accesses are offered to a tool one by one: what is checked, made or fetched for several at once,
  // or past the caches, is not.
  bool instrumented() const { return form_ == CodeForm::Instrumented; }
  // VGPRs, from v0 on, that have a defined value at the kernel's entry: work-item ids.
  uint32_t item_id_vgprs() const { return facts_.start().item_id_vgprs; }
  // All waves of a group may arrive together (Region::batches).
  bool batches() const { return region_.batches; }
  // Waves start here: what they start with is not in their blocks.
  bool starts() const { return starts_; }
  bool calls_handlers() const { return calls_handlers_; }
  // Registers that the region's code has variables for.
  const Registers& touched() const { return touched_; }
  // What the waves' blocks do not hold when the region is entered.
  const Registers& initial() const { return initial_; }
  // VGPRs that the region keeps in the wave's block, but for facts: sums of matrix instructions, more than a host has
  // registers for, factors that are multiplied as they lie there, and what only passes through. All others are allocas.
  const std::bitset<kMaxVgprs>& in_block() const { return in_block_; }
  // Those of them that nobody wants where the region begins or ends: their rows are in its frame instead, which all waves share, for
  // the waves' blocks are more than the host's first cache holds.
  const std::bitset<kMaxVgprs>& in_frame() const { return in_frame_; }
  // VGPRs whose rows loads in front of a barrier may write (MemoryEmitter).
  const std::bitset<kMaxVgprs>& loaded_to_block() const { return loaded_to_block_; }

  // Registers that may differ from the wave's block at a point's start, with what the block does not hold on entry, and
  // registers that may have been written since.
  const Registers& changes(const FlowPoint& point) const { return changes_.at(point.index()); }
  const Registers& writes(const FlowPoint& point) const { return writes_.at(point.index()); }
  static void add_writes(const Instr& i, Version version, Registers& changed);
  // What is live at a point; of a pair's halves both, for the value of one may take the other.
  Registers wanted(const FlowPoint& to) const;
  // VGPRs that waves which arrive at a barrier leave in their blocks as lane 0 of each strip, for that is what the code
  // behind it reads.
  std::bitset<kMaxVgprs> short_rows(const FlowPoint& behind) const;
  // Waves that come to a node have all lanes active: nobody looks at EXEC in their blocks.
  bool always_full(uint32_t node) const;

private:
  void find_initial();
  void touch_pairs();
  std::map<uint32_t, Registers> find_changes(const Registers& before) const;
  std::bitset<kMaxVgprs> live_around() const;
  bool loops(uint32_t node) const;
  std::bitset<kMaxVgprs> find_passing() const;

  const Code& code_;
  const Facts& facts_;
  const Liveness& liveness_;
  const Region& region_;
  CodeForm form_;
  bool is_kernel_, starts_ = false, calls_handlers_ = false;
  std::vector<bool> inside_; // by node
  Registers touched_, initial_;
  std::bitset<kMaxVgprs> in_block_, in_frame_, loaded_to_block_;
  std::map<uint32_t, Registers> changes_, writes_; // by point index
};

} // namespace hip::engine::compile
