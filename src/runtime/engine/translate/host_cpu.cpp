// runtime/engine/translate/host_cpu.cpp - see host_cpu.h.
#include "runtime/engine/translate/host_cpu.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Host.h>
#include <map>

namespace hip::engine::translate {

HostCpu HostCpu::detect() {
  HostCpu host{llvm::sys::getHostCPUName().str(), {}};
  std::map<std::string, bool> sorted;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) sorted[feature.getKey().str()] = feature.getValue();
  for (const auto& [name, present] : sorted) {
    if (!host.features.empty()) host.features += ',';
    host.features += (present ? '+' : '-') + name;
  }
  return host;
}

} // namespace hip::engine::translate
