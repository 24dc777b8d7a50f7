// runtime/engine/compile/quick/machine.h - a region as host instructions on virtual registers: what selection makes and
// allocation and encoding consume.
//
// A virtual register is written once, but for tied definitions, which directly follow the write, and for what block
// parameters (phis) receive on each edge.
#pragma once

#include "runtime/engine/compile/quick/host_op.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace hip::engine::compile::quick {

enum class RegClass : uint8_t { General, Vector, Mask };
inline constexpr size_t kRegClasses = 3;

using Reg = uint32_t; // a virtual register's number
inline constexpr Reg kNoReg = 0;

// A place in memory.
struct Memory {
  enum class Kind : uint8_t {
    None,
    Address,  // base + index * scale + displacement
    Slot,     // `displacement` bytes into the function's frame area of allocas
    Constant, // `displacement` bytes into the pool of constants
  };
  Kind kind = Kind::None;
  uint8_t scale = 1;
  bool broadcast = false; // one element, which serves all lanes
  Reg base = kNoReg, index = kNoReg;
  int32_t displacement = 0;
};

struct Inst {
  Op op = Op::Copy;
  uint8_t bytes = 0;    // size of an operand in general registers: 1, 2, 4, 8; of a vector: 16, 32, 64
  bool zeroing = false; // lanes off in `mask` become zero; else they keep what def has, which makes it tied
  uint8_t rounding = 0; // 0: as MXCSR says; else 4 plus EVEX's rounding, of registers alone
  Condition condition{};
  Reg def = kNoReg;
  std::array<Reg, 2> source{};
  Reg mask = kNoReg;
  Memory memory;
  int64_t imm = 0;
  uint32_t line = 0;

  // Whether def is read, too.
  bool is_tied() const noexcept {
    const Form form = row_of(op).form;
    return form == Form::Alu || form == Form::AluImm || form == Form::ShiftImm || form == Form::Unary ||
           form == Form::Exchange || form == Form::VecTied ||
           (mask != kNoReg && !zeroing && def != kNoReg && form != Form::MaskCompare && form != Form::Blend);
  }
};

struct Move {
  Reg to = kNoReg, from = kNoReg;
};

// The registers of a call by the System V ABI (x86-64 psABI, 3.2.3) or of preserve_none (Clang's attribute reference):
// for Call and TailCall what goes out, for Enter what comes in, for Return the result.
struct CallInfo {
  struct Place {
    Reg reg = kNoReg;
    bool on_stack = false;
    uint32_t number = 0; // the physical register, or bytes from the begin of the stack's arguments
  };
  std::vector<Place> arguments;
  Place result;       // of a call
  std::string symbol; // empty: through `target`
  Reg target = kNoReg;
  uint32_t stack_bytes = 0;
  bool preserves_none = false; // the callee may change every register but rbp
};

struct Block {
  uint32_t first = 0, end = 0; // in Function::insts
  std::vector<uint32_t> from, to;
  float runs = 1; // how often, relative to the function's entry
};

struct Function {
  std::string name;
  bool is_global = true;
  bool saves_registers = false; // of the System V ABI
  std::vector<Inst> insts;
  std::vector<Block> blocks;                        // in the order of their code
  std::vector<std::vector<Move>> moves;             // of ParallelCopy, by Inst::imm
  std::vector<CallInfo> calls;                      // by Inst::imm
  std::vector<RegClass> classes{RegClass::General}; // by virtual register; the first is none
  std::vector<std::pair<Reg, uint32_t>> parameters; // block parameters and their blocks
  uint32_t frame_bytes = 0;                         // of allocas

  Reg make(RegClass c) {
    classes.push_back(c);
    return Reg(classes.size() - 1);
  }
};

// Constants of all functions of an object, each once, aligned to its size.
class ConstantPool {
public:
  uint32_t place(const void* bytes, uint32_t count, uint32_t align);
  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

private:
  std::vector<std::byte> bytes_;
  std::vector<std::pair<uint64_t, std::pair<uint32_t, uint32_t>>> places_; // hash, offset and size; open addressing
  size_t count_ = 0;
};

// Numbers of physical registers, as in instructions.
namespace phys {
enum : uint32_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };
}

} // namespace hip::engine::compile::quick
