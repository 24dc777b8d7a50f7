// runtime/engine/compile/emit/permute.cpp - DS instructions that use only LDS's crossbar: lanes that read other lanes, all
// of a wave's strips at hand. An inactive lane is read as 0.
#include "runtime/engine/interpret/memory/swizzle.h"
#include "runtime/engine/compile/emit/emit.h"

namespace hip::engine::compile {

void RegionEmitter::emit_permute(const Instr& i, Version version, const State& before) {
  const RawInst& raw = i.raw;
  const bool swizzles = raw.opcode == Opcode::ds_swizzle_b32; // its one operand decodes as the address
  Value* exec = version == Version::Partial ? sgpr64(kExecLo) : nullptr;
  llvm::Type* type = llvm::FixedVectorType::get(i32(), kStripLanes);
  std::array<Value*, kStripCount> data, results;
  for (uint32_t q = 0; q < kStripCount; ++q) {
    data[q] = operand_strip(swizzles ? raw.vaddr : raw.vdata, 0, q, before);
    if (exec && !swizzles) data[q] = builder_.CreateSelect(bools(strip_mask(exec, q)), data[q], llvm::Constant::getNullValue(type));
  }
  for (uint32_t q = 0; q < kStripCount; ++q) {
    if (swizzles) {
      std::array<int, kStripLanes> from{};
      for (uint32_t l = 0; l < kStripLanes; ++l) from[l] = int(swizzle_source(uint32_t(raw.offset) & 0xffff, q * kStripLanes + l));
      results[q] = gather_lanes(from, [&](uint32_t s) { return data[s]; }, type);
      if (exec) { // (Of a shuffle of selected lanes, LLVM 22's code generator loses the select.)
        Value* active = gather_lanes(from, [&](uint32_t s) { return bools(strip_mask(exec, s)); },
                                     llvm::FixedVectorType::get(builder_.getInt1Ty(), kStripLanes));
        results[q] = builder_.CreateSelect(active, results[q], llvm::Constant::getNullValue(type));
      }
    } else {
      Value* offset = builder_.CreateVectorSplat(kStripLanes, constant(uint32_t(raw.offset) & 0xffff));
      Value* address = builder_.CreateAdd(operand_strip(raw.vaddr, 0, q, before), offset);
      results[q] = builder_.CreateCall(library_.lanes("bpermute"), {address, data[0], data[1], data[2], data[3]});
    }
  }
  const uint32_t vdst = vgpr_of(raw.vdst);
  for (uint32_t q = 0; q < kStripCount; ++q) {
    if (!facts_.whole(i, version)) results[q] = builder_.CreateSelect(bools(strip_mask(exec, q)), results[q], strip_value(vdst, q, before));
    set_strip(vdst, q, results[q]);
  }
}

} // namespace hip::engine::compile
