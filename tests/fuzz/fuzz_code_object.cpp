// Any bytes as a code object: parse, then place the image and relocate it.
#include "runtime/codeobject/loader.h"

using namespace hip;
using namespace hip::codeobject;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto code = CodeObject::parse({reinterpret_cast<const std::byte*>(data), size});
  if (!code.ok()) return 0;
  (void)code.value().managed_variables();
  std::vector<std::byte> memory;
  (void)load_image(code.value(), [&memory](uint64_t bytes, uint64_t align) -> Result<ImageMemory> {
    if (bytes > 1 << 22) return error(ErrorCode::OutOfMemory, "{} bytes are too many here.", bytes);
    memory.resize(bytes);
    return ImageMemory{memory, align * 4};
  }).ok();
  return 0;
}
