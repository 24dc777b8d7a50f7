// runtime/engine/compile/emit/stream.cpp - see stream.h.
#include "runtime/engine/compile/emit/stream.h"

#include <algorithm>
#include <llvm/IR/MDBuilder.h>

namespace hip::engine::compile {
namespace {

constexpr uint64_t kLineBytes = 64;

// Whether a kernel loads what it stores by a store's address: then the lines are in the caches.
bool is_loaded(const Code& code, const Instr& store) {
  return std::any_of(code.instrs.begin(), code.instrs.end(), [&](const Instr& i) {
    return i.kind == Kind::Memory && i.memory->loads() && i.memory->space == library::Space::Global &&
           i.address.v == store.address.v && i.address.s == store.address.s && i.raw.offset == store.raw.offset;
  });
}

} // namespace

// Finds the stores of this kind. Nothing between them and the kernel's end may tell another agent of them.
StreamEmitter::StreamEmitter(const EmitContext& context, AddressEmitter& addresses, Prefetcher& prefetcher)
    : InstructionEmitter(context), addresses_(addresses), prefetcher_(prefetcher),
      streams_(code_.instrs.size(), false) {
  if (!plan_.is_kernel() || plan_.instrumented()) return;
  for (const Node& node : code_.nodes)
    for (uint32_t k = node.first; k <= node.last && (node.first == 0 || !node.from.empty()); ++k) {
      const Instr& i = code_.instrs[k];
      if (i.coherent || i.raw.releases || i.kind == Kind::Called || i.kind == Kind::Foreign ||
          (i.kind == Kind::Memory && i.memory->atomic()))
        return;
    }
  for (uint32_t n : plan_.region().nodes) {
    if (code_.nodes[n].comes_back) continue;
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      streams_[k] = i.kind == Kind::Memory && i.memory->stores && i.memory->dword() && i.raw.format == Format::Global &&
                    !is_loaded(code_, i);
    }
  }
}

bool StreamEmitter::emit(const Instr& i, const AddressShape& shape, Version version, const State& before) {
  if (!streams_[number_of(i)] || version != Version::Full || shape.addressing != Addressing::Linear ||
      shape.same_in_wave)
    return false;
  std::array<Value*, kMaxStrips> addresses, values;
  Value* bits = builder_.getInt64(0);
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    addresses[q] = builder_.CreateAdd(addresses_.first_lane(i, q, shape, before),
                                      builder_.getInt64(uint64_t(int64_t(i.raw.offset))));
    values[q] = vectors_.operand_strip(i.raw.vdata, 0, q, before);
    if (q % shape.part_strips == 0) bits = builder_.CreateOr(bits, addresses[q]);
  }
  Value* aligned =
      builder_.CreateICmpEQ(builder_.CreateAnd(bits, builder_.getInt64(kLineBytes - 1)), builder_.getInt64(0));
  Value* wanted = builder_.CreateICmpNE(wave_.load(ir_.i32(), offsetof(Wave, streams)), ir_.constant(0));
  llvm::BasicBlock *past = ir_.new_block("past"), *through = ir_.new_block("through"),
                   *stored = ir_.new_block("stored");
  builder_.CreateCondBr(builder_.CreateAnd(wanted, aligned), past, through);
  auto store = [&](uint32_t q, uint64_t alignment) {
    return builder_.CreateAlignedStore(values[q], builder_.CreateIntToPtr(addresses[q], builder_.getPtrTy()),
                                       llvm::Align(alignment));
  };
  builder_.SetInsertPoint(past);
  auto* yes = llvm::MDNode::get(builder_.getContext(), llvm::ConstantAsMetadata::get(builder_.getInt32(1)));
  for (uint32_t q = 0; q < ir_.strips(); ++q) store(q, kLineBytes)->setMetadata(llvm::LLVMContext::MD_nontemporal, yes);
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(through);
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    if (q % shape.part_strips == 0) prefetcher_.fetch_next(i, q, addresses[q], shape.lanes * shape.stride);
    store(q, 1);
  }
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(stored);
  return true;
}

} // namespace hip::engine::compile
