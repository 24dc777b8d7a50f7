// runtime/engine/store/code_image.cpp - see code_image.h. Loading: plan the block (block_plan.h), map it, copy the
// sections, find the symbols, relocate, protect.
#include "runtime/engine/store/code_image.h"

#include "runtime/codeobject/line_table.h"
#include "runtime/engine/store/block_plan.h"
#include "runtime/engine/store/elf_object.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <sys/mman.h>

namespace hip::engine {
namespace {

constexpr int kTrap = 0xcc; // int3, which fills the gaps between sections

uint64_t address_of(const void* p) noexcept { return reinterpret_cast<uint64_t>(p); }

// Whether the four bytes at `offset` are the target of a call or jump, which a stub may stand in for.
bool is_branch_target(Bytes contents, uint64_t offset) noexcept {
  const auto byte = [&](uint64_t back) {
    return offset < back ? 0u : std::to_integer<unsigned>(contents[offset - back]);
  };
  return byte(1) == 0xe8 || byte(1) == 0xe9 || (byte(2) == 0x0f && (byte(1) & 0xf0) == 0x80);
}

} // namespace

class ImageBuilder {
public:
  ImageBuilder(const ElfObject& object, const BlockPlan& plan, const CodeImage::Resolver& resolve)
      : object_(object), plan_(plan), resolve_(resolve), image_(new CodeImage), addresses_(object.symbols.size()) {}

  Result<std::unique_ptr<CodeImage>> build() {
    RT_TRY(map());
    for (size_t i = 0; i < addresses_.size(); ++i) {
      if (plan_.symbols[i].is_used) RT_TRY(link(i));
    }
    for (const RelocationTable& table : object_.relocations) {
      const auto offset = plan_.sections[table.section];
      for (size_t i = 0; offset && i < table.count(); ++i)
        RT_TRY(relocate(object_.sections[table.section], at(*offset), table.at(i)));
    }
    keep_symbols();
    keep_debug_line();
    RT_TRY(protect());
    return std::move(image_);
  }

private:
  Status map();
  Status link(size_t symbol);
  Status relocate(const ObjectSection& section, std::byte* base, const ObjectRelocation& r);
  void keep_symbols();
  void keep_debug_line();
  Status protect();

  std::byte* at(uint64_t offset) const noexcept { return image_->block_ + offset; }
  // The address of a symbol whose section is in the block.
  std::byte* place_of(const ObjectSymbol& s) const noexcept {
    const bool in_block = !s.is_undefined() && !s.is_absolute() && plan_.sections[s.section];
    return in_block ? at(*plan_.sections[s.section] + s.value) : nullptr;
  }

  const ElfObject& object_;
  const BlockPlan& plan_;
  const CodeImage::Resolver& resolve_;
  std::unique_ptr<CodeImage> image_;
  std::vector<uint64_t> addresses_; // by symbol, once linked
};

// Maps the block and copies the sections into it.
Status ImageBuilder::map() {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (plan_.needs_low_addresses ? MAP_32BIT : 0);
  void* block = mmap(nullptr, plan_.block_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (block == MAP_FAILED)
    return error(ErrorCode::OutOfMemory, "There is no memory for {} bytes of generated code{}: {}.", plan_.block_bytes,
                 plan_.needs_low_addresses ? " below 2 GiB, where its absolute addresses reach" : "",
                 std::strerror(errno));
  image_->block_ = static_cast<std::byte*>(block);
  image_->block_bytes_ = plan_.block_bytes;
  image_->text_bytes_ = plan_.text_bytes;
  std::memset(block, kTrap, plan_.data_begin);
  for (size_t i = 0; i < plan_.sections.size(); ++i) {
    const Bytes contents = object_.sections[i].contents;
    if (plan_.sections[i] && !contents.empty()) std::memcpy(at(*plan_.sections[i]), contents.data(), contents.size());
  }
  return {};
}

// Finds a symbol's address, and fills its slot and stub.
Status ImageBuilder::link(size_t index) {
  uint64_t& address = addresses_[index];
  const ObjectSymbol& s = object_.symbols[index];
  if (s.type == elf::kSymThreadLocal || s.type == elf::kSymIndirect)
    return error(ErrorCode::NotSupported,
                 "The generated object uses the symbol '{}' of type {}, neither code nor data.", s.name, s.type);
  if (s.is_undefined()) {
    address = resolve_ ? address_of(resolve_(s.name)) : 0;
    if (address == 0)
      return error(ErrorCode::InvalidImage,
                   "The generated object uses the symbol '{}', which neither it nor the engine defines.", s.name);
  } else if (s.is_absolute()) {
    address = s.value;
  } else if (const std::byte* place = place_of(s)) {
    address = address_of(place);
  } else {
    return error(ErrorCode::InvalidImage,
                 "The generated object's code uses the symbol '{}' in section '{}', which is not loaded.", s.name,
                 object_.sections[s.section].name);
  }
  const SymbolPlan& plan = plan_.symbols[index];
  if (plan.slot) std::memcpy(at(*plan.slot), &address, kSlotBytes);
  if (plan.stub) {
    constexpr unsigned char kJump[] = {0xff, 0x25}; // jmp *disp32(%rip)
    const auto displacement = static_cast<int32_t>(*plan.slot - (*plan.stub + 6));
    std::memcpy(at(*plan.stub), kJump, sizeof kJump);
    std::memcpy(at(*plan.stub + sizeof kJump), &displacement, sizeof displacement);
  }
  return {};
}

// psABI x86-64, section 4.4, "Relocation Types".
Status ImageBuilder::relocate(const ObjectSection& section, std::byte* base, const ObjectRelocation& r) {
  if (r.type == elf::kRelNone) return {};
  const bool is_64 = r.type == elf::kRel64 || r.type == elf::kRelPc64;
  const uint64_t width = is_64 ? 8 : 4;
  if (r.offset > section.size || width > section.size - r.offset)
    return error(ErrorCode::InvalidImage,
                 "A relocation of section '{}' of the generated object lies at offset {}; it has {} bytes.",
                 section.name, r.offset, section.size);
  const SymbolPlan& plan = plan_.symbols[r.symbol];
  const ObjectSymbol& symbol = object_.symbols[r.symbol];
  const uint64_t to = addresses_[r.symbol];
  const uint64_t from = address_of(base) + r.offset, addend = static_cast<uint64_t>(r.addend);
  const auto fits = [](uint64_t v) {
    return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(v))) == v;
  };
  uint64_t value = 0;
  bool reaches = true;
  switch (r.type) {
  case elf::kRel64:
    value = to + addend;
    break;
  case elf::kRelPc64:
    value = to + addend - from;
    break;
  case elf::kRel32:
    value = to + addend;
    reaches = value <= std::numeric_limits<uint32_t>::max();
    break;
  case elf::kRel32S:
    value = to + addend;
    reaches = fits(value);
    break;
  case elf::kRelPc32:
  case elf::kRelPlt32:
    value = to + addend - from;
    reaches = fits(value);
    if (!reaches && plan.stub && (r.type == elf::kRelPlt32 || is_branch_target(section.contents, r.offset))) {
      value = address_of(at(*plan.stub)) + addend - from;
      reaches = fits(value);
    }
    break;
  default:
    if (!goes_through_got(r.type))
      return error(ErrorCode::NotSupported,
                   "The generated object has a relocation of type {} in section '{}' (offset {}, symbol '{}').", r.type,
                   section.name, r.offset, symbol.name);
    value = address_of(at(*plan.slot)) + addend - from;
    reaches = fits(value);
  }
  if (!reaches)
    return error(ErrorCode::InvalidImage,
                 "Offset {} of section '{}' of the generated object (relocation type {}) does not reach the symbol "
                 "'{}' at {:#x}.",
                 r.offset, section.name, r.type, symbol.name, to);
  std::memcpy(base + r.offset, &value, width);
  return {};
}

void ImageBuilder::keep_symbols() {
  const auto is_kept = [&](const ObjectSymbol& s) {
    return s.binding != elf::kBindLocal && !s.name.empty() && s.type != elf::kSymThreadLocal &&
           s.type != elf::kSymIndirect && place_of(s) != nullptr;
  };
  size_t bytes = 0;
  for (const ObjectSymbol& s : object_.symbols) bytes += is_kept(s) ? s.name.size() : 0;
  image_->names_.reserve(bytes); // the views stay valid
  for (const ObjectSymbol& s : object_.symbols) {
    if (!is_kept(s)) continue;
    const size_t begin = image_->names_.size();
    image_->names_ += s.name;
    image_->symbols_.push_back({std::string_view(image_->names_).substr(begin), place_of(s)});
  }
  std::sort(image_->symbols_.begin(), image_->symbols_.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
}

// Keeps the line table, with relocated addresses. A damaged table makes lines unknown and is no error.
void ImageBuilder::keep_debug_line() {
  for (size_t i = 1; i < object_.sections.size(); ++i) {
    const ObjectSection& s = object_.sections[i];
    if (s.name != ".debug_line" || (s.flags & elf::kCompressed)) continue;
    image_->debug_line_.assign(s.contents.begin(), s.contents.end());
    for (const RelocationTable& table : object_.relocations) {
      if (table.section != i) continue;
      for (size_t n = 0; n < table.count(); ++n) {
        const ObjectRelocation r = table.at(n);
        const std::byte* place = place_of(object_.symbols[r.symbol]);
        if (r.type != elf::kRel64 || !place || s.contents.size() < 8 || r.offset > s.contents.size() - 8) continue;
        const uint64_t address = address_of(place) + static_cast<uint64_t>(r.addend);
        std::memcpy(image_->debug_line_.data() + r.offset, &address, sizeof address);
      }
    }
    return;
  }
}

Status ImageBuilder::protect() {
  const size_t data_bytes = plan_.block_bytes - plan_.data_begin;
  if (mprotect(image_->block_, plan_.data_begin, PROT_READ | PROT_EXEC) != 0 ||
      (data_bytes > 0 && mprotect(at(plan_.data_begin), data_bytes, PROT_READ) != 0))
    return error(ErrorCode::OutOfMemory, "The system does not make {} bytes of generated code executable: {}.",
                 plan_.text_bytes, std::strerror(errno));
  return {};
}

Result<std::unique_ptr<CodeImage>> CodeImage::load(std::span<const std::byte> object, const Resolver& resolve) {
  RT_TRY_ASSIGN(const ElfObject parsed, ElfObject::parse(object));
  RT_TRY_ASSIGN(const BlockPlan plan, BlockPlan::make(parsed));
  return ImageBuilder(parsed, plan, resolve).build();
}

CodeImage::~CodeImage() {
  if (block_) munmap(block_, block_bytes_);
}

void* CodeImage::symbol(std::string_view name) const noexcept {
  const auto at = std::lower_bound(symbols_.begin(), symbols_.end(), name,
                                   [](const Symbol& s, std::string_view wanted) { return s.name < wanted; });
  return at != symbols_.end() && at->name == name ? at->address : nullptr;
}

bool CodeImage::holds(const void* pc) const noexcept { return address_of(pc) - address_of(block_) < text_bytes_; }

uint32_t CodeImage::line_of(const void* pc) const noexcept {
  return holds(pc) ? codeobject::line_at(debug_line_, address_of(pc)) : 0;
}

} // namespace hip::engine
