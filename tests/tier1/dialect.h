// tests/tier1/dialect.h - a processor with one size of waves, and how it spells instructions. Random programs are written with
// any generation's names; the table of opcodes says which other names an instruction has, and the assembler which of these
// the processor knows. So one writer serves all generations.
#pragma once

#include "assembler/assembler.h"

#include <map>
#include <string>

namespace tier1_test {

using hip::testing::Assembler;
using hip::testing::range;

class Dialect {
public:
  Dialect(const std::string& processor, uint32_t lanes);
  const std::string& processor() const { return processor_; }
  uint32_t lanes() const { return lanes_; }
  const Assembler& assembler() const { return assembler_; }

  // Whether it has the instruction, under whatever name.
  bool has(const std::string& mnemonic) const { return !spelled(mnemonic).empty(); }
  // The instruction's name here, with the encoding's suffix that it came with; empty when the processor lacks it.
  std::string spelled(const std::string& mnemonic) const;
  // The lines as this processor has them, without those whose instruction it lacks. vcc and exec are the whole masks.
  std::string respelled(const std::string& lines) const;
  // One line, or nothing where the processor has no such form or the instruction is a gap of the table.
  std::string respelled_form(const std::string& line) const;

  // A mask of lanes in scalar registers from `first` (even) on, and the instruction on masks whose name begins so.
  std::string mask(uint32_t first) const;
  std::string mask_op(const std::string& name) const { return name + (lanes_ == 32 ? "_b32" : "_b64"); }
  // (from << by) + base as compilers write it, pairs of registers by their first number; `base` is in SGPRs. It may write VCC.
  std::string wide_sum(uint32_t to, uint32_t from, uint32_t by, uint32_t base) const;
  // What follows the operands of a load that others' stores are seen by, and of an atomic that returns the old value.
  const std::string& coherent() const { return coherent_; }
  const std::string& returning() const { return returning_; }
  // Compares that write EXEC have no other destination.
  bool cmpx_writes_exec_alone() const { return cmpx_writes_exec_alone_; }

private:
  std::string processor_;
  uint32_t lanes_;
  Assembler assembler_;
  bool cmpx_writes_exec_alone_;
  std::string coherent_, returning_;
  mutable std::map<std::string, std::string> spellings_;
};

// The processors and wave sizes that random programs run on: one of each family.
struct DialectName {
  const char* processor;
  uint32_t lanes;
};
inline constexpr DialectName kDialects[] = {{"gfx942", 64},  {"gfx1030", 32}, {"gfx1030", 64}, {"gfx1100", 32},
                                            {"gfx1100", 64}, {"gfx1201", 32}, {"gfx1201", 64}};

} // namespace tier1_test
