// runtime/rtc/compiler_process.h - one command of hipcc, clang or lld: in this process by libomnihip_compiler.so, which
// is loaded for the first one, or by a program of the SDK in a process of its own.
//
// The child process is taken where OMNIHIP_RTC_CHILD or HIP_CLANG_PATH ask for it, where libomnihip_compiler.so or its
// headers are missing, for what it does not do (plug-ins), and always after it has crashed.
// Thread safety: any thread.
#pragma once

#include "runtime/rtc/compiler/code_tools.h"
#include "runtime/rtc/compiler/compiler.h"

#include <functional>
#include <string>
#include <vector>

namespace hip::rtc {

struct CompilerCommand {
  CommandOf of = CommandOf::Hipcc;
  // The command line without the program's name, for an SDK that lies in the given folder.
  std::function<std::vector<std::string>(const std::string& sdk)> words;
  std::string output;         // the file that the command writes, and that is not there when it fails
  std::string scratch;        // an existing folder
  const char* who = "hiprtc"; // begins lines of the log that are not the compiler's own
};

enum class CommandResult { Done, Failed, NotRun }; // NotRun: there is no compiler; the log says what is missing

struct CompilerReport {
  std::string log;
  bool in_process = false;
  std::vector<std::string> files; // what was included from disk, besides the SDK; known of commands in this process
};

// Whether the environment asks for child processes.
bool compiles_in_child();

// Adds what the compiler says to the report.
CommandResult run_compiler(const CompilerCommand& command, CompilerReport& report);

// What the compiler in this process can do besides; null where there is none.
const CodeTools* code_tools();

} // namespace hip::rtc
