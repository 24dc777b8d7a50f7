// runtime/engine/compile/emit/matrix_operands.h - factors of matrix instructions as the library's functions take them:
// A and B become arrays in the region's frame ("units") as soon as they are loaded, and an operand that several
// instructions share (a row of tiles) is prepared once.
#pragma once

#include "runtime/engine/compile/emit/instruction_emitter.h"

namespace hip::engine::compile {

class MatrixOperands : InstructionEmitter {
public:
  explicit MatrixOperands(const EmitContext& context) : InstructionEmitter(context) {}

  void begin_point();
  // Behind an instruction that writes these registers.
  void behind(const Registers& written);
  // Whether the wave's block has the units of A (operand 0) or B (1): the registers themselves.
  bool lies_in_block(const Instr& i, uint32_t operand, const State& state) const;
  // Units of A or B.
  Value* prepared(const Instr& i, uint32_t operand, const State& state);
  // Prepares what instruction k has loaded for matrix instructions behind it: what is kept until these come would have
  // to be stored and loaded once more.
  void prepare_ahead(const FlowPoint& point, uint32_t k, const State& state);
  // Units that a product waits for stay until release_all().
  void keep(const Value* units);
  void release_all();

private:
  struct Prepared {
    llvm::Function* by = nullptr;
    uint32_t modifiers = 0, index = 0;
    uint32_t first = 0, count = 0; // its registers
    llvm::AllocaInst* units = nullptr;
    uint32_t bytes = 0;   // room in `units`
    bool current = false; // its registers have not changed since
    bool waits = false;   // for products
  };
  Prepared describe(const Instr& i, uint32_t operand) const;
  Prepared& room_for(uint32_t bytes);
  void store_gathered(const Instr& i, uint32_t operand, Value* rows, llvm::Type* type, const State& state);
  void store_rows(const Instr& i, uint32_t operand, const Prepared& to, Value* rows, llvm::Type* type,
                  const State& state);

  std::vector<Prepared> prepared_;
};

} // namespace hip::engine::compile
