// hipcc's outer frame: environment, requests for information, scratch folder, run.
#include "driver.h"

#include "bundle.h"
#include "environment.h"
#include "invocation.h"
#include "nvcc.h"
#include "plan.h"
#include "runner.h"
#include "toolchain.h"
#include "words.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace hip::hipcc {
namespace fs = std::filesystem;
namespace {

constexpr const char* kHelp =
    R"(Usage: hipcc [options] files...

Compiles and links HIP programs. Files ending in .hip, .cu, .cpp, .cc, .cxx are HIP, .c is C; objects and libraries keep
their order. Options that hipcc does not know are clang's.

  -c, -S, -E, -o FILE, -O*, -g, -I, -D, -L, -l, -std=...   as with clang (without -O: -O3)
  --offload-arch=LIST        devices to compile for, separated by commas; may be repeated: gfx942 (AMD), sm_90 (NVIDIA),
                             "native" for this machine's, "all" for the usual ones of both vendors. Without it: the
                             devices of this machine, software GPUs included (gfx942, or OMNIHIP_SOFT_TARGET)
  --genco                    write a bundle of code objects, for hipModuleLoad
  --genco-text               the same as text, for programs that keep it in strings; NVIDIA's tools read it as PTX
  --cuda                     sources are CUDA as it is: CUDA's headers are the SDK's own (see also omnicc)
  -fsoftware-textures        textures and surfaces on AMD GPUs, too: arrays are linear memory, filtered by instructions
  -fcuda-shifts              in device code, shifts by the width of a number and more shift all of it out, as on NVIDIA GPUs;
                             --cuda has it by itself, -fno-cuda-shifts does without
  -fgpu-rdc                  device code that is linked across files; give it to the link as well
  --offload-compress         compress the device code in the program
  --save-temps               keep what clang makes on the way
  --parallel-jobs=N          at most N compilations at once (default: one per core)
  --no-hip-pch               do not keep the parse of the HIP headers in the cache folder
  --rocm-path=FOLDER         use the SDK in FOLDER
  -no-hip-rt                 do not link libamdhip64
  --cxxflags, --ldflags      print what another compiler needs to use the HIP API
  -v, -###                   show the commands; -### runs none
  --version, --short-version, --help
  @FILE                      more arguments, from FILE

Environment:
  HIP_CLANG_PATH             folder of clang++
  HIPCC_PTXAS                NVIDIA's ptxas, for machine code beside the PTX; "none" to leave it out. Looked for in
                             CUDA_PATH, CUDA_HOME, /usr/local/cuda and PATH when not set
  HIP_PLATFORM               "nvidia": compile with nvcc, against CUDA's runtime and libraries; "amd" is the default
  HIPCC_NVCC                 the nvcc for that. Looked for in CUDA_PATH, CUDA_HOME, /usr/local/cuda and PATH when not set
  HIPCC_COMPILE_FLAGS_APPEND more options for commands with sources
  HIPCC_LINK_FLAGS_APPEND    more options for commands that link
  HIPCC_VERBOSE              sum of 1: show the commands, 2: the folders in use, 4: hipcc's own arguments
  OMNIHIP_NO_PCH=1           as --no-hip-pch
  OMNIHIP_CACHE_DIR          the cache is pch in it; without it, omnihip/pch in XDG_CACHE_HOME (default: ~/.cache)
)";

// The folder that jobs hand files through: named first, for the plan; made only when jobs run; removed with all in it.
class Scratch {
public:
  Scratch() {
    const std::string tmp = environment("TMPDIR");
    auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    path_ = (tmp.empty() ? "/tmp" : tmp) + "/hipcc-" + std::to_string(getpid()) + "-" + std::to_string(now);
  }
  ~Scratch() {
    std::error_code ec;
    if (made_) fs::remove_all(path_, ec);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void make() {
    if (mkdir(path_.c_str(), 0700) != 0)
      throw DriverError("cannot make the temporary folder '" + path_ + "': " + std::strerror(errno));
    made_ = true;
    std::ofstream file(path_ + "/placeholder", std::ios::binary);
    file << kPlaceholder;
    file.close();
    if (!file) throw DriverError("cannot write to the temporary folder '" + path_ + "'");
  }
  const std::string& path() const { return path_; }

private:
  std::string path_;
  bool made_ = false;
};

std::vector<Argument> parse_expanded(const Words& words) { return parse_arguments(expand_response_files(words)); }

// The command line's words, with the environment's where they have a use.
std::vector<Argument> read_arguments(const Words& words) {
  const auto variable = [](const char* name) { return parse_expanded(split_words(environment(name))); };
  return with_appended(parse_expanded(words), variable("HIPCC_COMPILE_FLAGS_APPEND"),
                       variable("HIPCC_LINK_FLAGS_APPEND"));
}

unsigned verbosity() { return static_cast<unsigned>(std::strtoul(environment("HIPCC_VERBOSE").c_str(), nullptr, 10)); }

void print_words(const Words& words) {
  for (size_t i = 0; i < words.size(); ++i) std::printf("%s%s", i ? " " : "", words[i].c_str());
  std::printf("\n");
}

[[noreturn]] void replace_process(const Words& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::fflush(nullptr);
  std::signal(SIGCHLD, SIG_DFL); // clang waits for its own children, which it cannot where they are ignored
  execv(argv[0], argv.data());
  throw DriverError("cannot run '" + command[0] + "': " + std::strerror(errno));
}

int answer(const Invocation& inv, Platform platform) {
  switch (inv.request) {
  case OptionId::Help:
    std::fputs(kHelp, stdout);
    return 0;
  case OptionId::ShortVersion:
    std::printf("%s\n", short_version_string().c_str());
    return 0;
  case OptionId::CxxFlags:
    print_words(cxx_flags(find_sdk(inv.sdk_option), platform));
    return 0;
  case OptionId::LdFlags:
    print_words(ld_flags(find_sdk(inv.sdk_option), platform));
    return 0;
  default:
    std::printf("HIP version: %s\n", version_string().c_str());
    replace_process({platform == Platform::Nvidia ? find_nvcc() : find_toolchain(inv.sdk_option).clangxx, "--version"});
  }
}

JobGraph plan(const Invocation& inv, Platform platform, const std::string& scratch, unsigned verbose) {
  if (platform == Platform::Nvidia) {
    const NvccToolchain toolchain = find_nvcc_toolchain(inv.sdk_option);
    if (verbose & 2)
      std::fprintf(stderr, "HIP_PATH=%s\nHIPCC_NVCC=%s\n", toolchain.sdk.c_str(), toolchain.nvcc.c_str());
    return make_nvcc_plan(inv, toolchain, scratch);
  }
  const Toolchain toolchain = find_toolchain(inv.sdk_option);
  if (verbose & 2)
    std::fprintf(stderr, "HIP_PATH=%s\nHIP_CLANG_PATH=%s\n", toolchain.sdk.c_str(), toolchain.clang_dir.c_str());
  return make_plan(inv, toolchain, scratch, isatty(STDERR_FILENO) ? Colour::On : Colour::Off);
}

int run(const Words& words) {
  unsigned verbose = verbosity();
  if (verbose & 4) std::fprintf(stderr, "hipcc-args:%s\n", quoted(words).c_str());
  const Platform platform = platform_from_environment();
  Invocation inv = make_invocation(read_arguments(words), platform);
  if (inv.request != OptionId::Unknown) return answer(inv, platform);

  Scratch scratch;
  JobGraph graph = plan(inv, platform, scratch.path(), verbose);
  for (const Job& job : graph)
    for (const std::string& warning : job.warnings) std::fprintf(stderr, "hipcc: warning: %s\n", warning.c_str());
  if (inv.dry_run) {
    print_jobs(graph);
    return 0;
  }
  if (verbose & 1) {
    for (const Job& job : graph) {
      if (!job.command.empty()) std::fprintf(stderr, "hipcc-cmd:%s\n", quoted(job.command).c_str());
    }
  }
  if (is_single_command(graph) && !needs_response_file(graph[0].command)) {
    if (inv.verbose) std::fprintf(stderr, "%s\n", quoted(graph[0].command).c_str());
    replace_process(graph[0].command);
  }
  scratch.make();
  RunOptions options;
  options.parallel = inv.jobs ? inv.jobs : std::max(1u, std::thread::hardware_concurrency());
  options.verbose = inv.verbose;
  options.scratch = scratch.path();
  return run_jobs(graph, options);
}

} // namespace

int run_hipcc(int argc, char** argv) { return run_hipcc(std::vector<std::string>(argv + 1, argv + argc)); }

int run_hipcc(std::vector<std::string> words) {
  try {
    return run(words);
  } catch (const DriverError& error) {
    std::fprintf(stderr, "hipcc: error: %s\n", error.what());
    return 1;
  }
}

} // namespace hip::hipcc
