// runtime/rtc/compiler/llvm_options.h - LLVM's own options (-mllvm) live in global variables. Whoever generates code
// says which options it needs; those with the same ones run at the same time, others wait. lld, which sets the options
// itself, runs alone. Thread safety: any thread.
#pragma once

#include <string>
#include <vector>

namespace hip::rtc {

class LlvmOptions {
public:
  // Sets the options to `words`, each as behind -mllvm, waiting for users of others.
  explicit LlvmOptions(const std::vector<std::string>& words);
  // For lld.
  struct Exclusive {};
  explicit LlvmOptions(Exclusive);
  ~LlvmOptions();
  LlvmOptions(const LlvmOptions&) = delete;
  LlvmOptions& operator=(const LlvmOptions&) = delete;

  // Empty, or what LLVM says about a word that it does not know.
  const std::string& error() const { return error_; }

private:
  std::string error_;
};

} // namespace hip::rtc
