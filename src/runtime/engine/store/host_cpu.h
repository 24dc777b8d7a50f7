// runtime/engine/store/host_cpu.h - the processor that code is generated for: this host's, under LLVM's name and with the features
// that it really has (a virtual machine may hide some of its model's), or with fewer.
#pragma once

#include "runtime/engine/interpret/host_isa.h"

#include <string>

namespace hip::engine::compile {

struct HostCpu {
  std::string name;               // "sapphirerapids"
  std::string features;           // "+avx2,-avx512fp16,...", sorted by name
  HostIsa isa = HostIsa::Generic; // its vector instructions; code is generated for Avx2 and Avx512
  // This host, used as `isa`, which it must have. A host with more than `isa` becomes a generic processor that has `isa`.
  static HostCpu detect(HostIsa isa);
};

} // namespace hip::engine::compile
