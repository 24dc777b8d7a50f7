#include "runtime/codeobject/loader.h"

#include "runtime/codeobject/elf_format.h"

namespace hip::codeobject {
namespace {

class Relocator {
public:
  Relocator(const CodeObject& code, const ImageMemory& memory, const LoadedImage& image, const ResolveSymbol& resolve)
      : code_(code), memory_(memory), image_(image), resolve_(resolve) {}

  // AMDGPUUsage, "Relocation Records": S symbol, A addend, P place, B base.
  Status apply(const Relocation& r) {
    const uint64_t place = image_.address_of(r.address);
    if (r.type == elf::kRelRelative64) return store<uint64_t>(r, image_.address_of(static_cast<uint64_t>(r.addend)));
    RT_TRY_ASSIGN(const uint64_t symbol, symbol_address(r));
    const uint64_t absolute = symbol + static_cast<uint64_t>(r.addend);
    const uint64_t relative = absolute - place;
    switch (r.type) {
    case elf::kRelAbs64:
      return store<uint64_t>(r, absolute);
    case elf::kRelRel64:
      return store<uint64_t>(r, relative);
    case elf::kRelAbs32Lo:
      return store<uint32_t>(r, static_cast<uint32_t>(absolute));
    case elf::kRelAbs32Hi:
      return store<uint32_t>(r, static_cast<uint32_t>(absolute >> 32));
    case elf::kRelRel32Lo:
      return store<uint32_t>(r, static_cast<uint32_t>(relative));
    case elf::kRelRel32Hi:
      return store<uint32_t>(r, static_cast<uint32_t>(relative >> 32));
    case elf::kRelAbs32:
      if (absolute > UINT32_MAX) return too_large(r, absolute);
      return store<uint32_t>(r, static_cast<uint32_t>(absolute));
    case elf::kRelRel32:
      if (static_cast<int64_t>(relative) != static_cast<int32_t>(relative)) return too_large(r, relative);
      return store<uint32_t>(r, static_cast<uint32_t>(relative));
    default:
      return error(ErrorCode::InvalidImage,
                   "The relocation at {:#x} has type {}, which a dynamic loader does not know.", r.address, r.type);
    }
  }

private:
  Result<uint64_t> symbol_address(const Relocation& r) {
    if (r.symbol == 0) return uint64_t{0};
    const Symbol& symbol = code_.symbols()[r.symbol];
    if (symbol.defined) return image_.address_of(symbol);
    if (resolve_) {
      auto address = resolve_(symbol.name);
      if (address.ok() || !symbol.weak) return address;
    }
    if (symbol.weak) return uint64_t{0};
    return error(ErrorCode::SharedObjectSymbolNotFound, "The code object uses the symbol '{}', which nobody defines.",
                 symbol.name);
  }
  static Status too_large(const Relocation& r, uint64_t value) {
    return error(ErrorCode::InvalidImage, "The relocation at {:#x} does not fit 32 bits (value {:#x}).", r.address,
                 value);
  }
  template<class T> Status store(const Relocation& r, T value) {
    // CodeObject::parse has checked that the place lies in a segment.
    const uint64_t at = r.address - image_.image_begin;
    RT_CHECK(at <= image_.size_bytes && sizeof(T) <= image_.size_bytes - at, "a relocation patches its own image");
    std::memcpy(memory_.host.data() + at, &value, sizeof(T));
    return {};
  }

  const CodeObject& code_;
  const ImageMemory& memory_;
  const LoadedImage& image_;
  const ResolveSymbol& resolve_;
};

} // namespace

Result<LoadedImage> place_image(const CodeObject& code, const ImageMemory& memory, const ResolveSymbol& resolve) {
  LoadedImage image;
  image.device_base = memory.device_base;
  image.size_bytes = code.image_end() - code.image_begin();
  image.image_begin = code.image_begin();
  if (memory.host.size() < image.size_bytes)
    return error(ErrorCode::InvalidValue, "The code object needs {} bytes of memory, but {} are given.",
                 image.size_bytes, memory.host.size());
  if (memory.device_base % code.image_align() != 0)
    return error(ErrorCode::InvalidValue, "The code object cannot lie at {:#x}: its alignment is {:#x}.",
                 memory.device_base, code.image_align());
  uint64_t done = 0; // everything below this offset is written
  for (const Segment& segment : code.segments()) {
    const uint64_t at = segment.address - image.image_begin;
    std::memset(memory.host.data() + done, 0, at - done);
    if (!segment.contents.empty())
      std::memcpy(memory.host.data() + at, segment.contents.data(), segment.contents.size());
    std::memset(memory.host.data() + at + segment.contents.size(), 0, segment.memory_size - segment.contents.size());
    done = at + segment.memory_size;
  }
  Relocator relocator(code, memory, image, resolve);
  for (const Relocation& r : code.relocations()) RT_TRY(relocator.apply(r));
  return image;
}

Result<LoadedImage> load_image(const CodeObject& code, const AllocateImage& allocate, const ResolveSymbol& resolve) {
  RT_TRY_ASSIGN(const ImageMemory memory, allocate(code.image_end() - code.image_begin(), code.image_align()));
  return place_image(code, memory, resolve);
}

} // namespace hip::codeobject
