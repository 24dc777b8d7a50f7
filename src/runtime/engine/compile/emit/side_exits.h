// runtime/engine/compile/emit/side_exits.h - how a wave leaves a region from the middle of a node, to go on in tier 0. A
// region has hundreds of such exits and hardly ever takes one, so an exit is as little code as it can be: registers that
// follow from lane 0 are stored as lane 0, and all exits share what comes after their stores, which fills these
// registers' rows from a table (omnihip_t1_fill_rows). Inline, exits were a third of all code.
#pragma once

#include "runtime/engine/compile/emit/vector_registers.h"
#include "runtime/engine/compile/emit/wave_loop.h"

#include <map>

namespace llvm {
class Constant;
}

namespace hip::engine::compile {

class SideExits {
public:
  SideExits(FunctionBuilder& ir, WaveBlock& wave, VectorRegisters& vectors, WaveLoop& loop, llvm::Module& module)
      : ir_(ir), wave_(wave), vectors_(vectors), loop_(loop), module_(module) {}

  // Stores registers and ends the current block; all else that tier 0 wants is in the wave's block. The wave goes on at
  // `address`, as in Exits.
  void leave(uint64_t address, const std::bitset<kMaxVgprs>& which, const State& state);
  // What the exits share, when all of them are there.
  void emit();

private:
  using Table = std::vector<uint32_t>; // of AffineRow
  Table store_affine_rows(const std::bitset<kMaxVgprs>& which, const State& state);
  llvm::Constant* constant(const Table& table);

  FunctionBuilder& ir_;
  WaveBlock& wave_;
  VectorRegisters& vectors_;
  WaveLoop& loop_;
  llvm::Module& module_;
  llvm::BasicBlock* shared_ = nullptr; // null: there is no exit yet
  llvm::PHINode *rows_ = nullptr, *count_ = nullptr, *exit_ = nullptr; // of the exit that is taken
  std::map<Table, llvm::Constant*> tables_;
};

} // namespace hip::engine::compile
