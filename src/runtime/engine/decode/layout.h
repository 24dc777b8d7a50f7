// runtime/engine/decode/layout.h - what each operand of an LLVM opcode is: one role per operand, derived once per opcode
// from the instruction's format flags and operand types. The order of operands inside a format is LLVM's and stable: it
// is the order in which the assembler's syntax is written down there.
#pragma once

#include "runtime/engine/decode/raw_inst.h"

#include <vector>

namespace llvm {
class MCInstrDesc;
}

namespace hip::engine {

enum class Role : uint8_t {
  Ignore, // tied to a destination, or without meaning for execution
  Def,    // vdst or sdst, by the register's bank
  Source, // next src[]
  Mods,   // modifiers of the next src[]
  Clamp, Omod, OpSel, ByteSel, Bitop3,
  DppCtrl, RowMask, BankMask, BoundCtrl, FetchInactive, Dpp8,
  DstSel, DstUnused, Src0Sel, Src1Sel,
  Cbsz, Abid, Blgp, ScaleByte,
  Simm16, Literal,
  Offset, Offset0, Offset1, Gds, Cpol, BufferFormat,
  Vaddr, Saddr, Data, Data1,
  Sbase, Soffset, Sdata,
};

struct Layout {
  Opcode opcode = Opcode::unknown;
  Format format = Format::Other;
  Variant variant = Variant::Base;
  bool known = false; // every operand has a role
  bool has_neg_hi = false;  // the ABS bit of modifiers means neg_hi
  bool signed_literals = false; // a 32-bit literal is sign-extended to a 64-bit operand
  bool data_is_vdst = false; // MUBUF atomics with return: the data comes from the destination
  bool implicit_sdst = false, implicit_carry_in = false; // vcc, not spelled as an operand
  Opcode second = Opcode::unknown; // VOPD: the second operation; `opcode` is the first
  bool is_scaled = false; // scaled MFMA: op_sel and op_sel_hi name bytes of the scales
  bool offen = false, idxen = false, lds = false;
  std::vector<Role> roles;        // one per operand
  std::vector<uint8_t> const_dwords; // of a source: dwords that it reads when it is a constant
};

// `name` is LLVM's name of its opcode, `mnemonic` the printer's.
Layout make_layout(const llvm::MCInstrDesc& desc, std::string_view name, std::string_view mnemonic);

} // namespace hip::engine
