// runtime/engine/compile/emit/scalar_registers.cpp - see scalar_registers.h.
#include "runtime/engine/compile/emit/scalar_registers.h"

namespace hip::engine::compile {
namespace {

// Encodings of special sources.
constexpr uint32_t kSharedBaseSource = 235, kSccSource = 253;

} // namespace

using llvm::Value;

void ScalarRegisters::allocate(const Registers& touched, LoadIn where) {
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (touched.s[r] && r != kExecLo && r != kExecHi) sgprs_[r] = builder_.CreateAlloca(ir_.i32());
  for (uint32_t r = 0; r < kSgprCount && where == LoadIn::Entry; ++r)
    if (sgprs_[r]) initial_[r] = wave_.load(ir_.i32(), Wave::sgpr_offset(r));
  exec_ = builder_.CreateAlloca(ir_.i64());
  scc_ = builder_.CreateAlloca(ir_.i32());
}

void ScalarRegisters::load(Value* exec) {
  set_exec(exec);
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (sgprs_[r]) set_sgpr(r, initial_[r] ? initial_[r] : wave_.load(ir_.i32(), Wave::sgpr_offset(r)));
  set_scc(wave_.load(ir_.i32(), offsetof(Wave, scc)));
}

void ScalarRegisters::load_constants(const State& state) {
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (sgprs_[r] && state.s[r].is_constant()) set_sgpr(r, ir_.constant(state.s[r].value()));
}

void ScalarRegisters::store(const Registers& which) {
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (which.s[r] && sgprs_[r]) builder_.CreateStore(sgpr(r), wave_.field(Wave::sgpr_offset(r)));
  if (which.s[kScc]) builder_.CreateStore(scc(), wave_.field(offsetof(Wave, scc)));
}

void ScalarRegisters::store_exec() { builder_.CreateStore(held_exec(), wave_.field(Wave::sgpr_offset(kExecLo))); }

void ScalarRegisters::reload(const Registers& which) {
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (which.s[r]) set_sgpr(r, wave_.load(ir_.i32(), Wave::sgpr_offset(r)));
  if (which.s[kScc]) set_scc(wave_.load(ir_.i32(), offsetof(Wave, scc)));
}

Value* ScalarRegisters::exec() {
  if (version_ == Version::Full) return ir_.all_lanes();
  if (version_ == Version::Empty) return builder_.getInt64(0);
  return held_exec();
}

Value* ScalarRegisters::sgpr(uint32_t n) {
  if (n == kExecLo || n == kExecHi) {
    Value* all = exec();
    return builder_.CreateTrunc(n == kExecHi ? builder_.CreateLShr(all, 32) : all, ir_.i32());
  }
  return builder_.CreateLoad(ir_.i32(), sgprs_[n]);
}

void ScalarRegisters::set_sgpr(uint32_t n, Value* v) {
  if (n == kExecLo) return set_exec(builder_.CreateZExt(v, ir_.i64())); // in a wave of 32 lanes it is all of EXEC
  builder_.CreateStore(v, sgprs_[n]);
}

Value* ScalarRegisters::lanes(uint32_t n) {
  return ir_.lanes() == kMaxLanes || n == kExecLo ? sgpr64(n) : builder_.CreateZExt(sgpr(n), ir_.i64());
}

void ScalarRegisters::set_lanes(uint32_t n, Value* v) {
  if (ir_.lanes() == kMaxLanes || n == kExecLo) return set_sgpr64(n, v);
  set_sgpr(n, builder_.CreateTrunc(v, ir_.i32()));
}

Value* ScalarRegisters::sgpr64(uint32_t n) {
  if (n == kExecLo) return exec();
  Value* low = sgpr(n);
  return ir_.joined(low, sgpr(n + 1));
}

void ScalarRegisters::set_sgpr64(uint32_t n, Value* v) {
  if (n == kExecLo) return set_exec(v);
  set_sgpr(n, builder_.CreateTrunc(v, ir_.i32()));
  set_sgpr(n + 1, builder_.CreateTrunc(builder_.CreateLShr(v, 32), ir_.i32()));
}

Value* ScalarRegisters::operand(const Operand& o, uint32_t dword) {
  switch (o.bank) {
  case Bank::Sgpr:
    return sgpr(o.index + dword);
  case Bank::Special: {
    if (o.index == kSccSource) return scc();
    const uint64_t aperture =
        o.index == kSharedBaseSource ? offsetof(Wave, shared_aperture) : offsetof(Wave, private_aperture);
    return wave_.load(ir_.i32(), aperture + 4 * dword);
  }
  default:
    return ir_.constant(uint32_t(o.imm >> (32 * dword)));
  }
}

Value* ScalarRegisters::operand64(const Operand& o) {
  if (o.is_constant()) return builder_.getInt64(o.imm);
  if (o.bank == Bank::Sgpr) return sgpr64(o.index);
  if (o.index == kSccSource) return builder_.CreateZExt(scc(), ir_.i64());
  Value* low = operand(o, 0);
  return ir_.joined(low, operand(o, 1));
}

Value* ScalarRegisters::operand_lanes(const Operand& o) {
  if (o.bank == Bank::Sgpr) return lanes(o.index);
  return builder_.CreateAnd(operand64(o), ir_.all_lanes());
}

} // namespace hip::engine::compile
