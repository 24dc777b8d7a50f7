// runtime/engine/compile/quick/select_values.cpp - see select.h: where values lie, constants, and addresses.
#include "runtime/engine/compile/quick/select.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>

namespace hip::engine::compile::quick {

Shape Selector::shape_of(const llvm::Type& type) const {
  Shape shape;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) {
    const llvm::Type& element = *vector->getElementType();
    shape.elements = vector->getNumElements();
    if (element.isIntegerTy(1)) {
      if (shape.elements > 64) throw Unsupported{"a mask of more than 64 lanes"};
      shape.reg_class = RegClass::Mask, shape.bytes = 8, shape.element_bits = 1;
      return shape;
    }
    shape.element_bits = element.isPointerTy() ? 64 : uint32_t(element.getPrimitiveSizeInBits().getFixedValue());
    const uint32_t least = shape.element_bits * shape.elements / 8;
    if (shape.element_bits < 8 || least == 0 || least > 512) throw Unsupported{"a vector of unusual elements"};
    // A small one begins its register, and so does what remains of one that is larger than a register.
    const uint32_t bytes = least <= 64 ? std::max(16u, std::bit_ceil(least)) : (least + 63) & ~63u;
    shape.reg_class = RegClass::Vector;
    shape.parts = std::max(1u, bytes / 64), shape.bytes = std::min(bytes, 64u);
    return shape;
  }
  if (type.isPointerTy()) return shape;
  if (type.isFloatTy() || type.isDoubleTy() || type.isHalfTy()) {
    shape.reg_class = RegClass::Vector, shape.bytes = 16;
    return shape;
  }
  if (type.isIntegerTy(1) || type.isIntegerTy(32))
    shape.bytes = 4;
  else if (type.isIntegerTy(8))
    shape.bytes = 1;
  else if (type.isIntegerTy(16))
    shape.bytes = 2;
  else if (!type.isIntegerTy(64))
    throw Unsupported{"a type that is not a register's"};
  return shape;
}

// The value whose registers serve for `v`, too. The upper bits of narrow numbers have any value, but those of single
// bits are 0.
const llvm::Value& Selector::seen_through(const llvm::Value& v) const {
  const llvm::Value* at = &v;
  for (;;) {
    auto* i = llvm::dyn_cast<llvm::Instruction>(at);
    if (!i) return *at;
    const llvm::Value* from = nullptr;
    switch (i->getOpcode()) {
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::Trunc: {
      const bool is_trunc = i->getOpcode() == llvm::Instruction::Trunc;
      if (is_trunc && (i->getType()->isVectorTy() || i->getType()->isIntegerTy(1))) return *at;
      from = i->getOperand(0);
      if (!is_trunc && layout_.getTypeStoreSize(from->getType()) != layout_.getTypeStoreSize(i->getType())) return *at;
      break;
    }
    case llvm::Instruction::ZExt:
      if (!i->getOperand(0)->getType()->isIntegerTy(1)) return *at;
      from = i->getOperand(0);
      break;
    case llvm::Instruction::Freeze:
      from = i->getOperand(0);
      break;
    case llvm::Instruction::BitCast: {
      from = i->getOperand(0);
      const Shape to = shape_of(*i->getType()), source = shape_of(*from->getType());
      if (to.reg_class != source.reg_class || to.parts * to.bytes != source.parts * source.bytes) return *at;
      break;
    }
    default:
      return *at;
    }
    at = from;
  }
}

// A constant that lies in the function's pool, aligned to its size.
Memory Selector::in_pool(const void* data, uint32_t bytes) {
  Memory memory;
  memory.kind = Memory::Kind::Constant, memory.displacement = int32_t(pool_.place(data, bytes, bytes));
  return memory;
}

// Room in the frame from a line of the cache on; where it begins.
uint32_t Selector::room_in_frame(uint32_t bytes) {
  const uint32_t begin = (out_.frame_bytes + 63) & ~63u;
  out_.frame_bytes = begin + bytes;
  return begin;
}

bool Selector::fills_registers(const llvm::Type& type) const {
  const Shape shape = shape_of(type);
  return !shape.elements || shape.reg_class == RegClass::Mask ||
         shape.elements * shape.element_bits == shape.parts * shape.bytes * 8;
}

Reg Selector::defined(const llvm::Instruction& i, uint32_t part) {
  Reg& first = registers_[&i];
  if (first == kNoReg) {
    const Shape shape = shape_of(*i.getType());
    first = make(shape.reg_class);
    for (uint32_t k = 1; k < shape.parts; ++k) make(shape.reg_class);
  }
  return first + part;
}

Reg Selector::reg(const llvm::Value& v, uint32_t part) {
  const llvm::Value& seen = seen_through(v);
  if (auto* c = llvm::dyn_cast<llvm::Constant>(&seen)) return constant(*c, part);
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&seen);
      shuffle && shape_of(*shuffle->getType()).reg_class == RegClass::Vector)
    if (const auto from = part_of_shuffle(*shuffle, part)) return reg(*from->first, from->second);
  wanted_[&seen] = true;
  if (auto* i = llvm::dyn_cast<llvm::Instruction>(&seen)) return defined(*i, part);
  Reg& first = registers_[&seen];
  if (first == kNoReg) {
    const Shape shape = shape_of(*seen.getType());
    first = make(shape.reg_class);
    for (uint32_t k = 1; k < shape.parts; ++k) make(shape.reg_class);
  }
  return first + part;
}

Inst& Selector::add(Op op, uint32_t bytes, Reg def, Reg a, Reg b) {
  Inst& inst = sequence_.emplace_back();
  inst.op = op, inst.bytes = uint8_t(bytes), inst.def = def, inst.source = {a, b}, inst.line = line_;
  return inst;
}

Inst& Selector::add(Op op, uint32_t bytes, Reg def, const Source& rm) {
  Inst& inst = add(op, bytes, def, rm.reg);
  inst.memory = rm.memory;
  if (rm.line) inst.line = rm.line;
  return inst;
}

Inst& Selector::add(Op op, uint32_t bytes, Reg def, Reg a, const Source& rm) {
  Inst& inst = add(op, bytes, def, a, rm.reg);
  inst.memory = rm.memory;
  if (rm.line) inst.line = rm.line;
  return inst;
}

Selector::Source Selector::loaded(const llvm::Value& v, int64_t displacement) {
  auto& load = llvm::cast<llvm::LoadInst>(seen_through(v));
  Source source;
  source.memory = address(*load.getPointerOperand(), displacement);
  source.line = load.getDebugLoc() ? load.getDebugLoc().getLine() : 0;
  return source;
}

Reg Selector::part_of_mask(Reg mask, uint32_t part, const Shape& lanes) {
  if (part == 0) return mask;
  const Reg shifted = make(RegClass::Mask);
  add(Op::Kshiftrq, 8, shifted, mask).imm = part * lanes.elements_of_part();
  return shifted;
}

Selector::Source Selector::everywhere(uint64_t number, uint32_t bytes) {
  Source source;
  source.memory = in_pool(&number, bytes);
  source.memory.broadcast = true;
  return source;
}

Reg Selector::number_in_register(uint64_t value) {
  const Reg number = make(RegClass::General);
  add(Op::MovImm, 8, number).imm = int64_t(value);
  return number;
}

namespace {

void append_bytes(const llvm::Constant& c, const llvm::DataLayout& layout, std::byte* to) {
  const llvm::Type& type = *c.getType();
  const size_t bytes = layout.getTypeStoreSize(const_cast<llvm::Type*>(&type));
  if (llvm::isa<llvm::ConstantAggregateZero, llvm::UndefValue, llvm::ConstantPointerNull>(c)) return;
  const auto number = [&](const llvm::APInt& bits) {
    if (bits.getBitWidth() > 64) throw Unsupported{"a constant of more than 64 bits"};
    const uint64_t value = bits.getZExtValue();
    std::memcpy(to, &value, bytes);
  };
  if (auto* i = llvm::dyn_cast<llvm::ConstantInt>(&c); i && !type.isVectorTy()) return number(i->getValue());
  if (auto* f = llvm::dyn_cast<llvm::ConstantFP>(&c); f && !type.isVectorTy())
    return number(f->getValueAPF().bitcastToAPInt());
  if (auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&c)) {
    std::memcpy(to, data->getRawDataValues().data(), bytes);
    return;
  }
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) {
    const llvm::StructLayout* places = layout.getStructLayout(const_cast<llvm::StructType*>(structure));
    for (unsigned k = 0; k < structure->getNumElements(); ++k) {
      const llvm::Constant* element = c.getAggregateElement(k);
      if (!element) throw Unsupported{"a constant without elements"};
      append_bytes(*element, layout, to + places->getElementOffset(k));
    }
    return;
  }
  unsigned count = 0;
  llvm::Type* element_type = nullptr;
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type))
    count = unsigned(array->getNumElements()), element_type = array->getElementType();
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    count = vector->getNumElements(), element_type = vector->getElementType();
  if (!element_type) throw Unsupported{"a constant that is an address"};
  const size_t step = layout.getTypeAllocSize(element_type);
  for (unsigned k = 0; k < count; ++k) {
    const llvm::Constant* element = c.getAggregateElement(k);
    if (!element) {
      std::string what;
      llvm::raw_string_ostream stream(what);
      c.print(stream);
      throw Unsupported{"the constant " + what};
    }
    append_bytes(*element, layout, to + k * step);
  }
}

} // namespace

std::vector<std::byte> Selector::bytes_of(const llvm::Constant& c) const {
  const llvm::Constant* folded = llvm::ConstantFoldConstant(&c, layout_);
  if (!folded) folded = &c;
  std::vector<std::byte> bytes(layout_.getTypeStoreSize(c.getType()).getFixedValue());
  append_bytes(*folded, layout_, bytes.data());
  return bytes;
}

uint32_t Selector::place_of(const llvm::GlobalVariable& g) {
  if (!g.isConstant() || !g.hasInitializer()) refuse(g);
  const auto [at, is_new] = globals_.try_emplace(&g, 0);
  if (is_new) {
    const std::vector<std::byte> bytes = bytes_of(*g.getInitializer());
    at->second = pool_.place(bytes.data(), uint32_t(bytes.size()),
                             uint32_t(std::max<uint64_t>(g.getAlign().valueOrOne().value(), 16)));
  }
  return at->second;
}

// A vector constant, or a part of one, in memory; as one element where all are alike and the instruction can broadcast.
Memory Selector::constant_memory(const llvm::Constant& c, uint32_t part, uint32_t element_bytes) {
  const Shape shape = shape_of(*c.getType());
  std::vector<std::byte> bytes = bytes_of(c);
  bytes.resize(size_t(shape.parts) * shape.bytes);
  const std::byte* const from = bytes.data() + size_t(part) * shape.bytes;
  Memory memory;
  memory.kind = Memory::Kind::Constant;
  const auto repeats = [&](uint32_t size) { return std::memcmp(from, from + size, shape.bytes - size) == 0; };
  if (element_bytes && shape.elements && shape.bytes > element_bytes && repeats(element_bytes)) {
    memory.broadcast = true;
    memory.displacement = int32_t(pool_.place(from, element_bytes, element_bytes));
  } else {
    memory.displacement = int32_t(pool_.place(from, shape.bytes, shape.bytes));
  }
  return memory;
}

namespace {

// A constant mask as a number, lane 0 in the lowest bit.
uint64_t bits_of_mask(const llvm::Constant& mask) {
  uint64_t bits = 0;
  for (uint32_t k = 0; k < llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements(); ++k) {
    const llvm::Constant* bit = mask.getAggregateElement(k);
    if (bit && bit->isOneValue()) bits |= uint64_t{1} << k;
  }
  return bits;
}

} // namespace

Reg Selector::constant(const llvm::Constant& c, uint32_t part) {
  const Shape shape = shape_of(*c.getType());
  if (shape.reg_class == RegClass::Vector) {
    const Reg made = make(RegClass::Vector);
    Memory memory = constant_memory(c, part, 4);
    const bool is_splat = std::exchange(memory.broadcast, false);
    add(is_splat ? Op::Vpbroadcastd : Op::Vmovdqu32, shape.bytes, made).memory = memory;
    return made;
  }
  if (shape.reg_class == RegClass::Mask) {
    const Reg made = make(RegClass::Mask), number = number_in_register(bits_of_mask(c));
    add(Op::KmovqFrom, 8, made, number);
    return made;
  }
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(&c))
    return number_in_register(number->getZExtValue());
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(c)) return number_in_register(0);
  if (auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(&c); cast && cast->getOpcode() == llvm::Instruction::BitCast)
    if (auto& mask = *cast->getOperand(0);
        mask.getType()->isVectorTy() && shape_of(*mask.getType()).reg_class == RegClass::Mask)
      return number_in_register(bits_of_mask(mask));
  const Memory memory = address(c);
  const Reg made = make(RegClass::General);
  add(Op::Address, 8, made).memory = memory;
  return made;
}

// Memory operands take constant offsets, one index with its scale, allocas and constants into themselves.
Memory Selector::address(const llvm::Value& pointer, int64_t displacement) {
  Memory memory;
  memory.kind = Memory::Kind::Address;
  const llvm::Value* at = &pointer;
  const auto fits = [&](int64_t more) { return displacement + more == int32_t(displacement + more); };
  for (;;) {
    at = &seen_through(*at);
    if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at); gep && !gep->getType()->isVectorTy()) {
      llvm::APInt offset(64, 0);
      if (gep->accumulateConstantOffset(layout_, offset)) {
        if (!fits(offset.getSExtValue())) break;
        displacement += offset.getSExtValue();
        at = gep->getPointerOperand();
        continue;
      }
      if (gep->getNumIndices() != 1 || memory.index) {
        if (llvm::isa<llvm::Constant>(gep)) throw Unsupported{"an address of several indices"};
        if (gep == &pointer && !memory.index && displacement == 0) throw Unsupported{"an address of several indices"};
        break;
      }
      const uint64_t size = layout_.getTypeAllocSize(gep->getSourceElementType());
      const llvm::Value& index = *gep->getOperand(1);
      if (gep != &pointer && !gep->hasOneUse()) break;
      memory.index = reg(index);
      if (index.getType()->isIntegerTy(32)) { // indices are signed
        const Reg wide = make(RegClass::General);
        add(Op::MovSx32, 8, wide, memory.index);
        memory.index = wide;
      } else if (!index.getType()->isIntegerTy(64)) {
        throw Unsupported{"an address with an unusual index"};
      }
      if (size == 1 || size == 2 || size == 4 || size == 8) {
        memory.scale = uint8_t(size);
      } else {
        const Reg product = make(RegClass::General);
        add(Op::ImulImm, 8, product, memory.index).imm = int64_t(size);
        memory.index = product;
      }
      at = gep->getPointerOperand();
      continue;
    }
    if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(at)) {
      const bool is_sum =
          sum->getOpcode() == llvm::Instruction::Add ||
          (sum->getOpcode() == llvm::Instruction::Or && llvm::cast<llvm::PossiblyDisjointInst>(sum)->isDisjoint());
      if (is_sum && sum->getType()->isIntegerTy(64)) {
        auto* number = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
        if (number && fits(number->getSExtValue())) {
          displacement += number->getSExtValue();
          at = sum->getOperand(0);
          continue;
        }
        if (!number && !memory.index && sum->hasOneUse()) {
          memory.index = reg(*sum->getOperand(1)), memory.scale = 1;
          at = sum->getOperand(0);
          continue;
        }
      }
    }
    break;
  }
  if (auto* room = llvm::dyn_cast<llvm::AllocaInst>(at)) {
    memory.kind = Memory::Kind::Slot;
    memory.displacement = int32_t(displacement + frame_.lookup(room));
    return memory;
  }
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(at)) {
    memory.displacement = int32_t(displacement) + int32_t(place_of(*global));
    if (!memory.index) {
      memory.kind = Memory::Kind::Constant;
      return memory;
    }
    Memory begin;
    begin.kind = Memory::Kind::Constant;
    begin.displacement = std::exchange(memory.displacement, 0);
    memory.base = make(RegClass::General);
    add(Op::Address, 8, memory.base).memory = begin;
    return memory;
  }
  if (auto* other = llvm::dyn_cast<llvm::Constant>(at);
      other && !llvm::isa<llvm::ConstantInt, llvm::ConstantPointerNull, llvm::UndefValue>(other))
    refuse(*other);
  memory.base = reg(*at);
  memory.displacement = int32_t(displacement);
  return memory;
}

// Whether `v` is a load that the instruction at hand can make itself: nobody else wants it, and nothing is written in
// between.
bool Selector::may_fold(const llvm::Value& v) const {
  const llvm::Value* at = &v;
  while (at != &seen_through(*at)) {
    auto* cast = llvm::dyn_cast<llvm::Instruction>(at);
    if (!cast || !cast->hasOneUse()) return false;
    at = cast->getOperand(0);
  }
  auto* load = llvm::dyn_cast<llvm::LoadInst>(at);
  return load && load->isSimple() && load->hasOneUse() && load->getParent() == at_->getParent() &&
         epochs_.lookup(load) == epochs_.lookup(at_) && fills_registers(*load->getType()) &&
         layout_.getTypeStoreSize(load->getType()) == layout_.getTypeStoreSize(v.getType());
}

Selector::Source Selector::vector_source(const llvm::Value& v, uint32_t part, uint32_t element_bytes) {
  Source source;
  const llvm::Value& seen = seen_through(v);
  if (auto* c = llvm::dyn_cast<llvm::Constant>(&seen)) {
    source.memory = constant_memory(*c, part, element_bytes);
    return source;
  }
  if (v.getType()->isVectorTy() && may_fold(v)) return loaded(v, int64_t{part} * 64);
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&seen);
      shuffle && shuffle->hasOneUse() && shuffle->isZeroEltSplat()) {
    auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(shuffle->getOperand(0));
    auto* place = insert ? llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2)) : nullptr;
    if (insert && insert->hasOneUse() && place && place->isZero() && may_fold(*insert->getOperand(1)) &&
        layout_.getTypeStoreSize(insert->getOperand(1)->getType()) == element_bytes) {
      source = loaded(*insert->getOperand(1));
      source.memory.broadcast = true;
      return source;
    }
  }
  source.reg = reg(v, part);
  return source;
}

Selector::Source Selector::general_source(const llvm::Value& v) {
  Source source;
  if (shape_of(*v.getType()).bytes >= 4 && !v.getType()->isIntegerTy(1) && may_fold(v)) return loaded(v);
  source.reg = reg(v);
  return source;
}

std::optional<int32_t> Selector::immediate(const llvm::Value& v) const {
  if (llvm::isa<llvm::ConstantPointerNull>(v)) return 0;
  auto* number = llvm::dyn_cast<llvm::ConstantInt>(&v);
  if (!number || number->getBitWidth() > 64) return std::nullopt;
  const int64_t value = number->getBitWidth() == 1 ? int64_t(number->getZExtValue()) : number->getSExtValue();
  return value == int32_t(value) ? std::optional(int32_t(value)) : std::nullopt;
}

// FNV-1a over the bytes; equal constants share a place.
uint32_t ConstantPool::place(const void* bytes, uint32_t count, uint32_t align) {
  if (places_.size() < 2 * (count_ + 1)) {
    auto old = std::exchange(places_, {});
    places_.resize(std::max<size_t>(64, 4 * old.size()));
    for (const auto& entry : old)
      if (entry.second.second) {
        size_t k = entry.first % places_.size();
        while (places_[k].second.second) k = (k + 1) % places_.size();
        places_[k] = entry;
      }
  }
  uint64_t hash = 14695981039346656037u + count;
  for (uint32_t k = 0; k < count; ++k) hash = (hash ^ static_cast<const unsigned char*>(bytes)[k]) * 1099511628211u;
  size_t k = hash % places_.size();
  for (; places_[k].second.second; k = (k + 1) % places_.size()) {
    const auto [offset, size] = places_[k].second;
    if (places_[k].first == hash && size == count && offset % align == 0 &&
        std::memcmp(bytes_.data() + offset, bytes, count) == 0)
      return offset;
  }
  const auto offset = uint32_t((bytes_.size() + align - 1) / align * align);
  bytes_.resize(offset + count);
  std::memcpy(bytes_.data() + offset, bytes, count);
  places_[k] = {hash, {offset, count}};
  ++count_;
  return offset;
}

} // namespace hip::engine::compile::quick
