#include "runtime/rtc/link.h"

#include "runtime/rtc/compiler_process.h"
#include "runtime/rtc/current_target.h"
#include "runtime/rtc/folder.h"
#include "runtime/rtc/link_inputs.h"
#include "runtime/rtc/program_words.h"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace hip::rtc {

namespace fs = std::filesystem;

hiprtcResult Link::set_options(unsigned count, const hiprtcJIT_option* options, void* const* values) {
  const char* const* generator = nullptr;
  size_t generator_count = 0;
  for (unsigned i = 0; i < count; ++i) {
    void* const value = values[i];
    const size_t number = reinterpret_cast<size_t>(value);
    switch (options[i]) {
    case HIPRTC_JIT_IR_TO_ISA_OPT_EXT:
      generator = static_cast<const char* const*>(value);
      break;
    case HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT:
      generator_count = number;
      break;
    case HIPRTC_JIT_OPTIMIZATION_LEVEL:
      if (number > 3) return HIPRTC_ERROR_INVALID_OPTION;
      optimisation_ = static_cast<unsigned>(number);
      break;
    case HIPRTC_JIT_INFO_LOG_BUFFER:
      info_.text = static_cast<char*>(value);
      break;
    case HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      info_.bytes = number;
      break;
    case HIPRTC_JIT_ERROR_LOG_BUFFER:
      errors_.text = static_cast<char*>(value);
      break;
    case HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      errors_.bytes = number;
      break;
    default:
      if (options[i] < 0 || options[i] >= HIPRTC_JIT_NUM_OPTIONS) return HIPRTC_ERROR_INVALID_OPTION;
      break; // has no effect on AMD's targets
    }
  }
  if (generator_count && !generator) return HIPRTC_ERROR_INVALID_INPUT;
  for (size_t i = 0; i < generator_count; ++i) {
    if (!generator[i]) return HIPRTC_ERROR_INVALID_INPUT;
    code_generator_options_.emplace_back(generator[i]);
  }
  return HIPRTC_SUCCESS;
}

hiprtcResult Link::add(hiprtcJITInputType type, std::string bytes) {
  const int kind = type;
  const bool is_bitcode_kind = kind == HIPRTC_JIT_INPUT_LLVM_BITCODE || kind == HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE ||
                               kind == HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE;
  if (bytes.empty() || (!is_bitcode_kind && !(is_finished_kind(type) && holds_device_code(bytes))))
    return HIPRTC_ERROR_INVALID_INPUT;
  inputs_.emplace_back(type, std::move(bytes));
  return HIPRTC_SUCCESS;
}

hiprtcResult Link::add_file(hiprtcJITInputType type, const char* path) {
  std::error_code ignored;
  std::string bytes = fs::is_regular_file(path, ignored) ? read_file(path) : std::string();
  const bool is_readable = !bytes.empty();
  if (!is_readable && is_finished_kind(type)) return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
  const hiprtcResult result = add(type, is_readable ? std::move(bytes) : "?");
  if (result != HIPRTC_SUCCESS || is_readable) return result;
  inputs_.pop_back();
  return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
}

void Link::tell(const LogBuffer& log, const std::string& text) const {
  if (!log.text || log.bytes == 0) return;
  const size_t count = std::min(text.size(), log.bytes - 1);
  std::memcpy(log.text, text.data(), count);
  log.text[count] = '\0';
}

hiprtcResult Link::complete() {
  const TemporaryFolder folder;
  if (inputs_.empty()) return HIPRTC_ERROR_LINKING;
  if (std::any_of(inputs_.begin(), inputs_.end(), [](const auto& input) { return is_finished_kind(input.first); }))
    return take_finished();
  if (folder.path().empty()) return HIPRTC_ERROR_INTERNAL_ERROR;
  return run(folder.path());
}

// A finished code object has no symbols left for another one, so it is the whole of a link.
hiprtcResult Link::take_finished() {
  if (inputs_.size() > 1) {
    tell(errors_, "hiprtc: a finished code object cannot be linked with other inputs; link LLVM bitcode instead.\n");
    return HIPRTC_ERROR_LINKING;
  }
  auto code = finished_code(inputs_.front().second, current_target());
  if (!code.ok()) {
    tell(errors_, "hiprtc: " + code.status().message() + "\n");
    return HIPRTC_ERROR_LINKING;
  }
  code_ = std::move(code).value();
  return HIPRTC_SUCCESS;
}

// clang compiles the first module, into which it links the others before it optimises.
hiprtcResult Link::run(const std::string& folder) {
  const std::string target = current_target();
  std::vector<std::string> parts;
  for (const auto& [type, bytes] : inputs_) {
    const auto modules = bitcode_modules(type, bytes, target);
    if (!modules.ok()) {
      tell(errors_, "hiprtc: " + modules.status().message() + "\n");
      return HIPRTC_ERROR_LINKING;
    }
    for (const std::string& module : modules.value()) {
      parts.push_back(folder + "/" + std::to_string(parts.size()) + ".bc");
      if (!write_file(parts.back(), module)) return HIPRTC_ERROR_INTERNAL_ERROR;
    }
  }
  const std::string output = folder + "/linked.co";
  CompilerCommand command;
  command.of = CommandOf::Clang;
  command.output = output;
  command.scratch = folder;
  command.words = [&](const std::string& sdk) {
    std::vector<std::string> words = {"--target=amdgcn-amd-amdhsa", "-mcpu=" + target, "-nogpulib",
                                      "-O" + std::to_string(optimisation_), "-Wno-override-module"};
    const std::string passes = sdk + "/lib/omnihip_codegen.so"; // the compiler in this process has them
    std::error_code ignored;
    if (fs::exists(passes, ignored)) words.push_back("-fpass-plugin=" + passes);
    const auto options = with_appended(code_generator_options_, Env::HIPRTC_LINK_OPTIONS_APPEND);
    words.insert(words.end(), options.begin(), options.end());
    for (size_t i = 1; i < parts.size(); ++i)
      words.insert(words.end(), {"-Xclang", "-mlink-bitcode-file", "-Xclang", parts[i]});
    words.insert(words.end(), {"-x", "ir", parts[0], "-o", output});
    return words;
  };
  CompilerReport report;
  const CommandResult result = run_compiler(command, report);
  tell(result == CommandResult::Done ? info_ : errors_, report.log);
  if (result == CommandResult::NotRun) return HIPRTC_ERROR_INTERNAL_ERROR;
  if (result == CommandResult::Failed) return HIPRTC_ERROR_LINKING;
  code_ = read_file(output);
  return HIPRTC_SUCCESS;
}

} // namespace hip::rtc
