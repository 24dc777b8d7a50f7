// runtime/engine/compile/quick/object.cpp - see assemble.h: the ELF file and its line table. Sources: System V ABI
// (ELF-64), x86-64 psABI (relocations), DWARF 4, 6.2 (line number information).
#include "runtime/codeobject/elf_format.h"
#include "runtime/engine/compile/quick/assemble.h"
#include "runtime/engine/store/elf_object.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace hip::engine::compile::quick {
namespace {

namespace shared = codeobject::elf;

class Bytes {
public:
  template<class T> size_t add(const T& value) {
    const size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return at;
  }
  void text(std::string_view s) {
    for (const char c : s) bytes.push_back(std::byte(c));
    bytes.push_back(std::byte(0));
  }
  void unsigned_leb(uint64_t value) {
    do {
      const auto low = uint8_t(value & 127);
      value >>= 7;
      add(uint8_t(low | (value ? 128 : 0)));
    } while (value);
  }
  void signed_leb(int64_t value) {
    for (;;) {
      const auto low = uint8_t(value & 127);
      value >>= 7;
      const bool ends = (value == 0 && !(low & 64)) || (value == -1 && (low & 64));
      add(uint8_t(low | (ends ? 0 : 128)));
      if (ends) return;
    }
  }
  std::vector<std::byte> bytes;
};

constexpr uint8_t kLineOpcodes[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}; // arguments of the standard opcodes
constexpr size_t kAddressInLineTable = 4 + 2 + 4 + 6 + sizeof kLineOpcodes + 1 + 10 + 3;

} // namespace

// One sequence over all of the text. Its address, 8 bytes at kAddressInLineTable, wants a relocation.
std::vector<std::byte> Assembler::line_table() const {
  Bytes out;
  out.add(uint32_t{0});
  out.add(uint16_t{4});
  const size_t length_at = out.add(uint32_t{0});
  const size_t header_from = out.bytes.size();
  for (const int value : {1, 1, 1, -5, 14, int(std::size(kLineOpcodes)) + 1}) out.add(uint8_t(value));
  for (const uint8_t arguments : kLineOpcodes) out.add(arguments);
  out.add(uint8_t{0}); // no directories
  out.text("guest");
  for (int k = 0; k < 3; ++k) out.add(uint8_t{0}); // directory, time, size
  out.add(uint8_t{0});                             // no more files
  const auto header = uint32_t(out.bytes.size() - header_from);
  std::memcpy(out.bytes.data() + length_at, &header, sizeof header);
  out.add(uint8_t{0}), out.add(uint8_t{9}), out.add(uint8_t{2}); // DW_LNE_set_address
  out.add(uint64_t{0});
  uint32_t at = 0, line = 1;
  for (const Row& row : rows_) {
    if (row.line != line) out.add(uint8_t{3}), out.signed_leb(int64_t{row.line} - line); // DW_LNS_advance_line
    if (row.at != at) out.add(uint8_t{2}), out.unsigned_leb(row.at - at);                // DW_LNS_advance_pc
    out.add(uint8_t{1});                                                                 // DW_LNS_copy
    at = row.at, line = row.line;
  }
  const uint32_t end = functions_.empty() ? at : functions_.back().end;
  out.add(uint8_t{2}), out.unsigned_leb(end - at);
  out.add(uint8_t{0}), out.add(uint8_t{1}), out.add(uint8_t{1}); // DW_LNE_end_sequence
  const auto length = uint32_t(out.bytes.size() - 4);
  std::memcpy(out.bytes.data(), &length, sizeof length);
  return std::move(out.bytes);
}

std::vector<std::byte> Assembler::object(const ConstantPool& constants) {
  // Constants follow the code, a cache line's begin away.
  while (!functions_.empty() && encoder_.size() % 64) encoder_.byte(0xcc);
  const uint32_t pool = encoder_.size();
  encoder_.code.insert(encoder_.code.end(), constants.bytes().begin(), constants.bytes().end());
  for (const Encoder::Distance& d : encoder_.distances) encoder_.patch(d.at, pool + d.target - d.end);

  enum Section : uint16_t { kNone, kText, kRelaText, kLine, kRelaLine, kSymbols, kNames, kSectionNames, kSections };
  std::array<shared::SectionHeader, kSections> headers{};
  std::array<std::vector<std::byte>, kSections> contents;
  Bytes names, symbols, text_relocations, line_relocations, section_names;
  names.text(""), section_names.text("");
  symbols.add(shared::SymbolEntry{});
  shared::SymbolEntry section{};
  section.info = elf::kSymSection, section.section = kText;
  symbols.add(section); // number 1
  uint32_t count = 2;
  std::map<std::string_view, const Named*> mine;
  for (const Named& f : functions_) mine[f.name] = &f;
  for (const Named& f : functions_) {
    if (!f.is_global) continue;
    shared::SymbolEntry symbol{};
    symbol.name = uint32_t(names.bytes.size());
    names.text(f.name);
    symbol.info = 1 << 4 | 2; // global, a function
    symbol.section = kText, symbol.value = f.begin, symbol.size = f.end - f.begin;
    symbols.add(symbol);
    ++count;
  }
  std::map<std::string_view, uint32_t> foreign;
  for (const Call& call : calls_) {
    if (const auto at = mine.find(call.symbol); at != mine.end()) {
      encoder_.patch(call.at, at->second->begin - (call.at + 4));
      continue;
    }
    const auto [at, is_new] = foreign.try_emplace(call.symbol, count);
    if (is_new) {
      shared::SymbolEntry symbol{};
      symbol.name = uint32_t(names.bytes.size());
      names.text(call.symbol);
      symbol.info = 1 << 4;
      symbols.add(symbol);
      ++count;
    }
    text_relocations.add(shared::RelaEntry{call.at, uint64_t{at->second} << 32 | elf::kRelPlt32, -4});
  }
  line_relocations.add(shared::RelaEntry{kAddressInLineTable, uint64_t{1} << 32 | elf::kRel64, 0});
  contents[kText] = std::move(encoder_.code);
  contents[kRelaText] = std::move(text_relocations.bytes);
  contents[kLine] = line_table();
  contents[kRelaLine] = std::move(line_relocations.bytes);
  contents[kSymbols] = std::move(symbols.bytes);
  contents[kNames] = std::move(names.bytes);
  struct Description {
    const char* name;
    uint32_t type;
    uint64_t flags, align, entry_bytes;
    uint32_t link, info;
  };
  constexpr Description kDescriptions[kSections] = {
      {"", elf::kNull, 0, 0, 0, 0, 0},
      {".text", elf::kProgBits, elf::kAlloc | elf::kExecute, 64, 0, 0, 0},
      {".rela.text", elf::kRela, 0, 8, sizeof(shared::RelaEntry), kSymbols, kText},
      {".debug_line", elf::kProgBits, 0, 1, 0, 0, 0},
      {".rela.debug_line", elf::kRela, 0, 8, sizeof(shared::RelaEntry), kSymbols, kLine},
      {".symtab", elf::kSymTab, 0, 8, sizeof(shared::SymbolEntry), kNames, 2},
      {".strtab", elf::kStrTab, 0, 1, 0, 0, 0},
      {".shstrtab", elf::kStrTab, 0, 1, 0, 0, 0},
  };
  Bytes out;
  shared::FileHeader file{};
  std::memcpy(file.ident, shared::kMagic.data(), shared::kMagic.size());
  file.ident[4] = shared::kClass64, file.ident[5] = shared::kLittleEndian, file.ident[6] = 1;
  file.type = elf::kTypeRel, file.machine = elf::kMachineX86_64, file.version = 1;
  file.header_bytes = sizeof file, file.sh_entry_bytes = sizeof(shared::SectionHeader);
  file.sh_count = kSections, file.sh_names = kSectionNames;
  out.add(file);
  for (size_t k = 1; k < kSections; ++k) {
    const Description& d = kDescriptions[k];
    headers[k].name = uint32_t(section_names.bytes.size());
    section_names.text(d.name);
    headers[k].type = d.type, headers[k].flags = d.flags, headers[k].align = d.align,
    headers[k].entry_bytes = d.entry_bytes;
    headers[k].link = d.link, headers[k].info = d.info;
    if (functions_.empty()) headers[k].align = 1; // nothing is placed, and the loader says that there is no code
  }
  contents[kSectionNames] = std::move(section_names.bytes);
  for (size_t k = 1; k < kSections; ++k) {
    while (out.bytes.size() % headers[k].align) out.bytes.push_back(std::byte(0));
    headers[k].offset = out.bytes.size(), headers[k].size = contents[k].size();
    out.bytes.insert(out.bytes.end(), contents[k].begin(), contents[k].end());
  }
  while (out.bytes.size() % 8) out.bytes.push_back(std::byte(0));
  file.sh_offset = out.bytes.size();
  std::memcpy(out.bytes.data(), &file, sizeof file);
  for (const auto& header : headers) out.add(header);
  return std::move(out.bytes);
}

} // namespace hip::engine::compile::quick
