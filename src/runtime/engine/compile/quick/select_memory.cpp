// runtime/engine/compile/quick/select_memory.cpp - see select.h: loads and stores under masks, gathers and copies.
#include "runtime/engine/compile/quick/select.h"

namespace hip::engine::compile::quick {

void Selector::select_masked_load(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  if (shape.parts != 1 || !fills_registers(*i.getType())) refuse(i);
  const llvm::Value& others = *i.getArgOperand(2);
  auto* constant = llvm::dyn_cast<llvm::Constant>(&others);
  const bool zeroes = constant && (constant->isZeroValue() || llvm::isa<llvm::UndefValue>(constant));
  const Memory memory = address(*i.getArgOperand(0));
  const Reg mask = reg(*i.getArgOperand(1)), def = defined(i);
  if (!zeroes) copy(def, reg(others));
  const uint32_t bits = shape.element_bits;
  if (bits != 8 && bits != 16 && bits != 32) refuse(i);
  Inst& inst = add(bits == 32 ? Op::Vmovdqu32 : bits == 16 ? Op::Vmovdqu16 : Op::Vmovdqu8, shape.bytes, def);
  inst.memory = memory, inst.mask = mask, inst.zeroing = zeroes;
}

void Selector::select_masked_store(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getArgOperand(0)->getType());
  const uint32_t bits = shape.element_bits;
  if (shape.parts != 1 || (bits != 8 && bits != 16 && bits != 32) || !fills_registers(*i.getArgOperand(0)->getType()))
    refuse(i);
  const Memory memory = address(*i.getArgOperand(1));
  const Reg from = reg(*i.getArgOperand(0)), mask = reg(*i.getArgOperand(2));
  Inst& inst = add(bits == 32   ? Op::Vmovdqu32Store
                   : bits == 16 ? Op::Vmovdqu16Store
                                : Op::Vmovdqu8Store,
                   shape.bytes, kNoReg, from);
  inst.memory = memory, inst.mask = mask;
}

// A load of 4 bytes for each of the addresses at `places` in the frame, to `values` there.
void Selector::load_each(uint32_t elements, uint32_t places, uint32_t values) {
  Memory memory;
  memory.kind = Memory::Kind::Slot;
  for (uint32_t k = 0; k < elements; ++k) {
    const Reg address = make(RegClass::General), value = make(RegClass::General);
    memory.displacement = int32_t(places + 8 * k);
    add(Op::Mov, 8, address).memory = memory;
    Memory at;
    at.kind = Memory::Kind::Address, at.base = address;
    add(Op::Mov, 4, value).memory = at;
    memory.displacement = int32_t(values + 4 * k);
    add(Op::MovStore, 4, kNoReg, value).memory = memory;
  }
}

// A load for each element, by addresses that go through memory: hosts' gathers are slower.
void Selector::select_gather(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType()), addresses = shape_of(*i.getArgOperand(0)->getType());
  auto* mask = llvm::dyn_cast<llvm::Constant>(i.getArgOperand(1));
  if (!mask || !mask->isAllOnesValue() || shape.element_bits != 32 || shape.parts != 1 ||
      !fills_registers(*i.getType()))
    refuse(i);
  const uint32_t places_bytes = addresses.parts * addresses.bytes;
  const uint32_t places = room_in_frame(places_bytes + shape.bytes), values = places + places_bytes;
  Memory memory;
  memory.kind = Memory::Kind::Slot;
  for (uint32_t part = 0; part < addresses.parts; ++part) {
    memory.displacement = int32_t(places + part * addresses.bytes);
    const Reg from = reg(*i.getArgOperand(0), part);
    add(Op::Vmovdqu32Store, addresses.bytes, kNoReg, from).memory = memory;
  }
  load_each(shape.elements, places, values);
  memory.displacement = int32_t(values);
  add(Op::Vmovdqu32, shape.bytes, defined(i)).memory = memory;
}

// The same by offsets from a base, under a mask. Lanes that are off load from the frame.
void Selector::select_masked_gather(const llvm::IntrinsicInst& i) {
  constexpr uint32_t kLanes = 16, kPlacesBytes = 8 * kLanes;
  const uint32_t places = room_in_frame(kPlacesBytes + 4 * kLanes), values = places + kPlacesBytes;
  Memory memory;
  memory.kind = Memory::Kind::Slot;
  memory.displacement = int32_t(places);
  const Reg old = reg(*i.getArgOperand(0)), base = reg(*i.getArgOperand(1)), offsets = reg(*i.getArgOperand(2)),
            mask = reg(*i.getArgOperand(3));
  const uint64_t scale = llvm::cast<llvm::ConstantInt>(i.getArgOperand(4))->getZExtValue();
  const Reg bases = make(RegClass::Vector), frame = make(RegClass::General), frames = make(RegClass::Vector);
  add(Op::VpbroadcastqFrom, 64, bases, base);
  add(Op::Address, 8, frame).memory = memory;
  add(Op::VpbroadcastqFrom, 64, frames, frame);
  for (uint32_t half = 0; half < 2; ++half) {
    Reg piece = offsets, lanes = mask;
    if (half) {
      piece = make(RegClass::Vector), lanes = make(RegClass::Mask);
      add(Op::Vextracti64x4, 64, piece, offsets).imm = 1;
      add(Op::Kshiftrq, 8, lanes, mask).imm = 8;
    }
    const Reg wide = make(RegClass::Vector), scaled = make(RegClass::Vector), sums = make(RegClass::Vector),
              addresses = make(RegClass::Vector);
    add(Op::Vpmovsxdq, 64, wide, piece);
    add(Op::VpsllqImm, 64, scaled, wide).imm = std::countr_zero(scale);
    add(Op::Vpaddq, 64, sums, scaled, bases);
    add(Op::Vpblendmq, 64, addresses, frames, sums).mask = lanes;
    memory.displacement = int32_t(places + 64 * half);
    add(Op::Vmovdqu32Store, 64, kNoReg, addresses).memory = memory;
  }
  load_each(kLanes, places, values);
  memory.displacement = int32_t(values);
  copy(defined(i), old);
  Inst& inst = add(Op::Vmovdqu32, 64, defined(i));
  inst.memory = memory, inst.mask = mask;
}

// A copy of a few registers' worth, whose places do not overlap.
void Selector::select_copy(const llvm::MemCpyInst& i) {
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(i.getLength());
  constexpr uint64_t kMost = 1024, kLeast = 16;
  if (!length || i.isVolatile() || length->getZExtValue() > kMost || length->getZExtValue() % kLeast != 0) refuse(i);
  const auto all = int64_t(length->getZExtValue());
  for (int64_t at = 0; at < all;) {
    const uint32_t bytes = all - at >= 64 ? 64 : all - at >= 32 ? 32 : 16;
    const Memory from = address(*i.getRawSource(), at), to = address(*i.getRawDest(), at);
    const Reg held = make(RegClass::Vector);
    add(Op::Vmovdqu32, bytes, held).memory = from;
    add(Op::Vmovdqu32Store, bytes, kNoReg, held).memory = to;
    at += bytes;
  }
}

} // namespace hip::engine::compile::quick
