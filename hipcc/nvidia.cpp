// NVIDIA architectures, the search for CUDA's programs, and the question to the driver.
#include "nvidia.h"

#include "environment.h"
#include "options.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
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

// What a program writes to its standard output; empty when it does not run.
std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; !failed && ((got = read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR));)
    if (got > 0) text.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  if (!failed) waitpid(child, nullptr, 0);
  return text;
}

// The architectures among the words in quotes of ptxas' help: 'sm_90'.
std::vector<std::string> archs_in(const std::string& help) {
  std::vector<std::string> archs;
  constexpr std::string_view kBegin = "'sm_";
  for (size_t at = help.find(kBegin); at != std::string::npos; at = help.find(kBegin, at + 1)) {
    const size_t end = help.find('\'', at + 1);
    if (end == std::string::npos) break;
    archs.push_back(help.substr(at + 1, end - at - 1));
  }
  return archs;
}

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

bool Ptxas::knows(const std::string& arch) const {
  return archs.empty() || std::find(archs.begin(), archs.end(), arch) != archs.end();
}

Ptxas find_ptxas() {
  Ptxas found;
  if (environment("HIPCC_PTXAS") == "none") return found;
  found.path = find_cuda_program("ptxas", "HIPCC_PTXAS");
  if (!found.path.empty()) found.archs = archs_in(output_of({found.path, "--help"}));
  return found;
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
