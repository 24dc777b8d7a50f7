#include "runtime/codeobject/elf_file.h"

#include <algorithm>

namespace hip::codeobject {
namespace {

// No device has more memory for one image; keeps all address sums far from overflow.
constexpr uint64_t kMaxAddress = uint64_t{1} << 47;
constexpr uint64_t kMaxAlign = uint64_t{1} << 30;

struct DynamicInfo {
  std::optional<uint64_t> symtab, strtab, hash, gnu_hash, rela, jmprel;
  uint64_t strtab_bytes = 0, rela_bytes = 0, rela_entry_bytes = sizeof(elf::RelaEntry), jmprel_bytes = 0;
  uint64_t sym_entry_bytes = sizeof(elf::SymbolEntry);
  uint64_t plt_rel_type = elf::kDtRela;
  bool has_rel = false;
};

class ElfParser {
public:
  explicit ElfParser(Bytes file) : file_(file) {}

  Result<ElfFile> parse() {
    RT_TRY(parse_header());
    RT_TRY(parse_program_headers());
    RT_TRY(check_segments());
    if (dynamic_) RT_TRY(parse_dynamic());
    return std::move(out_);
  }

private:
  Status parse_header();
  Status parse_program_headers();
  Status parse_segment(const elf::ProgramHeader& ph, unsigned index);
  Status parse_notes(const elf::ProgramHeader& ph, unsigned index);
  Status check_segments();
  Status parse_dynamic();
  Status parse_symbols(const DynamicInfo& info);
  Status parse_relocations(const DynamicInfo& info, uint64_t address, uint64_t size);
  Result<uint64_t> count_symbols(const DynamicInfo& info) const;
  Result<uint64_t> count_by_gnu_hash(uint64_t address) const;
  std::optional<uint32_t> word_at(uint64_t address) const noexcept {
    const auto bytes = out_.bytes_at(address, 4);
    return bytes ? read<uint32_t>(*bytes, 0) : std::nullopt;
  }

  Bytes file_;
  elf::FileHeader header_{};
  std::optional<elf::ProgramHeader> dynamic_;
  uint64_t note_bytes_ = 0; // of all note segments
  ElfFile out_;
};

Status ElfParser::parse_header() {
  const auto magic = slice(file_, 0, 4);
  if (!magic || as_text(*magic) != elf::kMagic)
    return error(ErrorCode::InvalidImage, "The code object's {} bytes do not begin with the ELF magic.", file_.size());
  const auto header = read<elf::FileHeader>(file_, 0);
  if (!header)
    return error(ErrorCode::InvalidImage, "The code object ends inside its ELF header ({} of 64 bytes).", file_.size());
  header_ = *header;
  if (header_.ident[4] != elf::kClass64 || header_.ident[5] != elf::kLittleEndian)
    return error(ErrorCode::InvalidImage, "The code object is not 64-bit little-endian ELF (class {}, data {}).",
                 header_.ident[4], header_.ident[5]);
  if (header_.ident[6] != elf::kVersion)
    return error(ErrorCode::InvalidImage, "The code object has ELF version {}; 1 is the only one.", header_.ident[6]);
  if (header_.machine != elf::kMachineAmdgpu)
    return error(ErrorCode::InvalidImage, "The ELF file is for machine {}, not for AMDGPU (224).", header_.machine);
  if (header_.ident[7] != elf::kOsAbiHsa)
    return error(ErrorCode::InvalidImage, "The code object's OS ABI is {}, not AMDGPU HSA (64).", header_.ident[7]);
  const unsigned abi = header_.ident[8];
  if (abi < 1)
    return error(ErrorCode::NotSupported,
                 "The code object has version {}; versions 3 to 6 are supported. Compile it again.", abi + 2);
  if (abi > 4)
    return error(ErrorCode::InvalidImage, "The code object's ABI version {} is not known (1 to 4 are).", abi);
  if (header_.type != elf::kTypeDyn)
    return error(ErrorCode::InvalidImage, "The code object has ELF type {}; a linked one (3) is needed.", header_.type);
  out_.version = abi + 2;
  out_.flags = header_.flags;
  return {};
}

Status ElfParser::parse_program_headers() {
  if (header_.ph_entry_bytes != sizeof(elf::ProgramHeader))
    return error(ErrorCode::InvalidImage, "The code object's program headers have {} bytes each, not 56.",
                 header_.ph_entry_bytes);
  const auto table = slice(file_, header_.ph_offset, uint64_t{header_.ph_count} * sizeof(elf::ProgramHeader));
  if (!table)
    return error(ErrorCode::InvalidImage, "The code object's {} program headers at offset {} leave its {} bytes.",
                 header_.ph_count, header_.ph_offset, file_.size());
  for (unsigned i = 0; i < header_.ph_count; ++i) {
    const auto ph = *read<elf::ProgramHeader>(*table, i * sizeof(elf::ProgramHeader));
    if (ph.type == elf::kLoad) RT_TRY(parse_segment(ph, i));
    if (ph.type == elf::kNote) RT_TRY(parse_notes(ph, i));
    if (ph.type == elf::kDynamic) {
      if (dynamic_) return error(ErrorCode::InvalidImage, "The code object has two PT_DYNAMIC segments.");
      dynamic_ = ph;
    }
  }
  return {};
}

Status ElfParser::parse_segment(const elf::ProgramHeader& ph, unsigned index) {
  const auto contents = slice(file_, ph.offset, ph.file_size);
  if (!contents)
    return error(ErrorCode::InvalidImage,
                 "Segment {} of the code object lies at offset {} with {} bytes, outside the file's {} bytes.", index,
                 ph.offset, ph.file_size, file_.size());
  if (ph.file_size > ph.memory_size)
    return error(ErrorCode::InvalidImage, "Segment {} of the code object has {} bytes in the file but {} in memory.",
                 index, ph.file_size, ph.memory_size);
  if (ph.address > kMaxAddress || ph.memory_size > kMaxAddress)
    return error(ErrorCode::InvalidImage,
                 "Segment {} of the code object lies at {:#x} with {:#x} bytes, beyond 47 bits.", index, ph.address,
                 ph.memory_size);
  const uint64_t align = std::max<uint64_t>(ph.align, 1);
  if (!std::has_single_bit(align) || align > kMaxAlign)
    return error(ErrorCode::InvalidImage,
                 "Segment {} of the code object has the alignment {}, not a power of two up to 2^30.", index, ph.align);
  if (ph.memory_size == 0) return {};
  Segment segment;
  segment.address = ph.address;
  segment.memory_size = ph.memory_size;
  segment.align = align;
  segment.contents = *contents;
  segment.readable = (ph.flags & elf::kRead) != 0;
  segment.writable = (ph.flags & elf::kWrite) != 0;
  segment.executable = (ph.flags & elf::kExecute) != 0;
  out_.segments.push_back(segment);
  return {};
}

Status ElfParser::parse_notes(const elf::ProgramHeader& ph, unsigned index) {
  const auto notes = slice(file_, ph.offset, ph.file_size);
  if (!notes)
    return error(ErrorCode::InvalidImage,
                 "The note segment {} of the code object leaves the file ({} bytes at offset {}).", index, ph.file_size,
                 ph.offset);
  // Many headers of the same bytes would make far more metadata than the file has.
  note_bytes_ += ph.file_size;
  if (note_bytes_ > file_.size()) return error(ErrorCode::InvalidImage, "The code object's note segments overlap.");
  constexpr auto round4 = [](uint64_t n) { return (n + 3) & ~uint64_t{3}; };
  uint64_t at = 0;
  while (at < notes->size()) {
    const auto note = read<elf::NoteHeader>(*notes, at);
    if (!note) return error(ErrorCode::InvalidImage, "The code object's note at offset {} is cut off.", ph.offset + at);
    const uint64_t name_at = at + sizeof(elf::NoteHeader);
    const uint64_t descriptor_at = name_at + round4(note->name_bytes);
    const auto name = slice(*notes, name_at, note->name_bytes);
    const auto descriptor = slice(*notes, descriptor_at, note->descriptor_bytes);
    if (!name || !descriptor)
      return error(ErrorCode::InvalidImage,
                   "The code object's note at offset {} claims {} + {} bytes, more than there are.", ph.offset + at,
                   note->name_bytes, note->descriptor_bytes);
    using namespace std::string_view_literals;
    if (note->type == elf::kNoteAmdgpuMetadata && as_text(*name) == "AMDGPU\0"sv) out_.metadata_notes.push_back(*descriptor);
    at = descriptor_at + round4(note->descriptor_bytes);
  }
  return {};
}

Status ElfParser::check_segments() {
  if (out_.segments.empty()) return error(ErrorCode::InvalidImage, "The code object has no segment to load.");
  std::sort(out_.segments.begin(), out_.segments.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  uint64_t end = 0;
  uint64_t align = 1;
  for (const Segment& s : out_.segments) {
    if (s.address < end)
      return error(ErrorCode::InvalidImage, "Two segments of the code object overlap at address {:#x}.", s.address);
    end = s.address + s.memory_size;
    align = std::max(align, s.align);
  }
  out_.image_align = align;
  out_.image_begin = out_.segments.front().address & ~(align - 1);
  out_.image_end = end;
  return {};
}

Status ElfParser::parse_dynamic() {
  const auto table = slice(file_, dynamic_->offset, dynamic_->file_size);
  if (!table)
    return error(ErrorCode::InvalidImage, "The code object's dynamic section at offset {} ({} bytes) leaves the file.",
                 dynamic_->offset, dynamic_->file_size);
  DynamicInfo info;
  for (uint64_t at = 0;; at += sizeof(elf::DynamicEntry)) {
    const auto entry = read<elf::DynamicEntry>(*table, at);
    if (!entry || entry->tag == elf::kDtNull) break;
    switch (entry->tag) {
    case elf::kDtSymTab:
      info.symtab = entry->value;
      break;
    case elf::kDtStrTab:
      info.strtab = entry->value;
      break;
    case elf::kDtStrSize:
      info.strtab_bytes = entry->value;
      break;
    case elf::kDtHash:
      info.hash = entry->value;
      break;
    case elf::kDtGnuHash:
      info.gnu_hash = entry->value;
      break;
    case elf::kDtSymEnt:
      info.sym_entry_bytes = entry->value;
      break;
    case elf::kDtRela:
      info.rela = entry->value;
      break;
    case elf::kDtRelaSize:
      info.rela_bytes = entry->value;
      break;
    case elf::kDtRelaEnt:
      info.rela_entry_bytes = entry->value;
      break;
    case elf::kDtJmpRel:
      info.jmprel = entry->value;
      break;
    case elf::kDtPltRelSize:
      info.jmprel_bytes = entry->value;
      break;
    case elf::kDtPltRel:
      info.plt_rel_type = entry->value;
      break;
    case elf::kDtRel:
      info.has_rel = true;
      break;
    default:
      break;
    }
  }
  if (info.has_rel || info.plt_rel_type != elf::kDtRela)
    return error(ErrorCode::InvalidImage,
                 "The code object has relocations without addends (DT_REL), which AMDGPU never uses.");
  if (info.sym_entry_bytes != sizeof(elf::SymbolEntry) || info.rela_entry_bytes != sizeof(elf::RelaEntry))
    return error(ErrorCode::InvalidImage, "The code object's symbols or relocations have {} and {} bytes each, not 24.",
                 info.sym_entry_bytes, info.rela_entry_bytes);
  RT_TRY(parse_symbols(info));
  if (info.rela) RT_TRY(parse_relocations(info, *info.rela, info.rela_bytes));
  if (info.jmprel) RT_TRY(parse_relocations(info, *info.jmprel, info.jmprel_bytes));
  return {};
}

Result<uint64_t> ElfParser::count_by_gnu_hash(uint64_t address) const {
  // Header: bucket count, first hashed symbol, bloom words, bloom shift; then bloom filter, buckets, one chain word per
  // hashed symbol, its lowest bit set at the end of a chain. The last symbol is the end of the highest bucket's chain.
  const auto buckets = word_at(address), first = word_at(address + 4), bloom_words = word_at(address + 8);
  if (!buckets || !first || !bloom_words)
    return error(ErrorCode::InvalidImage, "The code object's GNU hash table at {:#x} leaves the file.", address);
  const uint64_t buckets_at = address + 16 + uint64_t{*bloom_words} * 8;
  const uint64_t chains_at = buckets_at + uint64_t{*buckets} * 4;
  const auto bucket_bytes = out_.bytes_at(buckets_at, uint64_t{*buckets} * 4);
  if (!bucket_bytes)
    return error(ErrorCode::InvalidImage, "The code object's GNU hash table claims {} buckets, more than the file has.",
                 *buckets);
  uint64_t last = 0;
  for (uint64_t i = 0; i < *buckets; ++i) last = std::max<uint64_t>(last, *read<uint32_t>(*bucket_bytes, i * 4));
  if (last < *first) return uint64_t{*first}; // nothing is hashed
  for (;; ++last) {
    const auto chain = word_at(chains_at + (last - *first) * 4);
    if (!chain) return error(ErrorCode::InvalidImage, "A chain of the code object's GNU hash table leaves the file.");
    if (*chain & 1) return last + 1;
  }
}

Result<uint64_t> ElfParser::count_symbols(const DynamicInfo& info) const {
  if (info.hash) {
    const auto chains = word_at(*info.hash + 4); // bucket count, chain count = symbol count
    if (!chains)
      return error(ErrorCode::InvalidImage, "The code object's hash table at {:#x} leaves the file.", *info.hash);
    return uint64_t{*chains};
  }
  if (info.gnu_hash) return count_by_gnu_hash(*info.gnu_hash);
  for (unsigned i = 0; i < header_.sh_count && header_.sh_entry_bytes == sizeof(elf::SectionHeader); ++i) {
    const auto entry = slice(file_, header_.sh_offset, uint64_t{i + 1} * sizeof(elf::SectionHeader));
    if (!entry) break;
    const auto section = *read<elf::SectionHeader>(*entry, i * sizeof(elf::SectionHeader));
    if (section.type == elf::kSectionDynSym && section.address == *info.symtab)
      return section.size / sizeof(elf::SymbolEntry);
  }
  return error(ErrorCode::InvalidImage,
               "The code object has dynamic symbols but neither a hash table nor a section that tells how many.");
}

Status ElfParser::parse_symbols(const DynamicInfo& info) {
  if (!info.symtab) return {};
  RT_TRY_ASSIGN(const uint64_t count, count_symbols(info));
  const auto table =
      count <= file_.size() ? out_.bytes_at(*info.symtab, count * sizeof(elf::SymbolEntry)) : std::nullopt;
  const auto strings = info.strtab ? out_.bytes_at(*info.strtab, info.strtab_bytes) : std::nullopt;
  if (!table || !strings)
    return error(ErrorCode::InvalidImage,
                 "The code object's table of {} dynamic symbols, or its names, leave the file.", count);
  out_.symbols.reserve(static_cast<size_t>(count));
  for (uint64_t i = 0; i < count; ++i) {
    const auto entry = *read<elf::SymbolEntry>(*table, i * sizeof(elf::SymbolEntry));
    const auto name = read_c_string(*strings, entry.name);
    if (!name) return error(ErrorCode::InvalidImage, "Dynamic symbol {} of the code object has no proper name.", i);
    Symbol symbol;
    symbol.name = *name;
    symbol.address = entry.value;
    symbol.size = entry.size;
    const uint8_t type = entry.info & 0xf;
    symbol.kind = type == elf::kSymFunction ? SymbolKind::Function
                  : type == elf::kSymObject ? SymbolKind::Object
                                            : SymbolKind::None;
    symbol.defined = entry.section != elf::kSectionUndefined;
    symbol.weak = entry.info >> 4 == elf::kBindWeak;
    symbol.absolute = entry.section == elf::kSectionAbsolute;
    if (symbol.is_in_image() && !out_.find_segment(symbol.address, symbol.size))
      return error(ErrorCode::InvalidImage,
                   "Symbol '{}' of the code object lies at {:#x} with {} bytes, outside its image.", symbol.name,
                   symbol.address, symbol.size);
    out_.symbols.push_back(symbol);
  }
  return {};
}

Status ElfParser::parse_relocations(const DynamicInfo& info, uint64_t address, uint64_t size) {
  const auto table = out_.bytes_at(address, size);
  if (!table)
    return error(ErrorCode::InvalidImage, "The code object's relocations at {:#x} ({} bytes) leave the file.", address,
                 size);
  for (uint64_t at = 0; at + sizeof(elf::RelaEntry) <= table->size(); at += sizeof(elf::RelaEntry)) {
    const auto entry = *read<elf::RelaEntry>(*table, at);
    Relocation r;
    r.address = entry.address;
    r.addend = entry.addend;
    r.type = static_cast<uint32_t>(entry.info);
    r.symbol = static_cast<uint32_t>(entry.info >> 32);
    if (r.type == elf::kRelNone) continue;
    const bool wide = r.type == elf::kRelAbs64 || r.type == elf::kRelRel64 || r.type == elf::kRelRelative64;
    if (!out_.find_segment(r.address, wide ? 8 : 4))
      return error(ErrorCode::InvalidImage, "A relocation of the code object patches {:#x}, outside its image.",
                   r.address);
    if (r.symbol != 0 && r.symbol >= out_.symbols.size())
      return error(ErrorCode::InvalidImage, "The relocation at {:#x} names symbol {} of {}.", r.address, r.symbol,
                   out_.symbols.size());
    out_.relocations.push_back(r);
  }
  return {};
}

} // namespace

const Segment* ElfFile::find_segment(uint64_t address, uint64_t size) const noexcept {
  for (const Segment& s : segments)
    if (address >= s.address && address - s.address <= s.memory_size && size <= s.memory_size - (address - s.address))
      return &s;
  return nullptr;
}

std::optional<Bytes> ElfFile::bytes_at(uint64_t address, uint64_t size) const noexcept {
  for (const Segment& s : segments)
    if (address >= s.address) {
      if (const auto part = slice(s.contents, address - s.address, size)) return part;
    }
  return std::nullopt;
}

Result<ElfFile> parse_elf(Bytes file) { return ElfParser(file).parse(); }

} // namespace hip::codeobject
