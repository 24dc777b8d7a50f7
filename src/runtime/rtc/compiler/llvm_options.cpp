#include "runtime/rtc/compiler/llvm_options.h"

#include <condition_variable>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <mutex>
#include <optional>

namespace hip::rtc {
namespace {

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<std::vector<std::string>> set; // nothing: unknown, because lld may have changed them
  unsigned users = 0;
};
State& state() {
  static State* const only = new State;
  return *only;
}

} // namespace

LlvmOptions::LlvmOptions(const std::vector<std::string>& words) {
  State& s = state();
  std::unique_lock lock(s.mutex);
  s.changed.wait(lock, [&] { return s.users == 0 || s.set == words; });
  if (s.set != words) {
    std::vector<const char*> argv = {"hiprtc"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    llvm::cl::ResetAllOptionOccurrences();
    llvm::raw_string_ostream text(error_);
    const bool ok = llvm::cl::ParseCommandLineOptions(int(argv.size()), argv.data(), "", &text);
    if (ok) error_.clear();
    if (ok)
      s.set = words;
    else
      s.set.reset();
  }
  ++s.users;
}

LlvmOptions::LlvmOptions(Exclusive) {
  State& s = state();
  std::unique_lock lock(s.mutex);
  s.changed.wait(lock, [&] { return s.users == 0; });
  s.set.reset();
  ++s.users;
}

LlvmOptions::~LlvmOptions() {
  State& s = state();
  {
    std::lock_guard lock(s.mutex);
    --s.users;
  }
  s.changed.notify_all();
}

} // namespace hip::rtc
