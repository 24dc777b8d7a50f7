// runtime/engine/compile/emit/scalar_registers.h - SGPRs, EXEC and SCC in a region's code: allocas, which SROA makes
// values of. What a version says of EXEC (analysis/flow.h) is taken from there: in Full and Empty EXEC is a constant.
#pragma once

#include "runtime/engine/compile/emit/wave_block.h"

namespace hip::engine::compile {

class ScalarRegisters {
public:
  using Value = llvm::Value;
  ScalarRegisters(FunctionBuilder& ir, WaveBlock& wave) : ir_(ir), builder_(ir.builder()), wave_(wave) {}

  // In the entry block, for the registers of `touched`. Where waves start, their SGPRs are in the first one's block
  // alone, so the entry block loads them for all.
  enum class LoadIn { Entry, Begin };
  void allocate(const Registers& touched, LoadIn where);
  // From the wave's block (or from what allocate() has loaded); EXEC becomes `exec`.
  void load(Value* exec);
  // What facts know as constants.
  void load_constants(const State& state);
  // Registers of `which` to the block; without EXEC.
  void store(const Registers& which);
  void store_exec();
  // From the block, what has been written there.
  void reload(const Registers& which);

  // What is known of EXEC in the code that is emitted from here on.
  void set_version(Version version) { version_ = version; }

  Value* sgpr(uint32_t n);
  void set_sgpr(uint32_t n, Value* v);
  Value* sgpr64(uint32_t n);
  void set_sgpr64(uint32_t n, Value* v);
  // A mask of the wave's lanes, which is one register or two (i64).
  Value* lanes(uint32_t n);
  void set_lanes(uint32_t n, Value* v);
  Value* exec(); // i64
  // EXEC as it is held, whatever the version says.
  Value* held_exec() { return builder_.CreateLoad(ir_.i64(), exec_); }
  void set_exec(Value* v) { builder_.CreateStore(v, exec_); }
  Value* scc() { return builder_.CreateLoad(ir_.i32(), scc_); }
  void set_scc(Value* v) { builder_.CreateStore(v, scc_); }
  // A scalar source operand.
  Value* operand(const Operand& o, uint32_t dword);
  Value* operand64(const Operand& o);
  Value* operand_lanes(const Operand& o); // as a mask of lanes

private:
  FunctionBuilder& ir_;
  llvm::IRBuilder<>& builder_;
  WaveBlock& wave_;
  std::array<llvm::AllocaInst*, kSgprCount> sgprs_{};
  std::array<Value*, kSgprCount> initial_{}; // loaded by the entry block
  llvm::AllocaInst *exec_ = nullptr, *scc_ = nullptr;
  Version version_ = Version::Full;
};

} // namespace hip::engine::compile
