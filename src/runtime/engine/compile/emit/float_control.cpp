// runtime/engine/compile/emit/float_control.cpp - see float_control.h.
#include "runtime/engine/compile/emit/float_control.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace hip::engine::compile {

void FloatControl::before(const Instr& i) {
  switch (i.kind) {
  case Kind::Valu:
    if (i.valu->floats) set(i.rounding);
    return;
  case Kind::Salu:
    if (i.salu->floats) set(i.rounding);
    return;
  case Kind::Nothing:
  case Kind::GetPc:
  case Kind::ReadLane:
  case Kind::WriteLane:
    return;
  default:
    reset();
  }
}

void FloatControl::set(ModeRounding rounding) {
  if (now_ == rounding) return;
  now_ = rounding;
  llvm::Constant* word = builder_.getInt32(host_control(rounding));
  auto* at =
      new llvm::GlobalVariable(library_.module(), word->getType(), true, llvm::GlobalValue::PrivateLinkage, word);
  builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse_ldmxcsr, {}, {at});
}

} // namespace hip::engine::compile
