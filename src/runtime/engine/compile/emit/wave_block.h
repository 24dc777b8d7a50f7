// runtime/engine/compile/emit/wave_block.h - the wave's block (wave/wave.h) as a region's code addresses it, and what
// that code reads there once: where memory lies that the wave may access. In a batch the block is one after the other
// of the group's.
#pragma once

#include "runtime/engine/compile/emit/function_builder.h"

namespace hip::engine::compile {

class WaveBlock {
public:
  using Value = llvm::Value;
  explicit WaveBlock(FunctionBuilder& ir);

  Value* pointer() const { return pointer_; }
  void set_pointer(Value* wave) { pointer_ = wave; }
  // The element (Inst) by which the region was entered.
  Value* element() const { return element_; }
  Value* field(uint64_t offset) { return ir_.byte_at(pointer_, offset); }
  // Strip q of a VGPR's row.
  Value* vgpr(uint32_t v, uint32_t q) { return field(Wave::vgpr_offset(v) + q * kStripLanes * 4); }
  // A load of a field that the code does not write while it uses the value.
  Value* load(llvm::Type* type, uint64_t offset) { return ir_.builder().CreateLoad(type, field(offset)); }
  // The address of the guest function, which a translation does not know: its elements do (Inst::imm[1]).
  Value* guest_begin();

  // What no instruction of a wave changes, and is the same in all waves of a group.
  void load_group_fields();
  // What no instruction of a wave changes.
  void load_wave_fields();
  Value* arena_base() const { return arena_base_; } // i64, as the others
  Value* arena_bytes() const { return arena_bytes_; }
  Value* lds_base() const { return lds_base_; }
  Value* lds_bytes() const { return lds_bytes_; }
  Value* scratch_base() const { return scratch_base_; }
  Value* scratch_bytes() const { return scratch_bytes_; }

private:
  FunctionBuilder& ir_;
  Value *pointer_, *element_;
  Value *arena_base_ = nullptr, *arena_bytes_ = nullptr, *lds_base_ = nullptr, *lds_bytes_ = nullptr;
  Value *scratch_base_ = nullptr, *scratch_bytes_ = nullptr;
};

} // namespace hip::engine::compile
