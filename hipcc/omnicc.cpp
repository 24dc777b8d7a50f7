// nvcc's words -> hipcc's.
#include "omnicc.h"

#include "devices.h"
#include "driver.h"
#include "environment.h"
#include "nvidia.h"
#include "options.h"
#include "toolchain.h"
#include "words.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace hip::hipcc {
namespace fs = std::filesystem;
namespace {

enum class Value { None, One, Glued, List };
enum class Action {
  Pass,
  Host,
  Device,
  Ignored,
  Refused,
  Output,
  DeviceC,
  DeviceLink,
  Library,
  Module,
  Dependencies,
  Preprocess,
  OutputFolder,
  Help,
  Version,
  ListArchs,
  OptionsFile,
  Arch,
  Code,
  GenCode,
  OffloadArch,
  Rdc,
  Machine,
  Language,
  LinkLibrary,
  HostOptions,
  LinkerOptions,
  ForwardUnknown,
  Optimise,
  DeviceDebug,
  FastMath,
  Switch,
  Fmad,
  DefaultStream,
  WarningsAsErrors,
};

struct Row {
  std::string_view long_name, short_name;
  Value value;
  Action action;
  const char* word;
};
constexpr Row kRows[] = {
#define OMNICC_OPTION(long_name, short_name, value, action, word)                                                      \
  {long_name, short_name, Value::value, Action::action, word},
#include "omnicc.def"
#undef OMNICC_OPTION
};

// The version of CUDA that the headers in include/cuda declare; build scripts read it from --version.
constexpr const char* kCudaRelease = "12.9";
constexpr int kOldestArch = 70, kOldestKnownArch = 10;

constexpr const char* kHelp =
    R"(Usage: omnicc [options] files...      (also installed as cuda/bin/nvcc in the SDK's folder)

Compiles CUDA programs with nvcc's options, for AMD GPUs, NVIDIA GPUs and machines without a GPU. Files ending in .cu are CUDA,
.cpp, .cc, .cxx and .c go to the host's compiler alone. The devices are those of this machine and those that -arch, -gencode
name; --offload-arch=LIST names all of them instead, as with hipcc. What each option comes to: docs/porting.md.
)";

Words split_list(const std::string& list) {
  Words parts;
  std::string part;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ',') {
      part += list[++i];
    } else if (list[i] == ',') {
      if (!part.empty()) parts.push_back(part);
      part.clear();
    } else {
      part += list[i];
    }
  }
  if (!part.empty()) parts.push_back(part);
  return parts;
}

// One argument: an input, or an option with its value.
struct NvccArgument {
  const Row* row = nullptr; // null: an input or an unknown option
  std::string word, value;
};

// The row of a word such as "--arch=x", "-arch", "-Ifolder", and the value in it.
const Row* find_row(const std::string& word, std::string& value, bool& has_value) {
  const std::string name = word.substr(word.starts_with("--") ? 2 : 1);
  const size_t equals = name.find('=');
  const std::string before = name.substr(0, equals);
  for (const Row& row : kRows) {
    if (before != row.long_name && before != row.short_name) continue;
    has_value = equals != std::string::npos;
    if (has_value && row.value == Value::None) return nullptr;
    value = has_value ? name.substr(equals + 1) : "";
    return &row;
  }
  // -I, -L, -l, -D, -U, -O, -m, -o with the value in the same word.
  for (const Row& row : kRows) {
    if (row.value != Value::Glued || word.starts_with("--") || !name.starts_with(row.short_name)) continue;
    has_value = true;
    value = name.substr(row.short_name.size());
    return &row;
  }
  return nullptr;
}

class Translator {
public:
  OmniccCommand translate(const Words& given) {
    for (const NvccArgument& argument : parse(given)) take(argument);
    if (!command_.answer.empty()) return std::move(command_);
    if (device_link_) return empty_object();
    finish();
    return std::move(command_);
  }

private:
  static constexpr int kMaxDepth = 16;

  std::vector<NvccArgument> parse(const Words& given, int depth = 0) {
    if (depth > kMaxDepth) throw DriverError("options files name each other more than 16 deep");
    std::vector<NvccArgument> arguments;
    const Words words = expand_response_files(given);
    for (size_t i = 0; i < words.size(); ++i) {
      NvccArgument argument;
      argument.word = words[i];
      if (words[i].size() < 2 || words[i][0] != '-') {
        arguments.push_back(argument);
        continue;
      }
      bool has_value = false;
      argument.row = find_row(words[i], argument.value, has_value);
      const bool optional = argument.row && argument.row->action == Action::Optimise; // -O alone
      if (argument.row && argument.row->value != Value::None && !has_value && !optional) {
        if (i + 1 == words.size()) throw DriverError("argument to '" + words[i] + "' is missing");
        argument.value = words[++i];
      }
      if (argument.row && argument.row->action == Action::OptionsFile) {
        for (const std::string& file : split_list(argument.value)) append_options_file(file, depth, arguments);
        continue;
      }
      if (argument.row && argument.row->action == Action::ForwardUnknown) forward_unknown_ = true;
      arguments.push_back(argument);
    }
    return arguments;
  }

  void append_options_file(const std::string& path, int depth, std::vector<NvccArgument>& arguments) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw DriverError("the options file '" + path + "' cannot be read");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (NvccArgument& argument : parse(split_words(text), depth + 1)) arguments.push_back(std::move(argument));
  }

  void add(const std::string& word) { command_.words.push_back(word); }
  void add(const Words& words) { append(command_.words, words); }
  void warn(const std::string& sentence) {
    if (std::find(command_.warnings.begin(), command_.warnings.end(), sentence) == command_.warnings.end())
      command_.warnings.push_back(sentence);
  }

  bool flag(const NvccArgument& argument) const {
    if (argument.value == "true") return true;
    if (argument.value == "false") return false;
    throw DriverError("'" + argument.value + "' is no value of '" + argument.word + "': it is true or false");
  }

  void take(const NvccArgument& argument) {
    if (!argument.row) {
      take_other(argument.word);
      return;
    }
    const Row& row = *argument.row;
    const std::string word = row.word;
    switch (row.action) {
    case Action::Pass:
    case Action::Host:
    case Action::Device:
      pass(row, argument.value);
      break;
    case Action::Ignored:
    case Action::ForwardUnknown:
    case Action::OptionsFile:
      break;
    case Action::Refused:
      throw DriverError("'" + argument.word + "' is not supported: " + word);
    case Action::Output:
      output_ = argument.value;
      break;
    case Action::DeviceC:
      rdc_ = true;
      add("-c");
      break;
    case Action::DeviceLink:
      device_link_ = true;
      break;
    case Action::Library:
      add("--emit-static-lib");
      only_amd_ = "a static library";
      break;
    case Action::Module:
      module_ending_ = word;
      add(word == ".ptx" ? "--genco-text" : "--genco");
      break;
    case Action::Dependencies:
      add(Words{word, "--offload-host-only"});
      only_amd_ = "a list of dependencies";
      quiet_ = true;
      break;
    case Action::Preprocess:
      add(Words{"-E", "--offload-host-only"});
      only_amd_ = "preprocessed text";
      module_ending_ = word; // --cuda: to a file
      quiet_ = true;
      break;
    case Action::OutputFolder:
      output_folder_ = argument.value;
      break;
    case Action::Help:
      command_.answer = kHelp;
      break;
    case Action::Version:
      command_.answer = "omnicc: CUDA compiler driver of OmniHIP " + short_version_string() +
                        "\nCuda compilation tools, release " + kCudaRelease + ", V" + kCudaRelease + ".0\n";
      break;
    case Action::ListArchs:
      for (const std::string& arch : nvidia_arch_names()) command_.answer += word + arch.substr(3) + "\n";
      break;
    case Action::Arch:
      archs_.clear();
      add_arch(argument.value);
      break;
    case Action::Code:
      for (const std::string& code : split_list(argument.value)) add_arch(code);
      break;
    case Action::GenCode:
      take_gencode(argument);
      break;
    case Action::OffloadArch:
      add("--offload-arch=" + argument.value);
      devices_given_ = true;
      break;
    case Action::Rdc:
      rdc_ = flag(argument);
      break;
    case Action::Machine:
      if (argument.value != "64") throw DriverError("'-m " + argument.value + "': only programs of 64 bits are made");
      break;
    case Action::Language:
      take_language(argument.value);
      break;
    case Action::LinkLibrary:
      if (!is_cuda_runtime(argument.value)) add("-l" + argument.value);
      break;
    case Action::HostOptions:
      for (const std::string& part : split_list(argument.value))
        for (const std::string& option : split_words(part)) add_host_option(option);
      break;
    case Action::LinkerOptions:
      for (const std::string& option : split_list(argument.value)) add({"-Xlinker", option});
      break;
    case Action::Optimise:
      host_level_ = argument.value.empty() ? "1" : argument.value;
      break;
    case Action::DeviceDebug:
      device_debug_ = true;
      break;
    case Action::FastMath:
      add({"-Xarch_device", "-fgpu-approx-transcendentals", "-Xarch_device", "-fgpu-flush-denormals-to-zero",
           "-Xarch_device", "-fno-hip-fp32-correctly-rounded-divide-sqrt"});
      break;
    case Action::Switch:
      add({"-Xarch_device", std::string(flag(argument) ? "-f" : "-fno-") + word});
      break;
    case Action::Fmad:
      add({"-Xarch_device", std::string("-ffp-contract=") + (flag(argument) ? "fast-honor-pragmas" : "off")});
      break;
    case Action::DefaultStream:
      if (argument.value == "per-thread")
        add("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
      else if (argument.value != "legacy" && argument.value != "null")
        throw DriverError("'" + argument.value + "' is no value of '" + argument.word +
                          "': it is legacy, null or per-thread");
      break;
    case Action::WarningsAsErrors:
      for (const std::string& kind : split_list(argument.value))
        if (kind == "all-warnings") add("-Werror");
      break;
    }
  }

  void pass(const Row& row, const std::string& value) {
    Words words;
    if (row.value == Value::None)
      words = {row.word};
    else if (row.value == Value::Glued || std::string_view(row.word).ends_with('='))
      words = {row.word + value};
    else
      words = {row.word, value};
    for (const std::string& word : words) {
      if (row.action == Action::Host) add("-Xarch_host");
      if (row.action == Action::Device) add("-Xarch_device");
      add(word);
    }
  }

  // What the host's compiler gets through nvcc. Options that the link needs as well go to all.
  void add_host_option(const std::string& option) {
    for (const char* all : {"-pthread", "-fopenmp", "-fsanitize", "-static", "-pie", "-no-pie", "-coverage",
                            "--coverage", "-rdynamic", "-Wl,", "-L", "-l", "-D", "-U", "-I"}) {
      if (option.starts_with(all)) {
        add(option);
        return;
      }
    }
    if (option == "-m64") return;
    if (option == "-m32") throw DriverError("'-m32': only programs of 64 bits are made");
    add({"-Xarch_host", option});
  }

  // An input, or an option that is not nvcc's.
  void take_other(const std::string& word) {
    if (word.size() > 1 && word[0] == '-') {
      if (!forward_unknown_)
        throw DriverError("nvcc has no option '" + word +
                          "'; those of the host's compiler are behind -Xcompiler, of hipcc's own "
                          "only --offload-arch, --parallel-jobs and --rocm-path are known");
      add_host_option(word);
      return;
    }
    const std::string ending = fs::path(word).extension().string();
    for (const char* device : {".ptx", ".cubin", ".fatbin"})
      if (ending == device) throw DriverError("'" + word + "' is device code of NVIDIA's, which omnicc does not link");
    const bool object = ending == ".o" || ending == ".obj";
    const bool other = object || ending == ".a" || ending == ".lib" || ending == ".res" || ending.starts_with(".so");
    std::string language = language_;
    if (language.empty()) {
      if (ending == ".cu" || ending == ".cup" || ending == ".gpu") language = "hip";
      if (ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".c++" || ending == ".C")
        language = "c++";
      if (ending == ".c") language = "c";
    }
    if (other) language = "none";
    if (object && wants_device_link(word)) rdc_ = true;
    if (language == "hip") has_cuda_ = true;
    std::error_code ec;
    if (!fs::exists(word, ec)) throw DriverError("there is no file '" + word + "'");
    if (!other) sources_.push_back(word);
    if (language.empty()) language = "none";
    if (language != current_language_) add({"-x", language});
    current_language_ = language;
    add(word);
  }

  void take_language(const std::string& language) {
    if (language == "cu")
      language_ = "hip";
    else if (language == "c" || language == "c++")
      language_ = language;
    else
      throw DriverError("'" + language + "' is no value of '-x': it is cu, c or c++");
  }

  // Objects of -dc hold device code that has not been linked: clang writes them as bundles.
  static bool wants_device_link(const std::string& object) {
    std::ifstream file(object, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return bytes.find("__CLANG_OFFLOAD_BUNDLE__hip") != std::string::npos;
  }

  // Libraries that the HIP runtime takes the place of.
  static bool is_cuda_runtime(const std::string& name) {
    return name == "cuda" || name == "cudart" || name == "cudart_static" || name == "cudadevrt";
  }

  // sm_90, compute_80, native, all, all-major; architectures before the oldest that has a back end are left out.
  void add_arch(const std::string& name) {
    if (name.empty()) return;
    if (name == "native") return; // what this machine has is compiled for anyway
    if (name == "all" || name == "all-major") {
      for (const char* arch : {"sm_75", "sm_90"}) add_arch(arch);
      return;
    }
    const size_t digits = name.find('_') + 1;
    const bool known_form = (name.starts_with("sm_") || name.starts_with("compute_") || name.starts_with("lto_")) &&
                            digits < name.size() && std::isdigit(static_cast<unsigned char>(name[digits]));
    if (!known_form)
      throw DriverError("'" + name +
                        "' is no architecture: -arch and -gencode take sm_NN, compute_NN, native, all, all-major; "
                        "AMD's are named with --offload-arch");
    const int number = std::atoi(name.c_str() + digits);
    if (number < kOldestArch && number >= kOldestKnownArch) {
      warn("'" + name + "' is too old and is left out; hipcc compiles for sm_" + std::to_string(kOldestArch) +
           " and newer");
      return;
    }
    const std::string arch = "sm_" + name.substr(digits);
    static_cast<void>(nvidia_arch(arch)); // throws when it does not know it
    capability_ = std::max(capability_, number * 10);
    if (std::find(archs_.begin(), archs_.end(), arch) == archs_.end()) archs_.push_back(arch);
  }

  // arch=compute_80,code=[sm_80,compute_80]
  void take_gencode(const NvccArgument& argument) {
    std::string text = argument.value;
    for (const char c : {'[', ']', '"', '\'', '\\'}) text.erase(std::remove(text.begin(), text.end(), c), text.end());
    bool any = false;
    std::string virtual_arch, field;
    for (const std::string& part : split_list(text)) {
      const size_t equals = part.find('=');
      field = equals == std::string::npos ? field : part.substr(0, equals);
      const std::string value = equals == std::string::npos ? part : part.substr(equals + 1);
      if (field == "arch")
        virtual_arch = value;
      else if (field == "code")
        add_arch(value);
      else
        throw DriverError("'" + argument.value + "' is no value of '" + argument.word +
                          "': it is arch=compute_NN,code=sm_NN");
      any = any || field == "code";
    }
    if (!any) add_arch(virtual_arch);
  }

  OmniccCommand empty_object() {
    warn("-dlink writes an object without contents: device code is linked together with the program, so link that with "
         "omnicc");
    OmniccCommand command;
    command.warnings = command_.warnings;
    command.words = {"-c", "-x", "c", "/dev/null", "-o", output_.empty() ? "a_dlink.o" : output_};
    return command;
  }

  void finish() {
    if (sources_.empty() && command_.words.empty())
      throw DriverError("no input files; omnicc --help tells how it is called");
    Words head = {"--cuda"};
    // nvcc's level is the host's; device code is optimised in full unless it is to be debugged.
    if (device_debug_)
      append(head, {"-O0", "-g", "-Xarch_host", "-O" + (host_level_.empty() ? "0" : host_level_)});
    else
      append(head, {"-O3", "-Xarch_host", "-O" + (host_level_.empty() ? "0" : host_level_)});
    if (capability_ > 750) head.push_back("-D__OMNIHIP_CUDA_ARCH__=" + std::to_string(capability_));
    if (rdc_) {
      head.push_back("-fgpu-rdc");
      only_amd_ = "device code across files (-rdc)";
    }
    if (!devices_given_ && has_cuda_) add_devices(head);
    place_output();
    command_.words.insert(command_.words.begin(), head.begin(), head.end());
  }

  // The devices of this machine, and NVIDIA's that were named.
  void add_devices(Words& head) {
    for (const std::string& arch : default_archs())
      if (!is_nvidia(arch) || only_amd_.empty()) head.push_back("--offload-arch=" + arch);
    if (!only_amd_.empty()) {
      if (!archs_.empty() && !quiet_) warn("NVIDIA's GPUs are left out: " + only_amd_ + " is for AMD's alone");
      return;
    }
    for (const std::string& arch : archs_) head.push_back("--offload-arch=" + arch);
  }

  void place_output() {
    if (output_.empty() && sources_.size() == 1 && (!module_ending_.empty() || !output_folder_.empty())) {
      const std::string ending = module_ending_.empty() ? ".o" : module_ending_;
      output_ = fs::path(sources_[0]).filename().replace_extension(ending).string();
    } else if (output_.empty() && !output_folder_.empty()) {
      throw DriverError("--output-directory takes one source at a time");
    }
    if (!output_folder_.empty()) output_ = (fs::path(output_folder_) / output_).string();
    if (!output_.empty()) add({"-o", output_});
  }

  OmniccCommand command_;
  Words sources_, archs_;
  std::string output_, output_folder_, language_, current_language_, module_ending_, host_level_;
  std::string only_amd_; // what keeps NVIDIA's GPUs out; empty: nothing does
  int capability_ = 0;   // __CUDA_ARCH__ of the newest architecture named
  bool rdc_ = false, device_link_ = false, device_debug_ = false, devices_given_ = false, forward_unknown_ = false,
       has_cuda_ = false, quiet_ = false;
};

} // namespace

OmniccCommand translate_nvcc(const std::vector<std::string>& nvcc_words) { return Translator().translate(nvcc_words); }

int run_omnicc(int argc, char** argv) {
  try {
    Words words = split_words(environment("NVCC_PREPEND_FLAGS"));
    words.insert(words.end(), argv + 1, argv + argc);
    append(words, split_words(environment("NVCC_APPEND_FLAGS")));
    const OmniccCommand command = translate_nvcc(words);
    for (const std::string& sentence : command.warnings)
      std::fprintf(stderr, "omnicc: warning: %s\n", sentence.c_str());
    if (!command.answer.empty()) {
      std::fputs(command.answer.c_str(), stdout);
      return 0;
    }
    return run_hipcc(command.words);
  } catch (const DriverError& error) {
    std::fprintf(stderr, "omnicc: error: %s\n", error.what());
    return 1;
  }
}

} // namespace hip::hipcc
