// runtime/engine/store/host_cpu.h - the processor that code is generated for: this host's, as LLVM names it and
// with what it really offers (a virtual machine may hide part of what its model has), or less of it.
#pragma once

#include "runtime/engine/interpret/host_isa.h"

#include <string>

namespace hip::engine::compile {

struct HostCpu {
  std::string name;               // "sapphirerapids"
  std::string features;           // "+avx2,-avx512fp16,...", sorted by name
  HostIsa isa = HostIsa::Generic; // what its vectors can do; code is generated for Avx2 and Avx512
  // This host, used as `isa`, which it must have. Where it has more, as any processor that has `isa`.
  static HostCpu detect(HostIsa isa);
};

} // namespace hip::engine::compile
