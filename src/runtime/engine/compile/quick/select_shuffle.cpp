// runtime/engine/compile/quick/select_shuffle.cpp - see select.h: elements of vectors that change places.
#include "runtime/engine/compile/quick/select.h"

namespace hip::engine::compile::quick {

// The register that holds a part of a shuffle's result as it is: a part of a larger vector, or of two that are joined.
std::optional<std::pair<const llvm::Value*, uint32_t>> Selector::part_of_shuffle(const llvm::ShuffleVectorInst& i,
                                                                                 uint32_t part) const {
  const Shape to = shape_of(*i.getType()), from = shape_of(*i.getOperand(0)->getType());
  if (from.reg_class != RegClass::Vector || to.bytes > from.bytes) return std::nullopt;
  const uint32_t each = to.elements_of_part(), source_each = from.elements_of_part();
  const llvm::ArrayRef<int> mask = i.getShuffleMask();
  int64_t begin = -1;
  for (uint32_t k = 0; k < each && part * each + k < to.elements; ++k) {
    const int element = mask[part * each + k];
    if (element < 0) continue;
    if (begin < 0) begin = element - int64_t(k);
    if (element - int64_t(k) != begin || begin < 0 ||
        uint32_t(element) / from.elements != uint32_t(begin) / from.elements)
      return std::nullopt;
  }
  if (begin < 0) return std::pair<const llvm::Value*, uint32_t>(i.getOperand(0), 0);
  const auto operand = uint32_t(begin) / from.elements, first = uint32_t(begin) % from.elements;
  if (operand > 1 || first % source_each != 0) return std::nullopt;
  return std::pair<const llvm::Value*, uint32_t>(i.getOperand(operand), first / source_each);
}

void Selector::select_shuffle(const llvm::ShuffleVectorInst& i) {
  const Shape to = shape_of(*i.getType()), from = shape_of(*i.getOperand(0)->getType());
  if (to.reg_class == RegClass::Mask) { // two masks joined, or a piece of one
    const llvm::ArrayRef<int> mask = i.getShuffleMask();
    const auto is_run = [&](int first) {
      for (uint32_t k = 0; k < to.elements; ++k)
        if (mask[k] >= 0 && mask[k] != first + int(k)) return false;
      return true;
    };
    if (to.elements == 2 * from.elements && is_run(0) && from.elements >= 8) {
      const Reg low = reg(*i.getOperand(0)), high = reg(*i.getOperand(1));
      add(from.elements == 8    ? Op::Kunpckbw
          : from.elements == 16 ? Op::Kunpckwd
                                : Op::Kunpckdq,
          8, defined(i), high, low);
      return;
    }
    for (uint32_t first = 0; first + to.elements <= from.elements; first += to.elements)
      if (is_run(int(first))) {
        const Reg whole = reg(*i.getOperand(0));
        if (first == 0) return copy(defined(i), whole);
        add(Op::Kshiftrq, 8, defined(i), whole).imm = first;
        return;
      }
    if (to.elements > 16 || from.elements > 16) refuse(i);
    // Any other order: as dwords.
    std::array<uint32_t, 16> order{};
    for (uint32_t k = 0; k < to.elements; ++k) {
      const auto element = uint32_t(std::max(mask[k], 0));
      order[k] = element % from.elements + (element >= from.elements ? 16 : 0);
    }
    const Memory at = in_pool(order.data(), 64);
    const Reg low = reg(*i.getOperand(0)), high = reg(*i.getOperand(1));
    const Reg first = make(RegClass::Vector), second = make(RegClass::Vector), places = make(RegClass::Vector),
              moved = make(RegClass::Vector);
    add(Op::Vpmovm2d, 64, first, low), add(Op::Vpmovm2d, 64, second, high);
    add(Op::Vmovdqu32, 64, places).memory = at;
    copy(moved, first);
    add(Op::Vpermt2d, 64, moved, places, second);
    add(Op::Vpmovd2m, 64, defined(i), moved);
    return;
  }
  const uint32_t bits = to.element_bits;
  if (i.isZeroEltSplat()) {
    // The element may come from a general register or memory.
    auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(i.getOperand(0));
    auto* place = insert ? llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2)) : nullptr;
    const llvm::Value* element = place && place->isZero() ? insert->getOperand(1) : nullptr;
    const Op broadcast = bits == 64   ? Op::Vpbroadcastq
                         : bits == 32 ? Op::Vpbroadcastd
                         : bits == 16 ? Op::Vpbroadcastw
                                      : Op::Vpbroadcastb;
    Source source;
    Op op = broadcast;
    if (element && insert->hasOneUse() && may_fold(*element)) {
      source = loaded(*element);
    } else if (element && shape_of(*element->getType()).reg_class == RegClass::General) {
      source.reg = reg(*element);
      op = bits == 64   ? Op::VpbroadcastqFrom
           : bits == 32 ? Op::VpbroadcastdFrom
           : bits == 16 ? Op::VpbroadcastwFrom
                        : Op::VpbroadcastbFrom;
    } else {
      source.reg = reg(element ? *element : *i.getOperand(0));
    }
    for (uint32_t part = 0; part < to.parts; ++part) add(op, to.bytes, defined(i, part), source);
    return;
  }
  if (bits == 8) refuse(i);
  const uint32_t each = to.elements_of_part(), source_each = from.elements_of_part();
  const llvm::ArrayRef<int> mask = i.getShuffleMask();
  auto* second = llvm::dyn_cast<llvm::Constant>(i.getOperand(1));
  const bool second_is_zero = second && second->isZeroValue();
  // Registers of 16 bytes cannot be permuted by one vector, but registers of 64 bytes that begin with them can.
  const uint32_t bytes = std::max({to.bytes, from.bytes, 32u});
  for (uint32_t part = 0; part < to.parts; ++part) {
    if (const auto whole = part_of_shuffle(i, part)) {
      copy(defined(i, part), reg(*whole->first, whole->second));
      continue;
    }
    std::vector<uint32_t> sources;    // operand * parts + part
    std::vector<int> lanes(each, -1); // which of them, times the elements of one, plus the element
    uint64_t zeroes = 0;
    for (uint32_t k = 0; k < each && part * each + k < to.elements; ++k) {
      const int element = mask[part * each + k];
      if (element < 0) continue;
      const uint32_t operand = uint32_t(element) / from.elements, index = uint32_t(element) % from.elements;
      if (operand == 1 && second_is_zero) {
        zeroes |= uint64_t{1} << k;
        continue;
      }
      const uint32_t source = operand * from.parts + index / source_each;
      auto at = std::find(sources.begin(), sources.end(), source);
      if (at == sources.end()) at = sources.insert(at, source);
      lanes[k] = int(uint32_t(at - sources.begin()) << 16 | index % source_each);
    }
    if (sources.empty()) refuse(i);
    // Indices: the element within a register, and the bit above for the second one.
    const uint32_t per_register = bytes * 8 / bits;
    const auto indices_of = [&](uint32_t from_source, uint32_t sources_here) {
      std::vector<std::byte> indices(bytes);
      for (uint32_t k = 0; k < each; ++k) {
        const auto lane = lanes[k] < 0 ? 0 : uint32_t(lanes[k]);
        const uint32_t source = (lane >> 16) - from_source;
        const uint64_t index = source < sources_here ? (lane & 0xffff) + source * per_register : 0;
        std::memcpy(indices.data() + size_t(k) * bits / 8, &index, bits / 8);
      }
      return in_pool(indices.data(), bytes);
    };
    const Op permute = bits == 64 ? Op::Vpermq : bits == 32 ? Op::Vpermd : Op::Vpermw;
    Reg keep = kNoReg;
    if (zeroes) {
      const Reg number = number_in_register(~zeroes);
      keep = make(RegClass::Mask);
      add(Op::KmovqFrom, 8, keep, number);
    }
    const Reg places = make(RegClass::Vector);
    const auto register_of = [&](uint32_t source) {
      return reg(*i.getOperand(source / from.parts), source % from.parts);
    };
    const Reg first = register_of(sources[0]), other = sources.size() >= 2 ? register_of(sources[1]) : kNoReg;
    // What the registers behind the second one give is put over the rest, each in its own lanes.
    struct Further {
      Reg from, places, lanes;
    };
    std::vector<Further> further;
    for (uint32_t source = 2; source < sources.size(); ++source) {
      uint64_t own = 0;
      for (uint32_t k = 0; k < each; ++k)
        if (lanes[k] >= 0 && uint32_t(lanes[k]) >> 16 == source) own |= uint64_t{1} << k;
      const Further one = {register_of(sources[source]), make(RegClass::Vector), make(RegClass::Mask)};
      const Reg number = number_in_register(own);
      add(Op::KmovqFrom, 8, one.lanes, number);
      add(Op::Vmovdqu32, bytes, one.places).memory = indices_of(source, 1);
      further.push_back(one);
    }
    add(Op::Vmovdqu32, bytes, places).memory = indices_of(0, 2);
    const Reg def = defined(i, part);
    if (other == kNoReg) {
      Inst& inst = add(permute, bytes, def, places, first);
      inst.mask = keep, inst.zeroing = keep != kNoReg;
      continue;
    }
    copy(def, first);
    Inst& inst = add(bits == 64 ? Op::Vpermt2q : bits == 32 ? Op::Vpermt2d : Op::Vpermt2w, bytes, def, places, other);
    inst.mask = keep, inst.zeroing = keep != kNoReg;
    for (const Further& one : further) add(permute, bytes, def, one.places, one.from).mask = one.lanes;
  }
}

// Stores the vector to the frame at `slot`, which has room for a power of two of registers; where its element number
// `index` is there. An index out of range is that of anything there.
Memory Selector::element_in_memory(const llvm::Value& vector, const llvm::Value& index, uint32_t slot) {
  const Shape shape = shape_of(*vector.getType());
  Memory memory;
  memory.kind = Memory::Kind::Slot;
  for (uint32_t part = 0; part < shape.parts; ++part) {
    memory.displacement = int32_t(slot + part * shape.bytes);
    const Reg whole = reg(vector, part);
    add(Op::Vmovdqu32Store, shape.bytes, kNoReg, whole).memory = memory;
  }
  const Reg element = reg(index), begin = make(RegClass::General), wide = make(RegClass::General),
            within = make(RegClass::General);
  const uint32_t index_bytes = shape_of(*index.getType()).bytes;
  if (index_bytes < 4) refuse(index);
  memory.displacement = int32_t(slot);
  add(Op::Address, 8, begin).memory = memory;
  add(Op::Mov, index_bytes, wide, element);
  copy(within, wide);
  add(Op::AndImm, 4, within).imm = int64_t(std::bit_ceil(shape.elements)) - 1;
  Memory at;
  at.kind = Memory::Kind::Address, at.base = begin, at.index = within, at.scale = uint8_t(shape.element_bits / 8);
  return at;
}

void Selector::select_extract(const llvm::ExtractElementInst& i) {
  const Shape from = shape_of(*i.getVectorOperand()->getType());
  auto* index = llvm::dyn_cast<llvm::ConstantInt>(i.getIndexOperand());
  const uint32_t bits = from.element_bits;
  if (from.reg_class == RegClass::Mask) {
    if (!index) refuse(i);
    const Reg number = make(RegClass::General), def = defined(i);
    add(Op::KmovqTo, 8, number, reg(*i.getVectorOperand()));
    copy(def, number);
    if (const uint64_t bit = index->getZExtValue()) add(Op::ShrImm, 8, def).imm = int64_t(bit);
    add(Op::AndImm, 4, def).imm = 1;
    return;
  }
  if (bits < 16) refuse(i);
  const bool is_number = shape_of(*i.getType()).reg_class == RegClass::General;
  if (!index) { // through memory
    if (bits == 16) refuse(i);
    const uint32_t slot = room_in_frame(std::bit_ceil(from.parts) * from.bytes);
    const Memory at = element_in_memory(*i.getVectorOperand(), *i.getIndexOperand(), slot);
    add(is_number    ? Op::Mov
        : bits == 64 ? Op::VmovsdLoad
                     : Op::VmovssLoad,
        is_number ? bits / 8 : 16, defined(i))
        .memory = at;
    return;
  }
  const uint32_t each = from.elements_of_part();
  const auto element = uint32_t(index->getZExtValue());
  if (element >= from.elements) refuse(i);
  const Reg whole = reg(*i.getVectorOperand(), element / each);
  if (bits == 16) { // what lies above it does not count
    Reg dword = whole;
    if (const uint32_t within = element % each / 2) {
      dword = make(RegClass::Vector);
      add(Op::Valignd, from.bytes, dword, whole, whole).imm = within;
    }
    Reg word = dword;
    if (element % 2) {
      word = make(RegClass::Vector);
      add(Op::VpsrldImm, 16, word, dword).imm = 16;
    }
    return is_number ? void(add(Op::VmovdTo, 16, defined(i), word)) : copy(defined(i), word);
  }
  Reg moved = whole;
  if (const uint32_t within = element % each) {
    moved = is_number ? make(RegClass::Vector) : defined(i);
    add(bits == 64 ? Op::Valignq : Op::Valignd, from.bytes, moved, whole, whole).imm = within;
    if (!is_number) return;
  } else if (!is_number) {
    return copy(defined(i), whole);
  }
  add(bits == 64 ? Op::VmovqTo : Op::VmovdTo, 16, defined(i), moved);
}

void Selector::select_insert(const llvm::InsertElementInst& i) {
  const Shape to = shape_of(*i.getType());
  auto* index = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(2));
  const llvm::Value& element = *i.getOperand(1);
  if (to.reg_class == RegClass::Mask) {
    if (!index || index->getZExtValue() >= to.elements) refuse(i);
    const uint64_t lane = uint64_t{1} << index->getZExtValue();
    const Reg old = reg(*i.getOperand(0)), bit = mask_of_bit(element), others = number_in_register(~lane),
              own = number_in_register(lane);
    const Reg kept = make(RegClass::Mask), taken = make(RegClass::Mask);
    add(Op::KmovqFrom, 8, kept, others), add(Op::KmovqFrom, 8, taken, own);
    const Reg left = make(RegClass::Mask), put = make(RegClass::Mask);
    add(Op::Kandq, 8, left, old, kept), add(Op::Kandq, 8, put, bit, taken);
    add(Op::Korq, 8, defined(i), left, put);
    return;
  }
  if (to.element_bits < 16) refuse(i);
  const bool is_number = shape_of(*element.getType()).reg_class == RegClass::General;
  if (!index) { // through memory
    if (to.element_bits == 16) refuse(i);
    const bool is_wide = to.element_bits == 64;
    const uint32_t slot = room_in_frame(std::bit_ceil(to.parts) * to.bytes);
    const Memory at = element_in_memory(*i.getOperand(0), *i.getOperand(2), slot);
    const Reg from = reg(element);
    add(is_number ? Op::MovStore
        : is_wide ? Op::VmovsdStore
                  : Op::VmovssStore,
        is_number ? to.element_bits / 8 : 16, kNoReg, from)
        .memory = at;
    Memory memory;
    memory.kind = Memory::Kind::Slot;
    for (uint32_t part = 0; part < to.parts; ++part) {
      memory.displacement = int32_t(slot + part * to.bytes);
      add(Op::Vmovdqu32, to.bytes, defined(i, part)).memory = memory;
    }
    return;
  }
  const bool is_fresh = llvm::isa<llvm::UndefValue>(i.getOperand(0));
  const uint32_t each = to.elements_of_part();
  const auto place = uint32_t(index->getZExtValue());
  if (place >= to.elements) refuse(i);
  const uint32_t bits = to.element_bits;
  const Op op = bits == 64   ? (is_number ? Op::VpbroadcastqFrom : Op::Vpbroadcastq)
                : bits == 32 ? (is_number ? Op::VpbroadcastdFrom : Op::Vpbroadcastd)
                             : (is_number ? Op::VpbroadcastwFrom : Op::Vpbroadcastw);
  const Reg from = reg(element);
  for (uint32_t part = 0; part < to.parts; ++part) {
    const Reg def = defined(i, part);
    if (part != place / each) {
      copy(def, reg(*i.getOperand(0), part));
    } else if (is_fresh) { // the other elements have any value
      add(op, to.bytes, def, from);
    } else {
      const Reg number = number_in_register(uint64_t{1} << (place % each)), lane = make(RegClass::Mask);
      const Reg old = reg(*i.getOperand(0), part);
      add(Op::KmovqFrom, 8, lane, number);
      copy(def, old);
      add(op, to.bytes, def, from).mask = lane;
    }
  }
}

} // namespace hip::engine::compile::quick
