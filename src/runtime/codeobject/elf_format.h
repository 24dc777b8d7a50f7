// runtime/codeobject/elf_format.h - the structures and numbers of ELF64 that AMDGPU code objects use (System V ABI;
// AMDGPUUsage, "ELF Code Object"). Our own, so that this folder needs no system header and no library.
#pragma once

#include <cstdint>
#include <string_view>

namespace hip::codeobject::elf {

inline constexpr std::string_view kMagic = "\x7f"
                                           "ELF";

struct FileHeader {
  unsigned char ident[16]; // [4] class, [5] data, [6] version, [7] OS ABI, [8] ABI version
  uint16_t type;
  uint16_t machine;
  uint32_t version;
  uint64_t entry;
  uint64_t ph_offset;
  uint64_t sh_offset;
  uint32_t flags;
  uint16_t header_bytes;
  uint16_t ph_entry_bytes;
  uint16_t ph_count;
  uint16_t sh_entry_bytes;
  uint16_t sh_count;
  uint16_t sh_names;
};
static_assert(sizeof(FileHeader) == 64);

inline constexpr unsigned char kClass64 = 2;
inline constexpr unsigned char kLittleEndian = 1;
inline constexpr unsigned char kVersion = 1;
inline constexpr unsigned char kOsAbiHsa = 64;
inline constexpr uint16_t kTypeDyn = 3;
inline constexpr uint16_t kMachineAmdgpu = 224;
inline constexpr uint16_t kMachineCuda = 190;

struct ProgramHeader {
  uint32_t type;
  uint32_t flags;
  uint64_t offset;
  uint64_t address;
  uint64_t physical_address;
  uint64_t file_size;
  uint64_t memory_size;
  uint64_t align;
};
static_assert(sizeof(ProgramHeader) == 56);

enum SegmentType : uint32_t { kLoad = 1, kDynamic = 2, kNote = 4 };
enum SegmentFlag : uint32_t { kExecute = 1, kWrite = 2, kRead = 4 };

struct SectionHeader {
  uint32_t name;
  uint32_t type;
  uint64_t flags;
  uint64_t address;
  uint64_t offset;
  uint64_t size;
  uint32_t link;
  uint32_t info;
  uint64_t align;
  uint64_t entry_bytes;
};
static_assert(sizeof(SectionHeader) == 64);
inline constexpr uint64_t kSectionCompressed = 0x800; // of `flags`
inline constexpr uint32_t kSectionNoBits = 8;
inline constexpr uint32_t kSectionDynSym = 11;

struct DynamicEntry {
  int64_t tag;
  uint64_t value;
};
enum DynamicTag : int64_t {
  kDtNull = 0,
  kDtPltRelSize = 2,
  kDtHash = 4,
  kDtStrTab = 5,
  kDtSymTab = 6,
  kDtRela = 7,
  kDtRelaSize = 8,
  kDtRelaEnt = 9,
  kDtStrSize = 10,
  kDtSymEnt = 11,
  kDtRel = 17,
  kDtPltRel = 20,
  kDtJmpRel = 23,
  kDtGnuHash = 0x6ffffef5,
};

struct SymbolEntry {
  uint32_t name;
  uint8_t info;  // binding << 4 | type
  uint8_t other; // visibility
  uint16_t section;
  uint64_t value;
  uint64_t size;
};
static_assert(sizeof(SymbolEntry) == 24);
inline constexpr uint8_t kSymObject = 1, kSymFunction = 2;
inline constexpr uint8_t kBindWeak = 2;
inline constexpr uint16_t kSectionUndefined = 0, kSectionAbsolute = 0xfff1;

struct RelaEntry {
  uint64_t address;
  uint64_t info; // symbol << 32 | type
  int64_t addend;
};
static_assert(sizeof(RelaEntry) == 24);

// R_AMDGPU_* that a dynamic linker may meet (AMDGPUUsage, "Relocation Records").
enum RelocationType : uint32_t {
  kRelNone = 0,
  kRelAbs32Lo = 1,
  kRelAbs32Hi = 2,
  kRelAbs64 = 3,
  kRelRel32 = 4,
  kRelRel64 = 5,
  kRelAbs32 = 6,
  kRelRel32Lo = 10,
  kRelRel32Hi = 11,
  kRelRelative64 = 13,
};

struct NoteHeader {
  uint32_t name_bytes;
  uint32_t descriptor_bytes;
  uint32_t type;
};
inline constexpr uint32_t kNoteAmdgpuMetadata = 32;

} // namespace hip::codeobject::elf
