// runtime/engine/compile/emit/stream.cpp - stores past the host's caches. What a grid writes that is more than the caches
// hold is out of them when somebody reads it, and a store through them reads each line first, a quarter of vector_add's
// traffic. So in such a grid (Wave::streams) whole lines that a wave writes once go straight to memory. The host orders these
// stores only by fences; one stands where a thread is done with the grid (wave/grid.cpp), and kernels that tell others before
// then what they have written store as usual.
#include "runtime/engine/compile/emit/emit.h"

#include <llvm/IR/MDBuilder.h>

namespace hip::engine::compile {
namespace {

constexpr uint64_t kLineBytes = 64;

// Whether a kernel loads what it stores by a store's address: then the lines are in the caches.
bool is_loaded(const Code& code, const Instr& store) {
  return std::any_of(code.instrs.begin(), code.instrs.end(), [&](const Instr& i) {
    return i.kind == Kind::Memory && i.memory->loads() && i.memory->space == library::Space::Global && i.address.v == store.address.v &&
           i.address.s == store.address.s && i.raw.offset == store.raw.offset;
  });
}

} // namespace

// The stores of this kind, by instruction. Nothing between them and the kernel's end may tell another agent of them.
void RegionEmitter::plan_streams() {
  streams_.assign(code_.instrs.size(), false);
  if (!is_kernel_) return;
  for (const Node& node : code_.nodes)
    for (uint32_t k = node.first; k <= node.last && (node.first == 0 || !node.from.empty()); ++k) {
      const Instr& i = code_.instrs[k];
      if (i.coherent || i.kind == Kind::Called || i.kind == Kind::Foreign || (i.kind == Kind::Memory && i.memory->atomic())) return;
    }
  for (uint32_t n : regions_.regions[number_].nodes) {
    if (comes_back(code_, n)) continue;
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      streams_[k] = i.kind == Kind::Memory && i.memory->stores && i.memory->dword() && i.raw.format == Format::Global && !is_loaded(code_, i);
    }
  }
}

// Whether the store was made here.
bool RegionEmitter::emit_stream(const Instr& i, const Layout& layout, Version version, const State& before) {
  if (!streams_[uint32_t(&i - code_.instrs.data())] || version != Version::Full || layout.lie != Lie::Linear || layout.same) return false;
  std::array<Value*, kStripCount> addresses, values;
  Value* bits = builder_.getInt64(0);
  for (uint32_t q = 0; q < kStripCount; ++q) {
    addresses[q] = builder_.CreateAdd(first_address(i, q, layout, before), builder_.getInt64(uint64_t(int64_t(i.raw.offset))));
    values[q] = operand_strip(i.raw.vdata, 0, q, before);
    if (q % layout.run == 0) bits = builder_.CreateOr(bits, addresses[q]);
  }
  Value* aligned = builder_.CreateICmpEQ(builder_.CreateAnd(bits, builder_.getInt64(kLineBytes - 1)), builder_.getInt64(0));
  Value* wanted = builder_.CreateICmpNE(builder_.CreateLoad(i32(), wave_field(offsetof(Wave, streams))), constant(0));
  llvm::BasicBlock *past = new_block("past"), *through = new_block("through"), *stored = new_block("stored");
  builder_.CreateCondBr(builder_.CreateAnd(wanted, aligned), past, through);
  auto store = [&](uint32_t q, uint64_t alignment) {
    return builder_.CreateAlignedStore(values[q], builder_.CreateIntToPtr(addresses[q], builder_.getPtrTy()), llvm::Align(alignment));
  };
  builder_.SetInsertPoint(past);
  auto* yes = llvm::MDNode::get(builder_.getContext(), llvm::ConstantAsMetadata::get(builder_.getInt32(1)));
  for (uint32_t q = 0; q < kStripCount; ++q) store(q, kLineBytes)->setMetadata(llvm::LLVMContext::MD_nontemporal, yes);
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(through);
  for (uint32_t q = 0; q < kStripCount; ++q) {
    if (q % layout.run == 0) prefetch_next(i, q, addresses[q], layout.lanes * layout.stride);
    store(q, 1);
  }
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(stored);
  return true;
}

} // namespace hip::engine::compile
