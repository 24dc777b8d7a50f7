// NVIDIA architectures, the search for CUDA's programs, and the question to the driver.
#include "nvidia.h"

#include "environment.h"
#include "options.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace hip::hipcc {
namespace fs = std::filesystem;
namespace {

constexpr NvidiaArch kArchs[] = {
#define NVIDIA_ARCH(name, ptx) {#name, ptx},
#include "nvidia.def"
#undef NVIDIA_ARCH
};

bool is_program(const fs::path& path) { return access(path.c_str(), X_OK) == 0 && !fs::is_directory(path); }

} // namespace

bool is_nvidia(const std::string& arch) { return arch.starts_with("sm_") || arch.starts_with("compute_"); }

const NvidiaArch& nvidia_arch(const std::string& name) {
  std::string known;
  for (const NvidiaArch& arch : kArchs) {
    if (name == arch.name) return arch;
    known += (known.empty() ? "" : " ") + std::string(arch.name);
  }
  throw DriverError("'" + name + "' is no NVIDIA architecture that hipcc compiles for; it knows " + known +
                    " (PTX for one of them also runs on all newer GPUs)");
}

std::vector<std::string> nvidia_arch_names() {
  std::vector<std::string> names;
  for (const NvidiaArch& arch : kArchs) names.emplace_back(arch.name);
  return names;
}

std::string find_cuda_program(const std::string& name, const char* variable) {
  if (const std::string chosen = environment(variable); !chosen.empty()) {
    if (!is_program(chosen)) throw DriverError(std::string(variable) + " is '" + chosen + "', which is no program");
    return chosen;
  }
  std::vector<fs::path> folders;
  for (const char* root : {"CUDA_PATH", "CUDA_HOME"})
    if (const std::string cuda = environment(root); !cuda.empty()) folders.push_back(fs::path(cuda) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::string& folder : path_folders()) folders.emplace_back(folder);
  for (const fs::path& folder : folders)
    if (const fs::path program = folder / name; is_program(program)) return program.string();
  return {};
}

std::string find_ptxas() {
  return environment("HIPCC_PTXAS") == "none" ? std::string() : find_cuda_program("ptxas", "HIPCC_PTXAS");
}

bool refuses_arch(const std::string& text, const std::string& arch) {
  return text.find("'" + arch + "'") != std::string::npos && text.find("'gpu-name'") != std::string::npos;
}

std::vector<std::string> nvidia_gpus() {
  std::error_code ec;
  if (!fs::exists("/dev/nvidiactl", ec)) return {}; // spares the search for a library that has no device to speak for
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return {};
  // CUDA driver API: 0 is success; device attributes 75 and 76 are the compute capability's major and minor number.
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
  const auto count_of = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDeviceGetCount"));
  const auto attribute = reinterpret_cast<int (*)(int*, int, int)>(dlsym(library, "cuDeviceGetAttribute"));
  std::vector<std::string> archs;
  int count = 0;
  if (!init || !count_of || !attribute || init(0) != 0 || count_of(&count) != 0) return {};
  for (int device = 0; device < count; ++device) {
    int major = 0, minor = 0;
    if (attribute(&major, 75, device) != 0 || attribute(&minor, 76, device) != 0) continue;
    // A GPU newer than the table runs the PTX of the newest one before it.
    const int capability = major * 10 + minor;
    std::string best;
    for (const NvidiaArch& arch : kArchs) {
      const std::string_view name = arch.name;
      if (std::isdigit(static_cast<unsigned char>(name.back())) && std::atoi(arch.name + 3) <= capability) best = name;
    }
    if (!best.empty() && std::find(archs.begin(), archs.end(), best) == archs.end()) archs.push_back(best);
  }
  return archs; // the library stays: unloading a driver is asking for trouble
}

} // namespace hip::hipcc
