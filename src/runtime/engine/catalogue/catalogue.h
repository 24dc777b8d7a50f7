// runtime/engine/catalogue/catalogue.h - every instruction that LLVM's disassembler knows on a processor, found by
// decoding words that run through the opcode field of each encoding, and what the engine does with it.
// docs/isa-status.md and a test are made of this, so that a gap is seen without a program that falls into it. Not part
// of the engine.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/decode/raw_inst.h"

#include <string>
#include <string_view>
#include <vector>

namespace hip::engine {

class OpTable;

enum class Support : uint8_t {
  Executed,
  Refused, // the row says why (refusal_of)
  Missing, // a gap: no row, no body, or a form of operands that is not known
};

// An instruction in one of its encodings.
struct CatalogueEntry {
  std::string mnemonic; // as the processor's assembler spells it, without a suffix for its encoding
  Opcode opcode;        // Opcode::unknown: the table has no row with that spelling
  Format format;
  Variant variant;
  bool lds;          // MUBUF that loads into LDS
  Support support;
  std::string reason; // of what is not executed
  std::string sample; // the text of the instruction that was decoded
};

// What `ops` executes of a processor's instructions, by mnemonic. Fails for generations whose encodings it does not
// know.
Result<std::vector<CatalogueEntry>> catalogue_of(std::string_view target, const OpTable& ops);

} // namespace hip::engine
