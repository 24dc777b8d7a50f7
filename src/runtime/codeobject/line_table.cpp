// runtime/codeobject/line_table.cpp - see line_table.h. Names follow the DWARF 5 standard.
#include "runtime/codeobject/line_table.h"

#include "runtime/codeobject/elf_format.h"

namespace hip::codeobject {
namespace {

// Reads forward. After a read beyond the end `failed` is set, and every further read gives 0.
struct Cursor {
  Bytes bytes;
  uint64_t at = 0;
  bool failed = false;

  bool more() const noexcept { return !failed && at < bytes.size(); }
  template<class T> T take() noexcept {
    const auto value = read<T>(bytes, at);
    failed |= !value;
    at += sizeof(T);
    return value.value_or(T());
  }
  uint64_t take_uleb() noexcept {
    uint64_t value = 0;
    for (unsigned shift = 0; !failed; shift += 7) {
      const auto byte = take<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if (!(byte & 0x80)) break;
    }
    return value;
  }
  int64_t take_sleb() noexcept {
    uint64_t value = 0;
    uint8_t byte = 0;
    unsigned shift = 0;
    do {
      byte = take<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    } while (!failed && byte & 0x80);
    if (shift < 64 && byte & 0x40) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
  std::string_view take_text() noexcept {
    const auto text = read_c_string(bytes, at);
    failed |= !text;
    at += text ? text->size() + 1 : 1;
    return text.value_or(std::string_view());
  }
};

enum StandardOpcode : uint8_t {
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};
enum ExtendedOpcode : uint8_t { kEndSequence = 1, kSetAddress = 2 };

struct ProgramHeader {
  uint8_t minimum_instruction_length, line_range, opcode_base;
  int8_t line_base;
  Bytes standard_opcode_lengths, program;
  Bytes names; // directories and files, up to the program
  uint16_t version;
  bool is_dwarf64;
};

// `unit` begins after unit_length.
std::optional<ProgramHeader> read_header(Bytes unit, bool is_dwarf64) noexcept {
  Cursor in{unit};
  const auto version = in.take<uint16_t>();
  if (version < 2 || version > 5) return std::nullopt;
  if (version == 5) in.at += 2; // address_size, segment_selector_size
  const uint64_t header_length = is_dwarf64 ? in.take<uint64_t>() : in.take<uint32_t>();
  const auto after_length = slice(unit, in.at, in.failed || in.at > unit.size() ? 0 : unit.size() - in.at);
  if (!after_length || header_length > after_length->size()) return std::nullopt;
  ProgramHeader out{};
  out.minimum_instruction_length = in.take<uint8_t>();
  if (version >= 4 && in.take<uint8_t>() != 1) return std::nullopt; // several operations per instruction: no x86
  in.at += 1;                                                       // default_is_stmt
  out.line_base = in.take<int8_t>();
  out.line_range = in.take<uint8_t>();
  out.opcode_base = in.take<uint8_t>();
  if (in.failed || out.line_range == 0 || out.opcode_base == 0) return std::nullopt;
  const auto lengths = slice(unit, in.at, out.opcode_base - 1u);
  if (!lengths) return std::nullopt;
  out.standard_opcode_lengths = *lengths;
  out.program = after_length->subspan(header_length);
  const uint64_t names_at = in.at + (out.opcode_base - 1u), names_end = unit.size() - out.program.size();
  out.names = slice(unit, names_at, names_end < names_at ? 0 : names_end - names_at).value_or(Bytes());
  out.version = version;
  out.is_dwarf64 = is_dwarf64;
  return out;
}

// Of an entry of the tables of names (DWARF 5, section 6.2.4.1; before that 6.2.4): what reports want.
struct NameEntry {
  std::string_view path;
  uint64_t directory = 0;
};

class Names {
public:
  Names(const ProgramHeader& header, Bytes line_strings) noexcept : header_(header), strings_(line_strings) {}

  // The file of this number, and the directory that it is named in.
  SourceFile file(uint64_t number) noexcept {
    Cursor in{header_.names};
    SourceFile out;
    if (header_.version < 5) {
      Cursor directories = in;
      while (in.more() && !in.take_text().empty()) {
      }
      NameEntry entry;
      for (uint64_t k = 1; in.more(); ++k) { // both tables count from 1, and end with an empty name
        entry.path = in.take_text();
        if (entry.path.empty()) return out;
        entry.directory = in.take_uleb();
        in.take_uleb(); // time
        in.take_uleb(); // size
        if (k == number) break;
        entry = NameEntry();
      }
      out.name = in.failed ? std::string_view() : entry.path;
      for (uint64_t k = 1; k <= entry.directory && directories.more(); ++k) {
        const std::string_view directory = directories.take_text();
        if (directory.empty()) break;
        if (k == entry.directory) out.directory = directory;
      }
      return out;
    }
    Cursor directories = in;
    entry_of(in, UINT64_MAX);
    const auto entry = entry_of(in, number);
    if (!entry) return out;
    out.name = entry->path;
    if (const auto directory = entry_of(directories, entry->directory)) out.directory = directory->path;
    return out;
  }

private:
  enum ContentType : uint64_t { kPath = 1, kDirectoryIndex = 2 };
  enum Form : uint64_t {
    kData2 = 5,
    kData4 = 6,
    kData8 = 7,
    kString = 8,
    kBlock = 9,
    kData1 = 11,
    kStrp = 14,
    kUdata = 15,
    kData16 = 30,
    kLineStrp = 31
  };

  // Reads a whole table of DWARF 5, and returns its entry of this number.
  std::optional<NameEntry> entry_of(Cursor& in, uint64_t number) noexcept {
    const Cursor formats = in_formats(in);
    const unsigned format_count = format_count_;
    const uint64_t count = in.take_uleb();
    // Every field takes a byte at least, and entries without fields would be passed over as often as the file says.
    const uint64_t left = in.more() ? in.bytes.size() - in.at : 0;
    in.failed |= count > left || (count != 0 && format_count == 0);
    std::optional<NameEntry> found;
    for (uint64_t k = 0; k < count && in.more(); ++k) {
      NameEntry entry;
      Cursor format = formats;
      for (unsigned f = 0; f < format_count; ++f) {
        const uint64_t content = format.take_uleb(), form = format.take_uleb();
        take_field(in, content, form, entry);
      }
      if (k == number && !in.failed) found = entry;
    }
    return in.failed ? std::nullopt : found;
  }
  // Goes over the formats of a table, and returns where they begin.
  Cursor in_formats(Cursor& in) noexcept {
    format_count_ = in.take<uint8_t>();
    const Cursor begin = in;
    for (unsigned f = 0; f < format_count_; ++f) in.take_uleb(), in.take_uleb();
    return begin;
  }
  void take_field(Cursor& in, uint64_t content, uint64_t form, NameEntry& entry) noexcept {
    uint64_t number = 0;
    std::string_view text;
    switch (form) {
    case kString:
      text = in.take_text();
      break;
    case kLineStrp:
      text = read_c_string(strings_, take_offset(in)).value_or(std::string_view());
      break;
    case kStrp:
      take_offset(in);
      break; // in .debug_str, where clang puts no names of files
    case kUdata:
      number = in.take_uleb();
      break;
    case kData1:
      number = in.take<uint8_t>();
      break;
    case kData2:
      number = in.take<uint16_t>();
      break;
    case kData4:
      number = in.take<uint32_t>();
      break;
    case kData8:
      number = in.take<uint64_t>();
      break;
    case kData16:
      in.at += 16;
      break;
    case kBlock: {
      const uint64_t bytes = in.take_uleb();
      in.failed |= bytes > in.bytes.size();
      in.at += in.failed ? 0 : bytes;
      break;
    }
    default:
      in.failed = true;
    }
    if (content == kPath) entry.path = text;
    if (content == kDirectoryIndex) entry.directory = number;
  }
  uint64_t take_offset(Cursor& in) noexcept { return header_.is_dwarf64 ? in.take<uint64_t>() : in.take<uint32_t>(); }

  const ProgramHeader& header_;
  const Bytes strings_;
  unsigned format_count_ = 0;
};

struct Row {
  uint32_t line = 0;
  uint64_t file = 1;
  // Of the last row up to this one with a line: compilers give no line to what they have made up themselves.
  uint32_t known_line = 0;
  uint64_t known_file = 1;
};

// Runs a unit's line number program as far as the row that covers `address`; of every row before it `ranges`, when it is not
// null, gets the addresses.
class Machine {
public:
  Machine(const ProgramHeader& header, uint64_t address, std::vector<LineRange>* ranges = nullptr) noexcept
      : header_(header), wanted_(address), ranges_(ranges), in_{header.program} {}

  std::optional<Row> run() {
    while (in_.more() && !found_) step();
    return found_;
  }

private:
  void step() {
    const auto opcode = in_.take<uint8_t>();
    if (opcode >= header_.opcode_base) {
      const unsigned adjusted = opcode - header_.opcode_base;
      advance(adjusted / header_.line_range);
      row_now_.line += static_cast<uint32_t>(header_.line_base + static_cast<int>(adjusted % header_.line_range));
      emit();
      return;
    }
    switch (opcode) {
    case 0:
      extended();
      break;
    case kCopy:
      emit();
      break;
    case kAdvancePc:
      advance(in_.take_uleb());
      break;
    case kAdvanceLine:
      row_now_.line += static_cast<uint32_t>(in_.take_sleb());
      break;
    case kSetFile:
      row_now_.file = in_.take_uleb();
      break;
    case kConstAddPc:
      advance((255u - header_.opcode_base) / header_.line_range);
      break;
    case kFixedAdvancePc:
      address_ += in_.take<uint16_t>();
      break;
    default: // neither address nor line
      for (auto n = static_cast<unsigned>(header_.standard_opcode_lengths[opcode - 1u]); n > 0; --n) in_.take_uleb();
    }
  }

  void extended() {
    const uint64_t length = in_.take_uleb();
    const uint64_t begin = in_.at;
    if (length == 0 || in_.failed || length > in_.bytes.size() - begin) {
      in_.failed = true;
      return;
    }
    switch (in_.take<uint8_t>()) {
    case kEndSequence:
      emit();
      address_ = 0;
      row_now_ = Row{.line = 1};
      in_sequence_ = false;
      break;
    case kSetAddress:
      address_ = length == 9 ? in_.take<uint64_t>() : 0;
      break;
    default:
      break;
    }
    in_.at = begin + length;
  }

  void advance(uint64_t operations) noexcept { address_ += operations * header_.minimum_instruction_length; }

  // Ends a row of the table. The row before it covers the addresses from its own up to this one's.
  void emit() {
    if (in_sequence_ && row_address_ <= wanted_ && wanted_ < address_) found_ = row_;
    if (in_sequence_ && ranges_ && row_address_ < address_) ranges_->push_back({row_address_, address_, row_.line});
    row_address_ = address_;
    if (row_now_.line) row_now_.known_line = row_now_.line, row_now_.known_file = row_now_.file;
    row_ = row_now_;
    in_sequence_ = true;
  }

  const ProgramHeader& header_;
  const uint64_t wanted_;
  std::vector<LineRange>* const ranges_;
  Cursor in_;
  uint64_t address_ = 0, row_address_ = 0;
  Row row_now_{.line = 1}, row_;
  bool in_sequence_ = false;
  std::optional<Row> found_;
};

// Calls use(header) for each unit that can be read, until it returns true; false: it never does, or the bytes are malformed.
template<class Use> bool find_unit(Bytes debug_line, Use use) {
  Cursor in{debug_line};
  while (in.more()) {
    uint64_t length = in.take<uint32_t>();
    const bool is_dwarf64 = length == 0xffffffff;
    if (is_dwarf64) length = in.take<uint64_t>();
    const auto unit = slice(debug_line, in.at, length);
    if (!unit || in.failed) return false;
    if (const auto header = read_header(*unit, is_dwarf64))
      if (use(*header)) return true;
    in.at += length;
  }
  return false;
}

// Calls use(header, row) for the row of `address`; false: it has none, or the bytes are malformed.
template<class Use> bool find_row(Bytes debug_line, uint64_t address, Use use) noexcept {
  return find_unit(debug_line, [&](const ProgramHeader& header) {
    const auto row = Machine(header, address).run();
    if (row) use(header, *row);
    return row.has_value();
  });
}

} // namespace

uint32_t line_at(Bytes debug_line, uint64_t address) noexcept {
  uint32_t line = 0;
  find_row(debug_line, address, [&](const ProgramHeader&, const Row& row) { line = row.line; });
  return line;
}

std::vector<LineRange> line_ranges(Bytes debug_line) {
  constexpr uint64_t kNoAddress = ~uint64_t{0};
  std::vector<LineRange> ranges;
  find_unit(debug_line, [&](const ProgramHeader& header) {
    Machine(header, kNoAddress, &ranges).run();
    return false;
  });
  return ranges;
}

SourceLine LineSections::line_of(uint64_t address) const noexcept {
  SourceLine out;
  find_row(line, address, [&](const ProgramHeader& header, const Row& row) {
    out.line = row.known_line;
    out.file = Names(header, line_strings).file(row.known_file);
  });
  return out;
}

std::shared_ptr<const LineSections> LineSections::of(Bytes file) {
  const auto header = read<elf::FileHeader>(file, 0);
  if (!header || header->sh_entry_bytes != sizeof(elf::SectionHeader)) return nullptr;
  const auto section_at = [&](unsigned k) {
    return read<elf::SectionHeader>(file, header->sh_offset + uint64_t{k} * sizeof(elf::SectionHeader));
  };
  const auto contents_of = [&](const elf::SectionHeader& s) {
    return s.type == elf::kSectionNoBits ? Bytes() : slice(file, s.offset, s.size).value_or(Bytes());
  };
  const auto names_section = section_at(header->sh_names);
  if (!names_section || header->sh_offset > file.size()) return nullptr;
  const Bytes names = contents_of(*names_section);
  auto out = std::make_shared<LineSections>();
  for (unsigned k = 0; k < header->sh_count; ++k) {
    const auto section = section_at(k);
    if (!section) break;
    if (section->flags & elf::kSectionCompressed) continue;
    const std::string_view name = read_c_string(names, section->name).value_or(std::string_view());
    const Bytes bytes = contents_of(*section);
    if (name == ".debug_line") out->line.assign(bytes.begin(), bytes.end());
    if (name == ".debug_line_str") out->line_strings.assign(bytes.begin(), bytes.end());
  }
  return out->line.empty() ? nullptr : out;
}

} // namespace hip::codeobject
