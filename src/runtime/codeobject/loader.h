// runtime/codeobject/loader.h - places a code object in memory: segments copied, rest zeroed, dynamic relocations
// applied. Host memory and device address are separate, so the same code fills a software GPU's memory, a mapped BAR or
// a staging buffer that is copied later.
#pragma once

#include "runtime/codeobject/code_object.h"

#include <functional>

namespace hip::codeobject {

// Memory for an image: `host` is where this process writes it, `device_base` where the device will see it.
struct ImageMemory {
  std::span<std::byte> host;
  uint64_t device_base = 0;
};

struct LoadedImage {
  uint64_t device_base = 0;
  uint64_t size_bytes = 0;
  uint64_t image_begin = 0; // ELF address that lies at device_base
  uint64_t address_of(uint64_t elf_address) const noexcept { return device_base + (elf_address - image_begin); }
  uint64_t address_of(const Symbol& symbol) const noexcept {
    return symbol.absolute ? symbol.address : address_of(symbol.address);
  }
  // What a dispatch packet's kernel_object holds.
  uint64_t kernel_object(const Kernel& kernel) const noexcept { return address_of(kernel.descriptor_address); }
};

// Gives memory of at least `size_bytes`, its device base a multiple of `align_bytes`.
using AllocateImage = std::function<Result<ImageMemory>(uint64_t size_bytes, uint64_t align_bytes)>;
// Address of a symbol that the code object uses but does not define; an error when it is unknown.
using ResolveSymbol = std::function<Result<uint64_t>(std::string_view name)>;

// Errors: the allocator's; InvalidImage for an unknown relocation type or a value that does not fit its field;
// SharedObjectSymbolNotFound for an undefined symbol that is not weak and that `resolve` (may be empty) does not know.
Result<LoadedImage> load_image(const CodeObject& code, const AllocateImage& allocate,
                               const ResolveSymbol& resolve = {});

// The same into memory that the caller already has.
Result<LoadedImage> place_image(const CodeObject& code, const ImageMemory& memory, const ResolveSymbol& resolve = {});

} // namespace hip::codeobject
