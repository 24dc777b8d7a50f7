// runtime/engine/store/host_cpu.cpp - see host_cpu.h.
#include "runtime/engine/store/host_cpu.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Host.h>
#include <map>

namespace hip::engine::compile {

HostCpu HostCpu::detect(HostIsa isa) {
  if (isa == HostIsa::Generic) return {"x86-64", {}, isa};
  if (isa == HostIsa::Avx2 && __builtin_cpu_supports("x86-64-v4")) return {"x86-64-v3", {}, isa};
  HostCpu host{llvm::sys::getHostCPUName().str(), {}, isa};
  std::map<std::string, bool> sorted;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) sorted[feature.getKey().str()] = feature.getValue();
  for (const auto& [name, present] : sorted) {
    if (!host.features.empty()) host.features += ',';
    // Without HostIsa::Avx512 the parts of AVX-512 that the host has stay unused: they would change only some of the code.
    const bool used = isa == HostIsa::Avx512 || !(name.starts_with("avx512") || name.starts_with("avx10"));
    host.features += (present && used ? '+' : '-') + name;
  }
  return host;
}

} // namespace hip::engine::compile
