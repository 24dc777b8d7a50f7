// Any bytes as the metadata note.
#include "runtime/codeobject/metadata.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)hip::codeobject::parse_metadata({reinterpret_cast<const std::byte*>(data), size}).ok();
  return 0;
}
