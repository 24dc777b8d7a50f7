// Programs may have the runtime under a link: PREFIX/cuda/lib64 consists of them.
#include "runtime/base/beside.h"

#include <dlfcn.h>
#include <filesystem>
#include <unistd.h>

namespace hip {

std::string path_beside(const void* code, const char* name) {
  namespace fs = std::filesystem;
  Dl_info info{};
  if (!::dladdr(code, &info) || !info.dli_fname) return name;
  const fs::path opened = info.dli_fname;
  if (!opened.has_parent_path()) return name;
  std::error_code failed;
  for (const fs::path& library : {opened, fs::canonical(opened, failed)}) {
    const std::string path = (library.parent_path() / name).string();
    if (!library.empty() && ::access(path.c_str(), R_OK) == 0) return path;
  }
  return name;
}

} // namespace hip
