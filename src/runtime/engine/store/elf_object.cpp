// runtime/engine/store/elf_object.cpp - see elf_object.h. Symbols come before relocation tables in the checks, not
// in the file: a table's symbol indices are checked against the symbols.
#include "runtime/engine/store/elf_object.h"

#include <bit>

namespace hip::engine {
namespace {

namespace shared = codeobject::elf; // the structures that all machines share
using codeobject::as_text;
using codeobject::read;
using codeobject::read_c_string;
using codeobject::slice;

constexpr uint64_t kMaxAlign = uint64_t{1} << 32;

class Parser {
public:
  explicit Parser(Bytes object) noexcept : object_(object) {}

  Result<ElfObject> parse() {
    RT_TRY(read_header());
    RT_TRY(read_sections());
    for (uint32_t i = 0; i < headers_.size(); ++i) {
      if (headers_[i].type == elf::kSymTab) RT_TRY(read_symbols(i));
    }
    for (uint32_t i = 0; i < headers_.size(); ++i) {
      if (headers_[i].type == elf::kRela || headers_[i].type == elf::kRel) RT_TRY(read_relocations(i));
    }
    return std::move(out_);
  }

private:
  Status read_header();
  Status read_sections();
  Status read_symbols(uint32_t table);
  Status read_relocations(uint32_t table);

  Bytes object_;
  shared::FileHeader header_{};
  std::vector<shared::SectionHeader> headers_;
  uint32_t symbol_table_ = 0;
  ElfObject out_;
};

Status Parser::read_header() {
  const auto magic = slice(object_, 0, shared::kMagic.size());
  if (!magic || as_text(*magic) != shared::kMagic)
    return error(ErrorCode::InvalidImage, "The {} bytes of the generated object do not begin with the ELF magic.",
                 object_.size());
  const auto header = read<shared::FileHeader>(object_, 0);
  if (!header)
    return error(ErrorCode::InvalidImage, "The generated object ends inside its ELF header ({} of 64 bytes).",
                 object_.size());
  header_ = *header;
  if (header_.ident[4] != shared::kClass64 || header_.ident[5] != shared::kLittleEndian ||
      header_.machine != elf::kMachineX86_64 || header_.type != elf::kTypeRel)
    return error(
        ErrorCode::InvalidImage,
        "The generated object is ELF of class {}, data {}, type {} for machine {}; a relocatable object for x86-64 "
        "(2, 1, 1, 62) is needed.",
        header_.ident[4], header_.ident[5], header_.type, header_.machine);
  return {};
}

Status Parser::read_sections() {
  if (header_.sh_entry_bytes != sizeof(shared::SectionHeader))
    return error(ErrorCode::InvalidImage, "The generated object's section headers have {} bytes each, not 64.",
                 header_.sh_entry_bytes);
  const auto table = slice(object_, header_.sh_offset, uint64_t{header_.sh_count} * sizeof(shared::SectionHeader));
  if (!table || header_.sh_count == 0)
    return error(ErrorCode::InvalidImage, "The generated object has {} section headers at offset {} of its {} bytes.",
                 header_.sh_count, header_.sh_offset, object_.size());
  headers_.resize(header_.sh_count);
  std::memcpy(headers_.data(), table->data(), table->size());
  if (header_.sh_names >= headers_.size() || headers_[header_.sh_names].type != elf::kStrTab)
    return error(ErrorCode::InvalidImage,
                 "Section {} of the generated object's {} is to hold the sections' names and does not.",
                 header_.sh_names, headers_.size());
  const auto names = slice(object_, headers_[header_.sh_names].offset, headers_[header_.sh_names].size);
  if (!names)
    return error(ErrorCode::InvalidImage, "The section names of the generated object leave its {} bytes.",
                 object_.size());

  out_.sections.reserve(headers_.size());
  out_.sections.push_back({{}, elf::kNull, 0, 1, 0, {}});
  uint64_t total = 0;
  for (uint32_t i = 1; i < headers_.size(); ++i) {
    const shared::SectionHeader& h = headers_[i];
    const auto name = read_c_string(*names, h.name);
    if (!name)
      return error(ErrorCode::InvalidImage, "The name of section {} of the generated object is not among the names.",
                   i);
    const uint64_t align = h.align ? h.align : 1;
    if (!std::has_single_bit(align) || align > kMaxAlign)
      return error(ErrorCode::InvalidImage, "Section {} ('{}') of the generated object has the alignment {}.", i, *name,
                   align);
    const bool in_file = h.type != elf::kNoBits && h.type != elf::kNull;
    const auto contents = in_file ? slice(object_, h.offset, h.size) : Bytes();
    if (!contents)
      return error(ErrorCode::InvalidImage,
                   "Section {} ('{}', {} bytes at offset {}) leaves the generated object's {} bytes.", i, *name, h.size,
                   h.offset, object_.size());
    out_.sections.push_back({*name, h.type, h.flags, align, h.size, *contents});
    total += contents->size();
  }
  if (total > object_.size()) // without this check a small file could require any amount of memory
    return error(ErrorCode::InvalidImage, "The {} sections of the generated object overlap: {} bytes of the file's {}.",
                 headers_.size(), total, object_.size());
  return {};
}

Status Parser::read_symbols(uint32_t table) {
  if (symbol_table_ != 0)
    return error(ErrorCode::InvalidImage, "The generated object has two symbol tables, sections {} and {}.",
                 symbol_table_, table);
  symbol_table_ = table;
  const shared::SectionHeader& h = headers_[table];
  const Bytes entries = out_.sections[table].contents;
  if (h.entry_bytes != sizeof(shared::SymbolEntry) || entries.size() % sizeof(shared::SymbolEntry) != 0 ||
      h.link >= headers_.size() || headers_[h.link].type != elf::kStrTab)
    return error(ErrorCode::InvalidImage,
                 "The generated object's symbol table ({} bytes, {} per symbol, names in section {}) has a bad header.",
                 entries.size(), h.entry_bytes, h.link);
  const Bytes names = out_.sections[h.link].contents;
  const size_t count = entries.size() / sizeof(shared::SymbolEntry);
  out_.symbols.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const auto entry = *read<shared::SymbolEntry>(entries, i * sizeof(shared::SymbolEntry));
    const auto name = entry.name ? read_c_string(names, entry.name) : std::string_view();
    if (!name)
      return error(ErrorCode::InvalidImage, "The name of symbol {} of the generated object is not among the names.", i);
    const bool in_section = entry.section != shared::kSectionUndefined && entry.section != shared::kSectionAbsolute;
    if (in_section && (entry.section >= headers_.size() || entry.value > out_.sections[entry.section].size))
      return error(ErrorCode::InvalidImage,
                   "Symbol {} ('{}') of the generated object lies at offset {} of section {}, which is not there.", i,
                   *name, entry.value, entry.section);
    out_.symbols.push_back({*name, entry.value, entry.section, static_cast<uint8_t>(entry.info & 15),
                            static_cast<uint8_t>(entry.info >> 4)});
  }
  return {};
}

Status Parser::read_relocations(uint32_t table) {
  const shared::SectionHeader& h = headers_[table];
  const Bytes entries = out_.sections[table].contents;
  if (h.type != elf::kRela || h.entry_bytes != sizeof(shared::RelaEntry) ||
      entries.size() % sizeof(shared::RelaEntry) != 0 || h.link != symbol_table_ || symbol_table_ == 0 || h.info == 0 ||
      h.info >= headers_.size())
    return error(ErrorCode::InvalidImage,
                 "The relocation table '{}' of the generated object (type {}, {} bytes, {} per entry, for section {}, "
                 "symbols in "
                 "section {}) has a bad header.",
                 out_.sections[table].name, h.type, entries.size(), h.entry_bytes, h.info, h.link);
  const RelocationTable relocations{h.info, entries};
  for (size_t i = 0; i < relocations.count(); ++i) {
    if (relocations.at(i).symbol >= out_.symbols.size())
      return error(ErrorCode::InvalidImage,
                   "Relocation {} of '{}' of the generated object uses symbol {}; there are {}.", i,
                   out_.sections[table].name, relocations.at(i).symbol, out_.symbols.size());
  }
  out_.relocations.push_back(relocations);
  return {};
}

} // namespace

ObjectRelocation RelocationTable::at(size_t index) const noexcept {
  const auto entry = *read<shared::RelaEntry>(entries, index * sizeof(shared::RelaEntry));
  return {entry.address, static_cast<uint32_t>(entry.info), static_cast<uint32_t>(entry.info >> 32), entry.addend};
}

Result<ElfObject> ElfObject::parse(Bytes object) { return Parser(object).parse(); }

} // namespace hip::engine
