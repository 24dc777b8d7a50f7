// rocm_agent_enumerator: one line per agent, for build scripts: gfx000 for the CPU, then each GPU's processor,
// software GPUs last. Reads the kernel driver's files and the environment only, so it is fast and needs no runtime.
#include "devices.h"
#include "output.h"

#include <cstdio>
#include <cstring>

namespace {

int enumerate(int argc, char** argv) {
  bool cpu = true, gpu = true;
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    if (std::strcmp(word, "-t") == 0 || std::strcmp(word, "--type") == 0) {
      const char* type = i + 1 < argc ? argv[++i] : "";
      cpu = std::strcmp(type, "CPU") == 0;
      gpu = std::strcmp(type, "GPU") == 0;
      if (!cpu && !gpu) {
        std::fprintf(stderr, "rocm_agent_enumerator: error: '%s' is no agent type; it is GPU or CPU\n", type);
        return 1;
      }
    } else if (std::strcmp(word, "-name") == 0 || std::strcmp(word, "--name") == 0) {
      cpu = false; // names of GPUs only; the names are the processors'
    } else {
      bool help = std::strcmp(word, "-h") == 0 || std::strcmp(word, "--help") == 0;
      std::fprintf(help ? stdout : stderr, "Usage: rocm_agent_enumerator [-name] [-t GPU|CPU]\n");
      return help ? 0 : 1;
    }
  }
  if (cpu) std::puts("gfx000");
  if (!gpu) return 0;
  for (const std::string& name : hip::hipcc::amd_gpus()) std::puts(name.c_str());
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  hip::tools::reserve_standard_streams();
  return hip::tools::finish_output("rocm_agent_enumerator", enumerate(argc, argv));
}
