// runtime/engine/compile/emit/scalar.h - what scalar instructions compute: SALU instructions as calls of the library's
// functions, which are inlined afterwards, scalar loads, and s_getpc.
#pragma once

#include "runtime/engine/compile/emit/address.h"

namespace hip::engine::compile {

class ScalarEmitter : InstructionEmitter {
public:
  ScalarEmitter(const EmitContext& context, AddressEmitter& addresses)
      : InstructionEmitter(context), addresses_(addresses) {}

  // In the entry block.
  void allocate();
  void compute(const Instr& i);
  void get_pc(const Instr& i);
  void load(const Instr& i, const State& before);

private:
  bool is_read_as_pair(const Instr& load, uint32_t first) const;

  AddressEmitter& addresses_;
  llvm::AllocaInst* result_ = nullptr; // library::SaluOut
};

} // namespace hip::engine::compile
