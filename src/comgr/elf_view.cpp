#include "comgr/elf_view.h"

namespace hip::comgr {

namespace elf = codeobject::elf;
using codeobject::Bytes;
using codeobject::read;
using codeobject::slice;

namespace {

constexpr uint32_t kSectionNote = 7;

amd_comgr_symbol_type_t type_of(uint8_t info) {
  switch (const unsigned type = info & 15; type) {
  case 0:
  case 1:
  case 2:
  case 3:
  case 4:
  case 5:
  case 10:
    return static_cast<amd_comgr_symbol_type_t>(type);
  default:
    return AMD_COMGR_SYMBOL_TYPE_UNKNOWN;
  }
}

// Collects the descriptors of metadata notes.
class NoteReader {
public:
  explicit NoteReader(Bytes file) noexcept : file_(file) {}

  // Goes over the notes at `offset` of the file, which lie at multiples of `align`. Error: InvalidImage.
  Status read(uint64_t offset, uint64_t bytes, uint64_t align) {
    const auto notes = slice(file_, offset, bytes);
    if (!notes) return error(ErrorCode::InvalidImage, "{} bytes of notes at offset {} leave the file.", bytes, offset);
    // Many headers of the same bytes would make far more metadata than the file has.
    bytes_read_ += bytes;
    if (bytes_read_ > file_.size()) return error(ErrorCode::InvalidImage, "The notes of the file overlap.");
    align = align == 8 ? 8 : 4;
    const auto rounded = [&](uint64_t n) { return (n + align - 1) / align * align; };
    for (uint64_t at = 0; at < notes->size();) {
      const auto note = codeobject::read<elf::NoteHeader>(*notes, at);
      const uint64_t name_at = at + sizeof(elf::NoteHeader);
      const uint64_t descriptor_at = note ? rounded(name_at + note->name_bytes) : 0;
      const auto name = note ? slice(*notes, name_at, note->name_bytes) : std::nullopt;
      const auto descriptor = note ? slice(*notes, descriptor_at, note->descriptor_bytes) : std::nullopt;
      if (!name || !descriptor) return error(ErrorCode::InvalidImage, "The note at offset {} is cut off.", offset + at);
      if (note->type == elf::kNoteAmdgpuMetadata && codeobject::as_text(*name).starts_with("AMDGPU"))
        found_.push_back(*descriptor);
      at = rounded(descriptor_at + note->descriptor_bytes);
    }
    return {};
  }
  const std::vector<Bytes>& found() const noexcept { return found_; }

private:
  const Bytes file_;
  uint64_t bytes_read_ = 0;
  std::vector<Bytes> found_;
};

} // namespace

Result<ElfView> ElfView::parse(Bytes file) {
  ElfView view;
  view.file_ = file;
  const auto header = read<elf::FileHeader>(file, 0);
  if (!header || !codeobject::as_text(file).starts_with(elf::kMagic) || header->ident[4] != elf::kClass64 ||
      header->ident[5] != elf::kLittleEndian || header->machine != elf::kMachineAmdgpu)
    return error(ErrorCode::InvalidImage, "The {} bytes are no ELF file of an AMD GPU.", file.size());
  view.header_ = *header;
  return view;
}

std::vector<elf::SectionHeader> ElfView::sections() const {
  std::vector<elf::SectionHeader> all;
  for (uint64_t i = 0; i < header_.sh_count; ++i) {
    const auto section = read<elf::SectionHeader>(file_, header_.sh_offset + i * sizeof(elf::SectionHeader));
    if (!section) break;
    all.push_back(*section);
  }
  return all;
}

std::vector<elf::ProgramHeader> ElfView::segments() const {
  std::vector<elf::ProgramHeader> all;
  for (uint64_t i = 0; i < header_.ph_count; ++i) {
    const auto segment = read<elf::ProgramHeader>(file_, header_.ph_offset + i * sizeof(elf::ProgramHeader));
    if (!segment) break;
    all.push_back(*segment);
  }
  return all;
}

Result<std::vector<Bytes>> ElfView::metadata_notes() const {
  NoteReader of_segments(file_), of_sections(file_);
  for (const elf::ProgramHeader& segment : segments())
    if (segment.type == elf::kNote) RT_TRY(of_segments.read(segment.offset, segment.file_size, segment.align));
  if (!of_segments.found().empty()) return of_segments.found();
  for (const elf::SectionHeader& section : sections())
    if (section.type == kSectionNote) RT_TRY(of_sections.read(section.offset, section.size, section.align));
  return of_sections.found();
}

Result<std::vector<Symbol>> ElfView::symbols(SymbolTable table) const {
  const std::vector<elf::SectionHeader> all = sections();
  const auto names_of = [&](uint32_t index) {
    return index < all.size() ? slice(file_, all[index].offset, all[index].size) : std::nullopt;
  };
  std::vector<Symbol> out;
  for (const elf::SectionHeader& section : all) {
    if (section.type != static_cast<uint32_t>(table)) continue;
    const auto entries = slice(file_, section.offset, section.size);
    const auto names = names_of(section.link);
    if (!entries || !names) return error(ErrorCode::InvalidImage, "A symbol table leaves the file.");
    for (uint64_t at = sizeof(elf::SymbolEntry); at < entries->size(); at += sizeof(elf::SymbolEntry)) {
      const auto entry = read<elf::SymbolEntry>(*entries, at);
      if (!entry) return error(ErrorCode::InvalidImage, "A symbol table ends in the middle of a symbol.");
      Symbol symbol;
      symbol.type = type_of(entry->info);
      const bool is_section = symbol.type == AMD_COMGR_SYMBOL_TYPE_SECTION;
      // A section's symbol has the section's name.
      const auto texts = is_section ? names_of(header_.sh_names) : names;
      const uint64_t name_at = !is_section                   ? entry->name
                               : entry->section < all.size() ? all[entry->section].name
                                                             : ~uint64_t{0};
      const auto name = texts ? codeobject::read_c_string(*texts, name_at) : std::nullopt;
      if (!name) return error(ErrorCode::InvalidImage, "A symbol's name leaves the file.");
      symbol.name = *name;
      symbol.size = entry->size;
      symbol.value = entry->value;
      symbol.is_undefined = entry->section == elf::kSectionUndefined;
      out.push_back(std::move(symbol));
    }
    break;
  }
  return out;
}

std::optional<ElfView::Place> ElfView::place_of(uint64_t address) const {
  for (const elf::ProgramHeader& segment : segments()) {
    if (segment.type != elf::kLoad || address < segment.address) continue;
    const uint64_t at = address - segment.address;
    if (at >= segment.memory_size) continue;
    if (at < segment.file_size) return Place{segment.offset + at, segment.file_size - at, false};
    return Place{segment.offset + at, segment.memory_size - at, true};
  }
  return std::nullopt;
}

} // namespace hip::comgr
