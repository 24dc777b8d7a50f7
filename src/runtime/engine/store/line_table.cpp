// runtime/engine/store/line_table.cpp - see line_table.h. Names follow the DWARF 5 standard.
#include "runtime/engine/store/line_table.h"

#include <optional>

namespace hip::engine {
namespace {

using codeobject::Bytes;
using codeobject::read;
using codeobject::slice;

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
};

enum StandardOpcode : uint8_t {
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};
enum ExtendedOpcode : uint8_t { kEndSequence = 1, kSetAddress = 2 };

struct ProgramHeader {
  uint8_t minimum_instruction_length, line_range, opcode_base;
  int8_t line_base;
  Bytes standard_opcode_lengths, program;
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
  return out;
}

// Runs a unit's line number program as far as the row that covers `address`.
class Machine {
public:
  Machine(const ProgramHeader& header, uint64_t address) noexcept
      : header_(header), wanted_(address), in_{header.program} {}

  std::optional<uint32_t> run() noexcept {
    while (in_.more() && !found_) step();
    return found_;
  }

private:
  void step() noexcept {
    const auto opcode = in_.take<uint8_t>();
    if (opcode >= header_.opcode_base) {
      const unsigned adjusted = opcode - header_.opcode_base;
      advance(adjusted / header_.line_range);
      line_ += static_cast<uint32_t>(header_.line_base + static_cast<int>(adjusted % header_.line_range));
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
      line_ += static_cast<uint32_t>(in_.take_sleb());
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

  void extended() noexcept {
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
      line_ = 1;
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
  void emit() noexcept {
    if (in_sequence_ && row_address_ <= wanted_ && wanted_ < address_) found_ = row_line_;
    row_address_ = address_;
    row_line_ = line_;
    in_sequence_ = true;
  }

  const ProgramHeader& header_;
  const uint64_t wanted_;
  Cursor in_;
  uint64_t address_ = 0, row_address_ = 0;
  uint32_t line_ = 1, row_line_ = 0;
  bool in_sequence_ = false;
  std::optional<uint32_t> found_;
};

} // namespace

uint32_t line_at(Bytes debug_line, uint64_t address) noexcept {
  Cursor in{debug_line};
  while (in.more()) {
    uint64_t length = in.take<uint32_t>();
    const bool is_dwarf64 = length == 0xffffffff;
    if (is_dwarf64) length = in.take<uint64_t>();
    const auto unit = slice(debug_line, in.at, length);
    if (!unit || in.failed) return 0;
    if (const auto header = read_header(*unit, is_dwarf64)) {
      if (const auto line = Machine(*header, address).run()) return *line;
    }
    in.at += length;
  }
  return 0;
}

} // namespace hip::engine
