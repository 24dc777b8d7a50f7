#include "runtime/codeobject/code_object.h"

#include "runtime/codeobject/elf_file.h"

#include <algorithm>

namespace hip::codeobject {
namespace {

constexpr std::string_view kManagedSuffix = ".managed";

} // namespace

class CodeObjectParser {
public:
  explicit CodeObjectParser(Bytes file) { code_.file_ = file; }

  Result<CodeObject> parse() {
    RT_TRY_ASSIGN(elf_, parse_elf(code_.file_));
    RT_TRY_ASSIGN(code_.target_, target_id_from_elf_flags(elf_.flags, elf_.version));
    code_.version_ = elf_.version;
    code_.symbols_ = elf_.symbols;
    RT_TRY(index_symbols());
    RT_TRY(check_managed_variables());
    if (elf_.metadata_notes.empty())
      return error(ErrorCode::InvalidImage, "The code object for {} has no metadata note.", code_.target_.to_string());
    for (const Bytes note : elf_.metadata_notes) RT_TRY(add_metadata(note));
    std::sort(code_.kernels_.begin(), code_.kernels_.end(),
              [](const Kernel& a, const Kernel& b) { return a.info.name < b.info.name; });
    const auto twin = std::adjacent_find(code_.kernels_.begin(), code_.kernels_.end(),
                                         [](const Kernel& a, const Kernel& b) { return a.info.name == b.info.name; });
    if (twin != code_.kernels_.end())
      return error(ErrorCode::InvalidImage, "The code object's metadata describes the kernel '{}' twice.",
                   twin->info.name);
    code_.segments_ = std::move(elf_.segments);
    code_.relocations_ = std::move(elf_.relocations);
    code_.image_begin_ = elf_.image_begin;
    code_.image_end_ = elf_.image_end;
    code_.image_align_ = elf_.image_align;
    return std::move(code_);
  }

private:
  Status index_symbols() {
    auto& order = code_.symbols_by_name_;
    const auto& symbols = code_.symbols_;
    for (uint32_t i = 1; i < symbols.size(); ++i)
      if (symbols[i].defined) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return symbols[a].name < symbols[b].name; });
    for (size_t i = 1; i < order.size(); ++i)
      if (symbols[order[i]].name == symbols[order[i - 1]].name)
        return error(ErrorCode::InvalidImage, "The code object defines the symbol '{}' twice.", symbols[order[i]].name);
    return {};
  }

  // Loading copies from one symbol of a managed variable and writes to the other.
  Status check_managed_variables() const {
    for (const ManagedVariable& variable : code_.managed_variables())
      for (const Symbol* symbol : {variable.pointer, variable.storage})
        if (!symbol->is_in_image() || symbol->kind != SymbolKind::Object)
          return error(ErrorCode::InvalidImage,
                       "The symbol '{}' ({:#x}, {} bytes) of a managed variable is no object in the image.",
                       symbol->name, symbol->address, symbol->size);
    return {};
  }

  // Each note has the kernels of its part of the code, and the printf formats of the whole.
  Status add_metadata(Bytes note) {
    RT_TRY_ASSIGN(Metadata metadata, parse_metadata(note));
    for (KernelInfo& info : metadata.kernels) RT_TRY(add_kernel(std::move(info)));
    for (PrintfFormat& format : metadata.printf_formats) {
      const bool known = std::any_of(code_.printf_formats_.begin(), code_.printf_formats_.end(), [&](const PrintfFormat& other) {
        return other.id == format.id && other.format == format.format;
      });
      if (!known) code_.printf_formats_.push_back(std::move(format));
    }
    return {};
  }

  // Finds and checks the kernel's descriptor and entry point.
  Status add_kernel(KernelInfo info) {
    const Symbol* symbol = code_.find_symbol(info.symbol);
    if (!symbol)
      return error(ErrorCode::InvalidImage, "The code object has no descriptor symbol '{}' for the kernel '{}'.",
                   info.symbol, info.name);
    const auto bytes = elf_.bytes_at(symbol->address, sizeof(KernelDescriptor));
    if (!bytes || symbol->address % alignof(uint64_t) != 0)
      return error(ErrorCode::InvalidImage,
                   "The descriptor of kernel '{}' at {:#x} is not 64 aligned bytes of the file.", info.name,
                   symbol->address);
    Kernel kernel;
    kernel.descriptor = *read<KernelDescriptor>(*bytes, 0);
    kernel.descriptor_address = symbol->address;
    kernel.entry_address = symbol->address + static_cast<uint64_t>(kernel.descriptor.kernel_code_entry_byte_offset);
    const Segment* code = elf_.find_segment(kernel.entry_address, 4);
    if (!code || !code->executable || kernel.entry_address % 4 != 0)
      return error(ErrorCode::InvalidImage, "The kernel '{}' starts at {:#x}, which is not code of the code object.",
                   info.name, kernel.entry_address);
    if (const Symbol* function = code_.find_symbol(info.name);
        function && function->kind == SymbolKind::Function && function->address == kernel.entry_address)
      kernel.code_size = function->size;
    if (kernel.descriptor.kernarg_size > info.kernarg_segment_size)
      return error(ErrorCode::InvalidImage,
                   "Kernel '{}' has {} bytes of arguments by its descriptor, {} by the metadata.", info.name,
                   kernel.descriptor.kernarg_size, info.kernarg_segment_size);
    kernel.info = std::move(info);
    code_.kernels_.push_back(std::move(kernel));
    return {};
  }

  ElfFile elf_;
  CodeObject code_;
};

Result<CodeObject> CodeObject::parse(Bytes file) { return CodeObjectParser(file).parse(); }

const Symbol* CodeObject::find_symbol(std::string_view name) const noexcept {
  const auto it = std::lower_bound(symbols_by_name_.begin(), symbols_by_name_.end(), name,
                                   [this](uint32_t i, std::string_view n) { return symbols_[i].name < n; });
  return it != symbols_by_name_.end() && symbols_[*it].name == name ? &symbols_[*it] : nullptr;
}

const Kernel* CodeObject::find_kernel(std::string_view name) const noexcept {
  const auto it = std::lower_bound(kernels_.begin(), kernels_.end(), name,
                                   [](const Kernel& k, std::string_view n) { return k.info.name < n; });
  return it != kernels_.end() && it->info.name == name ? &*it : nullptr;
}

std::vector<ManagedVariable> CodeObject::managed_variables() const {
  std::vector<ManagedVariable> out;
  for (const uint32_t i : symbols_by_name_) {
    const Symbol& storage = symbols_[i];
    if (!storage.name.ends_with(kManagedSuffix)) continue;
    const Symbol* pointer = find_symbol(storage.name.substr(0, storage.name.size() - kManagedSuffix.size()));
    if (pointer && pointer->size == 8) out.push_back({pointer->name, pointer, &storage});
  }
  return out;
}

} // namespace hip::codeobject
