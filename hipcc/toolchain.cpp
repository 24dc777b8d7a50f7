// The search for the SDK and for clang.
#include "toolchain.h"

#include "environment.h"
#include "nvcc.h"
#include "options.h"

#include "hipcc_version.h"

#include <filesystem>

namespace hip::hipcc {
namespace fs = std::filesystem;
namespace {

constexpr const char* kClangMajor = "22";

bool is_set_to(const char* name, const char* value) { return environment(name) == value; }

bool is_sdk(const fs::path& dir) {
  std::error_code ec;
  return !dir.empty() && fs::is_regular_file(dir / "share/hip/version", ec);
}

bool has_clang(const fs::path& dir) {
  std::error_code ec;
  return !dir.empty() && fs::exists(dir / "clang++", ec);
}

// The folder of the compiler itself. In the SDK's lib/llvm/bin clang++ is a script, and a link beside it, which LLVM's
// own folders have as a program, leads to the LLVM meant. Empty where there is no compiler, and where the link leads
// nowhere.
fs::path compilers_own(const fs::path& dir) {
  if (!has_clang(dir)) return {};
  const fs::path numbered = dir / ("clang-" + std::string(kClangMajor));
  std::error_code ec;
  if (!fs::is_symlink(numbered, ec)) return dir;
  const fs::path own = fs::canonical(numbered, ec).parent_path();
  return !ec && has_clang(own) ? own : fs::path();
}

// The folder of a program on PATH, links resolved; empty when there is none.
fs::path folder_on_path(const std::string& program) {
  for (const fs::path folder : path_folders()) {
    std::error_code ec;
    if (fs::exists(folder / program, ec)) return fs::canonical(folder / program, ec).parent_path();
  }
  return {};
}

} // namespace

Platform platform_from_environment() {
  const std::string platform = environment("HIP_PLATFORM");
  if (platform == "nvidia") return Platform::Nvidia;
  if (platform == "amd") return Platform::Amd;
  if (!platform.empty())
    throw DriverError("HIP_PLATFORM is '" + platform + "'; it can be 'amd' (the default) or 'nvidia'");
  return is_set_to("HIP_COMPILER", "nvcc") || is_set_to("HIP_RUNTIME", "cuda") ? Platform::Nvidia : Platform::Amd;
}

std::string find_sdk(const std::string& sdk_option) {
  if (!sdk_option.empty()) {
    if (!is_sdk(sdk_option)) throw DriverError("'" + sdk_option + "' is no HIP SDK: it has no file share/hip/version");
    return fs::absolute(sdk_option).lexically_normal().string();
  }
  std::error_code ec;
  fs::path own = fs::read_symlink("/proc/self/exe", ec).parent_path().parent_path();
  if (is_sdk(own)) return own.string();
  for (const char* variable : {"ROCM_PATH", "HIP_PATH"}) {
    if (std::string dir = environment(variable); is_sdk(dir)) return fs::absolute(dir).lexically_normal().string();
  }
  throw DriverError("no HIP SDK was found: '" + own.string() +
                    "', where this program lies, has no file share/hip/version, and neither ROCM_PATH nor HIP_PATH "
                    "names a folder that has one; reinstall, or pass --rocm-path=FOLDER");
}

std::string find_clang_dir(const std::string& sdk) {
  if (std::string dir = environment("HIP_CLANG_PATH"); !dir.empty()) {
    if (!has_clang(dir)) throw DriverError("HIP_CLANG_PATH is '" + dir + "', and there is no clang++ in it");
    return dir;
  }
  for (const fs::path& dir : {fs::path(sdk) / "llvm/bin", fs::path(sdk) / "lib/llvm/bin",
                              fs::path("/usr/lib/llvm-" + std::string(kClangMajor) + "/bin")}) {
    if (const fs::path own = compilers_own(dir); !own.empty()) return own.string();
  }
  if (fs::path dir = folder_on_path("clang++-" + std::string(kClangMajor)); has_clang(dir)) return dir.string();
  throw DriverError("clang++ " + std::string(kClangMajor) + " was not found: neither in /usr/lib/llvm-" + kClangMajor +
                    "/bin nor on PATH; install the packages clang-" + kClangMajor + ", clang-tools-" + kClangMajor +
                    " and lld-" + kClangMajor + ", or set HIP_CLANG_PATH to the folder of clang++");
}

std::string find_rocm_clang_dir(const std::string& sdk) {
  const fs::path dir = fs::path(sdk) / "lib/llvm/bin";
  if (environment("HIP_CLANG_PATH").empty() && !compilers_own(dir).empty()) return dir.string();
  return find_clang_dir(sdk);
}

Toolchain find_toolchain(const std::string& sdk_option) {
  Toolchain toolchain;
  toolchain.sdk = find_sdk(sdk_option);
  toolchain.clang_dir = find_clang_dir(toolchain.sdk);
  toolchain.clangxx = toolchain.tool("clang++");
  std::error_code ec;
  fs::path headers =
      fs::canonical(toolchain.clangxx, ec).parent_path().parent_path() / "lib/clang" / kClangMajor / "include";
  if (fs::exists(headers / "__clang_hip_runtime_wrapper.h", ec)) toolchain.clang_headers = headers.string();
  return toolchain;
}

std::string version_string() { return HIPCC_VERSION "-" HIPCC_REVISION; }
std::string short_version_string() { return HIPCC_VERSION; }

std::vector<std::string> cxx_flags(const std::string& sdk, Platform platform) {
  if (platform == Platform::Nvidia)
    return {"-D__HIP_PLATFORM_NVIDIA__=1", "-isystem", sdk + "/include", "-isystem", cuda_of(find_nvcc()) + "/include"};
  return {"-D__HIP_PLATFORM_AMD__=1", "-isystem", sdk + "/include"};
}
std::vector<std::string> ld_flags(const std::string& sdk, Platform platform) {
  if (platform == Platform::Nvidia) {
    std::vector<std::string> words;
    for (const std::string& folder : cuda_library_folders(find_nvcc())) words.push_back("-L" + folder);
    words.insert(words.end(), {"-lcudart", "-lcuda"});
    return words;
  }
  return {"-L" + sdk + "/lib", "-Wl,-rpath," + sdk + "/lib", "-lamdhip64"};
}

} // namespace hip::hipcc
