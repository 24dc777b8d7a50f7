// comgr/elf_view.h - an AMDGPU ELF file as its section and program headers describe it, relocatable or linked. (The
// runtime's own reader, codeobject/elf_file.h, takes linked files only and goes by the dynamic section.)
#pragma once

#include "comgr/objects.h"

#include "runtime/codeobject/elf_format.h"

#include <optional>
#include <string_view>
#include <vector>

namespace hip::comgr {

class ElfView {
public:
  // Borrows `file`. Error: InvalidImage for what is no ELF file of an AMD GPU.
  static Result<ElfView> parse(codeobject::Bytes file);

  uint32_t flags() const noexcept { return header_.flags; }
  unsigned version() const noexcept { return header_.ident[8] + 2u; } // of the code object, 3 to 6
  bool is_linked() const noexcept { return header_.type == codeobject::elf::kTypeDyn; }
  // Descriptors of the metadata notes in all note segments, or where these have none, in all note sections. A linker
  // leaves one note for each relocatable. Error: InvalidImage.
  Result<std::vector<codeobject::Bytes>> metadata_notes() const;
  // All but the empty first one, in the file's order. Error: InvalidImage.
  enum class SymbolTable : uint32_t { Static = 2, Dynamic = codeobject::elf::kSectionDynSym };
  Result<std::vector<Symbol>> symbols(SymbolTable table) const;

  struct Place {
    uint64_t offset = 0; // in the file; of what is not in it, where it would be
    uint64_t bytes = 0;  // from there to the end of what is, or is not, in the file
    bool no_bits = false;
  };
  std::optional<Place> place_of(uint64_t address) const;

private:
  std::vector<codeobject::elf::SectionHeader> sections() const;
  std::vector<codeobject::elf::ProgramHeader> segments() const;

  codeobject::Bytes file_;
  codeobject::elf::FileHeader header_{};
};

} // namespace hip::comgr
