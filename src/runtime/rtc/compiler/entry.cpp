// libomnihip_compiler.so's exported functions: a request becomes hipcc's jobs, and each runs here.
#include "runtime/rtc/compiler/clang.h"
#include "runtime/rtc/compiler/compiler.h"
#include "runtime/rtc/compiler/crash_guard.h"

#include "job.h"
#include "options.h"
#include "plan.h"

#include <atomic>

namespace hip::rtc {
namespace {

std::atomic<bool> broken{false}; // the compiler has crashed in this process

CompilerOutcome run_job(const hipcc::Job& job, const ClangFiles& files, ClangMode mode, std::string& log) {
  if (!job.command.empty()) {
    const std::string& program = job.command[0];
    if (!program.ends_with("/clang++")) return CompilerOutcome::Unsupported;
    const CompilerOutcome outcome = run_clang(job.command, files, mode, log);
    if (outcome != CompilerOutcome::Done || mode == ClangMode::Precompile) return outcome;
  }
  if (job.action) job.action({});
  return CompilerOutcome::Done;
}

CompilerOutcome run(const CompilerRequest& request, ClangMode mode, std::string& log) try {
  std::vector<std::string> words(request.words, request.words + request.count);
  const ClangFiles files{request.sdk, request.clang_headers};
  if (request.command == CommandOf::Clang) {
    words.insert(words.begin(), "clang++");
    return run_clang(words, files, mode, log);
  }
  words.push_back("--no-hip-pch");
  const hipcc::Invocation invocation = hipcc::make_invocation(hipcc::parse_arguments(words));
  hipcc::Toolchain toolchain;
  toolchain.sdk = kSdkRoot;
  toolchain.clang_dir = std::string(kClangRoot) + "/bin";
  toolchain.clangxx = toolchain.tool("clang++");
  toolchain.clang_headers = std::string(kClangRoot) + "/include";
  for (const hipcc::Job& job : make_plan(invocation, toolchain, request.scratch, hipcc::Colour::Off))
    if (const CompilerOutcome outcome = run_job(job, files, mode, log); outcome != CompilerOutcome::Done)
      return outcome;
  return CompilerOutcome::Done;
} catch (const hipcc::DriverError& error) {
  log += "hiprtc: error: " + std::string(error.what()) + "\n";
  return CompilerOutcome::Failed;
} catch (const std::exception& error) { // memory, threads
  log += "hiprtc: error: " + std::string(error.what()) + "\n";
  return CompilerOutcome::Unsupported;
}

CompilerOutcome run_request(const CompilerRequest& request, ClangMode mode) {
  if (broken.load()) return CompilerOutcome::Crashed;
  std::string log, reason;
  CompilerOutcome outcome = CompilerOutcome::Unsupported;
  switch (run_guarded([&] { outcome = run(request, mode, log); }, reason)) {
  case GuardResult::Returned:
    break;
  case GuardResult::NotStarted:
    return CompilerOutcome::Unsupported;
  case GuardResult::Crashed:
    broken.store(true);
    outcome = CompilerOutcome::Crashed;
    log = reason;
  }
  request.say(request.listener, log.data(), log.size());
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
