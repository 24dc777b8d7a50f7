// hipconfig: what build scripts ask about the SDK. Each option prints one value; several options print one after the
// other, without an end of line unless --newline asks for it, as scripts expect.
#include "environment.h"
#include "nvcc.h"
#include "options.h"
#include "toolchain.h"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/utsname.h>
#include <vector>

namespace hip::hipcc {
namespace {

// What the environment chose, in the words that scripts compare with.
struct Names {
  const char* platform;
  const char* compiler;
  const char* runtime; // of HIP's two runtimes, rocclr is the one that is not CUDA
};
Names names() {
  return platform_from_environment() == Platform::Nvidia ? Names{"nvidia", "nvcc", "cuda"}
                                                         : Names{"amd", "clang", "rocclr"};
}

std::string cpp_config(const std::string& sdk) {
  if (platform_from_environment() == Platform::Amd) return " -D__HIP_PLATFORM_AMD__= -I" + sdk + "/include";
  return " -D__HIP_PLATFORM_NVIDIA__= -I" + sdk + "/include -I" + cuda_of(find_nvcc()) + "/include";
}

struct Query {
  const char* short_name;
  const char* long_name;
  const char* help;
  std::function<std::string()> value;
};

const std::vector<Query>& queries() {
  static const std::vector<Query> table = {
      {"-p", "--path", "root of the HIP SDK", [] { return find_sdk(); }},
      {"-R", "--rocmpath", "root of the SDK's tree, the same", [] { return find_sdk(); }},
      {"-C", "--cpp_config", "options that compile C++ against the HIP API", [] { return cpp_config(find_sdk()); }},
      {"-c", "--compiler", "the compiler: clang, or nvcc", [] { return std::string(names().compiler); }},
      {"-P", "--platform", "the platform: amd, or nvidia where HIP_PLATFORM says so",
       [] { return std::string(names().platform); }},
      {"-r", "--runtime", "the runtime: rocclr, the name that scripts compare with, or cuda",
       [] { return std::string(names().runtime); }},
      {"-l", "--hipclangpath", "folder of clang++", [] { return find_rocm_clang_dir(find_sdk()); }},
      {"-v", "--version", "version of the SDK", [] { return version_string(); }},
  };
  return table;
}

void print_help() {
  std::printf("Usage: hipconfig [options]\n");
  for (const Query& query : queries()) std::printf("  %-2s, %-15s %s\n", query.short_name, query.long_name, query.help);
  std::printf("  -f, --full          all of them, and the environment (also without any option)\n"
              "      --check         whether this SDK can be used; the exit code says the same\n"
              "  -n, --newline       end the output with a new line\n"
              "  -h, --help          this text\n");
}

void print_full() {
  std::string sdk = find_sdk();
  std::printf("HIP version  : %s\n\n== hipconfig\n", version_string().c_str());
  std::printf("HIP_PATH     : %s\nROCM_PATH    : %s\nHIP_COMPILER : %s\nHIP_PLATFORM : %s\nHIP_RUNTIME  : %s\n"
              "CPP_CONFIG   : %s\n",
              sdk.c_str(), sdk.c_str(), names().compiler, names().platform, names().runtime, cpp_config(sdk).c_str());
  if (platform_from_environment() == Platform::Nvidia)
    std::printf("\n== nvcc\nHIPCC_NVCC   : %s\n", find_nvcc().c_str());
  else
    std::printf("\n== hip-clang\nHIP_CLANG_PATH : %s\n", find_rocm_clang_dir(sdk).c_str());
  std::printf("\n== Environment Variables\n");
  for (const char* name : {"PATH", "LD_LIBRARY_PATH", "HIP_PATH", "ROCM_PATH", "HIP_CLANG_PATH", "HIP_VISIBLE_DEVICES",
                           "HIP_PLATFORM", "HIPCC_NVCC", "HIPCC_COMPILE_FLAGS_APPEND", "HIPCC_LINK_FLAGS_APPEND"})
    std::printf("%s=%s\n", name, environment(name).c_str());
  struct utsname system;
  if (uname(&system) == 0)
    std::printf("\n== Linux Kernel\nHostname     : %s\n%s %s %s\n", system.nodename, system.sysname, system.release,
                system.machine);
}

// Each line names what is looked at; false when something is missing.
bool check() {
  namespace fs = std::filesystem;
  std::string sdk = find_sdk();
  bool good = true;
  for (const char* part : {"bin/hipcc", "include/hip/hip_runtime.h", "lib/libamdhip64.so", "amdgcn/bitcode/ocml.bc"}) {
    std::error_code ec;
    bool present = fs::exists(sdk + "/" + part, ec);
    std::printf("%-8s %s/%s\n", present ? "found" : "MISSING", sdk.c_str(), part);
    good &= present;
  }
  if (platform_from_environment() == Platform::Nvidia)
    std::printf("found    %s\n", find_nvcc().c_str());
  else
    std::printf("found    %s/clang++\n", find_clang_dir(sdk).c_str());
  return good;
}

int run(int argc, char** argv) {
  bool newline = false, answered = false;
  int code = 0;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "-n" || word == "--newline") {
      newline = true;
      continue;
    }
    answered = true;
    if (word == "-h" || word == "--help") {
      print_help();
    } else if (word == "-f" || word == "--full") {
      print_full();
    } else if (word == "--check") {
      code |= check() ? 0 : 1;
    } else {
      const Query* found = nullptr;
      for (const Query& query : queries()) {
        if (word == query.short_name || word == query.long_name) found = &query;
      }
      if (!found) throw DriverError("unknown option '" + word + "'; --help lists the options");
      std::fputs(found->value().c_str(), stdout);
    }
  }
  if (!answered) print_full();
  if (newline) std::printf("\n");
  return code;
}

} // namespace
} // namespace hip::hipcc

int main(int argc, char** argv) {
  try {
    return hip::hipcc::run(argc, argv);
  } catch (const hip::hipcc::DriverError& error) {
    std::fprintf(stderr, "hipconfig: error: %s\n", error.what());
    return 1;
  }
}
