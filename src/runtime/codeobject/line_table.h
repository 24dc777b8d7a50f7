// runtime/codeobject/line_table.h - which source line the code at an address comes from, read straight out of
// .debug_line (DWARF 2 to 5, sections 6.2.2 to 6.2.5). Every lookup runs the line number programs until it has found
// the address, which is fast enough for fault reports, and no index has to be built or kept. This reader is our own
// because LLVM's needs its whole object file library (1.4 MB of code in the engine), and because this one accepts
// untrusted bytes.
#pragma once

#include "runtime/codeobject/bytes.h"

#include <memory>
#include <vector>

namespace hip::codeobject {

// The line of `address` in `debug_line`, whose addresses have been relocated; 0 when it has none or the bytes are
// malformed. Neither allocates nor locks, so that a signal handler may call it.
uint32_t line_at(Bytes debug_line, uint64_t address) noexcept;

// Code in [begin, end) comes from one line.
struct LineRange {
  uint64_t begin = 0, end = 0;
  uint32_t line = 0;
};
// All that `debug_line` tells, in its order, without empty ranges; what malformed bytes tell as far as they can be read.
std::vector<LineRange> line_ranges(Bytes debug_line);

// As the compiler was given them; empty where they are not known. An absolute name needs no directory.
struct SourceFile {
  std::string_view directory, name;
};
struct SourceLine {
  SourceFile file;
  uint32_t line = 0; // 0: not known
};

// What a linked file says of source lines: copies of its sections, so that the file may go.
struct LineSections {
  std::vector<std::byte> line, line_strings; // .debug_line, .debug_line_str

  // Null: the ELF file has no line table, or keeps it compressed.
  static std::shared_ptr<const LineSections> of(Bytes file);
  // By an address of the file; of code without a line, the last one in front of it in the same sequence. The names lie in `line`
  // and `line_strings`.
  SourceLine line_of(uint64_t address) const noexcept;
};

} // namespace hip::codeobject
