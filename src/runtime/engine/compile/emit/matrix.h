// runtime/engine/compile/emit/matrix.h - matrix instructions as calls of the library's functions. Sums stay in the
// wave's block, where the functions take a tile of them into host registers for all steps of the instructions that add
// to the same sums; so their products wait, until an instruction reads or writes the sums.
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
  // In front of a barrier: products of instructions behind it (read/ahead.h), for those in front of it to wait for.
  void compute_ahead(const std::vector<Instr>& instructions, const State& state);
  // Whether the wave has computed the instruction ahead where Instr::is_ahead says so, and else has not (i1).
  Value* is_expected(const Instr& i);
  // The wave comes to an instruction that it has computed.
  void pass_over(const Instr& i);
  // Adds the pending products whose sums are in one of these registers, and those that read a factor there.
  void finish(const std::bitset<kMaxVgprs>& sums, const std::bitset<kMaxVgprs>& factors = {});
  void finish_all() { finish(std::bitset<kMaxVgprs>().set()); }

private:
  // Products of one or more instructions that are added by one call, when an instruction reads or writes the sums.
  struct Pending {
    const MatrixOp* op;
    uint32_t d, registers_d; // the sums
    uint32_t form;           // WMMA: SumForm
    std::vector<std::pair<Value*, Value*>> factors;
    std::bitset<kMaxVgprs> in_block; // registers of factors that are no copies
  };
  static const Operand& addend(const Instr& i);
  static bool moves(const Instr& i); // the addend lies elsewhere than the sums
  static bool flips(const Instr& i); // the addend is negated, or its magnitude is added
  static bool changes(const Instr& i, uint32_t k); // which of its registers are others then
  Value* addend_strip(const Instr& i, uint32_t k, uint32_t q, const State& state);
  bool set_sums(const Instr& i, const State& state);
  void add_products(const Pending& pending);

  MatrixOperands& operands_;
  CoarseSums& sums_;
  TilePrefetcher& tiles_;
  std::vector<Pending> pending_;
};

} // namespace hip::engine::compile
