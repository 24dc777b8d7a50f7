// runtime/engine/store/elf_object.h - the parts of an x86-64 relocatable object (ELF64, ET_REL). Parsing checks every header, size,
// offset and index once. The views point into the parsed bytes; nothing is copied or placed.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"
#include "runtime/codeobject/elf_format.h"

#include <string_view>
#include <vector>

namespace hip::engine {

using codeobject::Bytes;

// The numbers of the x86-64 psABI and the generic ABI that AMDGPU code objects have no use for.
namespace elf {
inline constexpr uint16_t kTypeRel = 1, kMachineX86_64 = 62;
enum SectionType : uint32_t {
  kNull = 0,
  kProgBits = 1,
  kSymTab = 2,
  kStrTab = 3,
  kRela = 4,
  kNote = 7,
  kNoBits = 8,
  kRel = 9,
  kX86_64Unwind = 0x70000001,
};
enum SectionFlag : uint64_t { kWrite = 1, kAlloc = 2, kExecute = 4, kThreadLocal = 1 << 10, kCompressed = 1 << 11 };
inline constexpr uint8_t kSymSection = 3, kSymFile = 4, kSymThreadLocal = 6, kSymIndirect = 10;
inline constexpr uint8_t kBindLocal = 0;
enum RelocationType : uint32_t {
  kRelNone = 0,
  kRel64 = 1,
  kRelPc32 = 2,
  kRelPlt32 = 4,
  kRelGotPcRel = 9,
  kRel32 = 10,
  kRel32S = 11,
  kRelPc64 = 24,
  kRelGotPcRelX = 41,
  kRelRexGotPcRelX = 42,
  kRelCode4GotPcRelX = 43,
};
} // namespace elf

struct ObjectSection {
  std::string_view name;
  uint32_t type;
  uint64_t flags;
  uint64_t align; // a power of two, at least 1
  uint64_t size;
  Bytes contents; // `size` bytes; empty for SHT_NOBITS

  bool is_allocated() const noexcept { return flags & elf::kAlloc; }
};

struct ObjectSymbol {
  std::string_view name;
  uint64_t value;   // offset in its section, or the address of an absolute symbol
  uint16_t section; // a section's index, codeobject::elf::kSectionUndefined or kSectionAbsolute
  uint8_t type;
  uint8_t binding;

  bool is_undefined() const noexcept { return section == codeobject::elf::kSectionUndefined; }
  bool is_absolute() const noexcept { return section == codeobject::elf::kSectionAbsolute; }
};

struct ObjectRelocation {
  uint64_t offset; // in the section that it changes; not checked here, because the width depends on the type
  uint32_t type;
  uint32_t symbol; // an index of ElfObject::symbols
  int64_t addend;
};

// The relocations of one section.
struct RelocationTable {
  uint32_t section; // an index of ElfObject::sections
  Bytes entries;

  size_t count() const noexcept { return entries.size() / sizeof(codeobject::elf::RelaEntry); }
  ObjectRelocation at(size_t index) const noexcept;
};

struct ElfObject {
  std::vector<ObjectSection> sections; // by ELF index; the null section is the first
  std::vector<ObjectSymbol> symbols;   // by ELF index
  std::vector<RelocationTable> relocations;

  // hipErrorInvalidImage says what is wrong with `object`, which must stay where it is while the result is used.
  static Result<ElfObject> parse(Bytes object);
};

} // namespace hip::engine
