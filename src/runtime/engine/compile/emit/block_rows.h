// runtime/engine/compile/emit/block_rows.h - which rows of the wave's block differ from the registers they belong to,
// at the instruction that is being emitted: what has changed since the region was entered, less what has been loaded
// straight into the block.
#pragma once

#include "runtime/engine/compile/emit/region_plan.h"

#include <utility>

namespace hip::engine::compile {

class BlockRows {
public:
  explicit BlockRows(const RegionPlan& plan) : plan_(plan) {}

  void begin_point(const FlowPoint& point) {
    changed_ = plan_.changes(point);
    stored_.reset();
  }
  // Behind an instruction.
  void step(const Instr& i, Version version) {
    RegionPlan::add_writes(i, version, changed_);
    stored_ = (stored_ & ~i.writes.v) | std::exchange(stored_next_, {});
  }
  // The instruction at hand has written the register's row, too.
  void set_stored(uint32_t v) {
    if (!plan_.in_frame()[v]) stored_next_.set(v);
  }

  // Registers that may differ from the block, rows that have been stored since included.
  const Registers& changed() const { return changed_; }
  const std::bitset<kMaxVgprs>& stored() const { return stored_; }
  // The row is what the register is, as far as that has no fact.
  bool is_current(uint32_t v) const { return !changed_.v[v] || stored_[v] || plan_.in_block()[v]; }

private:
  const RegionPlan& plan_;
  Registers changed_;
  std::bitset<kMaxVgprs> stored_, stored_next_;
};

} // namespace hip::engine::compile
