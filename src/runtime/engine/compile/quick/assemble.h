// runtime/engine/compile/quick/assemble.h - functions whose registers have places become bytes, and these an object.
#pragma once

#include "runtime/engine/compile/quick/allocate.h"
#include "runtime/engine/compile/quick/encoder.h"

#include <string>
#include <vector>

namespace hip::engine::compile::quick {

// The functions of one object (ELF64, relocatable, x86-64): code, the constants behind it, and .debug_line (DWARF 4),
// in which an instruction's line is Inst::line.
class Assembler {
public:
  void add(const Function& function, const Allocation& allocation);
  std::vector<std::byte> object(const ConstantPool& constants);

private:
  friend class FunctionAssembler;
  struct Named {
    std::string name;
    bool is_global;
    uint32_t begin, end;
  };
  struct Call {
    uint32_t at; // of the distance's 4 bytes
    std::string symbol;
  };
  struct Row {
    uint32_t at, line;
  };
  std::vector<std::byte> line_table() const;

  Encoder encoder_;
  std::vector<Named> functions_;
  std::vector<Call> calls_;
  std::vector<Row> rows_;
};

} // namespace hip::engine::compile::quick
