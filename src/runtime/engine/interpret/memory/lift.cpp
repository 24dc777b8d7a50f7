// runtime/engine/interpret/memory/lift.cpp - see lift.h.
#include "runtime/engine/interpret/memory/lift.h"

#include "runtime/engine/decode/resolve.h"
#include "runtime/engine/interpret/lift.h"

namespace hip::engine {
namespace {

// A vector register operand's offset; false for anything else.
bool vector_offset(const Operand& operand, uint32_t& offset) {
  return (operand.bank == Bank::Vgpr || operand.bank == Bank::Agpr) && operand_offset(operand, offset);
}
bool scalar_offset(const Operand& operand, uint32_t& offset) {
  return operand.bank == Bank::Sgpr && operand_offset(operand, offset);
}
const char* const kBadRegister = "one of its registers cannot be what the instruction needs";

// vdst and vdata, where they are there.
bool set_data(const ResolvedInst& raw, Inst& out) {
  if (raw.vdst && !vector_offset(raw.vdst, out.dst)) return false;
  return !raw.vdata || vector_offset(raw.vdata, out.dst2);
}

} // namespace

std::string lift_vector_memory(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (!vector_offset(raw.vaddr, out.src[0]) || !set_data(raw, out)) return kBadRegister;
  out.imm[0] = uint64_t(int64_t(raw.offset));
  uint32_t form = raw.format == Format::Flat ? kFormFlat : kFormVector;
  if (raw.saddr) {
    if (!scalar_offset(raw.saddr, out.src[1])) return kBadRegister;
    form = kFormScalar;
  }
  out.flags = raw.fences;
  out.run = row.run[form];
  return out.run ? std::string() : "the address has this form";
}

std::string lift_atomic(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (!vector_offset(raw.vaddr, out.src[0]) || !set_data(raw, out)) return kBadRegister;
  if (!raw.vdata) return "it has no data operand";
  out.imm[0] = uint64_t(int64_t(raw.offset));
  if (raw.saddr && !scalar_offset(raw.saddr, out.src[1])) return kBadRegister;
  out.flags = raw.vdst ? 1 : 0;
  out.run = row.run[raw.format == Format::Flat ? 1 : 0];
  return {};
}

std::string lift_scratch(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (!set_data(raw, out)) return kBadRegister;
  if (raw.vaddr && !vector_offset(raw.vaddr, out.src[0])) return kBadRegister;
  if (raw.saddr && !scalar_offset(raw.saddr, out.src[1])) return kBadRegister;
  out.imm[0] = uint64_t(int64_t(raw.offset));
  out.run = row.run[raw.vaddr ? 1 : 0];
  return {};
}

std::string lift_load_to_lds(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (raw.vaddr && !vector_offset(raw.vaddr, out.src[0])) return kBadRegister;
  if (raw.saddr && !scalar_offset(raw.saddr, out.src[1])) return kBadRegister;
  out.imm[0] = uint64_t(int64_t(raw.offset));
  out.run = row.run[0];
  return {};
}

std::string lift_buffer(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (!set_data(raw, out)) return kBadRegister;
  if (raw.vaddr && !vector_offset(raw.vaddr, out.src[0])) return kBadRegister;
  if (!scalar_offset(raw.sbase, out.src[1])) return kBadRegister;
  if (raw.soffset.is_register()) {
    if (!scalar_offset(raw.soffset, out.src[2])) return kBadRegister;
  } else {
    out.imm[1] = uint32_t(raw.soffset.imm);
  }
  out.imm[0] = uint64_t(int64_t(raw.offset));
  out.imm[2] = (raw.offen ? kMubufOffen : 0) | (raw.idxen ? kMubufIdxen : 0);
  if (raw.format == Format::Mtbuf) out.imm[2] |= kMubufOwnFormat | uint64_t(raw.buffer_format) << kMubufFormatShift;
  out.imm[2] |= uint64_t(raw.buffer_generation) << kMubufGenerationShift;
  out.flags = raw.vdst ? 1 : 0;
  out.run = row.run[0];
  return {};
}

std::string lift_lds(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (raw.gds) return "it accesses global data share, which the software GPU has not";
  if (raw.vaddr && !vector_offset(raw.vaddr, out.src[0])) return kBadRegister;
  if (!set_data(raw, out)) return kBadRegister;
  if (raw.data1 && !vector_offset(raw.data1, out.flags)) return kBadRegister;
  const uint32_t unit = row_of(row.opcode).memory.unit_bytes; // of the two 8-bit offsets; 0: one 16-bit offset
  out.imm[0] = unit ? raw.offset0 * unit : uint32_t(raw.offset) & 0xffff;
  out.imm[1] = unit ? raw.offset1 * unit : 0;
  out.imm[2] = raw.crossbar_lanes;
  out.run = row.run[0];
  return {};
}

std::string lift_wave_sync(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (!vector_offset(raw.vdata, out.src[0])) return kBadRegister;
  out.imm[0] = uint32_t(raw.offset) & 0xffff;
  out.run = row.run[0];
  return {};
}

std::string lift_scalar_memory(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  if (raw.sdst && !scalar_offset(raw.sdst, out.dst)) return kBadRegister;
  if (raw.sdata && !scalar_offset(raw.sdata, out.dst2)) return kBadRegister;
  out.flags = raw.sdata && raw.sdst ? 1 : 0;
  if (raw.sbase && !scalar_offset(raw.sbase, out.src[1])) return kBadRegister;
  if (raw.soffset) {
    if (raw.soffset.is_constant())
      out.imm[1] = raw.soffset.imm;
    else if (!scalar_offset(raw.soffset, out.src[2]))
      return kBadRegister;
  }
  out.imm[0] = uint64_t(int64_t(raw.offset));
  out.run = row.run[0];
  return {};
}

std::string lift_nothing(const OpRow& row, const ResolvedInst&, Inst& out) {
  out.run = row.run[0];
  return {};
}

} // namespace hip::engine
