// runtime/engine/compile/emit/address.cpp - see address.h.
#include "runtime/engine/compile/emit/address.h"

namespace hip::engine::compile {

AddressShape AddressEmitter::shape_of(const Instr& i, const MemoryOp& op, Version version, const State& state) {
  AddressShape out;
  const uint32_t bytes = op.bytes;
  const bool lds = op.space == library::Space::Lds;
  const auto addressing_at = [&](int32_t stride) {
    out.stride = uint32_t(stride);
    if (stride == 0) return Addressing::Uniform;
    return uint32_t(stride) == bytes  ? Addressing::Linear
           : stride > 0 && op.strided ? Addressing::Strided
                                      : Addressing::Any;
  };
  if (!lds && !i.raw.saddr) {
    if (const std::optional<PairFact> f = pair_fact(state, i.raw.vaddr)) {
      out.addressing = addressing_at(f->stride);
      out.same_in_wave = f->same_in_wave, out.part_strips = f->part_strips;
    }
  } else {
    const Fact f = operand_fact(state, i.raw.vaddr, 0);
    if (f.is_affine()) out.addressing = addressing_at(f.stride());
    out.same_in_wave = f.same_in_wave(), out.part_strips = f.part_strips();
    const bool carries = f.stride() != 0 && !f.is_disjoint_in_part();
    out.may_wrap = !lds && carries;
    // Hand-written code reads behind LDS to get zeros.
    constexpr int kBitsOfLds = 18; // no processor has 256 KiB
    out.seldom_inside = lds && op.loads() && !op.stores && !op.merges && f.is_uniform() && f.align() >= kBitsOfLds;
  }
  if (op.atomic()) out.addressing = Addressing::Any;
  // The library finds out when it runs; a check that fails would hand the wave to tier 0.
  if (i.may_be_own) out.addressing = Addressing::Any;
  // In Partial only active lanes are checked, so an access that needs all of them to be inside is not made.
  if (version == Version::Partial &&
      (out.addressing == Addressing::Strided || (out.addressing == Addressing::Linear && !op.dword())))
    out.addressing = Addressing::Any;
  out.seldom_inside &= out.addressing == Addressing::Uniform;
  if (out.addressing == Addressing::Any) return out;
  out.lanes = out.addressing == Addressing::Uniform ? 1 : out.part_strips * kStripLanes;
  out.covers = out.same_in_wave ? kMaxStrips : out.part_strips;
  return out;
}

// Elements that overlap (wide ones, four bytes apart) are dwords: dword k of all lanes is one stretch.
Elements AddressEmitter::elements_of(const Instr& i, Version version, const State& state) {
  const MemoryOp& op = *i.memory;
  if (version == Version::Empty || op.stores || op.bytes != 4 * op.dwords || op.dwords == 1) return {op, 1};
  const MemoryOp* word = library_.memory(op.space == library::Space::Lds ? Opcode::ds_read_b32 : Opcode::global_load_dword);
  if (!word || shape_of(i, *word, version, state).addressing != Addressing::Linear) return {op, 1};
  return {*word, op.dwords};
}

const MemoryOp* AddressEmitter::both_elements(const Instr& i, Version version, const State& state) {
  const MemoryOp& op = *i.memory;
  if (version == Version::Empty || i.accesses != 2 || op.atomic() || op.space != library::Space::Lds) return nullptr;
  if (op.bytes != 4 * op.dwords || i.offset[1] != i.offset[0] + op.bytes) return nullptr;
  const MemoryOp* both = nullptr;
  if (op.dwords == 1) both = library_.memory(op.stores ? Opcode::ds_write_b64 : Opcode::ds_read_b64);
  if (op.dwords == 2) both = library_.memory(op.stores ? Opcode::ds_write_b128 : Opcode::ds_read_b128);
  if (!both) return nullptr;
  const AddressShape shape = shape_of(i, *both, version, state);
  const bool is_known = shape.addressing == Addressing::Linear || shape.addressing == Addressing::Strided;
  // (Elements of neighbouring lanes that overlap would be stored in another order.)
  return is_known && shape.stride >= both->bytes ? both : nullptr;
}

llvm::Value* AddressEmitter::first_lane(const Instr& i, uint32_t q, const AddressShape& shape, const State& state) {
  const ResolvedInst& raw = i.raw;
  const uint32_t held = q - q % shape.part_strips;
  const uint64_t step = uint64_t(q - held) * kStripLanes * shape.stride;
  Value* address = vectors_.operand_lane(raw.vaddr, 0, held, state);
  if (i.memory->space == library::Space::Lds) {
    address = builder_.CreateSExt(address, ir_.i64()); // inactive lanes may lie in front of it
  } else if (raw.saddr) {
    address = builder_.CreateAdd(scalars_.sgpr64(raw.saddr.index), builder_.CreateZExt(address, ir_.i64()));
  } else {
    address = ir_.joined(address, vectors_.operand_lane(raw.vaddr, 1, held, state));
  }
  return builder_.CreateAdd(address, builder_.getInt64(step));
}

llvm::Value* AddressEmitter::active_in(uint32_t q, uint32_t strips) {
  const uint64_t lanes = (strips == kMaxStrips ? ~0ull : (1ull << strips * kStripLanes) - 1) << q * kStripLanes;
  return builder_.CreateICmpNE(builder_.CreateAnd(scalars_.exec(), builder_.getInt64(lanes)), builder_.getInt64(0));
}

llvm::Value* AddressEmitter::scalar_address(const Instr& i, int64_t offset) {
  Value* all = builder_.getInt64(uint64_t(offset));
  if (i.raw.soffset) all = builder_.CreateAdd(all, builder_.CreateZExt(scalars_.operand(i.raw.soffset, 0), ir_.i64()));
  return builder_.CreateAnd(builder_.CreateAdd(scalars_.sgpr64(i.raw.sbase.index), all), builder_.getInt64(~3ull));
}

} // namespace hip::engine::compile
