// runtime/engine/compile/analysis/regions.h - regions and liveness. A region is what becomes one host function: the
// nodes that control reaches from the region's header without passing a foreign node, a barrier or another region's
// header. A node can be in several regions. Between regions all state lies in the wave's block. A register is live at a
// point if some way from there reads it before it is written.
#pragma once

#include "runtime/engine/compile/analysis/flow.h"

#include <vector>

namespace hip::engine::compile {

class Facts; // facts.h

struct Region {
  uint32_t header = 0;
  std::vector<uint32_t> nodes; // ascending, with the header
  uint32_t instructions = 0;
  bool batches = false; // all waves of a group may come here together: where a kernel starts, and behind a barrier
};
struct Regions {
  std::vector<Region> regions;
  std::vector<uint32_t> headed; // node -> the region whose header it is; kNoNode: none's
};
// Regions of at most about `limit` instructions, so that the work of compiling one stays bounded. `is_kernel`: waves start at the
// first node; else they are called, one by one.
Regions find_regions(const Code& code, bool is_kernel, uint32_t limit);

class Liveness {
public:
  // Sets Instr::spreads of all instructions, too: where EXEC is partial, whether an instruction may write inactive
  // lanes.
  explicit Liveness(Code& code);
  // Finds liveness again without the points that no wave reaches, as facts know. Instr::spreads is not set again, for
  // the facts depend on it.
  void leave_out_unreached(const Code& code, const Facts& facts);
  const Registers& in(const FlowPoint& point) const { return in_[point.index()]; }
  // Before an instruction of the point's node.
  Registers before(const Code& code, const FlowPoint& point, uint32_t instruction) const;

private:
  static void step_back(const Instr& i, Version version, Registers& live);
  Registers out(const Code& code, const FlowPoint& point) const;
  void find(const Code& code);
  bool find_spreads(Code& code);

  std::vector<Registers> in_;
  std::vector<bool> unreached_; // by point index; empty: all count
};

} // namespace hip::engine::compile
