// libomnihip_compiler.so's exported functions: a request becomes hipcc's jobs, and each runs here.
#include "runtime/rtc/compiler/clang.h"
#include "runtime/rtc/compiler/code_reading.h"
#include "runtime/rtc/compiler/compiler.h"
#include "runtime/rtc/compiler/crash_guard.h"
#include "runtime/rtc/compiler/crashed.h"
#include "runtime/rtc/compiler/linker.h"
#include "runtime/rtc/compiler/llvm_options.h"

#include "job.h"
#include "options.h"
#include "plan.h"

#include <filesystem>

namespace hip::rtc {

std::atomic<bool> compiler_has_crashed{false};

namespace {

namespace fs = std::filesystem;

CompilerOutcome run_job(const hipcc::Job& job, const ClangFiles& files, ClangMode mode, ClangReport& report) {
  if (!job.command.empty()) {
    const std::string& program = job.command[0];
    if (!program.ends_with("/clang++")) return CompilerOutcome::Unsupported;
    const CompilerOutcome outcome = run_clang(job.command, files, mode, report);
    if (outcome != CompilerOutcome::Done || mode == ClangMode::Precompile) return outcome;
  }
  if (job.action) job.action({});
  return CompilerOutcome::Done;
}

CompilerOutcome run(const CompilerRequest& request, ClangMode mode, ClangReport& report) try {
  std::vector<std::string> words(request.words, request.words + request.count);
  const ClangFiles files{request.sdk, request.clang_headers, request.scratch ? request.scratch : ""};
  if (request.command == CommandOf::Clang) {
    words.insert(words.begin(), "clang++");
    return run_clang(words, files, mode, report);
  }
  if (request.command == CommandOf::Lld) {
    initialise_llvm();
    const std::vector<const char*> pointers(request.words, request.words + request.count);
    return link_elf(pointers, report.log) ? CompilerOutcome::Done : CompilerOutcome::Failed;
  }
  words.push_back("--no-hip-pch");
  const hipcc::Invocation invocation = hipcc::make_invocation(hipcc::parse_arguments(words));
  hipcc::Toolchain toolchain;
  toolchain.sdk = kSdkRoot;
  toolchain.clang_dir = std::string(kClangRoot) + "/bin";
  toolchain.clangxx = toolchain.tool("clang++");
  toolchain.clang_headers = std::string(kClangRoot) + "/include";
  for (const hipcc::Job& job : make_plan(invocation, toolchain, request.scratch, hipcc::Colour::Off))
    if (const CompilerOutcome outcome = run_job(job, files, mode, report); outcome != CompilerOutcome::Done)
      return outcome;
  return CompilerOutcome::Done;
} catch (const hipcc::DriverError& error) {
  report.log += "hiprtc: error: " + std::string(error.what()) + "\n";
  return CompilerOutcome::Failed;
} catch (const std::exception& error) { // memory, threads
  report.log += "hiprtc: error: " + std::string(error.what()) + "\n";
  return CompilerOutcome::Unsupported;
}

CompilerOutcome run_request(const CompilerRequest& request, ClangMode mode) {
  if (compiler_has_crashed.load()) return CompilerOutcome::Crashed;
  ClangReport report;
  std::string reason;
  CompilerOutcome outcome = CompilerOutcome::Unsupported;
  switch (run_guarded([&] { outcome = run(request, mode, report); }, reason)) {
  case GuardResult::Returned:
    if (outcome == CompilerOutcome::Failed && compiler_has_crashed.load()) { // LLVM has removed the files of all threads
      outcome = CompilerOutcome::Crashed;
      report.log = "it has crashed on another thread";
    }
    break;
  case GuardResult::NotStarted:
    return CompilerOutcome::Unsupported;
  case GuardResult::Crashed:
    compiler_has_crashed.store(true);
    LlvmOptions::abandon_waiters();
    outcome = CompilerOutcome::Crashed;
    report.log = reason;
  }
  request.say(request.listener, report.log.data(), report.log.size());
  if (!request.read || outcome != CompilerOutcome::Done) return outcome;
  for (const std::string& file : report.files) {
    std::error_code ignored;
    const std::string path = fs::absolute(file, ignored).string();
    if (!path.starts_with(std::string(request.scratch) + "/")) request.read(request.listener, path.data(), path.size());
  }
  return outcome;
}

} // namespace
} // namespace hip::rtc

extern "C" __attribute__((visibility("default"))) hip::rtc::CompilerOutcome
omnihip_compile(const hip::rtc::CompilerRequest* request) {
  return hip::rtc::run_request(*request, hip::rtc::ClangMode::Compile);
}
extern "C" __attribute__((visibility("default"))) hip::rtc::CompilerOutcome
omnihip_precompile(const hip::rtc::CompilerRequest* request) {
  return hip::rtc::run_request(*request, hip::rtc::ClangMode::Precompile);
}
