// What stands in clang's command lines: folders, macros and options, from the invocation and the toolchain alone.
#include "plan_words.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace hip::hipcc {
namespace fs = std::filesystem;

// Where clang looks for the SDK. $HIP_PATH would win over --rocm-path for HIP's headers and libraries, and names
// another SDK where one was installed before; over --hip-path it does not.
Words PlanWords::sdk_paths() const { return {"--rocm-path=" + toolchain_.sdk, "--hip-path=" + toolchain_.sdk}; }

Words PlanWords::sdk() const {
  Words words = sdk_paths();
  words.push_back("-D__HIP_PLATFORM_AMD__=1");
  // Before the system's folders, where another HIP may lie; but naming those folders themselves would reorder them.
  if (toolchain_.sdk != "/usr" && toolchain_.sdk != "/usr/local")
    append(words, {"-isystem", toolchain_.sdk + "/include"});
  append(words, passes());
  append(words, waves());
  if (inv_.software_textures) words.push_back("-D__HIP_SOFTWARE_TEXTURES__=1");
  append(words, no_shifts());
  return words;
}

// What a CUDA source sees as if it had included it first, as with nvcc, and where its own includes find our headers.
// Clang's headers are asked for min and max of all types in host code. Programs compile with nvcc that clang alone
// refuses: narrowing in braces and the keyword register are warnings there.
Words PlanWords::cuda() const {
  if (!inv_.cuda) return {};
  const std::string headers = toolchain_.sdk + "/include/cuda";
  Words words = {"-isystem",
                 headers,
                 "-include",
                 headers + "/cuda_runtime.h",
                 "-D__HIP_DEFINE_EXTENDED_HOST_MIN_MAX__=1",
                 "-D__HIP_DEFINE_MIXED_HOST_MIN_MAX__=1",
                 "-D__CLANG_CUDA_WRAPPERS_COMPLEX"}; // until cuda_runtime.h: programs have complex types of their own
  append(words, older_cxx());
  return words;
}

Words PlanWords::hip() const {
  Words words = inv_.cuda ? cuda() : Words{"-Wno-error=register"};
  append(words, shifts());
  return words;
}

// Whether shifts are CUDA's (src/device/codegen/shifts.cpp): what was said on the command line, else what the language
// is. A HIP source may say it itself.
Words PlanWords::shifts() const {
  if (!inv_.cuda_shifts.value_or(inv_.cuda)) return {};
  return {"-include", toolchain_.sdk + "/include/hip/cuda_shifts.h"};
}

Words PlanWords::no_shifts() const {
  const bool refused = inv_.cuda_shifts && !*inv_.cuda_shifts;
  return refused ? Words{"-D__HIP_NO_CUDA_SHIFTS__=1"} : Words{};
}

Words PlanWords::older_cxx() {
  return {"-Wno-error=c++11-narrowing", "-Wno-error=register", "-Wno-error=reserved-user-defined-literal"};
}

std::string PlanWords::device_passes() const { return toolchain_.sdk + "/lib/omnihip_codegen.so"; }

bool PlanWords::has_device_passes() const { return fs::exists(device_passes()); }

Words PlanWords::passes() const { return has_device_passes() ? Words{"-fpass-plugin=" + device_passes()} : Words{}; }

Words PlanWords::archs() const {
  Words words;
  for (const std::string& arch : inv_.archs) words.push_back("--offload-arch=" + arch);
  return words;
}

Words PlanWords::common() const {
  Words words;
  if (colour_ == Colour::On) words.push_back("-fcolor-diagnostics");
  if (inv_.verbose) words.push_back("-v");
  return words;
}

Words PlanWords::compile(InputKind kind, bool host) const {
  Words words;
  if (!inv_.optimise_given) words.push_back("-O3"); // as hipcc always has, unlike clang
  for (const Argument& option : inv_.options) {
    Use use = option.option->use;
    if (use == Use::Link || (use == Use::Host && !host)) continue;
    if (option.id() == OptionId::Standard &&
        (option.value.find("++") == std::string::npos) != (kind == InputKind::CSource))
      continue;
    append(words, option.words);
  }
  return words;
}

// Tells headers of waves that are wider than their family's default, for which the compiler has no macro.
Words PlanWords::waves() const {
  bool wave64 = false;
  for (const Argument& option : inv_.options) {
    if (option.id() == OptionId::Wave64) wave64 = true;
    if (option.id() == OptionId::NoWave64) wave64 = false;
  }
  return wave64 ? Words{"-D__AMDGCN_WAVEFRONT_SIZE=64"} : Words{};
}

Words PlanWords::cuid(const std::string& source) const {
  if (inv_.cuid_given) return {};
  std::error_code ec;
  std::string text = fs::absolute(source, ec).string();
  for (const Argument& option : inv_.options) {
    for (const std::string& word : option.words) text += '\n' + word;
  }
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  char word[32];
  std::snprintf(word, sizeof word, "-cuid=%016llx", static_cast<unsigned long long>(hash));
  return {word};
}

Words PlanWords::nvidia(const NvidiaArch& arch) const {
  Words words = {toolchain_.clangxx,
                 "--offload=nvptx64-nvidia-cuda",
                 std::string("--offload-arch=") + arch.name,
                 "--cuda-feature=+ptx" + std::to_string(arch.ptx),
                 "--offload-device-only",
                 "--cuda-path=/nonexistent",
                 "-nogpuinc",
                 "-nogpulib",
                 "-Wno-unused-command-line-argument"};
  if (!toolchain_.clang_headers.empty()) append(words, {"-isystem", toolchain_.clang_headers + "/cuda_wrappers"});
  append(words, {"-isystem", toolchain_.sdk + "/include"});
  append(words, no_shifts());
  return words;
}

// Where LLVM's defaults give slower code than nvcc has, unless the user chose. Ratios to nvcc's time, with the
// default and with our setting: unrolling ends at 75 instructions, where nvcc unrolls by four (n-body 1.29, 1.01),
// and unrolling to the end at 300 (a loop over 31 bits, 1.08); the two halves of a condition that both leave the
// kernel stay two branches, with loads between them (stencil 1.04, 1.027); what is computed early to be used behind
// barriers is moved behind them, where all wait for it (scan 1.035, 0.994), while ptxas does its own scheduling; what
// two branches end with is made one, behind both, so that its loads wait for what is before it (a Jacobi
// iteration 1.18).
Words PlanWords::nvptx_tuning() const {
  constexpr std::pair<const char*, const char*> kTuning[] = {
      {"-unroll-partial-threshold", "250"},  {"-unroll-threshold", "400"},   {"-bonus-inst-threshold", "3"},
      {"-instcombine-code-sinking", "0"},    {"-disable-machine-sink", "1"}, {"-sink-common-insts", "0"},
      {"-scev-cheap-expansion-budget", "16"}};
  Words words;
  for (const auto& [name, value] : kTuning) {
    const bool chosen = std::any_of(inv_.options.begin(), inv_.options.end(),
                                    [&](const Argument& option) { return option.value.starts_with(name); });
    if (!chosen) append(words, {"-mllvm", std::string(name) + "=" + value});
  }
  return words;
}

Words PlanWords::dependencies(const std::string& object) const {
  if (!inv_.writes_dependencies) return {};
  const auto given = [&](const char* spelling) {
    return std::ranges::any_of(inv_.options, [&](const Argument& option) {
      return option.id() == OptionId::Dependency && option.words[0].starts_with(spelling);
    });
  };
  Words words;
  const size_t dot = object.find_last_of("./");
  const bool has_ending = dot != std::string::npos && object[dot] == '.';
  if (!given("-MF")) append(words, {"-MF", object.substr(0, has_ending ? dot : object.size()) + ".d"});
  if (!given("-MT") && !given("-MQ")) append(words, {"-MQ", object});
  return words;
}

Words PlanWords::link() const {
  Words words = {"--hip-link"};
  append(words, sdk_paths());
  if (inv_.link_hip_runtime)
    words.push_back("-Wl,-rpath," + toolchain_.sdk + "/lib");
  else
    words.push_back("-no-hip-rt");
  if (inv_.cuda && inv_.link_hip_runtime) // for those who call a function of CUDA's without its declaration
    append(words, {"-L" + toolchain_.sdk + "/lib", "-Wl,--push-state,--as-needed", "-lomnihip_cuda_runtime",
                   "-lomnihip_cuda_driver", "-Wl,--pop-state"});
  if (inv_.relocatable_device_code) {
    append(words, archs());
    // The linker generates the device code here.
    if (has_device_passes()) append(words, {"-Xoffload-linker", "--load-pass-plugin=" + device_passes()});
  }
  return words;
}

Words PlanWords::link_command(const Words& objects) const {
  Words command = {toolchain_.clangxx};
  append(command, common());
  command.push_back("-Wno-unused-command-line-argument");
  for (const Argument& option : inv_.options) {
    if (option.option->use == Use::Link || option.option->use == Use::Any) append(command, option.words);
  }
  size_t next = 0;
  for (const Input& input : inv_.inputs)
    append(command, input.kind == InputKind::LinkerWord ? input.words : Words{objects[next++]});
  append(command, link());
  append(command, {"-o", inv_.output.empty() ? "a.out" : inv_.output});
  return command;
}

Words PlanWords::whole_command() const {
  Words command = {toolchain_.clangxx};
  append(command, common());
  for (const Argument& argument : inv_.mode) append(command, argument.words);
  if (inv_.has_hip_sources()) append(command, archs());
  if (inv_.has_sources()) {
    append(command, sdk());
    command.push_back("-Wno-unused-command-line-argument"); // only HIP sources use the SDK's folders
  }
  if (inv_.has_hip_sources()) append(command, hip());
  if (inv_.sides == Sides::DeviceOnly) command.push_back("--offload-device-only");
  if (inv_.sides == Sides::HostOnly) command.push_back("--offload-host-only");
  if (!inv_.optimise_given && inv_.has_sources()) command.push_back("-O3");
  if (!inv_.compress.empty()) command.push_back("--offload-compress");
  for (const Argument& option : inv_.options) append(command, option.words);
  std::string language;
  for (const Input& input : inv_.inputs) {
    if (input.kind != InputKind::LinkerWord || !language.empty()) {
      std::string wanted = input.kind == InputKind::LinkerWord ? "" : input.language;
      if (wanted != language) append(command, {"-x", wanted.empty() ? "none" : wanted});
      language = wanted;
    }
    append(command, input.words);
  }
  bool links = inv_.output_kind == OutputKind::Executable && inv_.sides != Sides::DeviceOnly && inv_.mode.empty();
  if (links && inv_.has_link_inputs()) append(command, link());
  if (!inv_.output.empty()) append(command, {"-o", inv_.output});
  return command;
}

} // namespace hip::hipcc
