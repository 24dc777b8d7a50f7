#include "runtime/rtc/program_words.h"

#include <hip/hip_version.h>

namespace hip::rtc {

std::vector<std::string> program_words(const std::vector<std::string>& options, const std::string& target) {
  std::vector<std::string> words = {"-x",
                                    "hip",
                                    "--offload-device-only",
                                    "--no-gpu-bundle-output",
                                    "-D__HIPCC_RTC__=1",
                                    "-DHIP_VERSION_MAJOR=" + std::to_string(HIP_VERSION_MAJOR),
                                    "-DHIP_VERSION_MINOR=" + std::to_string(HIP_VERSION_MINOR),
                                    "-include",
                                    kNamesHeader};
  bool has_arch = false, relocatable = false, has_level = false;
  for (const std::string& option : options) {
    if (option.starts_with("--gpu-architecture=")) {
      words.push_back("--offload-arch=" + option.substr(option.find('=') + 1));
      has_arch = true;
      continue;
    }
    has_arch = has_arch || option.starts_with("--offload-arch");
    has_level = has_level || option.starts_with("-O");
    relocatable = relocatable || option == "-fgpu-rdc";
    words.push_back(option);
  }
  if (!has_arch) words.push_back("--offload-arch=" + target);
  if (!has_level) words.push_back("-O3");
  if (relocatable) words.insert(words.end(), {"-c", "-emit-llvm"});
  return words;
}

} // namespace hip::rtc
