// Any bytes as a fat binary: parse, choose, and parse what was chosen.
#include "runtime/codeobject/bundle.h"
#include "runtime/codeobject/code_object.h"
#include "runtime/codeobject/ptx.h"

using namespace hip::codeobject;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const TargetId device = parse_target_id("gfx942:sramecc+:xnack-").value();
  static const SmTarget other{9, 0, SmTarget::Scope::Baseline};
  const auto bundle = parse_bundle({reinterpret_cast<const std::byte*>(data), size});
  if (!bundle.ok()) return 0;
  const auto entry = choose_entry(bundle.value(), device);
  if (entry.ok()) (void)CodeObject::parse(entry.value()->image).ok();
  const auto nvidia = choose_entry(bundle.value(), other);
  if (nvidia.ok()) (void)parse_ptx(nvidia.value()->image).ok();
  return 0;
}
