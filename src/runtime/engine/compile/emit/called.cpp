// runtime/engine/compile/emit/called.cpp - instructions that tier 0's handlers execute inside a region: what they read goes
// into the wave's block, what they write comes back from there. A handler goes on to the element behind its own, and that
// one returns to the region (TranslatedFunction).
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/compile/emit/emit.h"

namespace hip::engine::compile {

void RegionEmitter::fence() { builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread); }

void RegionEmitter::emit_called(const Instr& i, Version version, const State& before) {
  const bool lanes = i.raw.format != Format::Smem && i.raw.format != Format::Sopk;
  if (lanes && version == Version::Empty) return;
  Registers in = i.reads;
  if (!facts_.whole(i, version)) in.v |= i.writes.v; // inactive lanes stay
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    for (uint32_t q = 0; in.v[r] && q < kStripCount; ++q)
      builder_.CreateAlignedStore(strip_value(r, q, before), wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4), llvm::Align(64));
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (in.s[r] && sgprs_[r]) builder_.CreateStore(sgpr(r), wave_field(Wave::sgpr_offset(r)));
  builder_.CreateStore(sgpr64(kExecLo), wave_field(Wave::sgpr_offset(kExecLo)));

  uint32_t number = 0;
  while (number < calls_.size() && calls_[number] != i.raw.address) ++number;
  if (number == calls_.size()) calls_.push_back(i.raw.address);
  constexpr uint32_t kCalls = offsetof(Inst, imm) + 2 * sizeof(uint64_t);
  llvm::Type* pointer = builder_.getPtrTy();
  Value* calls = builder_.CreateLoad(pointer, builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), inst_, kCalls));
  Value* called = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), calls, uint64_t(number) * 2 * sizeof(Inst));
  Value* run = builder_.CreateLoad(pointer, builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), called, offsetof(Inst, run)));
  llvm::CallInst* call = builder_.CreateCall(function_->getFunctionType(), run, {wave_, called});
  call->setCallingConv(llvm::CallingConv::PreserveNone);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  Value* stop = builder_.CreateLoad(i32(), wave_field(offsetof(Wave, stop)));
  must_hold(builder_.CreateICmpEQ(stop, constant(uint32_t(Stop::None))));
  builder_.CreateStore(inst_, wave_field(offsetof(Wave, pc)));

  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    for (uint32_t q = 0; i.writes.v[r] && q < kStripCount; ++q)
      set_strip(r, q, builder_.CreateAlignedLoad(strip, wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4), llvm::Align(64)));
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (i.writes.s[r]) set_sgpr(r, builder_.CreateLoad(i32(), wave_field(Wave::sgpr_offset(r))));
}

} // namespace hip::engine::compile
