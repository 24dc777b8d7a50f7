// runtime/engine/decode/resolve.cpp - see resolve.h. One function per kind of instruction, chosen by its unit.
#include "runtime/engine/decode/resolve.h"

#include "runtime/base/format.h"
#include "runtime/engine/decode/decoder.h"
#include "runtime/engine/decode/mode_write.h"
#include "runtime/engine/isa/matrix_shape.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace hip::engine {

void Registers::add(const Operand& operand, uint32_t dwords) {
  for (uint32_t k = 0; k < dwords; ++k) {
    const uint32_t n = operand.index + k;
    switch (operand.bank) {
    case Bank::Vgpr:
      if (n < kFirstAccVgpr) v.set(n);
      break;
    case Bank::Agpr:
      if (n + kFirstAccVgpr < kMaxVgprs) v.set(n + kFirstAccVgpr);
      break;
    case Bank::Sgpr:
      if (n < kSgprCount) s.set(n);
      break;
    case Bank::Special:
      if (operand.index == kSccSource) s.set(kScc);
      break;
    default:
      break;
    }
  }
}

namespace {

constexpr uint32_t kMaxNamed = 3; // operands of ALU instructions; matrix instructions with scales have more

void add_named(Registers& set, const Operand& operand) { set.add(operand, std::max<uint32_t>(1, operand.dwords)); }
Operand sgpr_operand(uint32_t index, uint32_t dwords) { return {Bank::Sgpr, uint8_t(dwords), uint16_t(index), 0}; }
std::string bad_source(uint32_t k) { return fmt::format("source operand {} is a register that it cannot read", k); }
constexpr const char* kBadRegister = "one of its registers cannot be what the instruction needs";

class Resolver {
public:
  Resolver(const RawInst& raw, const Target& target, uint32_t lanes) : target_(target), lanes_(lanes) {
    static_cast<RawInst&>(out_) = raw;
    out_.lanes = uint8_t(lanes);
  }
  ResolvedInst run();

private:
  uint32_t mask_dwords() const { return lanes_ / 32; }
  void read_exec() { out_.reads.add_scalars(kExecLo, mask_dwords()); }
  void all_operands(); // what the encoding names, read and written as wide as it says
  void vector_alu();
  void scalar_alu();
  void matrix();
  void wmma(const MatrixShape& shape);
  void lane_access();
  void vector_memory();
  void scratch();
  void branch();
  void hardware_register();
  void note_exec_writes() {
    out_.writes_exec = out_.writes.s[kExecLo] || out_.writes.s[kExecHi] || row_of(out_.opcode).exec != ExecEffect::None;
    if (out_.writes_exec) out_.writes.add_scalars(kExecLo, mask_dwords());
  }

  void simplify();
  bool ends_behind_registers() const;

  ResolvedInst out_;
  const Target& target_;
  uint32_t lanes_;
};

void Resolver::all_operands() {
  add_named(out_.writes, out_.vdst);
  add_named(out_.writes, out_.sdst);
  for (uint32_t k = 0; k < out_.source_count; ++k) add_named(out_.reads, out_.src[k]);
  for (const Operand* o : {&out_.vaddr, &out_.saddr, &out_.vdata, &out_.data1, &out_.sbase, &out_.soffset, &out_.sdata})
    add_named(out_.reads, *o);
}

void Resolver::vector_alu() {
  const OpcodeRow& row = row_of(out_.opcode);
  const bool saturates = out_.clamp && row.saturating != Opcode::unknown;
  out_.body = body_of(saturates ? row.saturating : out_.opcode);
  if (const uint32_t is_signed = out_.neg & 3; is_signed && row.signed_bodies[0] != Opcode::unknown)
    out_.body = row.signed_bodies[is_signed - 1], out_.neg = 0;
  out_.shape = shape_of(out_.body);
  if (!out_.shape) return;
  const BodyShape& shape = *out_.shape;
  if (row.op_sel_is_number) out_.field = std::exchange(out_.op_sel, uint8_t(0));
  if (row.has_truth_table) out_.field = out_.bitop3;
  if (out_.clamp && !saturates && !(shape.result & kResultFloat))
    out_.problem = "its clamp bit is set and the engine does not know what it saturates to";
  const uint32_t named = out_.source_count;
  for (uint32_t k = 0; k < shape.parameters(); ++k) {
    const uint32_t kind = shape.kind(k);
    if (kind == kKindLane || kind == kKindField) continue;
    if (k >= named || kind == kKindOld) { // unsaid: VCC, or the destination's old value
      out_.src[k] = kind == kKindMask ? sgpr_operand(kVccLo, mask_dwords()) : out_.vdst;
      if (kind == kKind16 && out_.op_sel & 8) out_.op_sel |= uint8_t(1u << k); // the half that is written (v_fmac_f16)
      if (kind != kKindMask && ((k >= kMaxNamed && kind != kKindOld) || !is_vector(out_.vdst)))
        out_.problem = "its accumulator is not a register";
    } else if (k >= kMaxNamed) {
      out_.problem = "it has more than three named operands";
    }
    if (kind == kKindMask && !is_sgpr(out_.src[k]) && !out_.src[k].is_constant()) out_.problem = bad_source(k);
    out_.reads.add(out_.src[k], kind == kKindMask ? mask_dwords() : shape.dwords(k));
  }
  out_.source_count = std::max<uint8_t>(out_.source_count, uint8_t(shape.parameters()));
  if (shape.rows()) {
    if (!is_vector(out_.vdst)) out_.problem = "its destination is not a register";
    out_.writes.add(out_.vdst, shape.rows());
    // Lanes or parts of the destination that stay.
    const bool permutes = out_.variant == Variant::Dpp || out_.variant == Variant::Sdwa;
    if (permutes) out_.reads.add(out_.vdst, shape.rows());
    if (shape.keep || (out_.op_sel & 8)) out_.reads.add(out_.vdst, 1);
  }
  const bool keeps_halves = target_.family->descriptor >= codeobject::DescriptorLayout::Gfx10;
  out_.keep = out_.op_sel & 8 && shape.result & kResult16 ? 0xffffu : shape.result & kResult16 && keeps_halves ? 0xffff0000u : shape.keep;
  if (out_.keep) out_.reads.add(out_.vdst, 1);
  // From gfx10 on v_cmpx writes EXEC alone.
  if (row.exec != ExecEffect::None && !out_.sdst) out_.sdst = sgpr_operand(kExecLo, mask_dwords());
  if (shape.mask() && out_.sdst) {
    if (!is_sgpr(out_.sdst)) out_.problem = "its scalar destination is not a register";
    out_.writes.add(out_.sdst, mask_dwords());
  }
  if (out_.variant == Variant::Dpp) out_.crosses.add(out_.src[0], std::max(1u, shape.dwords(0)));
  if ((out_.variant == Variant::Dpp || out_.variant == Variant::Sdwa) && out_.named_count > 2 &&
      out_.src[2].is_constant())
    out_.problem = "its third operand is a constant beside DPP or SDWA";
}

void Resolver::scalar_alu() {
  out_.shape = shape_of(out_.opcode);
  if (!out_.shape) return;
  if (out_.neg || out_.abs || out_.clamp || out_.omod) out_.problem = "it has modifiers, which the engine does not apply to scalars";
  const BodyShape& shape = *out_.shape;
  const uint32_t named = out_.source_count;
  for (uint32_t k = 0; k < shape.parameters(); ++k) {
    if (shape.kind(k) == kKindScc) {
      out_.reads.s.set(kScc);
      continue;
    }
    if (shape.kind(k) == kKindExec) {
      read_exec();
      continue;
    }
    if (k >= kMaxNamed) {
      out_.problem = "it has more than three operands";
      break;
    }
    if (k < named) {
      // as it is
    } else if (out_.format == Format::Sopk && k == named) { // the 16-bit constant
      const bool zero_extended = row_of(out_.opcode).zero_extends_constant;
      out_.src[k] = {Bank::Imm, 1, 0, zero_extended ? uint64_t(out_.simm16 & 0xffff) : uint64_t(int64_t(out_.simm16))};
    } else { // the destination's old value
      out_.src[k] = out_.sdst;
    }
    if (is_vector(out_.src[k])) out_.problem = bad_source(k);
    out_.reads.add(out_.src[k], shape.dwords(k));
  }
  out_.source_count = std::max<uint8_t>(out_.source_count, uint8_t(shape.parameters()));
  if (shape.rows()) {
    if (!is_sgpr(out_.sdst) && !out_.discards) out_.problem = "its destination is not a register";
    out_.writes.add(out_.sdst, shape.rows());
    if (shape.result & kResultMaybe) out_.reads.add(out_.sdst, shape.rows());
  }
  if (shape.result & kResultScc) out_.writes.s.set(kScc);
}

// An inline constant as a sum of the format has it. LLVM gives WMMA's as doubles, floats or halves, after the width of all sums.
uint64_t as_sum(uint64_t constant, SumFormat format) {
  struct Spellings {
    double wide;
    uint16_t half, bf16;
  };
  constexpr Spellings kConstants[] = {{0.5, 0x3800, 0x3f00}, {-0.5, 0xb800, 0xbf00}, {1, 0x3c00, 0x3f80},  {-1, 0xbc00, 0xbf80}, {2, 0x4000, 0x4000},
                                      {-2, 0xc000, 0xc000},  {4, 0x4400, 0x4080},    {-4, 0xc400, 0xc080}, {0.15915494309189532, 0x3118, 0x3e22}};
  for (const auto& [wide, half, bf16] : kConstants) {
    const uint32_t bits = std::bit_cast<uint32_t>(float(wide));
    if (constant == std::bit_cast<uint64_t>(wide) || constant == bits || constant == half || constant == bf16)
      return format == SumFormat::F16 ? half : format == SumFormat::Bf16 ? bf16 : bits;
  }
  return constant; // an integer
}

// Its registers and modifiers.
void Resolver::wmma(const MatrixShape& shape) {
  using codeobject::DescriptorLayout;
  const bool gfx11 = target_.family->descriptor == DescriptorLayout::Gfx11, wave32 = lanes_ == 32;
  if (!gfx11 && target_.family->descriptor != DescriptorLayout::Gfx12)
    out_.problem = "the engine does not know how its processor holds the matrices";
  MatrixForm& form = out_.matrix;
  form.sums.layout = gfx11 ? (wave32 ? MatrixLayout::Gfx11Wave32 : MatrixLayout::Gfx11Wave64)
                           : (wave32 ? MatrixLayout::Gfx12Wave32 : MatrixLayout::Gfx12Wave64);
  form.sums.format = shape.sums;
  form.sums.high = gfx11 && form.sums.is_half() && out_.op_sel & 4;
  form.sums.saturates = out_.clamp;
  if (out_.src[2].is_constant() && shape.sums != SumFormat::I32) out_.src[2].imm = as_sum(out_.src[2].imm, shape.sums);
  form.registers_a = wmma_factor_registers(form.sums.layout, shape.a.dwords);
  form.registers_b = wmma_factor_registers(form.sums.layout, shape.b.dwords);
  form.registers_d = form.sums.registers();
  if (shape.index_bits) form.index_bits = std::min(32u, 2 * form.registers_a * 32 / shape.element_bits);
  // (neg_lo of an integer has become its sign.)
  const bool halves = shape.element_bits == 16;
  if (out_.clamp && shape.sums != SumFormat::I32) out_.problem = "its clamp bit is set, and it has floating-point sums";
  if (!halves && ((out_.neg | out_.neg_hi) & 3)) out_.problem = "it negates factors that are not of 16 bits";
  const bool integer =
      shape.sums == SumFormat::I32; // whose neg_lo says that it is signed, as sums are whatever it says
  if (integer && out_.neg_hi & 4) out_.problem = "it takes an integer's magnitude";
  form.flipped_a = wmma_flipped(out_.neg & 1, out_.neg_hi & 1);
  form.flipped_b = wmma_flipped(out_.neg & 2, out_.neg_hi & 2);
  form.negated = !integer && out_.neg & 4, form.absolute = out_.neg_hi & 4;
}

void Resolver::matrix() {
  if (const std::array<Opcode, 3>& bodies = row_of(out_.opcode).signed_bodies; bodies[0] != Opcode::unknown && out_.neg & 3)
    out_.opcode = out_.body = bodies[(out_.neg & 3) - 1u], out_.neg &= ~3;
  const MatrixShape* known = matrix_shape_of(out_.opcode);
  if (!known) { // formats of several widths, which operands are as wide as
    all_operands();
    out_.crosses.v = out_.reads.v;
    if (!is_vector(out_.vdst) || !is_vector(out_.src[0]) || !is_vector(out_.src[1])) out_.problem = "its matrices are not in VGPRs";
    return;
  }
  const MatrixShape& shape = *known;
  if (out_.source_count != 3) {
    out_.problem = "it has not three source operands";
    return all_operands();
  }
  MatrixForm& form = out_.matrix;
  form.registers_a = shape.registers_a, form.registers_b = shape.registers_b, form.registers_d = shape.registers_d;
  form.index_bits = shape.index_bits;
  if (shape.is_wmma()) wmma(shape);
  if (!is_vector(out_.src[0]) || !is_vector(out_.src[1]) || (shape.index_bits && !is_vector(out_.src[2])))
    out_.problem = "its matrices are not in VGPRs";
  else if (!is_vector(out_.src[2]) && !out_.src[2].is_constant())
    out_.problem = "its third operand is an SGPR";
  else if (!is_vector(out_.vdst))
    out_.problem = "its destination is not a register";
  else if (out_.blgp && !shape.blgp)
    out_.problem = fmt::format("it has no meaning for blgp, which is {}", out_.blgp);
  else if (shape.index_bits && out_.cbsz == 0 && (out_.abid + 1u) * form.index_bits > 32)
    out_.problem = fmt::format("it takes index {} of a register that holds {}", out_.abid, 32 / form.index_bits);
  else if (!shape.index_bits && ((1u << out_.cbsz) > shape.blocks || (out_.cbsz && out_.abid >= 1u << out_.cbsz)))
    out_.problem =
        fmt::format("it broadcasts block {} of {}, and there are {}", out_.abid, 1u << out_.cbsz, shape.blocks);
  out_.reads.add(out_.src[0], form.registers_a);
  out_.reads.add(out_.src[1], form.registers_b);
  if (shape.index_bits) { // the sums are the destination's old value, and the third operand holds indices
    out_.reads.add(out_.src[2], 1);
    out_.reads.add(out_.vdst, form.registers_d);
  } else {
    out_.reads.add(out_.src[2], form.registers_d);
  }
  if (form.sums.mask() != ~0u) out_.reads.add(out_.vdst, form.registers_d);
  out_.writes.add(out_.vdst, form.registers_d);
  out_.crosses.v = out_.reads.v;
}

// v_readlane, v_readfirstlane, v_writelane, exchanges.
void Resolver::lane_access() {
  all_operands();
  if (out_.variant == Variant::Dpp || out_.variant == Variant::Sdwa) out_.problem = "it has a DPP or SDWA form here";
  const Unit unit = row_of(out_.opcode).unit;
  if (unit == Unit::ReadLane) {
    if (out_.opcode == Opcode::v_readfirstlane_b32) read_exec();
    out_.crosses.add(out_.src[0], 1); // v_readfirstlane reads an inactive lane where none is active
  } else if (unit == Unit::WriteLane) {
    out_.reads.add(out_.vdst, 1);
  } else {
    out_.reads.v |= out_.writes.v;
    switch (out_.opcode) {
    case Opcode::v_permlane16_b32:
    case Opcode::v_permlanex16_b32:
    case Opcode::v_permlane16_var_b32:
    case Opcode::v_permlanex16_var_b32:
    case Opcode::v_permlane64_b32:
      break;
    default:
      out_.writes.v |= out_.reads.v; // exchanges
    }
    out_.crosses.v = out_.reads.v;
  }
}

// GLOBAL, FLAT, LDS and buffers.
void Resolver::vector_memory() {
  const OpcodeRow& row = row_of(out_.opcode);
  const MemoryAccess& access = row.memory;
  if (row.unit == Unit::Lds && out_.gds) out_.problem = "it accesses global data share, which the software GPU has not";
  const bool wide_address = (row.unit == Unit::Global || row.unit == Unit::Flat) && !out_.saddr;
  out_.addressing.add(out_.vaddr, wide_address ? 2 : std::max<uint32_t>(1, out_.vaddr.dwords));
  if (out_.saddr) out_.addressing.add(out_.saddr, 2);
  add_named(out_.addressing, out_.sbase);
  add_named(out_.addressing, out_.soffset);
  for (const Operand* o : {&out_.vaddr, &out_.vdata, &out_.data1, &out_.vdst})
    if (*o && !is_vector(*o)) out_.problem = kBadRegister;
  for (const Operand* o : {&out_.saddr, &out_.sbase})
    if (*o && !is_sgpr(*o)) out_.problem = kBadRegister;
  if (out_.soffset && !is_sgpr(out_.soffset) && !out_.soffset.is_constant()) out_.problem = kBadRegister;
  if ((access.kind == MemoryKind::Store || access.kind == MemoryKind::Atomic) && !out_.vdata && access)
    out_.problem = "it has no data operand";
  out_.buffer_generation = target_.isa->buffer_generation;
  if (out_.lds && access.kind != MemoryKind::LoadToLds && out_.opcode != Opcode::buffer_store_lds_dword)
    out_.problem = "it writes LDS directly";
  out_.reads.add(out_.addressing);
  if (access.kind == MemoryKind::Store)
    out_.reads.add(out_.vdata, access.dwords());
  else
    add_named(out_.reads, out_.vdata);
  add_named(out_.reads, out_.data1);
  if (access.kind == MemoryKind::Load)
    out_.writes.add(out_.vdst, access.dwords() * access.elements);
  else
    add_named(out_.writes, out_.vdst);
  if (access.merges()) out_.reads.v |= out_.writes.v;
  // Where the counters of loads and stores are apart, nothing else orders a coherent load behind the wave's earlier stores.
  const bool outside = row.unit == Unit::Global || row.unit == Unit::Flat;
  if (target_.isa->wait_counters == WaitCounters::Joint) {
    out_.coherent = out_.sc0() || out_.sc1();
    out_.fences = access.kind == MemoryKind::Store && out_.sc1();
  } else {
    const bool scoped = target_.isa->wait_counters == WaitCounters::EachApart ? (out_.cpol >> 3 & 3) != 0 : (out_.cpol & 1) != 0;
    out_.coherent = scoped;
    out_.fences = scoped && outside && (access.kind == MemoryKind::Load || (access.kind == MemoryKind::Store && out_.sc1()));
  }
}

void Resolver::scratch() {
  all_operands();
  if (out_.vaddr && !is_vector(out_.vaddr)) out_.problem = kBadRegister;
  if (out_.saddr && !is_sgpr(out_.saddr)) out_.problem = kBadRegister;
  const MemoryAccess& access = row_of(out_.opcode).memory;
  if (access.kind != MemoryKind::LoadToLds && !is_vector(access.kind == MemoryKind::Store ? out_.vdata : out_.vdst)) out_.problem = kBadRegister;
  if (access.merges()) out_.reads.v |= out_.writes.v;
}

void Resolver::branch() {
  switch (row_of(out_.opcode).condition) {
  case BranchCondition::None:
    break;
  case BranchCondition::Scc0:
  case BranchCondition::Scc1:
    out_.reads.s.set(kScc);
    break;
  case BranchCondition::Vccz:
  case BranchCondition::Vccnz:
    out_.reads.add_scalars(kVccLo, mask_dwords());
    break;
  case BranchCondition::Execz:
  case BranchCondition::Execnz:
    read_exec();
    break;
  }
}

// STATUS tells SCC, whether VCC is 0 and whether EXEC is.
void Resolver::hardware_register() {
  all_operands();
  const HwField field(uint64_t(uint32_t(out_.simm16)));
  if (out_.opcode != Opcode::s_getreg_b32 || target_.hardware_register(field.id) != HardwareRegister::Status) return;
  out_.reads.s.set(kScc);
  out_.reads.add_scalars(kVccLo, mask_dwords());
  read_exec();
}

// The null register reads as 0 and takes nothing. Instructions that are another one in all that matters here become that one.
void Resolver::simplify() {
  const auto is_null = [](const Operand& o) { return o.bank == Bank::Sgpr && o.index == kNull; };
  for (uint32_t k = 0; k < out_.source_count; ++k)
    if (is_null(out_.src[k])) out_.src[k] = {Bank::Imm, out_.src[k].dwords, 0, 0};
  if (const Opcode to_lds = row_of(out_.opcode).to_lds; out_.lds && to_lds != Opcode::unknown) out_.opcode = to_lds;
  if (const Opcode clearing = row_of(out_.opcode).clearing; target_.clears_halves() && clearing != Opcode::unknown) out_.opcode = clearing;
  if (is_null(out_.soffset)) out_.soffset = {Bank::Imm, 1, 0, 0};
  if (is_null(out_.saddr)) out_.saddr = {};
  if (is_null(out_.sdst)) out_.sdst = {}, out_.discards = true;
  if (out_.opcode == Opcode::s_barrier_signal && (out_.source_count > 0 ? out_.src[0].is_constant() && int32_t(out_.src[0].imm) == -1 : out_.simm16 == -1))
    out_.opcode = Opcode::s_nop; // arriving and waiting is done by s_barrier_wait
  if (row_of(out_.opcode).unit == Unit::VectorIndexed && is_vector(out_.src[0]) && !out_.vdst &&
      out_.source_count == 2) {
    out_.vdst = out_.src[0], out_.src[0] = out_.src[1], out_.src[1] = {}; // LLVM counts the destination among the sources
    out_.source_count = 1;
  }
  if (out_.opcode == Opcode::s_barrier_wait && out_.simm16 == -1) out_.opcode = Opcode::s_barrier;
}

// LLVM's disassembler gives v[255:256] for a pair that begins with v255. Behind v255 lies a0 in a wave's block, and nothing in hardware.
bool Resolver::ends_behind_registers() const {
  const auto ends_behind = [](const Operand& o) { return is_vector(o) && o.index + std::max<uint32_t>(1, o.dwords) > kFirstAccVgpr; };
  for (const Operand* o : {&out_.vdst, &out_.vaddr, &out_.vdata, &out_.data1})
    if (ends_behind(*o)) return true;
  return std::any_of(std::begin(out_.src), std::end(out_.src), ends_behind);
}

ResolvedInst Resolver::run() {
  simplify();
  out_.body = body_of(out_.opcode);
  out_.named_count = out_.source_count;
  if (out_.format == Format::Invalid || out_.format == Format::Other)
    return std::move(out_); // its operands are not known
  switch (row_of(out_.opcode).unit) {
  case Unit::VectorAlu:
    vector_alu();
    break;
  case Unit::ScalarAlu:
    scalar_alu();
    break;
  case Unit::Matrix:
    matrix();
    break;
  case Unit::ReadLane:
  case Unit::WriteLane:
  case Unit::ExchangeLanes:
    lane_access();
    break;
  case Unit::Global:
  case Unit::Flat:
  case Unit::Lds:
  case Unit::Buffer:
  case Unit::TypedBuffer:
    vector_memory();
    break;
  case Unit::Scratch:
    scratch();
    break;
  case Unit::LanePermute:
    all_operands();
    // gfx10 and gfx11 permute within each half of a wave of 64 lanes.
    out_.crossbar_lanes = target_.isa->wait_counters == WaitCounters::StoresApart ? 32 : uint8_t(lanes_);
    out_.crosses.v = out_.reads.v;
    break;
  case Unit::Branch:
  case Unit::ConditionalBranch:
    branch();
    break;
  case Unit::HardwareRegister:
    hardware_register();
    break;
  case Unit::NoEffect:
    out_.releases = row_of(out_.opcode).waits_for_stores;
    break;
  case Unit::Barrier:
  case Unit::EndWave:
    break;
  default:
    all_operands();
    break;
  }
  if (!out_.shape && (row_of(out_.opcode).unit == Unit::VectorAlu || row_of(out_.opcode).unit == Unit::ScalarAlu))
    all_operands();
  note_exec_writes();
  if (ends_behind_registers()) out_.problem = "one of its operands ends behind the last vector register";
  const Unit unit = row_of(out_.opcode).unit;
  if (out_.discards && (unit == Unit::ScalarMemory || unit == Unit::ScalarBuffer)) out_.problem = "it loads into the null register";
  if (lanes_ == 32 && out_.writes.s[kExecHi]) out_.problem = "it writes EXEC_HI, which waves of 32 lanes do not have";
  return std::move(out_);
}

} // namespace

ResolvedInst resolve(const RawInst& raw, const Target& target, uint32_t lanes) { return Resolver(raw, target, lanes).run(); }

namespace {

bool overlap(const Registers& a, const Registers& b) { return (a.v & b.v).any() || (a.s & b.s).any(); }
// The last accumulation register: processors with dual instructions have none of these.
constexpr Operand kSpareVgpr = {Bank::Agpr, 1, kMaxVgprs - 1 - kFirstAccVgpr, 0};

} // namespace

std::vector<ResolvedInst> resolve_all(const Decoder& decoder, const RawInst& raw) {
  const auto resolved = [&](const RawInst& one) { return resolve(one, decoder.target(), decoder.lanes()); };
  std::vector<ResolvedInst> out{resolved(raw)};
  if (!raw.is_dual) return out;
  out.push_back(resolved(decoder.second()));
  if (!overlap(out[0].writes, out[1].reads)) return out;
  if (!overlap(out[1].writes, out[0].reads)) {
    std::swap(out[0], out[1]);
    return out;
  }
  RawInst move;
  move.address = raw.address, move.size_bytes = raw.size_bytes;
  move.opcode = Opcode::v_mov_b32, move.format = Format::Vop1;
  move.vdst = out[0].vdst, move.src[0] = kSpareVgpr, move.source_count = 1;
  RawInst first = raw;
  first.vdst = kSpareVgpr;
  ResolvedInst waiting = resolved(first);
  // An accumulator is the guest's register, not the spare one.
  for (uint32_t k = waiting.named_count; k < waiting.source_count; ++k) waiting.src[k] = out[0].src[k];
  waiting.reads = out[0].reads;
  out[0] = std::move(waiting);
  out.push_back(resolved(move));
  return out;
}

} // namespace hip::engine
