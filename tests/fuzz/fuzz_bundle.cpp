// Any bytes as a fat binary: parse, choose, and parse what was chosen.
#include "runtime/codeobject/bundle.h"
#include "runtime/codeobject/code_object.h"

using namespace hip::codeobject;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const TargetId device = parse_target_id("gfx942:sramecc+:xnack-").value();
  const auto bundle = parse_bundle({reinterpret_cast<const std::byte*>(data), size});
  if (!bundle.ok()) return 0;
  const auto entry = choose_entry(bundle.value(), device);
  if (entry.ok()) (void)CodeObject::parse(entry.value()->image).ok();
  return 0;
}
