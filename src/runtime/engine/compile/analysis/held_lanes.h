// runtime/engine/compile/analysis/held_lanes.h - of which VGPRs somebody may still read lanes that are inactive at a point. Such
// lanes are read when EXEC makes them active again, or by instructions that read across lanes. An `if` restores the EXEC that it
// has saved, so lanes that were inactive in front of it stay so behind it: therefore what a mask in SGPRs will make active is kept
// apart, by the SGPR that holds the mask, and is forgotten (in a walk backwards) where that mask is made of active lanes.
#pragma once

#include "runtime/engine/compile/read/code.h"

#include <utility>

namespace hip::engine::compile {

class HeldLanes {
public:
  using Vgprs = std::bitset<kMaxVgprs>;

  Vgprs all() const;
  void set_all() { always_.set(); }
  void add(const Vgprs& vgprs) { always_ |= vgprs; }
  void add(const HeldLanes& other);
  void remove(const Vgprs& vgprs);
  // A step back over instruction `i`, as far as it makes masks of lanes in SGPRs.
  void step_back_masks(const Instr& i, uint32_t lanes);
  // A step back over instruction `i`, which makes lanes active; `live` are the VGPRs that are live behind it.
  void add_woken(const Instr& i, const Vgprs& live, uint32_t lanes);
  bool operator==(const HeldLanes&) const = default;

private:
  void add_through(uint32_t sgpr, const Vgprs& vgprs);
  void add_through(const Operand& mask, const Vgprs& vgprs, uint32_t lanes);

  Vgprs always_;
  // By the first SGPR of a mask: VGPRs of which no lanes outside the mask are held, ascending.
  std::vector<std::pair<uint32_t, Vgprs>> through_;
};

} // namespace hip::engine::compile
