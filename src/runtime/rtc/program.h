// runtime/rtc/program.h - a program that is compiled at run time: source text, headers by name, and what came of it.
// Thread safety: none; the entry points hold the program's lock.
#pragma once

#include "runtime/rtc/program_store.h"
#include "runtime/rtc/program_words.h"

#include <hip/hiprtc.h>

#include <mutex>
#include <string>
#include <vector>

namespace hip::rtc {

class Program {
public:
  Program(std::string source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}
  void add_header(std::string name, std::string text) { headers_.emplace_back(std::move(name), std::move(text)); }

  hiprtcResult add_name_expression(std::string expression);
  // Compiles the source, or finds on disk what it was compiled to. What the compiler says is the log.
  hiprtcResult compile(const std::vector<std::string>& options);
  // Null: the expression was not added, or names nothing.
  const std::string* lowered_name(const std::string& expression) const;

  bool compiled() const { return compiled_; }
  const std::string& log() const { return result_.log; }
  const std::string& code() const { return result_.code; }
  const std::string& bitcode() const { return result_.bitcode; }

  std::mutex mutex;

private:
  // All that the result depends on, besides files that are included from disk; empty when that cannot be told.
  std::string inputs(const ProgramWords& words) const;
  // The results of the compilation in that folder; `files` were included from disk.
  hiprtcResult compile_in(const std::string& folder, const ProgramWords& words, bool& may_store,
                          std::vector<std::string>& files);
  hiprtcResult write_files(const std::string& folder);

  const std::string source_, name_;
  std::vector<std::pair<std::string, std::string>> headers_;
  std::vector<std::string> expressions_;
  std::string unique_; // of this program as it is compiled, in names that must differ from other programs'
  CompiledProgram result_;
  bool compiled_ = false;
};

} // namespace hip::rtc
