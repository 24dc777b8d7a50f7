// runtime/engine/compile/read/code.cpp - see code.h.
#include "runtime/engine/compile/read/code.h"

#include "runtime/engine/compile/read/divisions.h"
#include "runtime/engine/compile/read/renames.h"

#include <algorithm>

namespace hip::engine::compile {
namespace {

constexpr uint32_t kLongestNode = 192; // instructions; bounds what is compiled as one piece

void add_operand(Registers& set, const Operand& operand, uint32_t dwords = 0) {
  const uint32_t count = std::max<uint32_t>(1, dwords ? dwords : operand.dwords);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t n = operand.index + k;
    switch (operand.bank) {
    case Bank::Vgpr: if (n < kFirstAccVgpr) set.v.set(n); break;
    case Bank::Agpr: if (n + kFirstAccVgpr < kMaxVgprs) set.v.set(n + kFirstAccVgpr); break;
    case Bank::Sgpr: if (n < kSgprCount) set.s.set(n); break;
    case Bank::Special: if (operand.index == 253) set.s.set(kScc); break;
    default: break;
    }
  }
}
void add_pair(Registers& set, uint32_t sgpr) { set.s.set(sgpr), set.s.set(sgpr + 1); }

// What every instruction says with its operands; more is added by kind.
void set_operands(Instr& i) {
  const RawInst& raw = i.raw;
  add_operand(i.writes, raw.vdst);
  add_operand(i.writes, raw.sdst);
  for (uint32_t k = 0; k < raw.source_count; ++k) add_operand(i.reads, raw.src[k]);
  for (const Operand* o : {&raw.vaddr, &raw.saddr, &raw.vdata, &raw.data1, &raw.sbase, &raw.soffset, &raw.sdata})
    add_operand(i.reads, *o);
}

bool is_salu(Format f) { return f == Format::Sop1 || f == Format::Sop2 || f == Format::Sopc || f == Format::Sopk; }

// Operands that translated code can fetch.
bool fetchable(const Operand& o) {
  if (o.bank == Bank::Special) return o.index == 235 || o.index == 237 || o.index == 253;
  return o.bank != Bank::None;
}

const ValuOp* find_valu(const Library& library, const RawInst& raw) {
  const Opcode saturating = row_of(raw.opcode).saturating;
  return library.valu(raw.clamp && saturating != Opcode::unknown ? saturating : raw.opcode);
}

bool set_valu(const Library& library, Instr& i) {
  const RawInst& raw = i.raw;
  const ValuOp* op = find_valu(library, raw);
  if (!op) return false;
  if (raw.variant == Variant::Dpp || raw.variant == Variant::Sdwa) {
    if (raw.source_count > 2 && raw.src[2].is_constant()) return false;
    if (raw.variant == Variant::Dpp && raw.src[0].bank != Bank::Vgpr) return false;
    if (raw.variant == Variant::Sdwa && (op->rows() > 1 || (raw.dst_sel != 6 && op->mask() && op->rows()))) return false;
    if (op->rows()) add_operand(i.reads, raw.vdst, op->rows()); // lanes or parts that stay
  }
  if (raw.clamp && !(op->result & kResultFloat) && row_of(raw.opcode).saturating == Opcode::unknown)
    return false; // what it saturates to is not known
  uint32_t named = raw.source_count;
  for (uint32_t k = 0; k < op->parameters(); ++k) {
    if (op->kind(k) == kKindLane) continue;
    if (k < named) {
      if (k >= 3 || !fetchable(raw.src[k])) return false;
      if (op->kind(k) == kKindMask && raw.src[k].bank != Bank::Sgpr && !raw.src[k].is_constant()) return false;
    } else if (op->kind(k) == kKindMask) {
      add_pair(i.reads, kVccLo);
    } else {
      add_operand(i.reads, raw.vdst); // accumulates
    }
  }
  if (op->rows() && raw.vdst.bank != Bank::Vgpr && raw.vdst.bank != Bank::Agpr) return false;
  if (op->rows()) add_operand(i.writes, raw.vdst, op->rows());
  if (op->keep || (raw.op_sel & 8)) add_operand(i.reads, raw.vdst);
  if (op->mask()) {
    if (raw.sdst.bank != Bank::Sgpr) return false;
    add_operand(i.writes, raw.sdst, 2);
    if (row_of(raw.opcode).exec != ExecEffect::None) add_pair(i.writes, kExecLo);
    i.writes_exec = i.writes.s[kExecLo];
  }
  i.valu = op;
  i.kind = Kind::Valu;
  i.extends_sign = raw.opcode == Opcode::v_ashrrev_i32 && raw.variant != Variant::Sdwa && raw.variant != Variant::Dpp &&
                   raw.src[0].is_constant() && uint32_t(raw.src[0].imm) == 31 && raw.src[1].bank == Bank::Vgpr &&
                   raw.vdst.bank == Bank::Vgpr && raw.vdst.index == raw.src[1].index + 1;
  return true;
}

bool set_lane_access(Instr& i) {
  const RawInst& raw = i.raw;
  if (raw.variant == Variant::Dpp || raw.variant == Variant::Sdwa) return false;
  const bool first = raw.opcode == Opcode::v_readfirstlane_b32;
  if (row_of(raw.opcode).unit == Unit::ReadLane) {
    if (raw.src[0].bank != Bank::Vgpr && raw.src[0].bank != Bank::Agpr) return false;
    if (raw.sdst.bank != Bank::Sgpr || raw.sdst.index == kExecLo || raw.sdst.index == kExecHi) return false;
    if (!first && !raw.src[1].is_constant() && raw.src[1].bank != Bank::Sgpr) return false;
    add_operand(i.writes, raw.sdst, 1);
    if (first) add_pair(i.reads, kExecLo);
    add_operand(i.crosses, raw.src[0]); // (v_readfirstlane: where no lane is active)
    i.kind = Kind::ReadLane;
    return true;
  }
  if (row_of(raw.opcode).unit != Unit::WriteLane || raw.vdst.bank != Bank::Vgpr) return false;
  for (uint32_t k = 0; k < 2; ++k)
    if (!raw.src[k].is_constant() && raw.src[k].bank != Bank::Sgpr) return false;
  add_operand(i.reads, raw.vdst);
  i.kind = Kind::WriteLane;
  return true;
}

bool set_salu(const Library& library, Instr& i) {
  const RawInst& raw = i.raw;
  const SaluOp* op = library.salu(raw.opcode);
  if (!op) return false;
  for (uint32_t k = 0; k < op->parameters; ++k) {
    const library::SaluRead read = op->read(k);
    if (read == library::SaluRead::Scc) {
      i.reads.s.set(kScc);
    } else if (read == library::SaluRead::Exec) {
      add_pair(i.reads, kExecLo);
    } else if (k < raw.source_count) {
      if (!fetchable(raw.src[k])) return false;
      add_operand(i.reads, raw.src[k], read == library::SaluRead::Qword ? 2 : 1);
    } else if (!(raw.format == Format::Sopk && k == raw.source_count)) {
      add_operand(i.reads, raw.sdst);
    }
  }
  if (op->writes & library::kWritesValue) {
    if (raw.sdst.bank != Bank::Sgpr) return false;
    add_operand(i.writes, raw.sdst, op->writes & library::kWritesValue64 ? 2 : 1);
    if (op->writes & library::kWritesMaybe) add_operand(i.reads, raw.sdst, 2);
    if (i.writes.s[kExecLo] || i.writes.s[kExecHi]) {
      if (!(op->writes & library::kWritesValue64) || raw.sdst.index != kExecLo) return false;
      i.writes_exec = true;
    }
  }
  if (op->writes & library::kWritesScc) i.writes.s.set(kScc);
  if (op->writes & library::kWritesExec) {
    if (i.writes_exec) return false;
    add_pair(i.writes, kExecLo);
    i.writes_exec = true;
  }
  i.salu = op;
  i.kind = Kind::Salu;
  return true;
}

bool set_memory(const Library& library, Instr& i) {
  const RawInst& raw = i.raw;
  if (raw.format == Format::Global || raw.format == Format::Flat) {
    if (raw.lds) return false;
    i.coherent = raw.sc0() || raw.sc1();
    i.offset[0] = uint32_t(raw.offset);
  } else if (raw.format == Format::Ds) {
    if (raw.gds) return false;
    i.offset[0] = uint32_t(raw.offset) & 0xffff;
    if (const MemoryAccess& access = row_of(raw.opcode).memory; access.elements == 2) {
      i.accesses = 2;
      i.offset[0] = raw.offset0 * access.unit_bytes;
      i.offset[1] = raw.offset1 * access.unit_bytes;
    }
  } else {
    return false;
  }
  const MemoryOp* op = library.memory(raw.opcode);
  if (!op || raw.vaddr.bank != Bank::Vgpr) return false;
  if ((op->stores && raw.vdata.bank == Bank::None) || (op->loads() && raw.vdst.bank == Bank::None)) return false;
  if (raw.saddr && raw.saddr.bank != Bank::Sgpr) return false;
  add_operand(i.address, raw.vaddr, raw.format != Format::Ds && !raw.saddr ? 2 : 1);
  if (raw.saddr) add_operand(i.address, raw.saddr, 2);
  i.reads.add(i.address);
  if (op->stores)
    add_operand(i.reads, raw.vdata, op->dwords);
  if (op->loads()) add_operand(i.writes, raw.vdst, op->dwords * i.accesses);
  if (op->merges) add_operand(i.reads, raw.vdst);
  i.memory = op;
  i.kind = Kind::Memory;
  return true;
}

bool set_scratch(const Library& library, Instr& i) {
  const RawInst& raw = i.raw;
  const ScratchOp* op = raw.format == Format::Scratch ? library.scratch(raw.opcode) : nullptr;
  if (!op || raw.lds || (raw.vaddr && raw.vaddr.bank != Bank::Vgpr) || (raw.saddr && raw.saddr.bank != Bank::Sgpr)) return false;
  if (op->stores ? !raw.vdata : !raw.vdst) return false;
  if (op->merges) add_operand(i.reads, raw.vdst);
  i.scratch = op;
  i.kind = Kind::Scratch;
  return true;
}

bool set_permute(Instr& i) {
  const RawInst& raw = i.raw;
  if (raw.opcode != Opcode::ds_swizzle_b32 && raw.opcode != Opcode::ds_bpermute_b32) return false;
  if (raw.vaddr.bank != Bank::Vgpr || !raw.vdst) return false;
  i.kind = Kind::Permute;
  return true;
}

// What lift_matrix() takes; the rest is refused by tier 0.
bool set_matrix(const Library& library, Instr& i) {
  const RawInst& raw = i.raw;
  const MatrixOp* op = library.matrix(raw.opcode);
  if (!op || raw.source_count != 3 || (raw.blgp && !op->blgp)) return false;
  auto is_vector = [](const Operand& o) { return o.bank == Bank::Vgpr || o.bank == Bank::Agpr; };
  if (!is_vector(raw.src[0]) || !is_vector(raw.src[1]) || !is_vector(raw.vdst)) return false;
  if (!is_vector(raw.src[2]) && (op->index_bits || !raw.src[2].is_constant())) return false;
  if (op->index_bits ? !raw.cbsz && (raw.abid + 1) * op->index_bits > 32 : (1u << raw.cbsz) > op->blocks || (raw.cbsz && raw.abid >> raw.cbsz))
    return false;
  add_operand(i.reads, raw.src[0], op->registers_a);
  add_operand(i.reads, raw.src[1], op->registers_b);
  if (op->index_bits) add_operand(i.reads, raw.vdst, op->registers_d);
  if (!op->index_bits) add_operand(i.reads, raw.src[2], op->registers_d);
  add_operand(i.writes, raw.vdst, op->registers_d);
  i.crosses.v = i.reads.v;
  i.matrix = op;
  i.kind = Kind::Matrix;
  return true;
}

// Memory instructions that have no way of their own, and what else reads and writes only the registers that it names.
bool set_called(Instr& i) {
  const RawInst& raw = i.raw;
  switch (raw.format) {
  case Format::Flat:
  case Format::Global:
  case Format::Scratch:
  case Format::Mubuf:
  case Format::Smem: break;
  case Format::Ds:
    if (raw.gds || row_of(raw.opcode).unit == Unit::GlobalDataShare) return false;
    break;
  default:
    if (raw.opcode != Opcode::s_getreg_b32) return false;
  }
  if (i.writes.s[kExecLo] || i.writes.s[kExecHi]) return false;
  add_pair(i.reads, kExecLo);
  i.reads.s.set(kM0);
  if (row_of(raw.opcode).memory.merges()) i.reads.v |= i.writes.v;
  i.coherent = raw.cpol & ~2u;
  if (raw.format == Format::Ds) i.crosses.v = i.reads.v; // permutes do
  i.kind = Kind::Called;
  return true;
}

void set_branch(Instr& i) {
  const OpcodeRow& row = row_of(i.raw.opcode);
  i.condition = row.condition;
  switch (row.condition) {
  case BranchCondition::None: break;
  case BranchCondition::Scc0:
  case BranchCondition::Scc1: i.reads.s.set(kScc); break;
  case BranchCondition::Vccz:
  case BranchCondition::Vccnz: add_pair(i.reads, kVccLo); break;
  case BranchCondition::Execz:
  case BranchCondition::Execnz: add_pair(i.reads, kExecLo); break;
  }
  i.kind = row.unit == Unit::Branch ? Kind::Branch : Kind::CondBranch;
}

// Fills in what translated code makes of the instruction; false: it has no way of its own.
bool set_native(const Library& library, Instr& i) {
  const RawInst& raw = i.raw;
  if (raw.format == Format::Invalid || raw.format == Format::Other) return false; // its operands are not known
  switch (row_of(raw.opcode).unit) {
  case Unit::NoEffect: i.kind = Kind::Nothing; return true;
  case Unit::Branch:
  case Unit::ConditionalBranch: set_branch(i); return true;
  case Unit::Barrier: i.kind = Kind::Barrier; return true;
  case Unit::EndWave:
    i.kind = Kind::End;
    i.ends = true;
    return true;
  case Unit::ProgramCounter: i.kind = Kind::GetPc; return true;
  case Unit::ReadLane:
  case Unit::WriteLane: return set_lane_access(i);
  case Unit::VectorAlu: return set_valu(library, i);
  case Unit::Matrix: return set_matrix(library, i);
  case Unit::ScalarAlu: return set_salu(library, i);
  case Unit::ScalarMemory:
    if (row_of(raw.opcode).memory.kind == MemoryKind::Load && raw.sdst.bank == Bank::Sgpr && raw.sbase.bank == Bank::Sgpr &&
        (!raw.soffset || raw.soffset.is_constant() || raw.soffset.bank == Bank::Sgpr) &&
        raw.sdst.index + raw.sdst.dwords <= kVccLo + 2 && raw.sdst.dwords <= 16) {
      i.kind = Kind::ScalarLoad;
      return true;
    }
    return set_called(i);
  case Unit::Global:
  case Unit::Flat:
  case Unit::Lds: return set_memory(library, i) || set_called(i);
  case Unit::LanePermute: return set_permute(i) || set_called(i);
  case Unit::Scratch: return set_scratch(library, i) || set_called(i);
  default: return set_called(i);
  }
}

// Tier 0's handler executes it, between regions of translated code.
void set_foreign(Instr& i) {
  const RawInst& raw = i.raw;
  const OpcodeRow& row = row_of(raw.opcode);
  i.kind = Kind::Foreign;
  if (raw.format == Format::Invalid || raw.format == Format::Other) i.ends = i.anything = true;
  if (row.unit == Unit::Jump || row.unit == Unit::VectorIndexed || row.unit == Unit::ScalarIndexed) i.anything = true;
  if (raw.opcode == Opcode::s_setpc_b64) i.ends = true;
  // Old values take part in what handlers of partly written, exchanged or lane-wise written registers do.
  i.reads.v |= i.writes.v;
  if (is_salu(raw.format)) i.reads.s.set(kScc), i.writes.s.set(kScc);
  add_pair(i.reads, kExecLo), add_pair(i.reads, kVccLo);
  i.reads.s.set(kM0);
  if (raw.sdst.bank == Bank::Sgpr) i.reads.s |= i.writes.s;
  if (row.unit == Unit::ExchangeLanes) i.writes.v |= i.reads.v;
  if (row.exec != ExecEffect::None || i.writes.s[kExecLo] || i.writes.s[kExecHi]) {
    add_pair(i.writes, kExecLo);
    i.writes_exec = true;
  }
  if (i.anything) i.reads.v.set(), i.reads.s.set(), i.writes.v.set(), i.writes.s.set(), i.writes_exec = true;
  i.crosses.v = i.reads.v; // some do
}

void classify(const Library& library, Instr& i) {
  set_operands(i);
  if (!set_native(library, i)) set_foreign(i);
}

// What an instruction that writes EXEC makes of it.
ExecEffect exec_effect(const RawInst& raw) {
  const OpcodeRow& row = row_of(raw.opcode);
  if (row.exec != ExecEffect::None) return row.exec;
  if (raw.sdst.bank != Bank::Sgpr || raw.sdst.index != kExecLo) return ExecEffect::Any;
  auto is_exec = [&](uint32_t k) { return k < raw.source_count && raw.src[k].bank == Bank::Sgpr && raw.src[k].index == kExecLo; };
  switch (row.steps.count() == 1 ? row.steps.begin()->op : LaneStep::None) {
  case LaneStep::And: return is_exec(0) || is_exec(1) ? ExecEffect::Shrinks : ExecEffect::Any;
  case LaneStep::AndNot: return is_exec(0) ? ExecEffect::Shrinks : ExecEffect::Any;
  case LaneStep::Or: return is_exec(0) || is_exec(1) ? ExecEffect::Grows : ExecEffect::Any;
  default: return ExecEffect::Any;
  }
}

// A loop may wait for another wave, which must get its turn: where it reads again and again what others write meanwhile, in
// coherent loads and atomics with a result; and where a load's address does not change, for that one would have been hoisted,
// were it not volatile.
void find_waiting_loops(Code& code) {
  for (uint32_t b = 0; b < code.instrs.size(); ++b) {
    const Instr& branch = code.instrs[b];
    if ((branch.kind != Kind::Branch && branch.kind != Kind::CondBranch) || branch.target == kNoNode || branch.target > b)
      continue;
    Registers written;
    bool stores = false, others_run = false; // at a barrier all waves have their turn
    for (uint32_t k = branch.target; k <= b; ++k) {
      written.add(code.instrs[k].writes);
      const Unit unit = row_of(code.instrs[k].raw.opcode).unit;
      others_run |= unit == Unit::Barrier || unit == Unit::Yield;
      stores |= code.instrs[k].memory && code.instrs[k].memory->stores && code.instrs[k].memory->space == library::Space::Global;
    }
    bool waits = false;
    for (uint32_t k = branch.target; k <= b && !others_run && !waits; ++k) {
      const Instr& load = code.instrs[k];
      if ((load.kind != Kind::Memory && load.kind != Kind::Called) || !load.raw.vdst) continue;
      Registers address;
      for (const Operand* o : {&load.raw.vaddr, &load.raw.saddr, &load.raw.sbase, &load.raw.soffset}) add_operand(address, *o);
      if (load.raw.saddr) add_operand(address, load.raw.saddr, 2);
      const bool moves = (address.v & written.v).any() || (address.s & written.s).any();
      const bool elsewhere = stores && (load.kind == Kind::Called || load.memory->space == library::Space::Global);
      waits = load.coherent || (!moves && !elsewhere);
    }
    code.instrs[branch.target].counts_turns |= waits;
  }
}

void build_nodes(Code& code) {
  const size_t count = code.instrs.size();
  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (uint32_t k = 0; k < count; ++k) {
    const Instr& i = code.instrs[k];
    if (k % kLongestNode == 0) leader[k] = true;
    if (i.target != kNoNode) leader[i.target] = true;
    if (i.kind == Kind::Branch || i.kind == Kind::CondBranch || i.kind == Kind::Barrier || i.ends || i.writes_exec) leader[k + 1] = true;
    if (i.kind == Kind::Foreign) leader[k] = leader[k + 1] = true;
  }
  std::vector<uint32_t> node_of(count, kNoNode);
  for (uint32_t k = 0; k < count; ++k) {
    if (leader[k]) code.nodes.push_back({k, k, kNoNode, kNoNode, {}});
    code.nodes.back().last = k;
    node_of[k] = uint32_t(code.nodes.size() - 1);
  }
  for (uint32_t n = 0; n < code.nodes.size(); ++n) {
    Node& node = code.nodes[n];
    const Instr& end = code.last(node);
    if (end.target != kNoNode) node.taken = node_of[end.target];
    if (end.kind != Kind::Branch && !end.ends && n + 1 < code.nodes.size()) node.next = n + 1;
  }
  // Only what the entry reaches counts.
  std::vector<bool> reached(code.nodes.size(), false);
  std::vector<uint32_t> todo{0};
  reached[0] = true;
  while (!todo.empty()) {
    const uint32_t n = todo.back();
    todo.pop_back();
    for (uint32_t to : {code.nodes[n].next, code.nodes[n].taken}) {
      if (to == kNoNode) continue;
      code.nodes[to].from.push_back(n);
      if (!reached[to]) reached[to] = true, todo.push_back(to);
    }
  }
}

} // namespace

uint32_t Code::instr_at(uint64_t address) const {
  auto it = std::lower_bound(instrs.begin(), instrs.end(), address,
                             [](const Instr& i, uint64_t a) { return i.raw.address < a; });
  return it != instrs.end() && it->raw.address == address ? uint32_t(it - instrs.begin()) : kNoNode;
}

Code read_code(Decoder& decoder, const Library& library, uint64_t begin, uint64_t end) {
  Code code;
  code.end = end - begin;
  bool indexing = false; // between s_set_gpr_idx_on and _off, which tier 0 executes as one
  for (uint64_t at = begin; at < end;) {
    Instr i;
    decoder.decode({reinterpret_cast<const uint8_t*>(at), end - at}, at - begin, i.raw);
    at += i.raw.size_bytes;
    if (i.raw.opcode == Opcode::s_set_gpr_idx_on) indexing = true;
    if (indexing)
      i.kind = Kind::Foreign, i.anything = i.writes_exec = true, i.reads.v.set(), i.reads.s.set(), i.writes.v.set(), i.writes.s.set(), i.crosses.v.set();
    else
      classify(library, i);
    if (i.raw.opcode == Opcode::s_set_gpr_idx_off) indexing = false;
    if (i.writes_exec && i.kind != Kind::Foreign) i.exec_effect = exec_effect(i.raw);
    code.instrs.push_back(std::move(i));
  }
  for (Instr& i : code.instrs) {
    if (i.kind != Kind::Branch && i.kind != Kind::CondBranch) continue;
    i.target = code.instr_at(i.raw.address + 4 + uint64_t(int64_t(i.raw.simm16) * 4));
    if (i.target == kNoNode) { // out of the function
      const bool conditional = i.kind == Kind::CondBranch;
      i.kind = Kind::Foreign;
      i.anything = true, i.ends = !conditional;
      i.reads.v.set(), i.reads.s.set(), i.crosses.v.set();
    }
  }
  if (code.instrs.empty()) return code;
  find_divisions(code);
  find_waiting_loops(code);
  build_nodes(code);
  rename_temporaries(code);
  return code;
}

} // namespace hip::engine::compile
