// runtime/engine/translate/host_cpu.h - the processor that code is generated for: this host's, as LLVM names it and
// with what it really offers (a virtual machine may hide part of what its model has).
#pragma once

#include <string>

namespace hip::engine::translate {

struct HostCpu {
  std::string name;     // "sapphirerapids"
  std::string features; // "+avx2,-avx512fp16,...", sorted by name
  static HostCpu detect();
};

} // namespace hip::engine::translate
