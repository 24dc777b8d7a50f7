#include "runtime/rtc/program_words.h"

#include <hip/hip_version.h>

#include <sstream>
#include <string_view>

namespace hip::rtc {
namespace {

// The target that options[at] names, whatever its spelling: "--offload-arch=gfx942", "-arch compute_75". Moves `at` to
// the last word of the option. Empty: it is another option.
std::string target_option(const std::vector<std::string>& options, size_t& at) {
  for (const std::string_view name : {"--offload-arch", "--gpu-architecture", "-arch"}) {
    const std::string_view option = options[at];
    if (option == name && at + 1 < options.size()) return options[++at];
    if (option.starts_with(name) && option.substr(name.size()).starts_with('='))
      return std::string(option.substr(name.size() + 1));
  }
  return {};
}

} // namespace

std::vector<std::string> with_appended(std::vector<std::string> options, Env variable) {
  std::istringstream more{std::string(env_text(variable))};
  for (std::string word; more >> word;) options.push_back(word);
  return options;
}

ProgramWords program_words(const std::vector<std::string>& options, const std::string& target) {
  ProgramWords out;
  std::vector<std::string>& words = out.words;
  words = {"-x",
           "hip",
           "--offload-device-only",
           "-D__HIPCC_RTC__=1",
           "-DHIP_VERSION_MAJOR=" + std::to_string(HIP_VERSION_MAJOR),
           "-DHIP_VERSION_MINOR=" + std::to_string(HIP_VERSION_MINOR),
           "-include",
           kNamesHeader};
  std::string chosen;
  bool has_level = false;
  for (size_t i = 0; i < options.size(); ++i) {
    if (std::string named = target_option(options, i); !named.empty()) {
      if (named.starts_with("compute_")) named.replace(0, 8, "sm_");
      chosen = named;
      words.push_back("--offload-arch=" + named);
      continue;
    }
    has_level = has_level || options[i].starts_with("-O");
    if (options[i] == "-fgpu-rdc") out.output = ProgramOutput::Bitcode;
    words.push_back(options[i]);
  }
  if (chosen.empty()) words.push_back("--offload-arch=" + (chosen = target));
  if (!has_level) words.push_back("-O3");
  if (chosen.starts_with("sm_") && out.output != ProgramOutput::Bitcode) { // hipcc tells why there is no bitcode
    out.output = ProgramOutput::Ptx;
    words.push_back("-S");
  } else {
    words.push_back("--no-gpu-bundle-output");
    if (out.output == ProgramOutput::Bitcode) words.insert(words.end(), {"-c", "-emit-llvm"});
  }
  return out;
}

} // namespace hip::rtc
