#include "runtime/rtc/program.h"

#include "runtime/base/format.h"
#include "runtime/base/hash.h"
#include "runtime/rtc/compiler_process.h"
#include "runtime/rtc/current_target.h"
#include "runtime/rtc/folder.h"
#include "runtime/rtc/name_expressions.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>

namespace hip::rtc {
namespace {

namespace fs = std::filesystem;

void append_field(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

bool tells_the_time(const std::string& text) {
  for (const char* macro : {"__TIME__", "__DATE__", "__TIMESTAMP__"})
    if (text.find(macro) != std::string::npos) return true;
  return false;
}

} // namespace

hiprtcResult Program::add_name_expression(std::string expression) {
  if (compiled_) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  expressions_.push_back(std::move(expression));
  return HIPRTC_SUCCESS;
}

const std::string* Program::lowered_name(const std::string& expression) const {
  const auto it = result_.lowered.find(expression);
  return it == result_.lowered.end() ? nullptr : &it->second;
}

std::string Program::inputs(const ProgramWords& words) const {
  std::string out;
  if (tells_the_time(source_)) return out;
  append_field(out, source_);
  append_field(out, name_);
  append_field(out, std::to_string(headers_.size()));
  for (const auto& [name, text] : headers_) {
    if (tells_the_time(text)) return {};
    append_field(out, name);
    append_field(out, text);
  }
  append_field(out, std::to_string(expressions_.size()));
  for (const std::string& expression : expressions_) append_field(out, expression);
  for (const std::string& word : words.words) append_field(out, word);
  // Where relative paths begin, and what else tells clang where to look.
  std::error_code ignored;
  append_field(out, fs::current_path(ignored).string());
  for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"}) {
    const char* const value = std::getenv(variable);
    append_field(out, value ? value : "");
  }
  return out;
}

hiprtcResult Program::compile(const std::vector<std::string>& options) {
  result_ = {};
  ProgramWords words = program_words(with_appended(options, Env::HIPRTC_COMPILE_OPTIONS_APPEND), current_target());
  // What is static in a program, and what we add to it, gets a name of its own from this. Clang would take the name of
  // our temporary file. Only bitcode is linked with other programs, perhaps of the same source.
  std::string text = source_ + name_;
  for (const std::string& expression : expressions_) append_field(text, expression);
  if (words.output == ProgramOutput::Bitcode)
    for (const std::string& word : words.words) append_field(text, word);
  unique_ = fmt::format("{:016x}", hash64(std::as_bytes(std::span(text))));
  words.words.insert(words.words.begin(), "-cuid=" + unique_);

  ProgramStore store(compiles_in_child() ? std::string() : sdk_folder());
  const std::string all = store.enabled() ? inputs(words) : std::string();
  if (!all.empty())
    if (auto found = store.find(all)) {
      result_ = std::move(*found);
      compiled_ = true;
      return HIPRTC_SUCCESS;
    }

  const TemporaryFolder folder;
  if (folder.path().empty()) {
    result_.log = "hiprtc: no temporary folder can be made.\n";
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  bool may_store = false;
  std::vector<std::string> files;
  const hiprtcResult result = compile_in(folder.path(), words, may_store, files);
  if (result == HIPRTC_SUCCESS && may_store && !all.empty()) store.store(all, result_, files);
  return result;
}

hiprtcResult Program::write_files(const std::string& folder) {
  // The line directive keeps the user's name and line numbers in diagnostics.
  const fs::path root(folder);
  const std::string shown = name_.empty() ? "CompileSourceNoName" : name_;
  bool written = write_file(root / "program.hip", "#line 1 \"" + shown + "\"\n" + source_ + "\n" +
                                                      name_expression_source(expressions_, unique_));
  for (const auto& [header, text] : headers_) {
    // Names are used as they are included; one that leaves the folder is refused.
    const fs::path path = fs::path(header).lexically_normal();
    if (path.is_absolute() || *path.begin() == "..") {
      result_.log = "hiprtc: the header name \"" + header + "\" is not relative to the program.\n";
      return HIPRTC_ERROR_INVALID_INPUT;
    }
    written = written && write_file(root / "include" / path, text);
  }
  if (written) return HIPRTC_SUCCESS;
  result_.log = "hiprtc: the source cannot be written to " + folder + ".\n";
  return HIPRTC_ERROR_INTERNAL_ERROR;
}

hiprtcResult Program::compile_in(const std::string& folder, const ProgramWords& words, bool& may_store,
                                 std::vector<std::string>& files) {
  if (const hiprtcResult result = write_files(folder)) return result;
  const std::string output = folder + "/program.out";
  CompilerCommand command;
  command.words = [&](const std::string&) {
    std::vector<std::string> all = {"-I" + folder + "/include"}; // before the folders of the user's options
    all.insert(all.end(), words.words.begin(), words.words.end());
    all.insert(all.end(), {folder + "/program.hip", "-o", output});
    return all;
  };
  command.output = output;
  command.scratch = folder;
  CompilerReport report;
  const CommandResult ran = run_compiler(command, report);
  result_.log = std::move(report.log);
  files = std::move(report.files);
  may_store = report.in_process;
  if (ran == CommandResult::NotRun) return HIPRTC_ERROR_INTERNAL_ERROR;
  if (ran == CommandResult::Failed) return HIPRTC_ERROR_COMPILATION;
  compiled_ = true;
  const bool is_bitcode = words.output == ProgramOutput::Bitcode;
  std::string& made = is_bitcode ? result_.bitcode : result_.code;
  made = read_file(output);
  if (words.output == ProgramOutput::Ptx) {
    result_.lowered = take_name_expressions(made, expressions_, unique_);
    made.push_back('\0'); // PTX is a string
    return HIPRTC_SUCCESS;
  }
  if (expressions_.empty()) return HIPRTC_SUCCESS;
  auto names = is_bitcode ? name_expressions_of_bitcode(made, expressions_, unique_)
                          : resolve_name_expressions(std::as_bytes(std::span(made)), expressions_, unique_);
  if (!names.ok()) {
    result_.log += "hiprtc: " + names.status().message() + "\n";
    return is_bitcode ? HIPRTC_SUCCESS
                      : HIPRTC_ERROR_INTERNAL_ERROR; // another compiler's bitcode is good without names
  }
  result_.lowered = std::move(names).value();
  return HIPRTC_SUCCESS;
}

} // namespace hip::rtc
