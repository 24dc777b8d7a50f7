// runtime/engine/compile/read/code.h - one guest function as the translator sees it: decoded instructions with what they read
// and write, and the control-flow graph of nodes. A node is a run of instructions that only its first one is entered by and
// that ends where control or EXEC changes; an instruction that tier 0 has to execute is a node of its own.
#pragma once

#include "runtime/engine/decode/decoder.h"
#include "runtime/engine/decode/float_rules.h"
#include "runtime/engine/decode/resolve.h"
#include "runtime/engine/decode/waiting_loop.h"
#include "runtime/engine/wave/wave.h"
#include "runtime/engine/compile/library/library.h"
#include "runtime/engine/compile/strip.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <vector>

namespace hip::engine::compile {

enum class Kind : uint8_t {
  Nothing,    // no effect here but on the order of accesses
  Valu,       // ValuOp
  Salu,       // SaluOp
  GetPc,      // s_getpc_b64
  Memory,     // MemoryOp
  ScalarLoad, // s_load_dword*
  ReadLane,   // v_readlane, v_readfirstlane
  WriteLane,  // v_writelane
  Scratch,    // ScratchOp
  Permute,    // ds_bpermute, ds_swizzle
  Matrix,     // MatrixOp
  Called,     // tier 0's handler executes it, called from translated code with its registers in the wave's block
  Branch,     // s_branch
  CondBranch, // s_cbranch_*
  Barrier,    // s_barrier; or Instr::catches_up
  End,        // s_endpgm
  Foreign,    // tier 0's handler executes it; `ends` says that control does not come back behind it
};

inline constexpr uint32_t kNoNode = ~0u;

// The fields of MODE that concern floating point (kFloatMode).
struct KnownMode {
  uint32_t value = kUsualFloatMode; // 0 in unknown bits
  uint32_t unknown = 0;             // which may be either
  bool operator==(const KnownMode&) const = default;
};

struct Instr {
  ResolvedInst raw;
  uint32_t number = 0;          // its place in Code::instrs
  Kind kind = Kind::Foreign;
  BranchCondition condition = BranchCondition::None;
  bool writes_exec = false;
  bool continues = false;       // a further operation of the machine instruction before it; no node begins here
  ExecEffect exec_effect = ExecEffect::Any; // where writes_exec
  bool extends_sign = false;    // v_ashrrev_i32 by 31: the upper half of a 64-bit index
  bool catches_up = false;      // Barrier: of no instruction, for the group's other waves to come as far (decode/catch_up.h)
  bool ends = false;            // End, and of Foreign s_setpc: nothing follows
  // Memory: a flat access that may go to private memory or LDS, for the code makes such pointers, or shares them with other functions.
  // What lanes read at one address may then differ.
  bool may_be_own = false;
  // Of a matrix instruction: waves may come here that have computed it in front of a barrier (ahead.h); and in this translation all
  // that come from there have, so it is Nothing.
  bool may_be_ahead = false, is_ahead = false;
  bool coherent = false;        // Memory, Called: its place among other agents' accesses counts
  // A loop that may wait for other waves begins here: going back to it uses up the wave's turn.
  std::optional<WaitingLoop> waiting_loop;
  bool anything = false;        // Foreign: may read and write every register (calls, VGPR indexing)
  bool is_quotient = false;     // Valu: v_div_fixup whose result is src[2] / src[1], rounded once (divisions.h)
  KnownMode mode;               // in front of it
  static constexpr uint8_t kFlushesResult = 0x80;
  uint8_t flushes = 0; // Valu, Salu: bit k: denormals of source k are taken for zeros; those of the result
  ModeRounding rounding = kRoundNearest; // Valu, Salu: of its results
  bool multiplies() const { return kind == Kind::Matrix || is_ahead; }
  bool computes_as_usual() const { return !flushes && rounding == kRoundNearest; } // Valu, as far as MODE is concerned
  const ValuOp* instead = nullptr; // Valu: the result is this, of source 0 of instruction instead_from (roots.h)
  uint32_t instead_from = 0;
  std::bitset<kMaxVgprs> only_tier0_reads; // of is_quotient and `instead`: what the instruction itself would read
  const ValuOp* valu = nullptr;
  const SaluOp* salu = nullptr;
  const MemoryOp* memory = nullptr;
  const MatrixOp* matrix = nullptr;
  const ScratchOp* scratch = nullptr;
  const BufferOp* buffer = nullptr; // Called: makes most of what the handler does
  uint32_t accesses = 1;        // Memory: 2 for ds_read2 and ds_write2
  uint32_t offset[2] = {0, 0};  // Memory: of the accesses, in bytes
  uint32_t target = kNoNode;    // branches: index of the target instruction, kNoNode outside the function
  Registers reads, writes;
  Registers address;            // Memory: what its address is made of
  Registers crosses;            // VGPRs of which it reads inactive lanes, too
  // Set by Liveness: where EXEC is partial, it may write the inactive lanes of its VGPRs, for nobody reads them any more.
  bool spreads = false;
  bool ignores_exec() const {
    return kind == Kind::WriteLane || kind == Kind::Matrix || kind == Kind::Barrier ||
           (kind == Kind::Called && row_of(raw.opcode).unit == Unit::Matrix);
  }
};

struct Node {
  uint32_t first = 0, last = 0; // instructions, inclusive
  uint32_t next = kNoNode;      // where control falls through to
  uint32_t taken = kNoNode;     // where the branch goes
  std::vector<uint32_t> from;   // predecessors
  bool comes_back = false;      // some way leads from it back to it
  uint32_t loop = kNoNode;      // if so, a node of its loop, the same one for all nodes of that loop
  std::vector<Instr> ahead;     // matrix instructions behind the barrier at its end that are computed in front of it (ahead.h)
};

// A VGPR that translated code uses in place of another one from behind instruction `first` up to `last` (renames.h).
struct Rename {
  uint32_t first = 0, last = 0;
  uint32_t guest = 0, instead = 0;
};

struct Code {
  uint32_t lanes = kMaxLanes;   // of the waves that execute it
  uint64_t end = 0;             // how many bytes it has
  bool rounds = false;          // some Instr::rounding is not to nearest
  bool usual_mode = true;       // MODE is the usual one wherever it is (wave.h, is_usual_mode)
  std::vector<Instr> instrs;
  std::vector<Node> nodes;      // node 0 is the entry
  std::vector<Rename> renames;
  uint32_t strips() const { return lanes / kStripLanes; }
  uint32_t instr_at(uint64_t address) const; // kNoNode: none starts there
  const Instr& last(const Node& node) const { return instrs[node.last]; }
  bool is_foreign(uint32_t node) const { return instrs[nodes[node].first].kind == Kind::Foreign; }
};

// Decodes the instructions that lie at [begin, end) and builds the graph of what the first one reaches. Branches that leave
// the range are Foreign. Addresses in the result (RawInst::address too) count from `begin`: what is made of it fits the same
// instructions anywhere. float_mode: kFloatMode of the waves that enter it.
Code read_code(Decoder& decoder, const Library& library, uint64_t begin, uint64_t end, uint32_t float_mode = kUsualFloatMode);

} // namespace hip::engine::compile
