#include "runtime/rtc/program.h"

#include "runtime/rtc/child_process.h"
#include "runtime/rtc/folder.h"
#include "runtime/rtc/name_expressions.h"

#include <hip/hip_version.h>

#include <filesystem>
#include <span>

namespace hip::rtc {
namespace {

namespace fs = std::filesystem;

bool starts_with_any(const std::string& text, std::initializer_list<const char*> starts) {
  for (const char* start : starts)
    if (text.rfind(start, 0) == 0) return true;
  return false;
}

} // namespace

hiprtcResult Program::add_name_expression(std::string expression) {
  if (compiled_) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  expressions_.push_back(std::move(expression));
  return HIPRTC_SUCCESS;
}

const std::string* Program::lowered_name(const std::string& expression) const {
  const auto it = lowered_.find(expression);
  return it == lowered_.end() ? nullptr : &it->second;
}

hiprtcResult Program::compile(const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  log_.clear();
  if (folder.path().empty()) {
    log_ = "hiprtc: no temporary folder can be made.\n";
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  return compile_in(folder.path(), options);
}

hiprtcResult Program::compile_in(const std::string& folder, const std::vector<std::string>& options) {
  const std::string hipcc = find_sdk_program("hipcc");
  if (hipcc.empty()) {
    log_ = "hiprtc: there is no bin/hipcc in the SDK that libhiprtc.so belongs to.\n";
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  // The line directive keeps the user's name and line numbers in diagnostics.
  const fs::path root(folder);
  const std::string shown = name_.empty() ? "CompileSourceNoName" : name_;
  bool written = write_file(root / "program.hip",
                            "#line 1 \"" + shown + "\"\n" + source_ + "\n" + name_expression_source(expressions_));
  for (const auto& [header, text] : headers_) {
    // Names are used as they are included; one that leaves the folder is refused.
    const fs::path path = fs::path(header).lexically_normal();
    if (path.is_absolute() || *path.begin() == "..") {
      log_ = "hiprtc: the header name \"" + header + "\" is not relative to the program.\n";
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    written = written && write_file(root / "include" / path, text);
  }
  if (!written) {
    log_ = "hiprtc: the source cannot be written to " + folder + ".\n";
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }

  std::vector<std::string> command = {hipcc,
                                      "-x",
                                      "hip",
                                      "--offload-device-only",
                                      "--no-gpu-bundle-output",
                                      "-D__HIPCC_RTC__=1",
                                      "-DHIP_VERSION_MAJOR=" + std::to_string(HIP_VERSION_MAJOR),
                                      "-DHIP_VERSION_MINOR=" + std::to_string(HIP_VERSION_MINOR),
                                      "-include",
                                      "hip/detail/rtc_names.h",
                                      "-I" + folder + "/include"};
  bool has_arch = false, relocatable = false, has_level = false;
  for (const std::string& option : options) {
    if (option.rfind("--gpu-architecture=", 0) == 0) {
      command.push_back("--offload-arch=" + option.substr(option.find('=') + 1));
      has_arch = true;
      continue;
    }
    has_arch = has_arch || starts_with_any(option, {"--offload-arch"});
    has_level = has_level || starts_with_any(option, {"-O"});
    relocatable = relocatable || option == "-fgpu-rdc";
    command.push_back(option);
  }
  if (!has_arch) command.push_back("--offload-arch=" + current_target());
  if (!has_level) command.push_back("-O3");
  const std::string output = folder + "/program.out";
  if (relocatable) command.insert(command.end(), {"-c", "-emit-llvm"});
  command.insert(command.end(), {folder + "/program.hip", "-o", output});

  const auto result = run_child(command);
  if (!result.ok()) {
    log_ = "hiprtc: " + result.status().message() + "\n";
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  log_ = result.value().output;
  if (result.value().exit_code != 0) return HIPRTC_ERROR_COMPILATION;
  compiled_ = true;
  (relocatable ? bitcode_ : code_) = read_file(output);
  if (!expressions_.empty() && !relocatable) {
    auto names = resolve_name_expressions(std::as_bytes(std::span(code_)), expressions_);
    if (!names.ok()) {
      log_ += "hiprtc: " + names.status().message() + "\n";
      return HIPRTC_ERROR_INTERNAL_ERROR;
    }
    lowered_ = std::move(names).value();
  }
  return HIPRTC_SUCCESS;
}

} // namespace hip::rtc
