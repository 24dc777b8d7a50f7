// runtime/engine/compile/read/code.cpp - see code.h.
#include "runtime/engine/compile/read/code.h"

#include "runtime/engine/compile/read/classify.h"
#include "runtime/engine/compile/read/divisions.h"
#include "runtime/engine/compile/read/float_mode.h"
#include "runtime/engine/compile/read/loops.h"
#include "runtime/engine/decode/catch_up.h"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace hip::engine::compile {
namespace {

constexpr uint32_t kLongestNode = 192; // instructions; bounds what is compiled as one piece

bool is_salu(Format f) { return f == Format::Sop1 || f == Format::Sop2 || f == Format::Sopc || f == Format::Sopk; }

// Operands that translated code can fetch.
bool fetchable(const Operand& o) {
  if (o.bank == Bank::Special) return o.index == 235 || o.index == 237 || o.index == 253;
  return o.bank != Bank::None;
}

bool set_valu(const Library& library, Instr& i) {
  const ResolvedInst& inst = i.raw;
  const ValuOp* op = library.valu(inst.body);
  if (!op || !inst.problem.empty()) return false;
  if (inst.variant == Variant::Dpp && inst.src[0].bank != Bank::Vgpr) return false;
  if (inst.variant == Variant::Sdwa && (op->rows() > 1 || (inst.dst_sel != 6 && op->mask() && op->rows()))) return false;
  for (uint32_t k = 0; k < op->parameters(); ++k)
    if (!inst.is_state(k) && !fetchable(inst.src[k])) return false;
  i.valu = op;
  i.kind = Kind::Valu;
  i.extends_sign = inst.opcode == Opcode::v_ashrrev_i32 && inst.variant != Variant::Sdwa && inst.variant != Variant::Dpp &&
                   inst.src[0].is_constant() && uint32_t(inst.src[0].imm) == 31 && inst.src[1].bank == Bank::Vgpr &&
                   inst.vdst.bank == Bank::Vgpr && inst.vdst.index == inst.src[1].index + 1;
  return true;
}

bool set_lane_access(Instr& i) {
  const ResolvedInst& inst = i.raw;
  if (!inst.problem.empty()) return false;
  if (row_of(inst.opcode).unit == Unit::ReadLane) {
    if (!is_vector(inst.src[0]) || !is_sgpr(inst.sdst) || i.writes_exec) return false;
    const bool first = inst.opcode == Opcode::v_readfirstlane_b32;
    if (!first && !inst.src[1].is_constant() && !is_sgpr(inst.src[1])) return false;
    i.kind = Kind::ReadLane;
    return true;
  }
  if (inst.vdst.bank != Bank::Vgpr) return false;
  for (uint32_t k = 0; k < 2; ++k)
    if (!inst.src[k].is_constant() && !is_sgpr(inst.src[k])) return false;
  i.kind = Kind::WriteLane;
  return true;
}

bool set_salu(const Library& library, Instr& i) {
  const ResolvedInst& inst = i.raw;
  const SaluOp* op = library.salu(inst.body);
  if (!op || !inst.problem.empty()) return false;
  for (uint32_t k = 0; k < op->parameters(); ++k)
    if (!inst.is_state(k) && !fetchable(inst.src[k])) return false;
  // As a destination, EXEC is written whole, and by one way.
  const bool names_exec = inst.sdst && op->rows() && inst.sdst.index + op->rows() > kExecLo && inst.sdst.index <= kExecHi;
  if (names_exec && (op->rows() != inst.lanes / 32u || inst.sdst.index != kExecLo || op->result & kResultExec)) return false;
  if (op->result & kResultExec && op->rows() < inst.lanes / 32u) return false; // EXEC_HI stays (s_*_saveexec_b32)
  i.salu = op;
  i.kind = Kind::Salu;
  return true;
}

bool set_memory(const Library& library, Instr& i) {
  const ResolvedInst& inst = i.raw;
  const MemoryOp* op = library.memory(inst.opcode);
  if (!op || !inst.problem.empty() || inst.vaddr.bank != Bank::Vgpr) return false;
  if (op->loads() && !inst.vdst) return false;
  if (op->atomic() && row_of(inst.opcode).memory.elements == 2) return false;
  if (inst.format == Format::Ds) {
    i.offset[0] = uint32_t(inst.offset) & 0xffff;
    if (const MemoryAccess& access = row_of(inst.opcode).memory; access.elements == 2) {
      i.accesses = 2;
      i.offset[0] = inst.offset0 * access.unit_bytes;
      i.offset[1] = inst.offset1 * access.unit_bytes;
    }
  } else {
    i.coherent = inst.coherent;
    i.offset[0] = uint32_t(inst.offset);
  }
  i.address = inst.addressing;
  i.memory = op;
  i.kind = Kind::Memory;
  return true;
}

bool set_scratch(const Library& library, Instr& i) {
  const ResolvedInst& inst = i.raw;
  const ScratchOp* op = library.scratch(inst.opcode);
  if (!op || !inst.problem.empty() || (inst.vaddr && inst.vaddr.bank != Bank::Vgpr)) return false;
  i.scratch = op;
  i.kind = Kind::Scratch;
  return true;
}

bool set_permute(Instr& i) {
  const ResolvedInst& inst = i.raw;
  if (inst.opcode != Opcode::ds_swizzle_b32 && inst.opcode != Opcode::ds_bpermute_b32) return false;
  if (inst.vaddr.bank != Bank::Vgpr || !inst.vdst) return false;
  i.crosses = {};
  i.kind = Kind::Permute;
  return true;
}

bool set_matrix(const Library& library, Instr& i) {
  const MatrixOp* op = library.matrix(i.raw.opcode);
  if (!op || !i.raw.problem.empty()) return false;
  i.matrix = op;
  i.kind = Kind::Matrix;
  return true;
}

bool set_scalar_load(Instr& i) {
  const ResolvedInst& inst = i.raw;
  const MemoryAccess& access = row_of(inst.opcode).memory;
  if (access.kind != MemoryKind::Load || access.bytes < 4 || row_of(inst.opcode).soffset_bytes != 1 || !is_sgpr(inst.sdst) || !is_sgpr(inst.sbase)) return false;
  if (inst.soffset && !inst.soffset.is_constant() && !is_sgpr(inst.soffset)) return false;
  if (inst.sdst.index + inst.sdst.dwords > kVccLo + 2 || inst.sdst.dwords > 16) return false;
  i.kind = Kind::ScalarLoad;
  return true;
}

// Instructions of the vector ALU with more registers than a body: conversions of 32 elements, products of blocks.
bool is_wide_alu(const ResolvedInst& inst) {
  const Unit unit = row_of(inst.opcode).unit;
  return !inst.shape && (unit == Unit::VectorAlu || unit == Unit::Matrix || unit == Unit::ExchangeLanes);
}

// Memory instructions that have no way of their own, and what else reads and writes only the registers that it names.
bool set_called(Instr& i) {
  const ResolvedInst& inst = i.raw;
  switch (inst.format) {
  case Format::Flat:
  case Format::Global:
  case Format::Scratch:
  case Format::Mubuf:
  case Format::Mtbuf:
  case Format::Smem: break;
  case Format::Ds:
    if (inst.gds || bypasses_lds(inst.opcode)) return false;
    break;
  case Format::Mai:
  case Format::Vop1:
  case Format::Vop3:
    if (!is_wide_alu(inst)) return false;
    break;
  default:
    if (row_of(inst.opcode).unit != Unit::HardwareRegister) return false;
  }
  if (i.writes_exec) return false;
  i.reads.add_scalars(kExecLo, 2);
  i.reads.s.set(kM0);
  i.coherent = inst.cpol & ~2u;
  if (inst.format == Format::Ds) i.crosses.v = i.reads.v; // permutes do
  if (inst.format == Format::Mai) i.crosses.v = i.reads.v;
  i.kind = Kind::Called;
  return true;
}

// Fills in what translated code makes of the instruction; false: it has no way of its own.
bool set_native(const Library& library, Instr& i) {
  const ResolvedInst& inst = i.raw;
  if (inst.format == Format::Invalid || inst.format == Format::Other) return false; // its operands are not known
  const OpcodeRow& row = row_of(inst.opcode);
  switch (row.unit) {
  case Unit::NoEffect: i.kind = Kind::Nothing; return true;
  case Unit::CacheControl:
    if (row.cache != CacheEffect::Invalidates) return set_called(i); // writing back waits for stores
    i.kind = Kind::Nothing;
    return true;
  case Unit::Branch: i.kind = Kind::Branch; return true;
  case Unit::ConditionalBranch:
    i.condition = row.condition;
    i.kind = Kind::CondBranch;
    return true;
  case Unit::Barrier: i.kind = Kind::Barrier; return true;
  case Unit::EndWave:
    i.kind = Kind::End;
    i.ends = true;
    return true;
  case Unit::ProgramCounter: i.kind = Kind::GetPc; return true;
  case Unit::ReadLane:
  case Unit::WriteLane: return set_lane_access(i);
  case Unit::VectorAlu: return set_valu(library, i) || set_called(i);
  case Unit::Matrix: return set_matrix(library, i) || set_called(i);
  case Unit::ScalarAlu: return set_salu(library, i);
  case Unit::ScalarMemory: return set_scalar_load(i) || set_called(i);
  case Unit::Global:
  case Unit::Flat:
  case Unit::Lds: return set_memory(library, i) || set_called(i);
  case Unit::LanePermute: return set_permute(i) || set_called(i);
  case Unit::Scratch: return set_scratch(library, i) || set_called(i);
  case Unit::Buffer:
    if (!inst.idxen && inst.problem.empty() && is_sgpr(inst.sbase) && (inst.soffset.is_constant() || is_sgpr(inst.soffset)) &&
        (!inst.offen || inst.vaddr.bank == Bank::Vgpr))
      i.buffer = library.buffer(inst.opcode);
    return set_called(i);
  default: return set_called(i);
  }
}

} // namespace

void set_foreign(Instr& i) {
  const RawInst& raw = i.raw;
  const OpcodeRow& row = row_of(raw.opcode);
  i.kind = Kind::Foreign;
  if (raw.format == Format::Invalid || raw.format == Format::Other) i.ends = i.anything = true;
  if (row.unit == Unit::Jump || row.unit == Unit::VectorIndexed || row.unit == Unit::ScalarIndexed) i.anything = true;
  if (raw.opcode == Opcode::s_setpc_b64) i.ends = true;
  // Old values take part in what handlers of partly written or lane-wise written registers do.
  i.reads.v |= i.writes.v;
  if (is_salu(raw.format)) i.reads.s.set(kScc), i.writes.s.set(kScc);
  i.reads.add_scalars(kExecLo, 2), i.reads.add_scalars(kVccLo, 2);
  i.reads.s.set(kM0);
  if (raw.sdst.bank == Bank::Sgpr) i.reads.s |= i.writes.s;
  if (i.anything) i.reads.v.set(), i.reads.s.set(), i.writes.v.set(), i.writes.s.set(), i.writes_exec = true;
  i.crosses.v = i.reads.v; // some do
}

void set_anything(Instr& i) {
  i.kind = Kind::Foreign;
  i.anything = i.writes_exec = true;
  i.reads.v.set(), i.reads.s.set(), i.writes.v.set(), i.writes.s.set(), i.crosses.v.set();
}

namespace {

void classify(const Library& library, Instr& i) {
  i.reads = i.raw.reads, i.writes = i.raw.writes, i.crosses = i.raw.crosses;
  i.writes_exec = i.raw.writes_exec;
  if (!set_native(library, i)) set_foreign(i);
}

// What an instruction that writes EXEC makes of it.
ExecEffect exec_effect(const ResolvedInst& raw) {
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

// Loops that may wait for another wave, which must get its turn.
void find_waiting_loops(Code& code) {
  std::vector<LoopStep> steps;
  for (const Instr& i : code.instrs) steps.emplace_back(i.raw);
  for (uint32_t b = 0; b < code.instrs.size(); ++b) {
    const Instr& branch = code.instrs[b];
    if ((branch.kind != Kind::Branch && branch.kind != Kind::CondBranch) || branch.target == kNoNode || branch.target > b)
      continue;
    const auto loop = find_waiting_loop(std::span(steps).subspan(branch.target, b + 1 - branch.target));
    if (!loop) continue;
    Instr& first = code.instrs[branch.target];
    if (!first.waiting_loop) first.waiting_loop.emplace();
    first.waiting_loop->add(*loop);
  }
}

void build_nodes(Code& code) {
  const size_t count = code.instrs.size();
  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (uint32_t k = 0; k < count; ++k) {
    const Instr& i = code.instrs[k];
    if (k % kLongestNode == 0 && !i.continues) leader[k] = true;
    if (i.target != kNoNode) leader[i.target] = true;
    if (i.kind == Kind::Branch || i.kind == Kind::CondBranch || i.kind == Kind::Barrier || i.ends || i.writes_exec) leader[k + 1] = true;
    if (i.kind == Kind::Foreign) leader[k] = leader[k + 1] = true;
  }
  std::vector<uint32_t> node_of(count, kNoNode);
  for (uint32_t k = 0; k < count; ++k) {
    if (leader[k]) code.nodes.push_back({.first = k, .last = k, .from = {}, .ahead = {}});
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

namespace {

// Whether an instruction reads where private memory or LDS lie in the flat address space, or leaves the function.
bool may_point_to_own(const ResolvedInst& inst) {
  constexpr uint32_t kSharedBase = 235, kPrivateBase = 237;
  if (row_of(inst.opcode).unit == Unit::Jump || inst.opcode == Opcode::s_getreg_b32) return true;
  return std::any_of(std::begin(inst.src), std::begin(inst.src) + inst.source_count, [](const Operand& o) {
    return o.bank == Bank::Special && (o.index == kSharedBase || o.index == kPrivateBase);
  });
}

// Stops behind instructions, as parts of these.
void add_catch_ups(Code& code) {
  CatchUpSearch search;
  for (const Instr& i : code.instrs) search.add(i.raw);
  const std::vector<uint32_t> places = search.places();
  for (const uint32_t number : std::views::reverse(places)) {
    if (code.instrs[number].kind == Kind::Foreign) continue; // tier 0's
    Instr stop;
    stop.raw.opcode = stop.raw.body = Opcode::s_nop;
    stop.raw.format = Format::Sopp;
    stop.raw.address = code.instrs[number].raw.address;
    stop.raw.lanes = code.instrs[number].raw.lanes;
    stop.kind = Kind::Barrier;
    stop.continues = stop.catches_up = true;
    code.instrs.insert(code.instrs.begin() + number + 1, std::move(stop));
  }
}

} // namespace

Code read_code(Decoder& decoder, const Library& library, uint64_t begin, uint64_t end, uint32_t float_mode) {
  Code code;
  code.lanes = decoder.lanes();
  code.end = end - begin;
  bool points_to_own = false;
  bool indexing = false; // between s_set_gpr_idx_on and _off, which tier 0 executes as one
  for (uint64_t at = begin; at < end;) {
    RawInst raw;
    decoder.decode({reinterpret_cast<const uint8_t*>(at), end - at}, at - begin, raw);
    at += raw.size_bytes;
    if (raw.opcode == Opcode::s_set_gpr_idx_on) indexing = true;
    std::vector<Instr> parts; // more than one of a dual instruction
    for (ResolvedInst& inst : resolve_all(decoder, raw)) {
      Instr& i = parts.emplace_back();
      i.raw = std::move(inst);
      i.continues = parts.size() > 1;
      points_to_own |= may_point_to_own(i.raw);
      if (indexing)
        set_anything(i);
      else
        classify(library, i);
      if (i.writes_exec && i.kind != Kind::Foreign) i.exec_effect = exec_effect(i.raw);
    }
    if (raw.opcode == Opcode::s_set_gpr_idx_off) indexing = false;
    if (parts.size() > 1 && std::ranges::any_of(parts, [](const Instr& i) { return i.kind == Kind::Foreign; })) {
      parts.resize(1); // tier 0 executes all of it
      set_anything(parts[0]);
    }
    std::ranges::move(parts, std::back_inserter(code.instrs));
  }
  add_catch_ups(code);
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
  for (uint32_t k = 0; k < code.instrs.size(); ++k) {
    Instr& i = code.instrs[k];
    i.number = k;
    i.may_be_own = points_to_own && i.kind == Kind::Memory && i.raw.format == Format::Flat;
  }
  if (code.instrs.empty()) return code;
  follow_float_mode(library, code, float_mode);
  find_divisions(code);
  find_waiting_loops(code);
  build_nodes(code);
  find_loops(code);
  return code;
}

} // namespace hip::engine::compile
