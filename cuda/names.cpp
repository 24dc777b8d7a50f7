// The table by HIP's names.
#include "names.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace hip::cuda {

Interface interface_of(const std::string& cuda_name) {
  return cuda_name.starts_with("cuda") || cuda_name.starts_with("surface") || cuda_name.starts_with("texture")
             ? Interface::Runtime
             : Interface::Driver;
}

bool is_tag(const std::string& name) {
  return name.ends_with("_st") || name.ends_with("_enum") || name.ends_with("_union");
}

Names::Names(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(path + " cannot be read");
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string cuda, hip, roc, kind, api, flags;
    for (std::string* field : {&cuda, &hip, &roc, &kind, &api, &flags}) std::getline(in, *field, '\t');
    if (api.empty()) throw std::runtime_error(path + ": a row is short: " + line);
    if (api != "runtime" && api != "driver") continue;
    by_hip_.emplace(hip, rows_.size());
    rows_.push_back({cuda, hip, kind, !hip.empty() && flags.find("no-hip") == std::string::npos});
  }
}

std::vector<std::string> Names::cuda_names(const std::string& hip, Interface interface, const std::string& kind) const {
  std::vector<std::string> names;
  const auto [begin, end] = by_hip_.equal_range(hip);
  for (auto it = begin; it != end; ++it) {
    const Name& row = rows_[it->second];
    if (row.supported && row.kind == kind && interface_of(row.cuda) == interface) names.push_back(row.cuda);
  }
  return names;
}

std::string Names::type_name(const std::string& hip, Interface interface) const {
  std::string best;
  for (const std::string& name : cuda_names(hip, interface, "type")) {
    // "_v1" and the like are older forms of the name without them.
    const bool older = name.size() > 3 && name[name.size() - 3] == '_' && name[name.size() - 2] == 'v';
    if (best.empty() || is_tag(best) || (name.size() < best.size() && !is_tag(name) && !older)) best = name;
  }
  return best;
}

} // namespace hip::cuda
