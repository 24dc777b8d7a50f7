// runtime/engine/decode/resolve.h - from a decoded instruction to a resolved one: the opcode whose body or handler
// executes it, one operand for each parameter of that body (also those that the encoding leaves unsaid: VCC,
// accumulators, SOPK's constant), every register that it reads and writes, and whether this form of it has a meaning at
// all. Both tiers and all analyses work on what comes out here; none has operand rules of its own. Thread safety: pure
// functions.
#pragma once

#include "runtime/engine/decode/raw_inst.h"
#include "runtime/engine/isa/body_shape.h"
#include "runtime/engine/isa/wmma.h"
#include "runtime/engine/target/target.h"
#include "runtime/engine/wave/wave.h"

#include <algorithm>
#include <bitset>
#include <string>
#include <vector>

namespace hip::engine {

inline constexpr uint32_t kScc = kSgprCount; // SCC's place in a set of scalar registers
struct Registers {
  std::bitset<kMaxVgprs> v; // rows, the accumulation registers behind the others
  std::bitset<kSgprCount + 1> s;
  void add(const Registers& other) { v |= other.v, s |= other.s; }
  // `dwords` registers of an operand from its first on; constants and special sources name none, but SCC is one.
  void add(const Operand& operand, uint32_t dwords);
  void add_scalars(uint32_t first, uint32_t count) {
    for (uint32_t k = 0; k < count && first + k < kSgprCount; ++k) s.set(first + k);
  }
};

// The row of register k of a vector operand.
inline uint32_t vgpr_of(const Operand& o, uint32_t k = 0) {
  return std::min<uint32_t>(o.index + k + (o.bank == Bank::Agpr ? kFirstAccVgpr : 0), kMaxVgprs - 1);
}
inline bool is_vector(const Operand& o) { return o.bank == Bank::Vgpr || o.bank == Bank::Agpr; }
inline bool is_sgpr(const Operand& o) { return o.bank == Bank::Sgpr; }

class Decoder;

// Of a matrix instruction, what its opcode alone does not say.
struct MatrixForm {
  uint32_t registers_a = 0, registers_b = 0, registers_d = 0; // that it names
  uint32_t index_bits = 0; // sparse: of a lane's index; `abid` is the index's number in its register
  SumForm sums;
  // WMMA: the bits of each register of A and of B that change, and whether the addend loses its sign and is then negated.
  uint32_t flipped_a = 0, flipped_b = 0;
  bool absolute = false, negated = false;
};

struct ResolvedInst : RawInst {
  // Whose body or handler executes it: the saturating form of an opcode where the clamp bit says so, v_cmp_* for
  // v_cmpx_*.
  Opcode body = Opcode::unknown;
  const BodyShape* shape = nullptr;    // of ALU instructions: src[k] is the operand of its parameter k
  // Empty, or a sentence about the form of the instruction that no part of the engine executes ("it has …").
  std::string problem;
  Registers reads, writes;
  Registers addressing; // of memory instructions, what the addresses are made of; part of `reads`
  Registers crosses;    // VGPRs of which it may read lanes of other numbers than its own, inactive ones too
  bool writes_exec = false;
  bool discards = false;   // the scalar destination is the null register
  uint8_t lanes = 64;      // of the wave
  uint8_t crossbar_lanes = 64; // LanePermute: groups of lanes that it works in
  BufferGeneration buffer_generation = BufferGeneration::Gfx9; // of a buffer
  bool coherent = false;   // a memory access whose place among other agents' accesses counts
  // Such a load that no earlier store of the wave may be behind, or a store that no later load may be in front of.
  bool fences = false;
  bool releases = false;   // it waits for the wave's stores, and so tells other agents of them
  uint32_t field = 0;      // the value of a parameter of kKindField
  uint32_t keep = 0;       // bits of the destination register that stay (ALU, one register)
  MatrixForm matrix;

  // The parameter's value is part of the wave's state or of the instruction, or the lane's number, so that src[k] is empty.
  bool is_state(uint32_t k) const {
    const uint32_t kind = shape->kind(k);
    return kind == kKindLane || kind == kKindScc || kind == kKindExec || kind == kKindField;
  }
};

// `lanes`: of the waves that execute it, 32 or 64.
ResolvedInst resolve(const RawInst& raw, const Target& target, uint32_t lanes);
// The instruction that `decoder` has just decoded as operations to execute one after the other. Both operations of a VOPD read
// before either writes: they are put in an order in which that makes no difference, and where each reads what the other one
// writes, the first result waits in a register that the guest has no name for.
std::vector<ResolvedInst> resolve_all(const Decoder& decoder, const RawInst& raw);

} // namespace hip::engine
