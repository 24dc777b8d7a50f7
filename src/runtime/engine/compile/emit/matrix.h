// runtime/engine/compile/emit/matrix.h - matrix instructions as calls of the library's functions. Sums stay in the
// wave's block, where the functions take a tile of them into host registers for all steps of the instructions that add
// to the same sums; so these wait for each other, until somebody wants the sums.
#pragma once

#include "runtime/engine/compile/emit/coarse_sums.h"
#include "runtime/engine/compile/emit/matrix_operands.h"
#include "runtime/engine/compile/emit/tile_prefetch.h"

namespace hip::engine::compile {

class MatrixEmitter : InstructionEmitter {
public:
  MatrixEmitter(const EmitContext& context, MatrixOperands& operands, CoarseSums& sums, TilePrefetcher& tiles)
      : InstructionEmitter(context), operands_(operands), sums_(sums), tiles_(tiles) {}

  void emit(const Instr& i, const State& state);
  // Adds the products that wait, those of which somebody wants one of these registers.
  void finish(const std::bitset<kMaxVgprs>& sums);
  void finish_all() { finish(std::bitset<kMaxVgprs>().set()); }

private:
  // Products that are added when somebody wants the sums: those of several instructions are one call.
  struct Pending {
    const MatrixOp* op;
    uint32_t d; // first register of the sums
    std::vector<std::pair<Value*, Value*>> factors;
  };
  static const Operand& addend(const Instr& i);
  static bool moves(const Instr& i); // the addend lies elsewhere than the sums
  static bool flips(const Instr& i); // the addend is negated
  bool set_sums(const Instr& i, const State& state);
  void add_products(const Pending& pending);

  MatrixOperands& operands_;
  CoarseSums& sums_;
  TilePrefetcher& tiles_;
  std::vector<Pending> pending_;
};

} // namespace hip::engine::compile
