// runtime/engine/compile/quick/select_calls.cpp - see select.h: calls, arguments and results. Sources: System V ABI for
// x86-64, 3.2.3; for preserve_none LLVM's X86CallingConv.td, whose order of registers regions and handlers share.
#include "runtime/engine/compile/quick/select.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace hip::engine::compile::quick {
namespace {

constexpr uint32_t kArguments[] = {phys::rdi, phys::rsi, phys::rdx, phys::rcx, phys::r8, phys::r9};
constexpr uint32_t kArgumentsOfPreserveNone[] = {phys::r12, phys::r13, phys::r14, phys::r15, phys::rdi, phys::rsi};

bool has_known_convention(llvm::CallingConv::ID c) {
  return c == llvm::CallingConv::C || c == llvm::CallingConv::Fast || c == llvm::CallingConv::PreserveNone;
}

} // namespace

// Where the next argument of that type is, without its register.
CallInfo::Place Selector::argument_place(const llvm::Type& type, uint32_t& general, uint32_t& vectors, uint32_t& stack,
                                         bool preserves_none) {
  const Shape shape = shape_of(type);
  CallInfo::Place place;
  if (shape.reg_class == RegClass::Mask || shape.parts != 1 || !fills_registers(type))
    throw Unsupported{"an argument that is no single register"};
  if (shape.reg_class == RegClass::General) {
    const uint32_t most = preserves_none ? std::size(kArgumentsOfPreserveNone) : std::size(kArguments);
    if (general < most) {
      place.number = preserves_none ? kArgumentsOfPreserveNone[general] : kArguments[general];
      ++general;
      return place;
    }
    if (preserves_none) throw Unsupported{"many arguments of preserve_none"};
    place.on_stack = true, place.number = stack;
    stack += 8;
    return place;
  }
  if (vectors < 8) {
    place.number = vectors++;
    return place;
  }
  if (shape.bytes != 64) throw Unsupported{"a small vector as an argument in memory"};
  stack = (stack + 63) & ~63u;
  place.on_stack = true, place.number = stack;
  stack += 64;
  return place;
}

void Selector::enter() {
  CallInfo info;
  std::vector<Move> bits;
  uint32_t general = 0, vectors = 0, stack = 0;
  if (!has_known_convention(function_.getCallingConv())) refuse(function_);
  for (const llvm::Argument& argument : function_.args()) {
    if (argument.hasByValAttr() || argument.hasStructRetAttr() || argument.hasInRegAttr()) refuse(argument);
    CallInfo::Place place = argument_place(*argument.getType(), general, vectors, stack, !out_.saves_registers);
    if (place.on_stack && shape_of(*argument.getType()).reg_class == RegClass::Vector) refuse(argument);
    const bool is_wanted = wanted_.lookup(&argument);
    if (!is_wanted) continue;
    place.reg = registers_.lookup(&argument);
    // A bit is all of its register here; the caller has left the others as they were.
    if (argument.getType()->isIntegerTy(1)) {
      const Reg arrives = make(RegClass::General);
      bits.push_back({.to = place.reg, .from = arrives});
      place.reg = arrives;
    }
    info.arguments.push_back(place);
  }
  add(Op::Enter, 0).imm = int64_t(out_.calls.size());
  out_.calls.push_back(std::move(info));
  for (const Move& bit : bits) {
    copy(bit.to, bit.from);
    add(Op::AndImm, 4, bit.to).imm = 1;
  }
}

void Selector::select_return(const llvm::ReturnInst& i) {
  if (i.getParent()->getTerminatingMustTailCall()) return; // the call leaves
  CallInfo info;
  if (const llvm::Value* value = i.getReturnValue()) {
    const Shape shape = shape_of(*value->getType());
    if (shape.reg_class == RegClass::Mask || shape.parts != 1 || !fills_registers(*value->getType())) refuse(i);
    info.arguments.push_back({reg(*value), false, 0}); // rax, or the first vector register
  }
  add(Op::Return, 0).imm = int64_t(out_.calls.size());
  out_.calls.push_back(std::move(info));
}

void Selector::select_call(const llvm::CallInst& i) {
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
    switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
      return;
    case llvm::Intrinsic::masked_store:
      return select_masked_store(*intrinsic);
    case llvm::Intrinsic::memcpy:
      return select_copy(llvm::cast<llvm::MemCpyInst>(i));
    case llvm::Intrinsic::prefetch: {
      const Memory memory = address(*i.getArgOperand(0));
      const bool writes = llvm::cast<llvm::ConstantInt>(i.getArgOperand(1))->isOne();
      const uint64_t locality = llvm::cast<llvm::ConstantInt>(i.getArgOperand(2))->getZExtValue();
      Inst& inst = add(writes ? Op::PrefetchW : Op::Prefetch, 0);
      inst.memory = memory;
      inst.imm = writes ? 1 : locality == 0 ? 0 : int64_t(4 - locality);
      return;
    }
    default:
      break;
    }
    if (i.getIntrinsicID() == llvm::Intrinsic::x86_sse_sfence) return void(add(Op::Sfence, 0));
    if (i.getType()->isVoidTy()) refuse(i);
    if (!is_wanted(i)) {
      if (i.mayWriteToMemory()) refuse(i);
      return;
    }
    if (shape_of(*i.getType()).reg_class == RegClass::General) return select_number_intrinsic(*intrinsic);
    return select_vector_intrinsic(*intrinsic);
  }
  if (i.isInlineAsm() || !has_known_convention(i.getCallingConv())) refuse(i);
  CallInfo info;
  const bool preserves_none = i.getCallingConv() == llvm::CallingConv::PreserveNone;
  info.preserves_none = preserves_none;
  uint32_t general = 0, vectors = 0, stack = 0;
  for (unsigned k = 0; k < i.arg_size(); ++k) {
    const llvm::Value& value = *i.getArgOperand(k);
    if (i.isByValArgument(k) || i.paramHasAttr(k, llvm::Attribute::StructRet)) refuse(i);
    CallInfo::Place place = argument_place(*value.getType(), general, vectors, stack, preserves_none);
    place.reg = reg(value);
    const uint32_t bytes =
        shape_of(*value.getType()).reg_class == RegClass::General ? shape_of(*value.getType()).bytes : 8;
    if (bytes < 4 && (i.paramHasAttr(k, llvm::Attribute::ZExt) || i.paramHasAttr(k, llvm::Attribute::SExt))) {
      const bool is_signed = i.paramHasAttr(k, llvm::Attribute::SExt);
      const Reg wide = make(RegClass::General);
      add(bytes == 1  ? (is_signed ? Op::MovSx8 : Op::MovZx8)
          : is_signed ? Op::MovSx16
                      : Op::MovZx16,
          4, wide, place.reg);
      place.reg = wide;
    }
    info.arguments.push_back(place);
  }
  info.stack_bytes = (stack + 63) & ~63u;
  const llvm::Value& callee = *i.getCalledOperand()->stripPointerCasts();
  if (auto* function = llvm::dyn_cast<llvm::Function>(&callee)) {
    info.symbol = function->getName().str();
  } else {
    info.target = reg(callee);
  }
  if (i.isMustTailCall()) {
    if (info.stack_bytes) refuse(i);
    add(Op::TailCall, 0).imm = int64_t(out_.calls.size());
    out_.calls.push_back(std::move(info));
    return;
  }
  Reg byte = kNoReg;
  if (!i.getType()->isVoidTy() && is_wanted(i)) {
    const Shape shape = shape_of(*i.getType());
    if (shape.reg_class == RegClass::Mask || shape.parts != 1 || !fills_registers(*i.getType())) refuse(i);
    const bool is_bit = i.getType()->isIntegerTy(1);
    byte = is_bit ? make(RegClass::General) : kNoReg;
    info.result = {is_bit ? byte : defined(i), false, 0};
  }
  Inst& call = add(Op::Call, 0);
  call.imm = int64_t(out_.calls.size());
  call.def = info.result.reg;
  out_.calls.push_back(std::move(info));
  if (byte) {
    copy(defined(i), byte);
    add(Op::AndImm, 4, defined(i)).imm = 1;
  }
}

} // namespace hip::engine::compile::quick
