#include "runtime/rtc/compiler/llvm_options.h"

#include "runtime/rtc/compiler/crash_guard.h"
#include "runtime/rtc/compiler/crashed.h"

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

void LlvmOptions::wait_for(const std::vector<std::string>* words, std::unique_lock<std::mutex>& lock) {
  State& s = state();
  const auto is_free = [&] { return s.users == 0 || (words && s.set == *words); };
  s.changed.wait(lock, [&] { return is_free() || compiler_has_crashed.load(); });
  if (is_free()) return;
  lock.unlock(); // abandon() leaves without destructors
  abandon("it has crashed on another thread");
  lock.lock();
}

void LlvmOptions::abandon_waiters() {
  State& s = state();
  {
    std::lock_guard lock(s.mutex);
  } // nobody is between looking at compiler_has_crashed and waiting
  s.changed.notify_all();
}

LlvmOptions::LlvmOptions(const std::vector<std::string>& words) {
  State& s = state();
  std::unique_lock lock(s.mutex);
  wait_for(&words, lock);
  const bool is_set = s.set == words;
  if (!is_set) s.set.reset(); // so that nobody takes them for set before they are
  ++s.users;
  if (is_set) return;
  lock.unlock(); // parsing may crash
  std::vector<const char*> argv = {"hiprtc"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  llvm::cl::ResetAllOptionOccurrences();
  llvm::raw_string_ostream text(error_);
  const bool ok = llvm::cl::ParseCommandLineOptions(int(argv.size()), argv.data(), "", &text);
  lock.lock();
  if (!ok) return;
  error_.clear();
  s.set = words;
  s.changed.notify_all();
}

LlvmOptions::LlvmOptions(Exclusive) {
  State& s = state();
  std::unique_lock lock(s.mutex);
  wait_for(nullptr, lock);
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
