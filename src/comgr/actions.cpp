#include "comgr/actions.h"

#include "comgr/isa.h"
#include "comgr/unbundle.h"

#include "runtime/base/hash.h"
#include "runtime/rtc/compiler_process.h"
#include "runtime/rtc/folder.h"
#include "runtime/rtc/link_inputs.h"

#include <algorithm>
#include <filesystem>
#include <functional>

namespace hip::comgr {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

enum class DeviceLibraries { Without, With };

// The name with another ending: "kernel.hip" becomes "kernel.bc".
std::string renamed(const std::string& name, const char* ending) { return fs::path(name).replace_extension(ending); }

// The passes that the compiler in this process has and plain clang lacks, in whose SDK they are a file.
void add_passes(Words& words, const std::string& sdk) {
  const fs::path passes = fs::path(sdk) / "lib/omnihip_codegen.so";
  std::error_code ignored;
  if (fs::exists(passes, ignored)) words.push_back("-fpass-plugin=" + passes.string());
}

class Action {
public:
  Action(const ActionInfo& info, const DataSet& input, DataSet& result, std::string& log)
      : info_(info), input_(input), result_(result), log_(log) {}

  amd_comgr_status_t run(amd_comgr_action_kind_t kind);

private:
  struct Step {
    amd_comgr_data_kind_t from, to;
    const char* ending; // of what it makes
    Words words;
    bool prints = false; // OpenCL C with device libraries: see with_printf()
    bool has_passes() const {
      return std::none_of(words.begin(), words.end(),
                          [](const std::string& word) { return word == "-E" || word == "assembler"; });
    }
  };

  amd_comgr_status_t copy_all();
  amd_comgr_status_t compile(const Step& step, DeviceLibraries libraries);
  amd_comgr_status_t generate(Step step);
  amd_comgr_status_t each(const Step& step);
  bool with_printf(const std::string& bitcode);
  amd_comgr_status_t link_bitcode();
  amd_comgr_status_t link(amd_comgr_data_kind_t to, const char* name);
  amd_comgr_status_t unbundle_all();
  amd_comgr_status_t translate_spirv();

  bool make_folder();
  amd_comgr_status_t write_includes(Words& words);
  // The path of a new file with the data's bytes; empty when it cannot be written.
  std::string write_input(const Data& data, const std::string& fallback_name);
  // Runs the command that writes the file `output`.
  bool command(rtc::CommandOf of, const std::string& output, const std::function<Words(const std::string& sdk)>& words);
  amd_comgr_status_t invalid(const std::string& why);

  // Empty: not set. In a target id's form.
  std::string target() const { return info_.isa_name.empty() ? "" : info_.isa_name.substr(kIsaPrefix.size()); }
  Words target_words() const;
  void add_options(Words& words) const { words.insert(words.end(), info_.options.begin(), info_.options.end()); }

  const ActionInfo& info_;
  const DataSet& input_;
  DataSet& result_;
  std::string& log_;
  std::optional<rtc::TemporaryFolder> folder_;
  unsigned files_ = 0;
};

amd_comgr_status_t Action::invalid(const std::string& why) {
  log_ += "comgr: error: " + why + "\n";
  return AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT;
}

bool Action::make_folder() {
  folder_.emplace();
  if (!folder_->path().empty()) return true;
  log_ += "comgr: error: no temporary folder can be made\n";
  return false;
}

std::string Action::write_input(const Data& data, const std::string& fallback_name) {
  // A folder of its own for each: two may have one name.
  const fs::path name = fs::path(data.name).filename();
  const fs::path path =
      fs::path(folder_->path()) / std::to_string(files_++) / (name.empty() ? fs::path(fallback_name) : name);
  if (rtc::write_file(path, data.bytes())) return path;
  log_ += "comgr: error: " + path.string() + " cannot be written\n";
  return {};
}

amd_comgr_status_t Action::write_includes(Words& words) {
  const fs::path root = fs::path(folder_->path()) / "include";
  if (!info_.working_directory.empty()) words.push_back("-I" + info_.working_directory);
  words.push_back("-I" + root.string());
  for (const auto kind : {AMD_COMGR_DATA_KIND_INCLUDE, AMD_COMGR_DATA_KIND_PRECOMPILED_HEADER})
    for (const auto& data : input_.of_kind(kind)) {
      // Names are used as they are included; one that leaves the folder is refused.
      const fs::path name = fs::path(data->name).lexically_normal();
      if (name.empty() || name.is_absolute() || *name.begin() == "..")
        return invalid("the name \"" + data->name + "\" of an include is not relative to the source");
      if (!rtc::write_file(root / name, data->bytes())) return AMD_COMGR_STATUS_ERROR;
      if (kind == AMD_COMGR_DATA_KIND_PRECOMPILED_HEADER)
        words.insert(words.end(), {"-include-pch", root / name, "-Xclang", "-fno-validate-pch"});
    }
  return AMD_COMGR_STATUS_SUCCESS;
}

bool Action::command(rtc::CommandOf of, const std::string& output,
                     const std::function<Words(const std::string& sdk)>& words) {
  rtc::CompilerCommand command;
  command.of = of;
  command.words = words;
  command.output = output;
  command.scratch = folder_->path();
  command.who = "comgr";
  rtc::CompilerReport report;
  const rtc::CommandResult ran = rtc::run_compiler(command, report);
  log_ += report.log;
  return ran == rtc::CommandResult::Done;
}

Words Action::target_words() const {
  Words words = {"--target=amdgcn-amd-amdhsa"};
  if (!info_.isa_name.empty()) words.push_back("-mcpu=" + target());
  return words;
}

// Runs clang on each input by itself.
amd_comgr_status_t Action::each(const Step& step) {
  for (const auto& data : input_.of_kind(step.from)) {
    const std::string path = write_input(*data, "input");
    if (path.empty()) return AMD_COMGR_STATUS_ERROR;
    const std::string output = folder_->path() + "/output";
    const auto words = [&](const std::string& sdk) {
      Words all;
      for (const std::string& word : step.words)
        all.push_back(word == "--rocm-path=" || word == "--hip-path=" ? word + sdk : word);
      if (step.has_passes()) add_passes(all, sdk);
      add_options(all);
      all.insert(all.end(), {path, "-o", output});
      return all;
    };
    if (!command(rtc::CommandOf::Clang, output, words)) return AMD_COMGR_STATUS_ERROR;
    if (step.prints && !with_printf(output)) return AMD_COMGR_STATUS_ERROR;
    result_.add_new(step.to, renamed(data->name, step.ending), rtc::read_file(output));
    std::error_code ignored;
    fs::remove(output, ignored);
  }
  return AMD_COMGR_STATUS_SUCCESS;
}

// A pass of clang's makes calls of __printf_alloc out of OpenCL C's printf after clang has linked the device library,
// so the module lacks that function then. Reading it once more links it.
bool Action::with_printf(const std::string& bitcode) {
  if (rtc::read_file(bitcode).find("__printf_alloc") == std::string::npos) return true;
  const std::string whole = bitcode + ".whole";
  const auto words = [&](const std::string& sdk) {
    Words all = target_words();
    all.insert(all.end(), {"-x", "ir", "-Wno-override-module", "--rocm-path=" + sdk, "-O3", "-c", "-emit-llvm"});
    add_passes(all, sdk);
    for (const std::string& option : info_.options) // what chooses among the library's constants
      if (option.starts_with("-m") && option != "-mllvm") all.push_back(option);
    all.insert(all.end(), {bitcode, "-o", whole});
    return all;
  };
  if (!command(rtc::CommandOf::Clang, whole, words)) return false;
  std::error_code failed;
  fs::rename(whole, bitcode, failed);
  return !failed;
}

amd_comgr_status_t Action::compile(const Step& step, DeviceLibraries libraries) {
  if (info_.isa_name.empty()) return invalid("the action wants an ISA name, and none is set");
  if (info_.language == AMD_COMGR_LANGUAGE_NONE) return invalid("the action wants a language, and none is set");
  if (!make_folder()) return AMD_COMGR_STATUS_ERROR;
  if (info_.link_device_libraries) libraries = DeviceLibraries::With;
  const bool is_hip = info_.language == AMD_COMGR_LANGUAGE_HIP;
  const bool is_opencl = !is_hip && info_.language != AMD_COMGR_LANGUAGE_LLVM_IR;
  Words words;
  if (is_hip) {
    std::string text;
    for (const auto& data : input_.of_kind(AMD_COMGR_DATA_KIND_SOURCE)) text += data->bytes();
    words = {"-x",
             "hip",
             "--offload-arch=" + target(),
             "--offload-device-only",
             "--no-gpu-bundle-output",
             fmt::format("-cuid={:016x}", hash64(std::as_bytes(std::span(text)))),
             "--rocm-path=",
             "--hip-path="}; // or $HIP_PATH would win
  } else {
    words = target_words();
    if (is_opencl)
      words.insert(words.end(), {"-x", "cl", "-cl-no-stdinc", "-Xclang", "-finclude-default-header", "-Xclang",
                                 "-fdeclare-opencl-builtins",
                                 info_.language == AMD_COMGR_LANGUAGE_OPENCL_1_2 ? "-cl-std=CL1.2" : "-cl-std=CL2.0"});
    else
      words.insert(words.end(), {"-x", "ir", "-Wno-override-module"});
    if (libraries == DeviceLibraries::With) words.push_back("--rocm-path=");
  }
  if (libraries == DeviceLibraries::Without) words.push_back("-nogpulib");
  words.push_back("-O3");
  if (const auto status = write_includes(words)) return status;
  Step whole = step;
  whole.prints = is_opencl && libraries == DeviceLibraries::With && step.to == AMD_COMGR_DATA_KIND_BC;
  whole.words.insert(whole.words.begin(), words.begin(), words.end());
  return each(whole);
}

amd_comgr_status_t Action::generate(Step step) {
  if (info_.isa_name.empty()) return invalid("the action wants an ISA name, and none is set");
  if (!make_folder()) return AMD_COMGR_STATUS_ERROR;
  Words words = target_words();
  if (step.from == AMD_COMGR_DATA_KIND_BC) {
    words.insert(words.end(),
                 {"-x", "ir", "-Wno-override-module", info_.link_device_libraries ? "--rocm-path=" : "-nogpulib"});
  } else {
    words.insert(words.end(), {"-x", "assembler"});
    if (const auto status = write_includes(words)) return status;
  }
  step.words.insert(step.words.begin(), words.begin(), words.end());
  return each(step);
}

// clang reads the first module and links the others into it.
amd_comgr_status_t Action::link_bitcode() {
  if (!make_folder()) return AMD_COMGR_STATUS_ERROR;
  std::vector<std::string> paths;
  for (const auto& data : input_.of_kind(AMD_COMGR_DATA_KIND_UNDEF)) {
    hiprtcJITInputType type;
    switch (data->kind()) {
    case AMD_COMGR_DATA_KIND_BC:
      type = HIPRTC_JIT_INPUT_LLVM_BITCODE;
      break;
    case AMD_COMGR_DATA_KIND_BC_BUNDLE:
      type = HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE;
      break;
    case AMD_COMGR_DATA_KIND_AR_BUNDLE:
      type = HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE;
      break;
    default:
      continue;
    }
    if (type != HIPRTC_JIT_INPUT_LLVM_BITCODE && info_.isa_name.empty())
      return invalid("a bundle's bitcode is chosen by the ISA name, and none is set");
    const auto modules = rtc::bitcode_modules(type, data->bytes(), target());
    if (!modules.ok()) {
      log_ += "comgr: error: " + data->name + ": " + modules.status().message() + "\n";
      return AMD_COMGR_STATUS_ERROR;
    }
    for (const std::string& module : modules.value()) {
      paths.push_back(folder_->path() + "/" + std::to_string(paths.size()) + ".bc");
      if (!rtc::write_file(paths.back(), module)) return AMD_COMGR_STATUS_ERROR;
    }
  }
  if (paths.empty()) { // nothing gives a module without anything
    paths.push_back(folder_->path() + "/empty.ll");
    if (!rtc::write_file(paths.back(), "target triple = \"amdgcn-amd-amdhsa\"\n")) return AMD_COMGR_STATUS_ERROR;
  }
  const std::string output = folder_->path() + "/linked.bc";
  const auto words = [&](const std::string&) {
    Words all = target_words();
    all.insert(all.end(), {"-nogpulib", "-Wno-override-module", "-x", "ir", "-c", "-emit-llvm", "-Xclang",
                           "-disable-llvm-passes"});
    for (size_t i = 1; i < paths.size(); ++i)
      all.insert(all.end(), {"-Xclang", "-mlink-bitcode-file", "-Xclang", paths[i]});
    all.insert(all.end(), {paths[0], "-o", output});
    return all;
  };
  if (!command(rtc::CommandOf::Clang, output, words)) return AMD_COMGR_STATUS_ERROR;
  result_.add_new(AMD_COMGR_DATA_KIND_BC, "linked.bc", rtc::read_file(output));
  return AMD_COMGR_STATUS_SUCCESS;
}

amd_comgr_status_t Action::link(amd_comgr_data_kind_t to, const char* name) {
  if (!make_folder()) return AMD_COMGR_STATUS_ERROR;
  std::vector<std::string> paths;
  for (const auto& data : input_.of_kind(AMD_COMGR_DATA_KIND_RELOCATABLE)) {
    paths.push_back(write_input(*data, "input.o"));
    if (paths.back().empty()) return AMD_COMGR_STATUS_ERROR;
  }
  const bool is_executable = to == AMD_COMGR_DATA_KIND_EXECUTABLE;
  const std::string output = folder_->path() + "/" + name;
  const auto words = [&](const std::string&) {
    Words all;
    if (is_executable) all = target_words();
    add_options(all);
    if (!is_executable) all.push_back("-r");
    all.insert(all.end(), paths.begin(), paths.end());
    all.insert(all.end(), {"-o", output});
    return all;
  };
  if (!command(is_executable ? rtc::CommandOf::Clang : rtc::CommandOf::Lld, output, words)) {
    if (log_.find("undefined symbol") != std::string::npos || log_.find("undefined hidden symbol") != std::string::npos)
      log_ += "comgr: note: the SDK's library of OpenCL C has no images, pipes or queues of the device\n";
    return AMD_COMGR_STATUS_ERROR;
  }
  result_.add_new(to, name, rtc::read_file(output));
  return AMD_COMGR_STATUS_SUCCESS;
}

amd_comgr_status_t Action::unbundle_all() {
  for (const auto& data : input_.of_kind(AMD_COMGR_DATA_KIND_UNDEF)) {
    amd_comgr_data_kind_t to;
    const char* ending;
    switch (data->kind()) {
    case AMD_COMGR_DATA_KIND_BC_BUNDLE:
      to = AMD_COMGR_DATA_KIND_BC, ending = "bc";
      break;
    case AMD_COMGR_DATA_KIND_AR_BUNDLE:
      to = AMD_COMGR_DATA_KIND_AR, ending = "a";
      break;
    case AMD_COMGR_DATA_KIND_OBJ_BUNDLE:
      to = AMD_COMGR_DATA_KIND_EXECUTABLE, ending = "o";
      break;
    default:
      return invalid("only bundles and archives of bundles can be unbundled");
    }
    const std::string stem = data->name.empty() ? "comgr-bundle" : data->name.substr(0, data->name.rfind('.'));
    for (const std::string& id : info_.bundle_ids) {
      auto image = to == AMD_COMGR_DATA_KIND_AR ? unbundle_archive(data->bytes(), id) : unbundle(data->bytes(), id);
      if (!image.ok()) {
        log_ += "comgr: error: " + data->name + ": " + image.status().message() + "\n";
        return AMD_COMGR_STATUS_ERROR;
      }
      result_.add_new(to, stem + "-" + id + "." + ending, std::move(image).value());
    }
  }
  return AMD_COMGR_STATUS_SUCCESS;
}

amd_comgr_status_t Action::copy_all() {
  for (const uint64_t handle : input_.members)
    if (DataTable::instance().retain(handle)) result_.members.push_back(handle);
  return AMD_COMGR_STATUS_SUCCESS;
}

amd_comgr_status_t Action::translate_spirv() {
  for (const auto& data : input_.of_kind(AMD_COMGR_DATA_KIND_UNDEF))
    if (data->kind() != AMD_COMGR_DATA_KIND_SPIRV) return invalid("\"" + data->name + "\" is no SPIR-V");
  log_ += "comgr: error: SPIR-V is not supported by this SDK\n";
  return AMD_COMGR_STATUS_ERROR;
}

amd_comgr_status_t Action::run(amd_comgr_action_kind_t kind) {
  constexpr auto kSource = AMD_COMGR_DATA_KIND_SOURCE, kBitcode = AMD_COMGR_DATA_KIND_BC;
  constexpr auto kRelocatable = AMD_COMGR_DATA_KIND_RELOCATABLE, kExecutable = AMD_COMGR_DATA_KIND_EXECUTABLE;
  switch (kind) {
  case AMD_COMGR_ACTION_SOURCE_TO_PREPROCESSOR:
    return compile({kSource, kSource, ".i", {"-E"}}, DeviceLibraries::Without);
  case AMD_COMGR_ACTION_ADD_PRECOMPILED_HEADERS:
    return copy_all();
  case AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC:
    return compile({kSource, kBitcode, ".bc", {"-c", "-emit-llvm"}}, DeviceLibraries::Without);
  case AMD_COMGR_ACTION_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC:
    return compile({kSource, kBitcode, ".bc", {"-c", "-emit-llvm"}}, DeviceLibraries::With);
  case AMD_COMGR_ACTION_COMPILE_SOURCE_TO_RELOCATABLE:
    if (info_.language != AMD_COMGR_LANGUAGE_HIP) return invalid("only HIP compiles to a relocatable");
    return compile({kSource, kRelocatable, ".o", {"-c", "-fhip-emit-relocatable"}}, DeviceLibraries::With);
  case AMD_COMGR_ACTION_COMPILE_SOURCE_TO_EXECUTABLE:
    return compile({kSource, kExecutable, ".so", {}}, DeviceLibraries::With);
  case AMD_COMGR_ACTION_LINK_BC_TO_BC:
    return link_bitcode();
  case AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE:
    return generate({kBitcode, kRelocatable, ".o", {"-c", "-mllvm", "-amdgpu-internalize-symbols"}});
  case AMD_COMGR_ACTION_CODEGEN_BC_TO_ASSEMBLY:
    return generate({kBitcode, kSource, ".s", {"-S"}});
  case AMD_COMGR_ACTION_ASSEMBLE_SOURCE_TO_RELOCATABLE:
    return generate({kSource, kRelocatable, ".o", {"-c"}});
  case AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_RELOCATABLE:
    return link(kRelocatable, "a.o");
  case AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE:
    return link(kExecutable, "a.so");
  case AMD_COMGR_ACTION_UNBUNDLE:
    return unbundle_all();
  case AMD_COMGR_ACTION_COMPILE_SPIRV_TO_RELOCATABLE:
  case AMD_COMGR_ACTION_TRANSLATE_SPIRV_TO_BC:
    return translate_spirv();
  case AMD_COMGR_ACTION_DISASSEMBLE_RELOCATABLE_TO_SOURCE:
  case AMD_COMGR_ACTION_DISASSEMBLE_EXECUTABLE_TO_SOURCE:
  case AMD_COMGR_ACTION_DISASSEMBLE_BYTES_TO_SOURCE:
    return invalid("comgr 3 has no disassembling actions; amd_comgr_disassemble_instruction does that");
  }
  return AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT;
}

} // namespace

amd_comgr_status_t run_action(amd_comgr_action_kind_t kind, const ActionInfo& info, const DataSet& input,
                              DataSet& result, std::string& log) {
  return Action(info, input, result, log).run(kind);
}

} // namespace hip::comgr
