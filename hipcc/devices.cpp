// GPUs from /sys/class/kfd: one folder per node, a "properties" file with one "name value" pair per line.
#include "devices.h"

#include "environment.h"
#include "nvidia.h"

#include "runtime/codeobject/processor.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace hip::hipcc {

std::string gfx_name(unsigned gfx_target_version) {
  if (gfx_target_version == 0) return {};
  unsigned major = gfx_target_version / 10000, minor = gfx_target_version / 100 % 100, step = gfx_target_version % 100;
  constexpr char kHex[] = "0123456789abcdef";
  return "gfx" + std::to_string(major) + kHex[minor % 16] + kHex[step % 16];
}

std::vector<std::string> kernel_driver_gpus(const std::string& topology) {
  namespace fs = std::filesystem;
  std::vector<std::pair<unsigned long, std::string>> found; // by node number: folders come in no order
  std::error_code ec;
  for (const fs::directory_entry& node : fs::directory_iterator(topology, ec)) {
    std::ifstream properties(node.path() / "properties");
    std::string name;
    unsigned long value = 0;
    while (properties >> name >> value) {
      if (name != "gfx_target_version" || value == 0) continue;
      found.emplace_back(strtoul(node.path().filename().c_str(), nullptr, 10), gfx_name(static_cast<unsigned>(value)));
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [node, gpu] : found) names.push_back(std::move(gpu));
  return names;
}

std::vector<std::string> software_gpus(std::string_view devices, std::string_view targets, bool has_cards) {
  constexpr unsigned kMost = 64;
  unsigned count = has_cards ? 0 : 1;
  // The runtime refuses what is no number.
  if (!devices.empty()) std::from_chars(devices.data(), devices.data() + devices.size(), count);
  if (targets.empty()) targets = kSoftwareArch;
  std::vector<std::string> names;
  for (count = std::min(count, kMost); names.size() < count;) {
    const size_t end = targets.find(',');
    names.emplace_back(targets.substr(0, end));
    if (end != targets.npos) targets.remove_prefix(end + 1); // the last entry is for all that are left
  }
  return names;
}

std::vector<std::string> amd_gpus() {
  std::vector<std::string> gpus = kernel_driver_gpus();
  for (std::string& name :
       software_gpus(environment("OMNIHIP_SOFT_DEVICES"), environment("OMNIHIP_SOFT_TARGET"), !gpus.empty()))
    gpus.push_back(std::move(name));
  return gpus;
}

std::vector<std::string> all_archs() {
  using codeobject::Presence;
  struct Row {
    const char* name;
    Presence presence;
  };
  constexpr Row kRows[] = {
#define AMDGPU_PROCESSOR(name, mach, family, modes, generic, capacity, software, presence, product)                    \
  {name, Presence::presence},
#include "runtime/codeobject/processors.def"
#undef AMDGPU_PROCESSOR
  };
  std::vector<std::string> archs;
  for (const Row& row : kRows)
    if (row.presence == Presence::Common) archs.emplace_back(row.name);
  // PTX of one architecture runs on all newer ones.
  archs.insert(archs.end(), {"sm_75", "sm_90"});
  return archs;
}

std::vector<std::string> default_archs() {
  std::vector<std::string> archs;
  for (std::string& gpu : amd_gpus())
    if (std::find(archs.begin(), archs.end(), gpu) == archs.end()) archs.push_back(std::move(gpu));
  if (archs.empty()) archs.emplace_back(kSoftwareArch);
  for (std::string& gpu : nvidia_gpus()) archs.push_back(std::move(gpu));
  return archs;
}

} // namespace hip::hipcc
