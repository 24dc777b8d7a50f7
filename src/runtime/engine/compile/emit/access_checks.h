// runtime/engine/compile/emit/access_checks.h - checks in front of accesses. Where it is known how the addresses lie,
// one check in front covers all such accesses up to the next change of their address registers; a wave that fails it
// goes on in tier 0. What is known of no address is not checked here: the library looks when it runs.
#pragma once

#include "runtime/engine/compile/emit/address.h"
#include "runtime/engine/compile/emit/scratch.h"

namespace hip::engine::compile {

class AccessChecks : InstructionEmitter {
public:
  AccessChecks(const EmitContext& context, AddressEmitter& addresses, ScratchEmitter& scratch)
      : InstructionEmitter(context), addresses_(addresses), scratch_(scratch) {}

  void begin_point(const FlowPoint& point);
  // Whether what instruction k of the point and those behind it take for granted holds, as far as that can be said in
  // front of it (i1); null: there is nothing to check.
  Value* before(const FlowPoint& point, uint32_t k, const State& state);
  // Whether a scalar load reads the arena (i1). Where nothing is assumed of addresses it is not checked in front, for it may read
  // registered memory of the host as well.
  Value* loads_from_arena(const Instr& i);

private:
  // Accesses with one address, which reach from byte `low` to byte `high` of each lane's.
  struct Group {
    const Instr* first;
    AddressShape shape;
    int64_t low, high;
  };
  std::vector<Group> group_accesses(const FlowPoint& point, uint32_t k, const State& state);
  Value* index_fits(const Instr& i, const State& state);
  // Whether all bytes from `low` to `high` of every active lane's address can be reached (i1). Bytes of one lane:
  // offsets are small, and no arena is smaller than what they and a wave's lanes span.
  Value* reachable(const Instr& i, const AddressShape& shape, int64_t low, int64_t high, Version version,
                   const State& state);
  // Whether `bytes` from a lane's address on (i64) lie in the arena (i1).
  Value* in_arena(Value* address, uint64_t bytes);
  Value* scratch_fits(const FlowPoint& point, uint32_t k, const State& state);
  // Offsets in private memory, beside a register, from the first byte to behind the last one of accesses that one check covers;
  // the widest of them in bytes.
  struct ScratchSpan {
    int64_t low, high;
    uint32_t widest;
  };
  ScratchSpan group_scratch(const FlowPoint& point, uint32_t k);

  AddressEmitter& addresses_;
  ScratchEmitter& scratch_;
  uint32_t first_ = 0;        // number of the point's first instruction
  std::vector<bool> checked_; // by instruction from first_ on: a check in front covers its accesses
  bool checked_fixed_ = false; // the point has the check of offsets that instructions alone say, which covers all of the region's
};

} // namespace hip::engine::compile
