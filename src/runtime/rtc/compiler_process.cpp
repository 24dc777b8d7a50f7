#include "runtime/rtc/compiler_process.h"

#include "runtime/base/env.h"
#include "runtime/rtc/child_process.h"
#include "runtime/rtc/folder.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace hip::rtc {
namespace {

namespace fs = std::filesystem;

// More options for what a person calls hipcc for. They are none of a program's that compiles while it runs, and the
// compiler in this process does not read them.
constexpr std::string_view kHipccsVariables[] = {"HIPCC_COMPILE_FLAGS_APPEND", "HIPCC_LINK_FLAGS_APPEND"};

struct Loaded {
  CompilerFunction* compile = nullptr; // null: there is no compiler for this process
  const CodeTools* tools = nullptr;    // likewise
  std::string sdk, clang_headers;
};

Loaded load() {
  Loaded loaded;
  loaded.sdk = sdk_folder();
  loaded.clang_headers = loaded.sdk + "/lib/omnihip/clang";
  std::error_code ignored;
  if (!fs::exists(loaded.clang_headers + "/include/__clang_hip_runtime_wrapper.h", ignored)) return loaded;
  // It exports three functions and binds its own symbols to itself: nothing of a program's LLVM and of ours meets. It
  // stays loaded, as LLVM has to.
  void* const library = dlopen((loaded.sdk + "/lib/libomnihip_compiler.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return loaded;
  loaded.compile = reinterpret_cast<CompilerFunction*>(dlsym(library, kCompilerFunctionName));
  if (void* const tools = dlsym(library, kCodeToolsFunctionName))
    loaded.tools = reinterpret_cast<CodeToolsFunction*>(tools)();
  return loaded;
}

const Loaded& compiler_library() {
  static const Loaded& loaded = *new Loaded(load());
  return loaded;
}

CompilerOutcome run_here(const CompilerCommand& command, CompilerReport& report) {
  if (compiles_in_child()) return CompilerOutcome::Unsupported;
  const Loaded& loaded = compiler_library();
  if (!loaded.compile) return CompilerOutcome::Unsupported;
  const std::vector<std::string> words = command.words(kSdkRoot);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  CompilerRequest request;
  request.command = command.of;
  request.sdk = loaded.sdk.c_str();
  request.clang_headers = loaded.clang_headers.c_str();
  request.scratch = command.scratch.c_str();
  request.words = pointers.data();
  request.count = pointers.size();
  CompilerReport said;
  request.say = [](void* to, const char* text, size_t bytes) {
    static_cast<CompilerReport*>(to)->log.append(text, bytes);
  };
  request.read = [](void* to, const char* path, size_t bytes) {
    static_cast<CompilerReport*>(to)->files.emplace_back(path, bytes);
  };
  request.listener = &said;
  const CompilerOutcome outcome = loaded.compile(&request);
  if (outcome == CompilerOutcome::Crashed)
    report.log += std::string(command.who) + ": note: the compiler in this process crashed" +
                  (said.log.empty() ? "" : " (" + said.log + ")") +
                  "; from now on each compilation has a process of its own\n";
  if (outcome != CompilerOutcome::Done && outcome != CompilerOutcome::Failed) return outcome;
  report.log += said.log;
  report.files = std::move(said.files);
  report.in_process = true;
  return outcome;
}

// The program's path; empty, with a line in the log, when there is none.
std::string find_program(const CompilerCommand& command, std::string& log) {
  const CommandOf of = command.of;
  const std::string who = command.who;
  const char* const name = of == CommandOf::Hipcc ? "hipcc" : "hipconfig";
  const std::string program = find_sdk_program(name);
  if (program.empty()) {
    log += who + ": there is no bin/" + std::string(name) + " in the SDK that the library belongs to.\n";
    return {};
  }
  if (of == CommandOf::Hipcc) return program;
  const auto folder = run_child({program, "--hipclangpath"});
  if (folder.ok() && folder.value().exit_code.value_or(0) == 0) {
    const std::string found = folder.value().output + (of == CommandOf::Lld ? "/ld.lld" : "/clang++");
    std::error_code ignored;
    if (fs::exists(found, ignored)) return found;
  }
  log += folder.ok() ? folder.value().output : who + ": " + folder.status().message() + "\n";
  return {};
}

} // namespace

bool compiles_in_child() {
  if (env_text(Env::OMNIHIP_RTC_CHILD) == "1") return true;
  const char* const clang = std::getenv("HIP_CLANG_PATH"); // hipcc's variable: another compiler
  return clang && *clang;
}

CommandResult run_compiler(const CompilerCommand& command, CompilerReport& report) {
  switch (run_here(command, report)) {
  case CompilerOutcome::Done:
    return CommandResult::Done;
  case CompilerOutcome::Failed:
    return CommandResult::Failed;
  case CompilerOutcome::Unsupported:
  case CompilerOutcome::Crashed:
    break;
  }
  std::vector<std::string> words = command.words(sdk_folder());
  words.insert(words.begin(), find_program(command, report.log));
  if (words[0].empty()) return CommandResult::NotRun;
  const auto result = run_child(words, kHipccsVariables);
  if (!result.ok()) {
    report.log += std::string(command.who) + ": " + result.status().message() + "\n";
    return CommandResult::NotRun;
  }
  report.log += result.value().output;
  std::error_code ignored;
  const auto code = result.value().exit_code;
  return (code ? *code == 0 : fs::exists(command.output, ignored)) ? CommandResult::Done : CommandResult::Failed;
}

const CodeTools* code_tools() { return compiler_library().tools; }

} // namespace hip::rtc
