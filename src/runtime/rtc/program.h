// runtime/rtc/program.h - a program that is compiled at run time: source text, headers by name, and what came of it.
// Thread safety: none; the entry points hold the program's lock.
#pragma once

#include <hip/hiprtc.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace hip::rtc {

class Program {
public:
  Program(std::string source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}
  void add_header(std::string name, std::string text) { headers_.emplace_back(std::move(name), std::move(text)); }

  hiprtcResult add_name_expression(std::string expression);
  // Compiles the source. What the compiler says is the log.
  hiprtcResult compile(const std::vector<std::string>& options);
  // Null: the expression was not added, or names nothing.
  const std::string* lowered_name(const std::string& expression) const;

  bool compiled() const { return compiled_; }
  const std::string& log() const { return log_; }
  const std::string& code() const { return code_; }
  const std::string& bitcode() const { return bitcode_; }

  std::mutex mutex;

private:
  hiprtcResult compile_in(const std::string& folder, const std::vector<std::string>& options);

  const std::string source_, name_;
  std::vector<std::pair<std::string, std::string>> headers_;
  std::vector<std::string> expressions_;
  std::map<std::string, std::string> lowered_;
  std::string log_, code_, bitcode_;
  bool compiled_ = false;
};

} // namespace hip::rtc
