// runtime/rtc/compiler/llvm_options.h - LLVM's own options (-mllvm) live in global variables. Whoever generates code
// says which options it needs; those with the same ones run at the same time, others wait. lld, which sets the options
// itself, runs alone.
//
// A compiler that crashes leaves its options in use for ever. So whoever waits then abandons its own guarded code
// (crash_guard.h) as if it had crashed. Thread safety: any thread.
#pragma once

#include <mutex>
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

  // To be called once compiler_has_crashed is set: wakes whoever waits.
  static void abandon_waiters();

  // Empty, or what LLVM says about a word that it does not know.
  const std::string& error() const { return error_; }

private:
  // Returns with the options in use by the caller alone, or, if `words` are given and set, with others that want them.
  static void wait_for(const std::vector<std::string>* words, std::unique_lock<std::mutex>& lock);

  std::string error_;
};

} // namespace hip::rtc
