// runtime/engine/compile/emit/matrix_operands.cpp - see matrix_operands.h.
#include "runtime/engine/compile/emit/matrix_operands.h"

#include "runtime/engine/compile/read/factors.h"

#include "runtime/engine/interpret/alu/matrix_lanes.h"

namespace hip::engine::compile {
namespace {

// The strips of a register whose lane l is lane from(l) of `strips`.
template<class F> std::array<llvm::Value*, kMaxStrips>
permuted(llvm::IRBuilder<>& builder, const std::array<llvm::Value*, kMaxStrips>& strips, F from) {
  std::array<llvm::Value*, kMaxStrips> out;
  for (uint32_t q = 0; q < kMaxStrips; ++q) {
    out[q] = llvm::PoisonValue::get(strips[0]->getType());
    for (uint32_t s = 0; s < kMaxStrips; ++s) {
      std::vector<int> shuffle(kStripLanes);
      bool used = false;
      for (uint32_t l = 0; l < kStripLanes; ++l) {
        const uint32_t lane = from(q * kStripLanes + l);
        const bool here = lane / kStripLanes == s;
        shuffle[l] = here ? int(kStripLanes + lane % kStripLanes) : int(l);
        used |= here;
      }
      if (used) out[q] = builder.CreateShuffleVector(out[q], strips[s], shuffle);
    }
  }
  return out;
}

} // namespace

void MatrixOperands::behind(const Registers& written) {
  for (Prepared& p : prepared_)
    for (uint32_t k = 0; k < p.count; ++k) p.current &= !written.v[p.first + k];
  for (Prepared& p : prepared_) p.current &= !p.index || !written.v[p.index];
}

void MatrixOperands::begin_point() {
  for (Prepared& p : prepared_) p.current = false;
}

void MatrixOperands::keep(const Value* units) {
  for (Prepared& p : prepared_) p.waits |= p.units == units;
}

void MatrixOperands::release_all() {
  for (Prepared& p : prepared_) p.waits = false;
}

MatrixOperands::Prepared MatrixOperands::describe(const Instr& i, uint32_t operand) const {
  const ResolvedInst& raw = i.raw;
  const MatrixOp& op = *i.matrix;
  const bool is_a = operand == 0;
  Prepared out;
  out.by = is_a ? op.prepare_a.function() : op.prepare_b.function();
  out.modifiers = is_a ? raw.cbsz | raw.abid << 8 | (op.wide ? raw.blgp << 16 : 0) : raw.blgp;
  out.modifiers |= is_a ? raw.matrix.flipped_a : raw.matrix.flipped_b; // (bits 15 and 31, which WMMA's others leave)
  out.first = vgpr_of(raw.src[operand]), out.count = is_a ? raw.matrix.registers_a : raw.matrix.registers_b;
  out.index = is_a && op.index_bits ? vgpr_of(raw.src[2]) : 0;
  return out;
}

// The smallest array of at least `bytes` that no instruction needs any more, or a new one.
MatrixOperands::Prepared& MatrixOperands::room_for(uint32_t bytes) {
  Prepared* room = nullptr;
  for (Prepared& p : prepared_)
    if (!p.current && !p.waits && p.bytes >= bytes && (!room || p.bytes < room->bytes)) room = &p;
  if (room) return *room;
  room = &prepared_.emplace_back();
  room->units = ir_.frame_slot(llvm::ArrayType::get(ir_.strip_type(), bytes / (4 * kStripLanes)));
  room->bytes = bytes;
  return *room;
}

// A factor of a WMMA in MFMA's order. Strips that it has not are 0.
void MatrixOperands::store_gathered(const Instr& i, uint32_t operand, Value* rows, llvm::Type* type, const State& state) {
  const MatrixOp& op = *i.matrix;
  const MatrixForm& form = i.raw.matrix;
  const bool is_a = operand == 0;
  const WmmaFactor& factor = is_a ? op.a : op.b;
  const uint32_t registers = is_a ? op.registers_a : op.registers_b, flipped = is_a ? form.flipped_a : form.flipped_b;
  for (uint32_t j = 0; j < registers * kMaxStrips; ++j) {
    Value* v = llvm::ConstantInt::get(ir_.strip_type(), 0);
    if (j < factor.dwords) {
      const StripPlace place = wmma_factor_place(form.sums.layout, factor, j);
      v = vectors_.strip(vgpr_of(i.raw.src[operand], place.row), place.strip, state);
      if (flipped) v = builder_.CreateXor(v, llvm::ConstantInt::get(ir_.strip_type(), flipped));
    }
    builder_.CreateStore(v, builder_.CreateConstInBoundsGEP2_32(type, rows, 0, j % registers * kMaxStrips + j / registers));
  }
}

// The operand's registers, permuted and negated as the instruction says, to an array of type `type`.
void MatrixOperands::store_rows(const Instr& i, uint32_t operand, const Prepared& to, Value* rows, llvm::Type* type,
                                const State& state) {
  const ResolvedInst& raw = i.raw;
  const MatrixOp& op = *i.matrix;
  const bool is_a = operand == 0;
  for (uint32_t k = 0; k < to.count; ++k) {
    std::array<Value*, kMaxStrips> strips;
    for (uint32_t q = 0; q < ir_.strips(); ++q) strips[q] = vectors_.strip(to.first + k, q, state);
    if (is_a && !op.index_bits && raw.cbsz)
      strips = permuted(builder_, strips,
                        [&](uint32_t lane) { return matrix_lane_a(op.rows, op.blocks, raw.cbsz, raw.abid, lane); });
    if (!is_a && raw.blgp && !op.wide)
      strips = permuted(builder_, strips, [&](uint32_t lane) { return matrix_lane_b(raw.blgp, lane); });
    for (uint32_t q = 0; q < ir_.strips(); ++q) {
      if (op.wide && k % 2 && raw.blgp >> operand & 1)
        strips[q] = builder_.CreateXor(strips[q], llvm::ConstantInt::get(ir_.strip_type(), 0x80000000u));
      builder_.CreateStore(strips[q], builder_.CreateConstInBoundsGEP2_32(type, rows, 0, k * kMaxStrips + q));
    }
  }
}

bool MatrixOperands::lies_in_block(const Instr& i, uint32_t operand, const State& state) const {
  if (!takes_as_it_is(i, operand)) return false;
  const std::bitset<kMaxVgprs> registers = factor_registers(i, operand);
  if ((registers & i.writes.v).any())
    return false; // the addend and sums come to lie there before all products are made
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (registers[r] && !(plan_.in_block()[r] && state.v[r].is_any())) return false;
  return true;
}

llvm::Value* MatrixOperands::prepared(const Instr& i, uint32_t operand, const State& state) {
  const ResolvedInst& raw = i.raw;
  const MatrixOp& op = *i.matrix;
  if (lies_in_block(i, operand, state)) return vectors_.row(vgpr_of(raw.src[operand]));
  Prepared wanted = describe(i, operand);
  for (const Prepared& p : prepared_)
    if (p.current && p.by == wanted.by && p.modifiers == wanted.modifiers && p.first == wanted.first &&
        p.index == wanted.index)
      return p.units;
  Prepared& room = room_for(operand == 0 ? op.unit_bytes_a : op.unit_bytes_b);
  wanted.units = room.units, wanted.bytes = room.bytes, wanted.current = true;
  room = wanted;
  const uint32_t registers = operand == 0 ? op.registers_a : op.registers_b;
  llvm::Type* type = llvm::ArrayType::get(ir_.strip_type(), registers * kMaxStrips);
  llvm::AllocaInst* rows = op.in_place ? wanted.units : ir_.frame_slot(type);
  if (op.is_wmma())
    store_gathered(i, operand, rows, type, state);
  else
    store_rows(i, operand, wanted, rows, type, state);
  if (operand != 0) {
    ir_.call(op.prepare_b, rows, wanted.units);
    return wanted.units;
  }
  Value* index = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  if (op.index_bits) {
    llvm::Type* index_type = llvm::ArrayType::get(ir_.strip_type(), kMaxStrips);
    index = ir_.frame_slot(index_type);
    for (uint32_t q = 0; q < kMaxStrips; ++q) {
      IndexPlace place{q, 0};
      if (op.is_wmma()) place = wmma_index_place(raw.matrix.sums.layout, op.a, op.element_bits, q * op.index_bits / 2);
      Value* shift = llvm::ConstantInt::get(ir_.strip_type(), place.bit + matrix_index_shift(raw.matrix.index_bits, raw.cbsz, raw.abid));
      Value* shifted = builder_.CreateLShr(vectors_.strip(wanted.index, place.strip, state), shift);
      builder_.CreateStore(shifted, builder_.CreateConstInBoundsGEP2_32(index_type, index, 0, q));
    }
  }
  ir_.call(op.prepare_a, rows, index, wanted.units);
  return wanted.units;
}

void MatrixOperands::prepare_ahead(const FlowPoint& point, uint32_t k, const State& state) {
  std::bitset<kMaxVgprs> fresh = code_.instrs[k].writes.v;
  for (uint32_t n = k + 1; n <= code_.nodes[point.node].last && fresh.any(); ++n) {
    const Instr& i = code_.instrs[n];
    for (uint32_t operand = 0; i.kind == Kind::Matrix && !i.matrix->index_bits && operand < 2; ++operand) {
      const uint32_t count = operand == 0 ? i.raw.matrix.registers_a : i.raw.matrix.registers_b;
      uint32_t held = 0;
      while (held < count && fresh[vgpr_of(i.raw.src[operand], held)]) ++held;
      if (held == count) prepared(i, operand, state);
    }
    fresh &= ~i.writes.v;
  }
}

} // namespace hip::engine::compile
