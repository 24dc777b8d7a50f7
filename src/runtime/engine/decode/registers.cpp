// runtime/engine/decode/registers.cpp - see registers.h. A register's bank is read from its name ("VGPR4_VGPR5",
// "AGPR0", everything else is scalar), its first index from the hardware encoding, its width from the smallest class.
#include "runtime/engine/decode/registers.h"

#include <algorithm>
#include <llvm/MC/MCRegisterInfo.h>

namespace hip::engine {

std::vector<Operand> make_register_table(const llvm::MCRegisterInfo& registers, const Target& target) {
  std::vector<Operand> table(registers.getNumRegs());
  std::vector<unsigned> bits(registers.getNumRegs(), 0);
  for (const llvm::MCRegisterClass& cls : registers.regclasses())
    for (llvm::MCPhysReg reg : cls) {
      unsigned size = cls.getSizeInBits();
      if (size >= 16 && (bits[reg] == 0 || size < bits[reg])) bits[reg] = size;
    }
  for (unsigned reg = 1; reg < registers.getNumRegs(); ++reg) {
    std::string_view name = registers.getName(reg);
    unsigned encoding = registers.getEncodingValue(reg);
    Operand& op = table[reg];
    op.dwords = uint8_t(std::max(1u, bits[reg] / 32));
    op.index = encoding & 0xff;
    op.high_half = name.ends_with("_HI16");
    if (name.starts_with("VGPR"))
      op.bank = Bank::Vgpr;
    else if (name.starts_with("AGPR"))
      op.bank = Bank::Agpr;
    else if (op.index < 128)
      op.bank = Bank::Sgpr, op.index = target.sgpr_index(op.index);
    else
      op.bank = Bank::Special;
  }
  return table;
}

} // namespace hip::engine
