// runtime/engine/store/block_plan.cpp - see block_plan.h.
#include "runtime/engine/store/block_plan.h"

#include <unistd.h>
#include <utility>

namespace hip::engine {
namespace {

// Bytes in front of the first function, which callers read that are built with UndefinedBehaviorSanitizer.
constexpr uint64_t kLeadBytes = 16;
constexpr uint64_t kMaxBlock = uint64_t{1} << 30; // a 32-bit displacement reaches everything in a block of this size

constexpr uint64_t align_up(uint64_t value, uint64_t align) noexcept { return (value + align - 1) & ~(align - 1); }

uint64_t page_bytes() noexcept { return static_cast<uint64_t>(getpagesize()); }

bool is_unwind(const ObjectSection& s) noexcept { return s.type == elf::kX86_64Unwind || s.name == ".eh_frame"; }

// Whether a section belongs in the block; an error for those that generated code does not have.
Result<bool> is_wanted(const ObjectSection& s) {
  if (!s.is_allocated() || is_unwind(s) || s.type == elf::kNote || s.type == elf::kNull) return false;
  const bool becomes_read_only = s.name.starts_with(".data.rel.ro");
  const bool is_writable = (s.flags & elf::kWrite) && (!becomes_read_only || (s.flags & elf::kExecute));
  const bool is_odd = s.type != elf::kProgBits || (s.flags & (elf::kThreadLocal | elf::kCompressed));
  if (s.size > 0 && (is_writable || is_odd))
    return error(
        ErrorCode::NotSupported,
        "Section '{}' of the generated object (type {}, flags {:#x}, {} bytes) is neither code nor read-only data.",
        s.name, s.type, s.flags, s.size);
  if (s.align > page_bytes())
    return error(ErrorCode::NotSupported,
                 "Section '{}' of the generated object is aligned to {} bytes, more than a page.", s.name, s.align);
  return true;
}

struct Needs { // what a symbol needs in the block
  bool slot = false, stub = false;
};

} // namespace

bool goes_through_got(uint32_t relocation_type) noexcept {
  return relocation_type == elf::kRelGotPcRel || relocation_type == elf::kRelGotPcRelX ||
         relocation_type == elf::kRelRexGotPcRelX || relocation_type == elf::kRelCode4GotPcRelX;
}

Result<BlockPlan> BlockPlan::make(const ElfObject& object) {
  std::vector<bool> wanted(object.sections.size());
  for (size_t i = 1; i < wanted.size(); ++i) {
    RT_TRY_ASSIGN(wanted[i], is_wanted(object.sections[i]));
  }
  BlockPlan plan;
  plan.sections.resize(object.sections.size());
  plan.symbols.resize(object.symbols.size());
  std::vector<Needs> needs(object.symbols.size());
  for (const RelocationTable& table : object.relocations) {
    for (size_t i = 0; wanted[table.section] && i < table.count(); ++i) {
      const ObjectRelocation r = table.at(i);
      if (r.type == elf::kRelNone) continue;
      // A function of the engine may be too far away for a call.
      const bool may_call_out =
          object.symbols[r.symbol].is_undefined() && (r.type == elf::kRelPc32 || r.type == elf::kRelPlt32);
      plan.symbols[r.symbol].is_used = true;
      needs[r.symbol].stub |= may_call_out;
      needs[r.symbol].slot |= may_call_out || goes_through_got(r.type);
      plan.needs_low_addresses |= r.type == elf::kRel32 || r.type == elf::kRel32S;
    }
  }

  uint64_t end = kLeadBytes;
  const auto take = [&](uint64_t bytes, uint64_t align) {
    const uint64_t begin = align_up(end, align);
    end = begin + bytes;
    return begin;
  };
  const auto take_sections = [&](bool executable) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      const ObjectSection& s = object.sections[i];
      if (wanted[i] && bool(s.flags & elf::kExecute) == executable) plan.sections[i] = take(s.size, s.align);
    }
  };
  take_sections(true);
  if (end == kLeadBytes) return error(ErrorCode::InvalidImage, "The generated object has no code.");
  for (size_t i = 0; i < needs.size(); ++i) {
    if (needs[i].stub) plan.symbols[i].stub = take(kStubBytes, kStubBytes);
  }
  plan.text_bytes = end;
  plan.data_begin = end = align_up(end, page_bytes());
  for (size_t i = 0; i < needs.size(); ++i) {
    if (needs[i].slot) plan.symbols[i].slot = take(kSlotBytes, kSlotBytes);
  }
  take_sections(false);
  plan.block_bytes = align_up(end, page_bytes());
  if (plan.block_bytes > kMaxBlock)
    return error(ErrorCode::NotSupported, "The generated object needs {} bytes of memory; {} are the limit.",
                 plan.block_bytes, kMaxBlock);
  return plan;
}

} // namespace hip::engine
