// runtime/engine/compile/emit/address.h - where accesses to memory go: what is known of an access's addresses before
// the code runs, and their values. Nothing here accesses memory; checks are those of access_checks.h.
#pragma once

#include "runtime/engine/compile/emit/instruction_emitter.h"

namespace hip::engine::compile {

// How the addresses of a wave's lanes follow from those of lane 0s: elements one after the other, all lanes at one
// address, elements at a stride that is known; or nothing is known, and the library looks at each lane when it runs.
enum class Addressing { Linear, Uniform, Strided, Any };

// A part of the wave is so many strips that one lane 0 speaks for (analysis/facts.h).
struct AddressShape {
  Addressing addressing = Addressing::Any;
  bool same_in_wave = false;      // the address of lane 0, in all strips
  bool may_wrap = false;          // a 32-bit offset
  // A load from LDS at one address, 0 or behind any LDS: whoever makes it looks, no check in front does.
  bool seldom_inside = false;
  uint32_t part_strips = 1;       // strips in a part
  uint32_t lanes = 1, stride = 0; // so many lanes of a part are at places of their own, at that distance
  uint32_t covers = kMaxStrips;  // one check speaks for so many strips
};

// What an instruction accesses: `parts` elements of `op`, one behind the other.
struct Elements {
  const MemoryOp& op;
  uint32_t parts;
};

// One access of an instruction: elements of `op` at `offset`, to or from the registers that start at `row` of its data.
// `which`: of ds_read2 and ds_write2 the first or the second; where one element is made of both, the first.
struct MemoryAccess {
  const Instr& i;
  const MemoryOp& op;
  uint32_t offset, row, which;
  const FlowPoint& point;
  const State &before, &after;
  Version version() const { return point.version; }
  bool partial() const { return point.version == Version::Partial; }
  const Operand& data() const { return which ? i.raw.data1 : i.raw.vdata; }
  // What dword k of the element is stored from.
  const Operand& data_of(uint32_t k) const { return k < i.memory->dwords ? data() : i.raw.data1; }
  uint32_t row_of_data(uint32_t k) const { return k % i.memory->dwords; }
};

class AddressEmitter : InstructionEmitter {
public:
  explicit AddressEmitter(const EmitContext& context) : InstructionEmitter(context) {}

  Elements elements_of(const Instr& i, Version version, const State& state);
  // Of ds_read2 and ds_write2 whose two elements lie side by side at a stride that is known: the operation on both as
  // one element, which takes half the accesses. Null: there is none.
  const MemoryOp* both_elements(const Instr& i, Version version, const State& state);
  AddressShape shape_of(const Instr& i, const MemoryOp& op, Version version, const State& state);

  // Where lane 0 of strip q accesses memory, without the instruction's offset (i64); in LDS, from its beginning.
  Value* first_lane(const Instr& i, uint32_t q, const AddressShape& shape, const State& state);
  // Where a scalar load reads, with `offset` for the instruction's constant one (i64). The lowest two bits do not
  // count.
  Value* scalar_address(const Instr& i, int64_t offset);

  // Of `strips` strips from q on, under a partial EXEC: whether any lane is active (i1).
  Value* active_in(uint32_t q, uint32_t strips);
};

} // namespace hip::engine::compile
