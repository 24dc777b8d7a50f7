// runtime/engine/compile/quick/select.h - LLVM IR to host instructions on virtual registers. IR is what the
// translator's passes leave of regions and of the library's functions; hosts have AVX-512 (F, BW, DQ, VL, CD) and BMI2.
//
// Blocks are selected from the last to the first, and instructions in each backwards: users come before what they use,
// and take addresses, loads, comparisons and constants into themselves; what nobody asks for in a register is never
// selected.
#pragma once

#include "runtime/engine/compile/quick/machine.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <optional>

namespace llvm {
class BlockFrequencyInfo;
}

namespace hip::engine::compile::quick {

// Thrown, and caught by generate_quickly(): this IR is left to LLVM's code generator.
struct Unsupported {
  std::string what;
};

struct HostFeatures {
  bool vbmi2 = false, popcnt = false, bf16 = false, fp16 = false;
};

// How a type lies in registers: in `parts` registers of a class, with so many bytes each.
struct Shape {
  RegClass reg_class = RegClass::General;
  uint32_t parts = 1, bytes = 8;
  uint32_t element_bits = 0, elements = 0; // of vectors
  // How many elements a register has room for.
  uint32_t elements_of_part() const noexcept { return bytes * 8 / element_bits; }
};

class Selector {
public:
  Selector(const llvm::Function& function, const llvm::BlockFrequencyInfo& runs, ConstantPool& pool,
           const HostFeatures& features);
  // Throws Unsupported.
  Function select();

private:
  // The last operand of an instruction: a register, or memory.
  struct Source {
    Reg reg = kNoReg;
    Memory memory;
    uint32_t line = 0;
  };

  // select.cpp: blocks and what ends them
  void number();
  void select_block(const llvm::BasicBlock& block, uint32_t index);
  void select_branch(const llvm::BranchInst& branch);
  void select_switch(const llvm::SwitchInst& branch);
  void select_phis_of(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  uint32_t edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void select_instruction(const llvm::Instruction& i);
  void flush();
  Function arrange();
  [[noreturn]] void refuse(const llvm::Value& v) const;

  // select_values.cpp: operands
  Shape shape_of(const llvm::Type& type) const;
  // False: a vector with fewer elements than its registers have room for.
  bool fills_registers(const llvm::Type& type) const;
  Memory in_pool(const void* data, uint32_t bytes);
  uint32_t room_in_frame(uint32_t bytes);
  const llvm::Value& seen_through(const llvm::Value& v) const;
  Reg reg(const llvm::Value& v, uint32_t part = 0);
  Reg defined(const llvm::Instruction& i, uint32_t part = 0);
  bool is_wanted(const llvm::Instruction& i) const { return wanted_.lookup(&i); }
  Reg constant(const llvm::Constant& c, uint32_t part);
  Reg number_in_register(uint64_t value);
  Source loaded(const llvm::Value& v, int64_t displacement = 0); // what may_fold() admits, as a memory operand
  Reg part_of_mask(Reg mask, uint32_t part, const Shape& lanes); // the bits of a part's lanes, from the lowest on
  Source everywhere(uint64_t number, uint32_t bytes); // in each element, of 4 or 8 bytes
  std::vector<std::byte> bytes_of(const llvm::Constant& c) const;
  Memory constant_memory(const llvm::Constant& c, uint32_t part, uint32_t element_bytes);
  uint32_t place_of(const llvm::GlobalVariable& g);
  Memory address(const llvm::Value& pointer, int64_t displacement = 0);
  bool may_fold(const llvm::Value& v) const;
  Source vector_source(const llvm::Value& v, uint32_t part, uint32_t element_bytes);
  Source general_source(const llvm::Value& v);
  std::optional<int32_t> immediate(const llvm::Value& v) const;

  Inst& add(Op op, uint32_t bytes, Reg def = kNoReg, Reg a = kNoReg, Reg b = kNoReg);
  Inst& add(Op op, uint32_t bytes, Reg def, const Source& rm);
  Inst& add(Op op, uint32_t bytes, Reg def, Reg a, const Source& rm);
  void copy(Reg to, Reg from) { add(Op::Copy, 0, to, from); }
  Reg make(RegClass c) { return out_.make(c); }

  // select_scalar.cpp
  void select_scalar_binary(const llvm::BinaryOperator& i);
  void select_cast(const llvm::CastInst& i);
  void select_load(const llvm::LoadInst& i);
  void select_store(const llvm::StoreInst& i);
  Condition compare(const llvm::Value& condition);
  void select_scalar_select(const llvm::SelectInst& i);
  void select_number_intrinsic(const llvm::IntrinsicInst& i);
  void select_number_funnel(const llvm::IntrinsicInst& i);

  // select_vector.cpp
  struct VectorOp {
    Op op;
    uint32_t element_bytes; // of a broadcast source; 0: none
    bool commutes = false;
  };
  std::optional<VectorOp> vector_op(const llvm::Instruction& i) const;
  void select_vector_binary(const llvm::BinaryOperator& i);
  void vector_binary(const llvm::Instruction& i, const VectorOp& op, Reg def, uint32_t part, Reg mask);
  // A logical function of up to three values: what an expression of and, or and xor comes to.
  struct Logic {
    std::vector<const llvm::Value*> leaves;
    uint32_t operations = 0;
  };
  std::optional<uint8_t> truth_of(const llvm::Value& v, const llvm::Instruction& root, Logic& logic) const;
  bool select_logic(const llvm::BinaryOperator& i);
  bool select_count(const llvm::BinaryOperator& i);
  void multiply_add(const llvm::IntrinsicInst& i, Reg def, uint32_t part);
  void select_mask_binary(const llvm::BinaryOperator& i);
  void select_vector_compare(const llvm::CmpInst& i, Reg def, Reg under);
  void select_vector_select(const llvm::SelectInst& i);
  Reg mask_of_bit(const llvm::Value& bit);
  bool fits_32_bits(const llvm::Value& v, bool is_signed) const;

  // select_halves.cpp
  uint32_t pieces_of_halves(const Shape& halves) const;
  uint32_t bytes_of_floats(const Shape& halves) const; // of a piece
  Reg as_floats(const llvm::Value& halves, uint32_t piece);
  void select_half_binary(const llvm::BinaryOperator& i);
  bool select_half_rounding(const llvm::IntrinsicInst& i, int64_t imm);
  void select_half_cast(const llvm::CastInst& i);
  void from_floats(const llvm::Instruction& i, uint32_t piece_bytes, const std::function<Reg(uint32_t piece)>& floats);

  // select_casts.cpp
  void select_vector_cast(const llvm::CastInst& i);

  // select_intrinsics.cpp
  void select_vector_intrinsic(const llvm::IntrinsicInst& i);
  bool select_unary_intrinsic(const llvm::IntrinsicInst& i);
  void select_reduction(const llvm::IntrinsicInst& i);
  void select_funnel(const llvm::IntrinsicInst& i);
  void select_signed_saturating(const llvm::IntrinsicInst& i);
  void select_trailing_zeros(const llvm::IntrinsicInst& i);
  void select_bit_reverse(const llvm::IntrinsicInst& i);
  void select_ones(const llvm::IntrinsicInst& i);

  // select_memory.cpp
  void select_masked_load(const llvm::IntrinsicInst& i);
  void select_masked_store(const llvm::IntrinsicInst& i);
  void load_each(uint32_t elements, uint32_t places, uint32_t values);
  void select_gather(const llvm::IntrinsicInst& i);
  void select_masked_gather(const llvm::IntrinsicInst& i);
  void select_copy(const llvm::MemCpyInst& i);

  // select_shuffle.cpp
  void select_shuffle(const llvm::ShuffleVectorInst& i);
  Memory element_in_memory(const llvm::Value& vector, const llvm::Value& index, uint32_t slot);
  void select_extract(const llvm::ExtractElementInst& i);
  void select_insert(const llvm::InsertElementInst& i);
  std::optional<std::pair<const llvm::Value*, uint32_t>> part_of_shuffle(const llvm::ShuffleVectorInst& i,
                                                                         uint32_t part) const;

  // select_calls.cpp
  void select_call(const llvm::CallInst& i);
  void select_return(const llvm::ReturnInst& i);
  void enter();
  CallInfo::Place argument_place(const llvm::Type& type, uint32_t& general, uint32_t& vectors, uint32_t& stack,
                                 bool preserves_none);

  const llvm::Function& function_;
  const llvm::BlockFrequencyInfo& runs_;
  const llvm::DataLayout& layout_;
  ConstantPool& pool_;
  const HostFeatures features_;
  Function out_;
  llvm::DenseMap<const llvm::Value*, Reg> registers_; // the first of a value's
  llvm::DenseMap<const llvm::Value*, bool> wanted_;
  llvm::DenseMap<const llvm::Instruction*, uint32_t> epochs_; // stores and calls before it in its block
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> indices_;
  llvm::DenseMap<const llvm::Value*, uint32_t> frame_; // allocas
  llvm::DenseMap<const llvm::GlobalVariable*, uint32_t> globals_;
  std::vector<const llvm::BasicBlock*> order_;
  struct Draft {
    std::vector<Inst> backwards;
    float runs = 1;
    std::vector<uint32_t> to;
    uint32_t after = 0; // of an edge: the block that it leaves
  };
  std::vector<Draft> drafts_;  // blocks, then edges
  std::vector<Inst> sequence_; // of the instruction at hand, forwards
  const llvm::Instruction* at_ = nullptr;
  uint32_t draft_ = 0, line_ = 0;
};

} // namespace hip::engine::compile::quick
