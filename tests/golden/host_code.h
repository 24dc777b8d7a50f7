// tests/golden/host_code.h - how much host code a translation is: its functions' instructions and bytes.
#pragma once

#include "runtime/engine/compile/translator.h"

namespace golden {

struct HostCode {
  uint64_t instructions = 0, bytes = 0;
  // `object` is a translation's. What does not disassemble, or is no object, is an error.
  static hip::Result<HostCode> count(const std::vector<std::byte>& object);
};

} // namespace golden
