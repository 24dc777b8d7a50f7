// See environment.h.
#include "environment.h"

#include <algorithm>
#include <cstdlib>

namespace hip::hipcc {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> path_folders() {
  const std::string path = environment("PATH");
  std::vector<std::string> folders;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    if (end > at) folders.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return folders;
}

} // namespace hip::hipcc
