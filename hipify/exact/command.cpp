// Command lines of clang. Of a build's words those that change how a source is read are kept; the rest is for compilers
// of other kinds, or for code generation.
#include "exact/command.h"

#include "toolchain.h"

#include <exception>

namespace hip::hipify {
namespace fs = std::filesystem;
namespace {

std::string folder_prefix(const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(folder, error);
  std::string text = (error ? folder : real).string();
  if (!text.ends_with('/')) text += '/';
  return text;
}

// A toolkit's headers, which -I of a build may name; without --cuda-path ours are read in their place.
bool is_toolkit(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "cuda_runtime_api.h", error) && fs::exists(folder / "driver_types.h", error);
}

} // namespace

Commands::Commands(const ExactOptions& options) : options_(options) {
  try {
    const hipcc::Toolchain toolchain = hipcc::find_toolchain({});
    sdk_ = toolchain.sdk;
    clangxx_ = toolchain.clangxx;
  } catch (const std::exception& error) {
    throw HipifyError(error.what());
  }
  if (options.cuda_path.empty()) {
    // Links of the build tree lead to where the headers are written, so both places count.
    cuda_folders_ = {folder_prefix(fs::path(sdk_) / "include"), (fs::path(sdk_) / "include/").string()};
  } else {
    cuda_folders_ = {folder_prefix(options.cuda_path), (fs::path(options.cuda_path) / "").string()};
  }
}

std::string Commands::first_header() const {
  return options_.cuda_path.empty() ? (fs::path(sdk_) / "include/cuda/cuda_runtime.h").string() : std::string();
}

std::vector<std::string> Commands::command(SourceLanguage language, Side side, const std::vector<std::string>& words,
                                           const fs::path& directory) const {
  const fs::path headers = fs::path(sdk_) / "include";
  const bool toolkit = !options_.cuda_path.empty();
  std::vector<std::string> command = {
      clangxx_, "-fsyntax-only", "-w", "-Wno-error=c++11-narrowing", "-Wno-error=register", "-fno-caret-diagnostics"};
  const auto add = [&](std::initializer_list<std::string> more) { command.insert(command.end(), more); };
  if (!options_.resource_directory.empty()) add({"-resource-dir", options_.resource_directory});
  add_user_words(command, words, directory);
  add_user_words(command, options_.clang_words, {});
  if (language == SourceLanguage::Cuda) {
    const bool host = side == Side::Host;
    if (toolkit) {
      add({"--cuda-path=" + options_.cuda_path, "-nocudalib", host ? "--cuda-host-only" : "--cuda-device-only",
           "--cuda-gpu-arch=" + (options_.gpu_architecture.empty() ? "sm_75" : options_.gpu_architecture)});
    } else {
      add({"--rocm-path=" + sdk_, "--hip-path=" + sdk_, "-nogpulib", "--offload-arch=gfx942",
           host ? "--offload-host-only" : "--offload-device-only", "-D__HIP_DEFINE_EXTENDED_HOST_MIN_MAX__=1",
           "-D__HIP_DEFINE_MIXED_HOST_MIN_MAX__=1"});
    }
    add({"-x", toolkit ? "cuda" : "hip"});
  } else {
    add({"-x", language == SourceLanguage::C ? "c" : "c++"});
    // The C of old programs, which the compilers that nvcc calls take.
    if (language == SourceLanguage::C)
      add({"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
           "-Wno-error=incompatible-pointer-types"});
  }
  if (toolkit)
    add({"-isystem", (fs::path(options_.cuda_path) / "include").string()});
  else
    add({"-D__HIP_PLATFORM_AMD__=1", "-isystem", (headers / "cuda").string(), "-isystem", headers.string()});
  return command;
}

void Commands::add_user_words(std::vector<std::string>& command, const std::vector<std::string>& words,
                              const fs::path& directory) const {
  // Options with a value behind them or attached; those of the second list name a folder or file.
  constexpr std::string_view kValues[] = {"-D", "-U", "-std", "--std"};
  constexpr std::string_view kPaths[] = {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-F"};
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto take = [&](std::string_view option) {
      std::string value = word.substr(option.size());
      if (value.empty() && i + 1 < words.size()) value = words[++i];
      if (value.starts_with('=')) value.erase(0, 1);
      return value;
    };
    const auto matches = [&](std::string_view option) {
      if (!word.starts_with(option)) return false;
      // -include=..., -isystem=... and -std=...; the short ones take what follows.
      return option.size() == 2 || word.size() == option.size() || word[option.size()] == '=' || option == "-isystem";
    };
    bool done = false;
    for (std::string_view option : kValues) {
      if (done || !matches(option)) continue;
      const std::string value = take(option);
      command.push_back(option.ends_with("std") ? "-std=" + value : std::string(option) + value);
      done = true;
    }
    for (std::string_view option : kPaths) {
      if (done || !matches(option)) continue;
      fs::path path = take(option);
      if (path.is_relative() && !directory.empty()) path = directory / path;
      done = true;
      if (options_.cuda_path.empty() && is_toolkit(path)) continue;
      command.insert(command.end(), {std::string(option), path.string()});
    }
    if (done) continue;
    if (word == "-Xclang" && i + 1 < words.size()) {
      command.insert(command.end(), {word, words[++i]});
    } else if (word.starts_with("-f") || word.starts_with("-m") || word == "-pthread" || word == "-ansi") {
      // nvcc's --fmad and the like begin otherwise; what clang does not know it only warns of.
      command.push_back(word);
    }
  }
}

} // namespace hip::hipify
