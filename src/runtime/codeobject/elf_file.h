// runtime/codeobject/elf_file.h - the ELF half of a code object: file header, segments, dynamic symbols, relocations
// and the metadata notes. Used by CodeObject::parse only.
#pragma once

#include "runtime/codeobject/code_object.h"
#include "runtime/codeobject/elf_format.h"

namespace hip::codeobject {

struct ElfFile {
  uint32_t flags = 0;
  unsigned version = 0; // code object version, 4..6
  std::vector<Segment> segments;
  std::vector<Symbol> symbols;
  std::vector<Relocation> relocations;
  // Descriptors of NT_AMDGPU_METADATA. A linker that generates code in parts (-fgpu-rdc) leaves one for each part.
  std::vector<Bytes> metadata_notes;
  uint64_t image_begin = 0, image_end = 0, image_align = 1;

  // The segment that holds all of [address, address + size), or nullptr.
  const Segment* find_segment(uint64_t address, uint64_t size) const noexcept;
  // File bytes at [address, address + size); nothing when they are not all in the file.
  std::optional<Bytes> bytes_at(uint64_t address, uint64_t size) const noexcept;
};

Result<ElfFile> parse_elf(Bytes file);

} // namespace hip::codeobject
