#include "runtime/rtc/program.h"

#include "runtime/base/format.h"
#include "runtime/base/hash.h"
#include "runtime/rtc/compiler_process.h"
#include "runtime/rtc/folder.h"
#include "runtime/rtc/name_expressions.h"
#include "runtime/rtc/program_words.h"

#include <algorithm>
#include <filesystem>
#include <span>

namespace hip::rtc {
namespace {

namespace fs = std::filesystem;

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

  const std::string output = folder + "/program.out";
  std::vector<std::string> words = program_words(options, current_target());
  // What is static in a program gets a name of its own from this. Clang would take the name of our temporary file.
  const std::string text = source_ + name_;
  words.insert(words.begin(), fmt::format("-cuid={:016x}", hash64(std::as_bytes(std::span(text)))));
  const bool relocatable = std::find(words.begin(), words.end(), "-fgpu-rdc") != words.end();
  words.insert(words.end(), {"-I" + folder + "/include", folder + "/program.hip", "-o", output});
  CompilerCommand command;
  command.words = [&](const std::string&) { return words; };
  command.scratch = folder;
  switch (run_compiler(command, log_)) {
  case CommandResult::Done:
    break;
  case CommandResult::Failed:
    return HIPRTC_ERROR_COMPILATION;
  case CommandResult::NotRun:
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
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
